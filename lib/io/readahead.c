/* See readahead.h. */
#include "io/readahead.h"

#include "base/error.h"
#include "base/worker.h"

#include <stdlib.h>

struct readahead {
    readahead_source source;
    void *user;
    size_t block_bytes;
    bool allowed;
    bool running; /* true if the worker is running */
    pthread_t thread;
    struct readahead_block slots[AHEAD_SLOTS];
    struct readahead_block *shown; /* the block that the caller uses now, or NULL */

    pthread_mutex_t lock; /* guards the members below */
    pthread_cond_t changed;
    bool stop;
    /* numbers of blocks that were filled by the worker, and finished by the caller */
    uint64_t filled, taken;
};

csy_status readahead_new(readahead_source source, void *user, size_t block_bytes,
                         struct readahead **out, csy_error *error)
{
    struct readahead *a = calloc(1, sizeof *a);
    if (!a)
        return error_memory(error);
    a->source = source;
    a->user = user;
    a->block_bytes = block_bytes;
    pthread_mutex_init(&a->lock, NULL);
    pthread_cond_init(&a->changed, NULL);
    *out = a;
    return CSY_OK;
}

void readahead_free(struct readahead *a)
{
    if (!a)
        return;
    readahead_rewind(a);
    for (size_t i = 0; i < AHEAD_SLOTS; i++)
        free(a->slots[i].bytes);
    pthread_cond_destroy(&a->changed);
    pthread_mutex_destroy(&a->lock);
    free(a);
}

void readahead_rewind(struct readahead *a)
{
    if (a->running) {
        pthread_mutex_lock(&a->lock);
        a->stop = true;
        pthread_cond_signal(&a->changed);
        pthread_mutex_unlock(&a->lock);
        pthread_join(a->thread, NULL);
    }
    a->running = a->stop = false;
    a->filled = a->taken = 0;
    a->shown = NULL;
}

void readahead_allow(struct readahead *a, bool thread)
{
    a->allowed = thread;
}

static bool is_last(const struct readahead_block *block)
{
    /* Before this call, at least one block was requested:
     * NOLINTNEXTLINE(clang-analyzer-core.NullDereference) */
    return block->status || block->size == 0;
}

/* The worker fills slots in turn until the data end, an error occurs, or `stop` is set. */
static void *fill_slots(void *user)
{
    struct readahead *a = user;
    bool last = false;
    pthread_mutex_lock(&a->lock);
    while (!last) {
        while (!a->stop && a->filled - a->taken == AHEAD_SLOTS)
            pthread_cond_wait(&a->changed, &a->lock);
        if (a->stop)
            break;
        struct readahead_block *block = &a->slots[a->filled % AHEAD_SLOTS];
        pthread_mutex_unlock(&a->lock);
        a->source(a->user, block);
        last = is_last(block);
        pthread_mutex_lock(&a->lock);
        a->filled++;
        pthread_cond_signal(&a->changed);
    }
    pthread_mutex_unlock(&a->lock);
    return NULL;
}

static bool make_room(struct readahead *a, size_t nslots)
{
    for (size_t i = 0; i < nslots; i++)
        if (!a->slots[i].bytes && !(a->slots[i].bytes = malloc(a->block_bytes)))
            return false;
    return true;
}

csy_status readahead_next(struct readahead *a, const struct readahead_block **out, csy_error *error)
{
    if (!make_room(a, 1))
        return error_memory(error);
    if (a->shown && !is_last(a->shown) && a->allowed && !a->running && make_room(a, AHEAD_SLOTS)) {
        a->filled = 1;
        a->taken = 0;
        a->running = a->allowed = worker_start(&a->thread, fill_slots, a);
    }
    if (a->running && !is_last(a->shown)) {
        pthread_mutex_lock(&a->lock);
        a->taken++;
        pthread_cond_signal(&a->changed);
        while (a->filled == a->taken)
            pthread_cond_wait(&a->changed, &a->lock);
        a->shown = &a->slots[a->taken % AHEAD_SLOTS];
        pthread_mutex_unlock(&a->lock);
    } else if (!a->shown || !is_last(a->shown)) {
        a->shown = &a->slots[0];
        a->source(a->user, a->shown);
    }
    *out = a->shown;
    return CSY_OK;
}
