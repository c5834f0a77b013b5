/* Costs of messages between two SPEs of a cluster. */
#include "simulator/cluster/wires.h"

#include "base/number.h"

#define PS_PER_SECOND INT64_C(1000000000000)
#define BYTES_PER_KB 1000

/* Latency and bandwidth by distance: for example, 0.272 us and 22,994.2 MB/s within a Cell. */
static const struct {
    int64_t latency_ps, kb_per_second;
} wires[] = {
    [SAME_CELL] = {272000, 22994200},
    [SAME_NODE] = {825000, 4281300},
    [OTHER_NODE] = {11771000, 161200},
};

/* InfiniBand 4x DDR: 16 Gbit/s of data. */
static const int64_t link_kb_per_second = 2000000;

int64_t wire_latency(const struct machine *machine, enum distance distance)
{
    return (int64_t)((int128)wires[distance].latency_ps * machine->cpu_hz / PS_PER_SECOND);
}

static int64_t cycles_of(const struct machine *machine, int64_t bytes, int64_t kb_per_second)
{
    int64_t bytes_per_second = kb_per_second * BYTES_PER_KB;
    return (int64_t)((int128)bytes * machine->cpu_hz / bytes_per_second);
}

int64_t wire_transfer(const struct machine *machine, enum distance distance, int64_t bytes)
{
    return cycles_of(machine, bytes, wires[distance].kb_per_second);
}

int64_t wire_link(const struct machine *machine, int64_t bytes)
{
    return cycles_of(machine, bytes, link_kb_per_second);
}

size_t places_node_spes(const struct machine *machine)
{
    return machine == &machines[MACHINE_QS22] ? (size_t)TRIBLADE_CELLS * CELL_SPES
                                              : (size_t)machine->nspes;
}

struct places places_make(size_t nodes, size_t spes)
{
    return (struct places){nodes * spes, spes, spes < CELL_SPES ? spes : CELL_SPES};
}

size_t places_node(const struct places *places, size_t rank)
{
    return rank / places->per_node;
}

size_t places_cell(const struct places *places, size_t rank)
{
    size_t cells = (places->per_node + places->per_cell - 1) / places->per_cell;
    return places_node(places, rank) * cells + rank % places->per_node / places->per_cell;
}

enum distance places_distance(const struct places *places, size_t a, size_t b)
{
    return places_node(places, a) != places_node(places, b)   ? OTHER_NODE
           : places_cell(places, a) != places_cell(places, b) ? SAME_NODE
                                                              : SAME_CELL;
}
