/* Resources that contexts share through cache lines: the work counter, the barrier, the mutex.
 *
 * An atomic update fetches the cache line from the core that had it last, and stores it back. So
 * updates of all cores take place one after the other. A context that waits for the barrier or the
 * mutex polls its copy of the line. After a write, the waiting cores fetch the line again, one
 * after the other. */
#include "simulator/sim.h"

/* Returns the time when a core has fetched the cache line, after the cores that asked before. */
static int64_t fetch(struct shared *shared, int cell, int64_t now)
{
    int64_t at = now > shared->line_free_at ? now : shared->line_free_at;
    at += shared->line_cell == cell ? LINE_SAME_CELL : LINE_OTHER_CELL;
    shared->line_free_at = at;
    return at;
}

static int64_t update(struct shared *shared, int cell, int64_t now)
{
    int64_t at = fetch(shared, cell, now) + LINE_UPDATE;
    shared->line_free_at = at;
    shared->line_cell = cell;
    return at;
}

int64_t shared_add(struct sim *sim, struct context *context, int64_t now)
{
    struct shared *shared = &sim->shared;
    if (context->round != shared->counter_round) {
        shared->counter_round = context->round;
        shared->counter = 0;
    }
    context->piece = shared->counter++;
    return update(shared, context->writer.cell, now);
}

static void release(struct sim *sim, struct context *context, int64_t now)
{
    context_wake(sim, context, fetch(&sim->shared, context->writer.cell, now));
}

int64_t shared_arrive(struct sim *sim, struct context *context, int64_t now)
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

int64_t shared_lock(struct sim *sim, struct context *context, int64_t now)
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

/* Unlock the mutex, and let waiting contexts continue. The first one that is on an SPE gets the
 * mutex. Contexts without an SPE try again after they are loaded. */
int64_t shared_unlock(struct sim *sim, struct context *context, int64_t now)
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
