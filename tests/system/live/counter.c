/* See counter.h. */
#include "counter.h"

#include "base/number.h"
#include "recorder/clock.h"

void counter_init(struct counter *c, uint64_t hz, bool hardware)
{
    clock_choose(hardware);
    c->scale = (uint64_t)(((uint128)hz << 32) / clock_measure_hz());
}

uint64_t counter_scaled(const struct counter *c, uint64_t raw)
{
    return (uint64_t)((uint128)raw * c->scale >> 32);
}

uint64_t counter_ticks(const struct counter *c)
{
    return counter_scaled(c, clock_here());
}
