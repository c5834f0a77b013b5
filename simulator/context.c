/* Runs the program of a context.
 *
 * A step that can wait has two phases: it begins, and it ends after the wait, with its record. */
#include "simulator/network.h"

int64_t context_record(struct sim *sim, struct context *context, enum event event, int64_t now,
                       const uint64_t *payload)
{
    context->writing_until = slots_record(&sim->nodes[context->node].slots, &context->writer, event,
                                          context->begin, now, payload);
    return context->writing_until;
}

void context_wake(struct sim *sim, struct context *context, int64_t now)
{
    if (context->loaded)
        queue_set(&sim->queue, actor_of_context(sim, context), now);
    else
        context->left = 0;
}

/* --- Shared resources: the work counter, the barrier, the mutex ------------------------------ */

/* The counter, the barrier, and the mutex share a cache line. An atomic update fetches this line
 * from the core that had it last, and stores it back, so updates of all cores take place one after
 * the other. A context that waits polls its copy of the line. After a write, the waiting cores
 * fetch the line again, one after the other. */

/* Returns when a core has fetched the cache line, after all cores that asked for it before. */
static int64_t fetch(struct shared *shared, int cell, int64_t now)
{
    return shared->line_free_at = later(now, shared->line_free_at) +
                                  (shared->line_cell == cell ? LINE_SAME_CELL : LINE_OTHER_CELL);
}

static int64_t update(struct shared *shared, int cell, int64_t now)
{
    shared->line_free_at = fetch(shared, cell, now) + LINE_UPDATE;
    shared->line_cell = cell;
    return shared->line_free_at;
}

static void release(struct sim *sim, struct context *context, int64_t now)
{
    context_wake(sim, context, fetch(&sim->shared, context->writer.cell, now));
}

static int64_t shared_arrive(struct sim *sim, struct context *context, int64_t now)
{
    struct shared *shared = &sim->shared;
    int64_t done = update(shared, context->writer.cell, now);
    if (++shared->arrived < sim->ncontexts) {
        line_join(&shared->barrier, context);
        return NEVER;
    }
    shared->arrived = 0;
    for (struct context *c; (c = line_leave(&shared->barrier));)
        release(sim, c, done);
    return done;
}

static int64_t shared_lock(struct sim *sim, struct context *context, int64_t now)
{
    struct shared *shared = &sim->shared;
    int64_t done = update(shared, context->writer.cell, now);
    context->missed |= shared->mutex_owner != NULL;
    if (!shared->mutex_owner) {
        shared->mutex_owner = context;
        return done;
    }
    line_join(&shared->mutex, context);
    return NEVER;
}

/* Unlock the mutex, and let waiting contexts continue. The first waiting context on an SPE gets the
 * mutex. Contexts without an SPE try again after they are loaded. */
static int64_t shared_unlock(struct sim *sim, struct context *context, int64_t now)
{
    struct shared *shared = &sim->shared;
    int64_t done = update(shared, context->writer.cell, now);
    shared->mutex_owner = NULL;
    while (!shared->mutex_owner && shared->mutex.first) {
        struct context *first = line_leave(&shared->mutex);
        if (first->loaded)
            shared->mutex_owner = first;
        release(sim, first, done);
    }
    return done;
}

/* --- Steps ---------------------------------------------------------------------------------- */

/* Returns the index of the nearest step of this kind from step `from` on, in direction 1 or -1. */
static int find_step(const struct sim *sim, int from, int kind, int direction)
{
    int op = from;
    while (sim->workload.spe[op].kind != kind)
        op += direction;
    return op;
}

static unsigned tag_of(const struct context *context, const struct op *op)
{
    unsigned turn = op->c == TAG_FIXED ? 0 : (unsigned)context->loops[context->nloops - 1].turn & 1;
    return (unsigned)op->b + (op->c == TAG_OTHER ? turn ^ 1 : turn);
}

/* Begin a step that may wait. Returns the time when it ends, or NEVER if another actor must wake
 * the context. */
static int64_t wait_begin(struct sim *sim, struct context *context, const struct op *op,
                          int64_t now)
{
    context->begin = now;
    context->phase = 1;
    context->missed = false;
    switch (op->kind) {
    case OP_WAIT: {
        int64_t done = context->mfc.tag_done_at[tag_of(context, op)];
        return later(done, now) + CHANNEL;
    }
    case OP_TAKE: {
        struct shared *shared = &sim->shared;
        if (context->round != shared->counter_round) {
            shared->counter_round = context->round;
            shared->counter = 0;
        }
        context->piece = shared->counter++;
        return update(shared, context->writer.cell, now);
    }
    case OP_BARRIER:
        return shared_arrive(sim, context, now);
    case OP_LOCK:
        return shared_lock(sim, context, now);
    case OP_UNLOCK:
        return shared_unlock(sim, context, now);
    default:
        return now + CHANNEL;
    }
}

static int64_t wait_end(struct sim *sim, struct context *context, const struct op *op, int64_t now)
{
    bool mailbox = op->kind == OP_INBOX || op->kind == OP_OUTBOX;
    /* If the mailbox is empty or full, wait until the PPE fills or empties it. */
    context->waits = op->kind == OP_INBOX
                         ? !mailbox_take(&context->in)
                         : op->kind == OP_OUTBOX &&
                               !mailbox_put(op->a ? &context->out_interrupting : &context->out);
    if (context->waits)
        return NEVER;
    if (op->kind == OP_LOCK && sim->shared.mutex_owner != context)
        return shared_lock(sim, context, now);
    if (mailbox)
        main_notice(sim, context, op->kind == OP_OUTBOX && op->a, now);
    context->phase = 0;
    bool taken = op->kind == OP_TAKE && context->piece >= op->a;
    context->op = taken ? find_step(sim, context->op, OP_TAKEN, 1) + 1 : context->op + 1;
    static const enum event events[] = {
        [OP_WAIT] = EVENT_TAG_WAIT,        [OP_TAKE] = EVENT_ATOMIC_ADD,
        [OP_BARRIER] = EVENT_BARRIER,      [OP_LOCK] = EVENT_MUTEX_LOCK,
        [OP_UNLOCK] = EVENT_MUTEX_UNLOCK,  [OP_INBOX] = EVENT_IN_MBOX_READ,
        [OP_OUTBOX] = EVENT_OUT_MBOX_WRITE};
    uint64_t value = op->kind == OP_WAIT                            ? tag_of(context, op)
                     : op->kind == OP_TAKE                          ? (uint64_t)context->piece
                     : op->kind == OP_LOCK || op->kind == OP_UNLOCK ? 1
                     : op->kind == OP_OUTBOX                        ? (uint64_t)op->a
                                                                    : 0;
    return context_record(sim, context, events[op->kind], now,
                          PAYLOAD(value, op->kind == OP_LOCK && context->missed));
}

int64_t context_step(struct sim *sim, struct context *context, int64_t now)
{
    const struct op *op = &sim->workload.spe[context->op];
    unsigned tag;
    /* Skip calls if they are not recorded. */
    for (; !sim->calls && (op->kind == OP_CALL || op->kind == OP_RETURN); op++)
        context->op++;
    if (!context->loaded && context->stage == CONTEXT_CREATED) {
        /* The thread of the context calls spe_context_run. */
        context->stage = CONTEXT_CALLED;
        context->run_begin = now;
        return slots_record(&sim->nodes[0].slots, &context->thread, EVENT_THREAD_START, now, now,
                            PAYLOAD(context->writer.context));
    }
    if (!context->loaded) {
        kernel_enqueue(sim, context, now);
        return NEVER;
    }
    if (context->stage == CONTEXT_CALLED) {
        context->stage = CONTEXT_RUNNING;
        return context_record(sim, context, EVENT_SPE_ENTRY, now, PAYLOAD(0));
    }
    switch (op->kind) {
    case OP_ROUND:
        context->op = sim_round(sim, context->round) ? context->op + 1
                                                     : find_step(sim, context->op, OP_AGAIN, 1) + 1;
        return now;
    case OP_AGAIN:
        context->round++;
        context->op = find_step(sim, context->op, OP_ROUND, -1);
        return now;
    case OP_LOOP:
        context->loops[context->nloops++] = (struct loop){context->op++, op->a};
        return now;
    case OP_NEXT:
        if (--context->loops[context->nloops - 1].turn > 0) {
            context->op = context->loops[context->nloops - 1].op + 1;
        } else {
            context->nloops--;
            context->op++;
        }
        return now;
    case OP_TAKEN:
        context->op = find_step(sim, context->op, OP_TAKE, -1);
        return now;
    case OP_CALL:
        context->op++;
        return calls_enter(sim, context, (enum routine)op->a, now);
    case OP_RETURN:
        context->op++;
        return calls_leave(sim, context, now);
    case OP_COMPUTE:
        if (sim->calls && op->c != SHAPE_NONE)
            return calls_work(sim, context, op, now);
        context->op++;
        return now + rng_about(&sim->rng, op->a, op->b);
    case OP_GET:
    case OP_PUT:
        if (mfc_room_at(&context->mfc, now) > now)
            return mfc_room_at(&context->mfc, now);
        tag = tag_of(context, op);
        mfc_issue(&context->mfc, &sim->memory, context->writer.cell, op->a, tag, now);
        context->op++;
        return DMA_ISSUE + context_record(sim, context, op->kind == OP_GET ? EVENT_GET : EVENT_PUT,
                                          now, PAYLOAD((uint64_t)op->a, tag));
    case OP_SWAP:
        return network_swap(sim, context, op, now);
    case OP_MEET:
        return network_meet(sim, context, op, now);
    case OP_MARK:
        context->op++;
        return context_record(sim, context, EVENT_OUTER_LOOP, now,
                              PAYLOAD((uint64_t)context->round));
    case OP_END:
        kernel_stopped(sim, context, context_record(sim, context, EVENT_SPE_EXIT, now, PAYLOAD(0)));
        context->stage = CONTEXT_ENDED;
        return NEVER;
    default:
        return context->phase == 0 ? wait_begin(sim, context, op, now)
                                   : wait_end(sim, context, op, now);
    }
}
