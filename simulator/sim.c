/* See sim.h. */
#include "simulator/sim.h"

#include "base/error.h"

#include <assert.h>

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
    return sim->ppe_free_at[best] = later(now, sim->ppe_free_at[best]) + cycles;
}

/* --- Extra records -------------------------------------------------------------------------- */

/* Each plan (times of extra records for a context) has two actors that write extra records: one on
 * the PPE, and one on the SPE of the context. They are like handlers of timer interrupts, and delay
 * the program only by reserving slots of the trace buffer. */

/* A time in cycles, more than half a year after the start. Records after this time do not belong to
 * the run. */
#define CYCLES_MAX (INT64_C(1) << 56)

/* Returns the cycles from the request of a slot to its timestamp if no other core requests one. */
static int64_t lead(bool spe)
{
    return LINE_OWN + LINE_UPDATE + (spe ? SPE_STAMP : PPE_STAMP);
}

/* Returns the first cycle when a clock shows this reading, or NEVER if it is after CYCLES_MAX. A
 * NULL clock is the timebase. */
static int64_t cycle_of(const struct sim *sim, const struct clock *clock, int64_t shown)
{
    const struct machine *machine = sim->machine;
    int128 nano = clock ? clock_true_nano(clock, shown)
                        : (int128)(shown - sim->nodes[0].slots.timebase) * CLOCK_NANO;
    int128 cycle = ceil_div(nano * machine->cpu_hz, (int128)machine->timebase_hz * CLOCK_NANO);
    return cycle < 0 ? 0 : cycle < CYCLES_MAX ? (int64_t)cycle : NEVER;
}

/* Returns when the writer must request space in the trace buffer to get a timestamp at `cycle`, but
 * at least `now`. Returns NEVER if `cycle` is NEVER. */
static int64_t ask(int64_t cycle, bool spe, int64_t now)
{
    if (cycle == NEVER)
        return NEVER;
    return cycle - lead(spe) > now ? cycle - lead(spe) : now;
}

/* Returns the time when the PPE must request a slot for record i, counted from 0, of a plan. */
static int64_t ask_on_ppe(const struct sim *sim, const struct plan *plan, int64_t i, int64_t now)
{
    return ask(cycle_of(sim, NULL, plan->reference_ticks + i * plan->coarse_ticks), false, now);
}

/* Returns the live interval (time of a context on an SPE) for which the plan was made. Returns NULL
 * if it has not begun or is over. */
static const struct truth_row *interval_of(const struct sim *sim, const struct plan *plan)
{
    const struct truth *truth = sim->nodes[0].slots.truth;
    const struct context *context = &sim->contexts[plan->context - 1];
    size_t open = truth->contexts[plan->context].open;
    bool runs = context->loaded && context->stage == CONTEXT_RUNNING && open > 0;
    return runs && truth->rows[open - 1].ordinal == plan->ordinal ? &truth->rows[open - 1] : NULL;
}

/* Write the next extra record of plan i / 2: on the PPE if i is even, on the SPE if i is odd.
 * Returns the time of the record after it; NEVER: there is none. */
static int64_t probe_step(struct sim *sim, size_t i, int64_t now)
{
    struct probe *probe = &sim->probes[i];
    const struct plan *plan = &sim->advice->plans[i / 2];
    bool spe = i % 2 == 1;
    const struct truth_row *row = spe ? interval_of(sim, plan) : NULL;
    if (spe ? !row : sim->main.ended)
        return NEVER;
    /* The first step of an actor on an SPE only computes the time of its first record. */
    if (!spe || probe->ready) {
        struct writer *writer = spe ? &sim->contexts[plan->context - 1].writer : &sim->probe_thread;
        slots_record(&sim->nodes[0].slots, writer, EVENT_CLOCK_PROBE, now, now,
                     PAYLOAD((uint64_t)probe->next++));
        sim->probed++;
    }
    probe->ready = true;
    if (probe->next >= sim->advice->records)
        return NEVER;
    if (!spe)
        return ask_on_ppe(sim, plan, probe->next, now);
    row = interval_of(sim, plan);
    int64_t shown = row->first_ticks + plan->thread_ticks + probe->next * plan->fine_ticks;
    return ask(cycle_of(sim, row->clock, shown), true, now);
}

/* --- The run -------------------------------------------------------------------------------- */

csy_status sim_run(struct sim *sim, csy_error *error)
{
    queue_set(&sim->queue, actor_of_main(sim), 0);
    /* Schedule the actors that write extra records, if there is advice. */
    for (size_t i = 0; sim->advice && i < sim->advice->count; i++) {
        const struct plan *plan = &sim->advice->plans[i];
        size_t actor = actor_of_main(sim) + 1 + 2 * i;
        int64_t early = cycle_of(sim, NULL, plan->reference_ticks - plan->coarse_ticks - 1);
        int64_t on_ppe = ask_on_ppe(sim, plan, 0, 0), on_spe = ask(early, true, 0);
        if (on_ppe != NEVER)
            queue_set(&sim->queue, actor, on_ppe);
        if (on_spe != NEVER)
            queue_set(&sim->queue, actor + 1, on_spe);
    }
    for (int64_t now; (now = queue_least(&sim->queue)) != NEVER;) {
        size_t actor = queue_pop(&sim->queue);
        /* Repeat the actor's steps without the queue while the next one is the earliest of all. */
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
