/* The machines, and the costs of operations. */
#include "simulator/machine.h"

#include "base/number.h"

const struct machine machines[MACHINES] = {
    {"QS20", 14318000, 3200000000, 2, 16},
    {"QS21", 26666666, 3200000000, 2, 16},
    {"QS22", 26666666, 3200000000, 2, 16},
    {"PS3", 79800000, 3192000000, 1, 6},
};

int64_t machine_ticks(const struct machine *machine, int64_t cycles)
{
    int64_t product;
    if (!__builtin_mul_overflow(cycles, machine->timebase_hz, &product))
        return product / machine->cpu_hz;
    return (int64_t)((int128)cycles * machine->timebase_hz / machine->cpu_hz);
}

int64_t machine_ns(const struct machine *machine, int64_t cycles)
{
    return (int64_t)((int128)cycles * 1000000000 / machine->cpu_hz);
}
