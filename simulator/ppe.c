/* The main thread of the program on the PPE. It creates contexts, exchanges words with them, and
 * waits until they end.
 *
 * A step handles one context after the other, in phases. Each context also has a thread of its own,
 * which only runs the context (context_step in context.c). */
#include "simulator/sim.h"

static int64_t record(struct sim *sim, enum event event, const struct context *context, int64_t now)
{
    return slots_record(&sim->nodes[0].slots, &sim->main.writer, event, sim->main.begin, now,
                        PAYLOAD(context ? context->writer.context : 0));
}

/* Continue the step with phase `next` at time `at`. */
static int64_t phase(struct main_thread *main, int next, int64_t at)
{
    main->phase = next;
    return at;
}

static int64_t advance(struct sim *sim, int64_t now)
{
    struct main_thread *main = &sim->main;
    if (++main->index == sim->ncontexts) {
        main->index = 0;
        main->op++;
    }
    return phase(main, 0, now);
}

static int64_t await(struct main_thread *main, struct context *context)
{
    main->awaited = context;
    return NEVER;
}

void main_notice(struct sim *sim, struct context *context, bool interrupt, int64_t now)
{
    if (sim->main.awaited != context)
        return;
    sim->main.awaited = NULL;
    int64_t wake = interrupt ? rng_about(&sim->rng, INTERRUPT_WAKE, WORK_SPREAD_PERCENT)
                             : rng_below(&sim->rng, MAILBOX_POLL);
    queue_set(&sim->queue, actor_of_main(sim), now + wake);
}

static int64_t create(struct sim *sim, struct context *context, int64_t now)
{
    struct main_thread *main = &sim->main;
    if (main->phase == 0) {
        main->begin = now;
        int64_t work = rng_about(&sim->rng, CONTEXT_CREATE, WORK_SPREAD_PERCENT);
        return phase(main, 1, sim_ppe_work(sim, work, now));
    }
    queue_set(&sim->queue, actor_of_context(sim, context),
              now + rng_about(&sim->rng, THREAD_WAKE, WORK_SPREAD_PERCENT));
    return advance(sim, record(sim, EVENT_CONTEXT_CREATE, context, now));
}

static void touch(struct sim *sim, struct context *context, int64_t now)
{
    if (context->waits)
        context_wake(sim, context, now);
    context->waits = false;
}

static int64_t send(struct sim *sim, struct context *context, int64_t now)
{
    struct main_thread *main = &sim->main;
    if (main->phase == 0) {
        main->begin = now;
        return phase(main, 1, now + MMIO_WRITE);
    }
    if (!mailbox_put(&context->in))
        return await(main, context);
    touch(sim, context, now);
    return advance(sim, record(sim, EVENT_IN_MBOX_WRITE, context, now));
}

static int64_t receive(struct sim *sim, struct context *context, bool interrupting, int64_t now)
{
    struct main_thread *main = &sim->main;
    switch (main->phase) {
    case 0:
        main->begin = now;
        return phase(main, 1, now);
    case 1:
        if (!mailbox_take(interrupting ? &context->out_interrupting : &context->out))
            return await(main, context);
        touch(sim, context, now);
        return phase(main, 2, now + MMIO_READ);
    default:
        return advance(sim, record(sim, EVENT_OUT_MBOX_READ, context, now));
    }
}

int64_t main_step(struct sim *sim, int64_t now)
{
    struct main_thread *main = &sim->main;
    struct context *context = &sim->contexts[main->index];
    while (!sim->calls && (sim->workload.ppe[main->op].kind == MAIN_CALL ||
                           sim->workload.ppe[main->op].kind == MAIN_RETURN))
        main->op++;
    const struct op *op = &sim->workload.ppe[main->op];
    if (!main->started) {
        main->started = true;
        return record(sim, EVENT_TRACE_START, NULL, now);
    }
    switch (op->kind) {
    case MAIN_CREATE:
        return create(sim, context, now);
    case MAIN_SEND:
        return send(sim, context, now);
    case MAIN_RECEIVE:
        return receive(sim, context, op->a != 0, now);
    case MAIN_ROUND:
        if (!sim_round(sim, main->round))
            while (sim->workload.ppe[main->op].kind != MAIN_AGAIN)
                main->op++;
        main->op++;
        return now;
    case MAIN_AGAIN:
        main->round++;
        while (sim->workload.ppe[main->op].kind != MAIN_ROUND)
            main->op--;
        return now;
    case MAIN_MARK:
        main->op++;
        return slots_record(&sim->nodes[0].slots, &main->writer, EVENT_OUTER_LOOP, now, now,
                            PAYLOAD((uint64_t)main->round));
    case MAIN_CALL:
        main->op++;
        return calls_enter(sim, NULL, (enum routine)op->a, now);
    case MAIN_RETURN:
        main->op++;
        return calls_leave(sim, NULL, now);
    case MAIN_JOIN:
        return context->joinable ? advance(sim, now) : await(main, context);
    default:
        main->ended = true;
        main->ended_at = record(sim, EVENT_TRACE_STOP, NULL, now);
        return NEVER;
    }
}
