/* See sim.h. */
#include "simulator/sim.h"

#include "base/error.h"

#include <assert.h>

/* A time in cycles, more than a year after the start. Sums with later times could overflow. */
#define END_OF_TIME (INT64_C(1) << 57)

uint64_t sim_records(const struct sim *sim)
{
    uint64_t records = 0;
    for (size_t i = 0; i < sim->nnodes; i++)
        records += sim->nodes[i].slots.count;
    return records;
}

static bool failed(const struct sim *sim)
{
    bool failed = sim->nodes[0].slots.truth->failed;
    for (size_t i = 0; i < sim->nnodes; i++)
        failed |= sim->nodes[i].slots.sink && sink_failed(sim->nodes[i].slots.sink);
    return failed;
}

bool sim_round(struct sim *sim, int64_t round)
{
    if (round >= sim->rounds && !sim->last_round) {
        sim->last_round =
            sim->limit ? sim_records(sim) >= (uint64_t)sim->limit : round >= sim->workload.rounds;
        sim->rounds += !sim->last_round;
    }
    return round < sim->rounds;
}

int64_t sim_ppe_work(struct sim *sim, int64_t cycles, int64_t now)
{
    int best = 0;
    for (int i = 1; i < sim->machine->ncells * PPE_THREADS_PER_CELL; i++)
        if (sim->ppe_free_at[i] < sim->ppe_free_at[best])
            best = i;
    int64_t begin = now > sim->ppe_free_at[best] ? now : sim->ppe_free_at[best];
    return sim->ppe_free_at[best] = begin + cycles;
}

csy_status sim_run(struct sim *sim, csy_error *error)
{
    queue_set(&sim->queue, actor_of_main(sim), 0);
    probe_start(sim);
    for (int64_t now; (now = queue_least(&sim->queue)) != NEVER;) {
        size_t actor = queue_pop(&sim->queue);
        /* An actor whose next step precedes the steps of all others does not enter the queue. */
        do
            now = actor < sim->nspes ? kernel_step(sim, &sim->spes[actor], now)
                  : actor < sim->nspes + sim->ncontexts
                      ? context_step(sim, &sim->contexts[actor - sim->nspes], now)
                  : actor == actor_of_main(sim)
                      ? main_step(sim, now)
                      : probe_step(sim, actor - actor_of_main(sim) - 1, now);
        while (now < queue_least(&sim->queue) && now < END_OF_TIME);
        if (now != NEVER && now >= END_OF_TIME)
            return error_set(error, CSY_INPUT, "the simulated program runs for more than a year");
        if (now != NEVER)
            queue_set(&sim->queue, actor, now);
        if (failed(sim))
            return CSY_OK;
    }
    assert(sim->main.ended); /* no actor waits forever */
    return CSY_OK;
}
