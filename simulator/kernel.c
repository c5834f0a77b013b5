/* The kernel's side of the SPEs: spufs, as in arch/powerpc/platforms/cell/spufs of Linux.
 *
 *      idle -> restoring -> (reporting) -> running -> (stopping) -> saving -> idle
 *                                             \-> ending -> idle
 *
 * Contexts that can run wait in a line. If others wait at the end of a context's quantum, it is
 * switched out and goes to the end of the line. Each switch is a record. The switch log (sched.c:
 * spu_switch_log_notify) writes it before restoring and after saving. A notifier
 * (spu_switch_notify) is called after restoring and before saving, with a delay, so it reports IN
 * late and OUT early: the states in parentheses.
 *
 * While a context is switched out, its decrementer continues only approximately (switch.c:
 * halt_mfc_decr, save_timebase, setup_decr). It is halted shortly before the timebase is read.
 * After the local store was restored, it starts again, corrected by the timebase. */
#include "simulator/sim.h"

static int64_t switch_record(struct sim *sim, struct spe *spe, enum event event, int64_t now)
{
    const struct writer *context = &spe->context->writer;
    if (sim->workload.ranks)
        return now; /* In a workload with ranks, the kernel never switches them, so there is nothing
                     * to record. */
    sim->switches++;
    return slots_record(&sim->nodes[0].slots, &spe->context->thread, event, now, now,
                        PAYLOAD(context->context, actor_of_spe(sim, spe)));
}

static int64_t about(struct sim *sim, int64_t cycles)
{
    return rng_about(&sim->rng, cycles, WORK_SPREAD_PERCENT);
}

static int64_t quantum(const struct sim *sim)
{
    return sim->machine->cpu_hz / 1000 * (QUANTUM_NS / 1000000);
}

static int64_t load(struct sim *sim, struct spe *spe, struct context *context, int64_t now)
{
    spe->context = context;
    spe->state = SPE_RESTORING;
    spe->out_reported = false;
    spe->in_reported = !sim->notifier;
    context->writer.spe = (uint32_t)actor_of_spe(sim, spe);
    if (!sim->workload.ranks) {
        context->writer.cell = (int)(context->writer.spe / CELL_SPES);
        context->writer.clock = sim->drifts ? &spe->clock : NULL;
    }
    if (spe->in_reported)
        now = switch_record(sim, spe, EVENT_SWITCH_IN, now);
    int64_t work = about(sim, RESTORE_WORK);
    int64_t set = context->node ? now + work : sim_ppe_work(sim, work, now);
    int64_t running = set + STORE_MOVE + about(sim, DECR_START);
    context->lost_cycles += running - set;
    return running;
}

static int64_t restored(struct sim *sim, struct spe *spe, int64_t now)
{
    struct context *context = spe->context;
    if (context->stage == CONTEXT_CALLED)
        context->left = about(sim, SPE_START);
    else
        context->writer.decr_base +=
            (uint32_t)(machine_ticks(sim->machine, context->lost_cycles) +
                       slots_lead(&sim->nodes[0].slots, &context->writer, now));
    context->lost_cycles = 0;
    context->loaded = true;
    context->writer.stay++;
    context->writer.stay_begin = now;
    if (context->left != NEVER)
        queue_set(&sim->queue, actor_of_context(sim, context), now + context->left);
    spe->quantum_end = now + quantum(sim);
    spe->state = spe->in_reported ? SPE_RUNNING : SPE_REPORTING;
    return spe->in_reported ? spe->quantum_end : now + about(sim, NOTIFIER_LAG);
}

static int64_t save(struct sim *sim, struct spe *spe, int64_t now)
{
    struct context *context = spe->context;
    if (context->writing_until > now)
        return context->writing_until;
    int64_t due = queue_cancel(&sim->queue, actor_of_context(sim, context));
    context->left = due == NEVER ? NEVER : due - now;
    context->loaded = false;
    context->lost_cycles = about(sim, DECR_HALT);
    /* While switched out, the decrementer counts like the timebase, so remove the clock's lead. */
    context->writer.decr_base -= (uint32_t)slots_lead(&sim->nodes[0].slots, &context->writer, now);
    spe->state = SPE_SAVING;
    return sim_ppe_work(sim, about(sim, SAVE_WORK), now) + STORE_MOVE;
}

void kernel_enqueue(struct sim *sim, struct context *context, int64_t now)
{
    if (sim->workload.ranks) {
        struct spe *own = &sim->spes[context - sim->contexts];
        queue_set(&sim->queue, actor_of_spe(sim, own), load(sim, own, context, now));
        return;
    }
    line_join(&sim->runnable, context);
    for (size_t i = 0; i < sim->nspes; i++)
        if (sim->spes[i].state == SPE_IDLE && !sim->queue.places[i]) {
            queue_set(&sim->queue, i, now);
            return;
        }
    for (size_t i = 0; i < sim->nspes; i++) {
        const struct spe *spe = &sim->spes[i];
        if (spe->state != SPE_RUNNING || sim->queue.places[i])
            continue;
        /* If no context waited when the quantum (time slice) ended, the SPE continued with further
         * quanta. Wake it at the end of the current one. */
        int64_t over = now > spe->quantum_end ? now - spe->quantum_end : 0;
        int64_t quanta = (over + quantum(sim) - 1) / quantum(sim);
        queue_set(&sim->queue, i, spe->quantum_end + quanta * quantum(sim));
    }
}

/* Write the records that end spe_context_run. Each call writes at most one record. */
static int64_t end_context(struct sim *sim, struct spe *spe, int64_t now)
{
    struct context *context = spe->context;
    const uint64_t *payload = PAYLOAD(context->writer.context);
    switch (spe->end_phase++) {
    case 0:
        return spe->in_reported ? now : switch_record(sim, spe, EVENT_SWITCH_IN, now);
    case 1:
        return spe->out_reported ? now : switch_record(sim, spe, EVENT_SWITCH_OUT, now);
    case 2:
        return slots_record(&sim->nodes[0].slots, &context->thread, EVENT_CONTEXT_RUN,
                            context->run_begin, now, payload);
    default:
        spe->state = SPE_IDLE;
        spe->end_phase = 0;
        now = slots_record(&sim->nodes[0].slots, &context->thread, EVENT_THREAD_STOP, now, now,
                           payload);
        context->joinable = true;
        main_notice(sim, context, true, now);
        return now;
    }
}

int64_t kernel_step(struct sim *sim, struct spe *spe, int64_t now)
{
    struct context *context;
    switch (spe->state) {
    case SPE_RESTORING:
        return restored(sim, spe, now);
    case SPE_REPORTING:
        spe->in_reported = true;
        spe->state = SPE_RUNNING;
        switch_record(sim, spe, EVENT_SWITCH_IN, now);
        return spe->quantum_end;
    case SPE_RUNNING: /* the quantum is over */
        if (!sim->runnable.first)
            return NEVER; /* when a context becomes runnable, kernel_enqueue schedules the SPE
                           * again */
        if (!sim->notifier)
            return save(sim, spe, now);
        spe->state = SPE_STOPPING;
        spe->out_reported = true;
        switch_record(sim, spe, EVENT_SWITCH_OUT, now);
        return now + about(sim, NOTIFIER_LAG);
    case SPE_STOPPING:
        return save(sim, spe, now);
    case SPE_SAVING:
        if (!spe->out_reported)
            now = switch_record(sim, spe, EVENT_SWITCH_OUT, now);
        kernel_enqueue(sim, spe->context, now);
        spe->state = SPE_IDLE;
        return now;
    case SPE_ENDING:
        return end_context(sim, spe, now);
    default:
        context = line_leave(&sim->runnable);
        return context ? load(sim, spe, context, now) : NEVER;
    }
}

void kernel_stopped(struct sim *sim, struct context *context, int64_t at)
{
    struct spe *spe = &sim->spes[context->writer.spe];
    spe->state = SPE_ENDING;
    int64_t noticed = at + about(sim, INTERRUPT_WAKE);
    queue_set(&sim->queue, actor_of_spe(sim, spe),
              sim_ppe_work(sim, about(sim, THREAD_RETURN), noticed));
}
