/* The actors that write extra records. For each plan, one works on the PPE, and one on the SPE of
 * the context. They resemble handlers of timer interrupts. They delay the program only by taking
 * slots of the trace buffer. */
#include "simulator/sim.h"

/* A time in cycles, more than half a year after the start. Records after this time do not belong to
 * the run. */
#define CYCLES_MAX (INT64_C(1) << 56)

/* Returns the cycles from the request of a slot to its timestamp, if no other core interferes. */
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

/* Returns the time to request a slot, so that the record gets its timestamp at `cycle`. The time is
 * not before `now`; it is NEVER if `cycle` is NEVER. */
static int64_t ask(int64_t cycle, bool spe, int64_t now)
{
    if (cycle == NEVER)
        return NEVER;
    return cycle - lead(spe) > now ? cycle - lead(spe) : now;
}

/* Returns the time when the PPE must request a slot for its i-th record of a plan, counted from
 * 0. */
static int64_t ask_on_ppe(const struct sim *sim, const struct plan *plan, int64_t i, int64_t now)
{
    return ask(cycle_of(sim, NULL, plan->reference_ticks + i * plan->coarse_ticks), false, now);
}

/* Returns the truth about the live interval of a plan if the context now runs in this interval,
 * otherwise NULL. */
static const struct truth_row *interval_of(const struct sim *sim, const struct plan *plan)
{
    const struct truth *truth = sim->nodes[0].slots.truth;
    const struct context *context = &sim->contexts[plan->context - 1];
    size_t open = truth->contexts[plan->context].open;
    bool runs = context->loaded && context->stage == CONTEXT_RUNNING && open > 0;
    return runs && truth->rows[open - 1].ordinal == plan->ordinal ? &truth->rows[open - 1] : NULL;
}

static void record(struct sim *sim, struct writer *writer, int64_t i, int64_t now)
{
    uint64_t payload[PAYLOAD_MAX] = {(uint64_t)i};
    slots_record(&sim->nodes[0].slots, writer, EVENT_CLOCK_PROBE, now, now, payload);
    sim->probed++;
}

int64_t probe_step(struct sim *sim, size_t i, int64_t now)
{
    struct probe *probe = &sim->probes[i];
    const struct plan *plan = &sim->advice->plans[i / 2];
    bool spe = i % 2 == 1;
    const struct truth_row *row = spe ? interval_of(sim, plan) : NULL;
    if (spe ? !row : sim->main.ended)
        return NEVER;
    /* The first step of an actor on an SPE only computes the time of its first record. */
    if (!spe)
        record(sim, &sim->probe_thread, probe->next++, now);
    else if (probe->ready)
        record(sim, &sim->contexts[plan->context - 1].writer, probe->next++, now);
    probe->ready = true;
    if (probe->next >= sim->advice->records)
        return NEVER;
    if (!spe)
        return ask_on_ppe(sim, plan, probe->next, now);
    row = interval_of(sim, plan);
    int64_t shown = row->first_ticks + plan->thread_ticks + probe->next * plan->fine_ticks;
    return ask(cycle_of(sim, row->clock, shown), true, now);
}

void probe_start(struct sim *sim)
{
    for (size_t i = 0; sim->advice && i < sim->advice->count; i++) {
        const struct plan *plan = &sim->advice->plans[i];
        size_t actor = actor_of_main(sim) + 1 + 2 * i;
        /* No record of the SPE is due before this time, because the true offset is not below the
         * lower bound on which the plan is based. */
        int64_t early = cycle_of(sim, NULL, plan->reference_ticks - plan->coarse_ticks - 1);
        int64_t on_ppe = ask_on_ppe(sim, plan, 0, 0), on_spe = ask(early, true, 0);
        if (on_ppe != NEVER)
            queue_set(&sim->queue, actor, on_ppe);
        if (on_spe != NEVER)
            queue_set(&sim->queue, actor + 1, on_spe);
    }
}
