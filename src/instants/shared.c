/* Several analyses of one scan and one merge. */
#include "instants/shared.h"

#include "base/error.h"
#include "base/worker.h"
#include "instants/merge.h"
#include "sync/solution.h"

#include <stdlib.h>

enum place { RUNS, AT_MERGE, DONE };

struct sharer {
    struct shared *shared;
    size_t index;
    pthread_t worker;
    bool started;
    enum place place;
    bool merged;
    take_instant *take;
    void *user;
    csy_status status; /* of the merge */
    csy_error error;
};

struct shared {
    const struct csy_meaning *meaning;
    struct instants instants;
    bool scanned;
    csy_status status; /* of the scan */
    csy_error error;
    shared_job *job;
    void *user;
    struct sharer *items;
    size_t n;
    struct sharer *running; /* NULL: who has started them */
    pthread_mutex_t lock;
    pthread_cond_t turn;
};

/* It is the turn of next; back when it is that of the caller. */
static void hand_over(struct shared *shared, struct sharer *self, struct sharer *next)
{
    pthread_mutex_lock(&shared->lock);
    shared->running = next;
    pthread_cond_broadcast(&shared->turn);
    while (shared->running != self)
        pthread_cond_wait(&shared->turn, &shared->lock);
    pthread_mutex_unlock(&shared->lock);
}

static void *run(void *user)
{
    struct sharer *self = user;
    struct shared *shared = self->shared;
    pthread_mutex_lock(&shared->lock);
    while (shared->running != self)
        pthread_cond_wait(&shared->turn, &shared->lock);
    pthread_mutex_unlock(&shared->lock);
    shared->job(shared->user, self->index);
    pthread_mutex_lock(&shared->lock);
    self->place = DONE;
    shared->running = NULL;
    pthread_cond_broadcast(&shared->turn);
    pthread_mutex_unlock(&shared->lock);
    return NULL;
}

/* All names that a job may add to, since each has a copy of its own of where they are. */
static csy_status open_all(struct shared *shared, csy_sync *sync)
{
    struct instants *in = &shared->instants;
    uint32_t other;
    csy_status status =
        instants_open_more(in, sync, shared->meaning, INSTANTS_AHEAD, MORE_TIMES, &shared->error);
    if (status || routines_name(&in->senses.routines, "other", 5, &other))
        return status;
    instants_fini(in);
    return error_memory(&shared->error);
}

struct sharer *shared_open(struct csy_sync *sync, const struct csy_meaning *meaning,
                           struct instants *out, csy_status *status, csy_error *error)
{
    struct shared *shared = sync->shared;
    if (!shared || shared->meaning != meaning || shared->running->merged)
        return NULL;
    struct sharer *self = shared->running;
    if (!shared->scanned) {
        sync->shared = NULL;
        shared->status = open_all(shared, sync);
        sync->shared = shared;
        shared->scanned = true;
    }
    *status = shared->status;
    if (*status) {
        *out = (struct instants){0};
        error_set(error, *status, "%s", shared->error.text);
    } else {
        *out = shared->instants;
    }
    return self;
}

/* Wait until all have come, and have taken all. */
static csy_status wait_for_merge(struct sharer *sharer, take_instant *take, void *user,
                                 csy_error *error)
{
    struct shared *shared = sharer->shared;
    sharer->place = AT_MERGE;
    sharer->take = take;
    sharer->user = user;
    hand_over(shared, sharer, NULL);
    sharer->place = RUNS;
    sharer->merged = true;
    return sharer->status ? error_set(error, sharer->status, "%s", sharer->error.text) : CSY_OK;
}

/* Each instant to all that wait for it. */
static csy_status give_to_all(void *user, const struct actor_instant *instant, csy_error *error)
{
    struct shared *shared = user;
    bool any = false;
    for (size_t i = 0; i < shared->n; i++) {
        struct sharer *item = &shared->items[i];
        if (item->place != AT_MERGE || item->status)
            continue;
        item->status = item->take(item->user, instant, &item->error);
        any |= !item->status;
    }
    return any ? CSY_OK : error_set(error, CSY_INPUT, "no analysis takes instants any more");
}

/* A failure of the merge is that of all that had not failed by then. */
static void merge(struct shared *shared)
{
    csy_error error;
    bool any = false;
    for (size_t i = 0; i < shared->n; i++)
        any |= shared->items[i].place == AT_MERGE;
    csy_status status = any ? merge_give(&shared->instants, give_to_all, shared, &error) : CSY_OK;
    for (size_t i = 0; status && i < shared->n; i++) {
        struct sharer *item = &shared->items[i];
        if (item->place != AT_MERGE || item->status)
            continue;
        item->status = status;
        item->error = error;
    }
}

static void run_all(struct shared *shared, csy_sync *sync)
{
    for (size_t i = 0; i < shared->n; i++) {
        struct sharer *item = &shared->items[i];
        *item = (struct sharer){.shared = shared, .index = i};
        sync->shared = shared;
        item->started = worker_start(&item->worker, run, item);
        if (item->started) {
            hand_over(shared, NULL, item);
        } else {
            sync->shared = NULL;
            shared->job(shared->user, i);
            item->place = DONE;
        }
    }
    sync->shared = NULL;
    merge(shared);
    sync->shared = shared;
    for (size_t i = 0; i < shared->n; i++) {
        struct sharer *item = &shared->items[i];
        if (item->place == AT_MERGE)
            hand_over(shared, NULL, item);
    }
    sync->shared = NULL;
}

csy_status shared_run(csy_sync *sync, const csy_meaning *meaning, size_t n, shared_job *job,
                      void *user, csy_error *error)
{
    struct shared shared = {.meaning = meaning, .job = job, .user = user, .n = n};
    shared.items = calloc(n + 1, sizeof *shared.items);
    if (!shared.items)
        return error_memory(error);
    if (pthread_mutex_init(&shared.lock, NULL) != 0 || pthread_cond_init(&shared.turn, NULL) != 0) {
        free(shared.items);
        return error_memory(error);
    }
    run_all(&shared, sync);
    for (size_t i = 0; i < n; i++)
        if (shared.items[i].started)
            pthread_join(shared.items[i].worker, NULL);
    if (shared.scanned && !shared.status)
        instants_fini(&shared.instants);
    pthread_cond_destroy(&shared.turn);
    pthread_mutex_destroy(&shared.lock);
    free(shared.items);
    return CSY_OK;
}

csy_status instants_merge(struct instants *in, take_instant *take, void *user, csy_error *error)
{
    return in->sharer ? wait_for_merge(in->sharer, take, user, error)
                      : merge_give(in, take, user, error);
}

csy_status instants_merge_calls(struct instants *in, take_instant *take, take_actor_calls *calls,
                                void *user, csy_error *error)
{
    return in->sharer ? wait_for_merge(in->sharer, take, user, error)
                      : merge_give_calls(in, take, calls, user, error);
}
