/* Relay: instants that are taken by several, by more than one core. */
#include "instants/relay.h"

#include "base/error.h"
#include "base/worker.h"

#include <stdlib.h>

/* A batch takes far longer than a worker takes to wake; of a few all that is near fits in caches.
 * Of fewer records than RELAY_LEAST none is worth a worker; nor is one taker, nor several of a line
 * without begins and calls, since what a core reads that another one wrote takes it as long as
 * these work. */
enum { BATCHES = 4, BATCH = 512, RELAY_LEAST = 8192, WORKERS_MOST = 16 };

struct batch {
    struct actor_instant instants[BATCH];
    struct seen seen[BATCH]; /* of these */
    size_t n;
};

struct place {
    uint64_t next; /* the batch that the taker comes to */
    bool busy;     /* a worker has it */
};

struct relay {
    struct batch *batches; /* by number modulo BATCHES */
    uint64_t given;        /* batches that are full */
    bool ended;            /* they are all */
    struct relay_taker *takers;
    struct place *places;
    size_t n;
    pthread_mutex_t lock;
    pthread_cond_t changed;
};

static struct batch *batch_at(const struct relay *relay, uint64_t number)
{
    return &relay->batches[number % BATCHES];
}

/* The taker that is furthest behind and has something to take; none: n. */
static size_t find_taker(const struct relay *relay)
{
    size_t best = relay->n;
    for (size_t i = 0; i < relay->n; i++) {
        const struct place *place = &relay->places[i];
        if (!place->busy && place->next < relay->given &&
            (best == relay->n || place->next < relay->places[best].next))
            best = i;
    }
    return best;
}

static void take_batch(struct relay_taker *taker, const struct batch *batch)
{
    for (size_t i = 0; !taker->status && i < batch->n; i++)
        taker->status = taker->take(taker->user, &batch->instants[i], &taker->error);
}

/* With the lock held: a batch of some taker; false where none has any. */
static bool take_some(struct relay *relay)
{
    size_t index = find_taker(relay);
    if (index == relay->n)
        return false;
    struct place *place = &relay->places[index];
    const struct batch *batch = batch_at(relay, place->next);
    place->busy = true;
    pthread_mutex_unlock(&relay->lock);
    take_batch(&relay->takers[index], batch);
    pthread_mutex_lock(&relay->lock);
    place->busy = false;
    place->next++;
    pthread_cond_broadcast(&relay->changed);
    return true;
}

/* With the lock held: whether all have taken all batches before that one. */
static bool is_taken(const struct relay *relay, uint64_t number)
{
    for (size_t i = 0; i < relay->n; i++)
        if (relay->places[i].next < number)
            return false;
    return true;
}

/* With the lock held: take until all have taken so many batches. */
static void take_until(struct relay *relay, uint64_t number)
{
    while (!is_taken(relay, number))
        if (!take_some(relay))
            pthread_cond_wait(&relay->changed, &relay->lock);
}

static void *work(void *user)
{
    struct relay *relay = user;
    pthread_mutex_lock(&relay->lock);
    while (!relay->ended || !is_taken(relay, relay->given))
        if (!take_some(relay))
            pthread_cond_wait(&relay->changed, &relay->lock);
    pthread_mutex_unlock(&relay->lock);
    return NULL;
}

/* With the lock held. */
static bool any_left(const struct relay *relay)
{
    bool any = false;
    for (size_t i = 0; i < relay->n; i++)
        any |= relay->places[i].busy || !relay->takers[i].status;
    return any;
}

static csy_status none_left(csy_error *error)
{
    return error_set(error, CSY_INPUT, "no worker takes instants any more");
}

/* The batch is full, or the last: on to the next one, once all have taken what was in it. */
static csy_status hand_on(struct relay *relay, csy_error *error)
{
    pthread_mutex_lock(&relay->lock);
    relay->given++;
    pthread_cond_broadcast(&relay->changed);
    if (relay->given >= BATCHES)
        take_until(relay, relay->given - BATCHES + 1);
    bool any = any_left(relay);
    pthread_mutex_unlock(&relay->lock);
    batch_at(relay, relay->given)->n = 0;
    return any ? CSY_OK : none_left(error);
}

static csy_status put(void *user, const struct actor_instant *instant, csy_error *error)
{
    struct relay *relay = user;
    struct batch *batch = batch_at(relay, relay->given);
    struct actor_instant *to = &batch->instants[batch->n];
    *to = *instant;
    if (instant->seen) {
        batch->seen[batch->n] = *instant->seen;
        to->seen = &batch->seen[batch->n];
    }
    batch->n++;
    return batch->n < BATCH ? CSY_OK : hand_on(relay, error);
}

/* Each instant to all of them. */
static csy_status put_alone(void *user, const struct actor_instant *instant, csy_error *error)
{
    const struct relay *relay = user;
    bool any = false;
    for (size_t i = 0; i < relay->n; i++) {
        struct relay_taker *taker = &relay->takers[i];
        if (!taker->status)
            taker->status = taker->take(taker->user, instant, &taker->error);
        any |= !taker->status;
    }
    return any ? CSY_OK : none_left(error);
}

/* Those that start take until the last batch was given and taken. */
static csy_status give_to_all(struct relay *relay, struct instants *in, unsigned workers,
                              relay_give *give, csy_error *error)
{
    pthread_t others[WORKERS_MOST];
    unsigned n = 0;
    while (n + 1 < workers && n < WORKERS_MOST && n < relay->n &&
           worker_start(&others[n], work, relay))
        n++;
    csy_error rest;
    csy_status status = give(in, put, relay, error);
    if (batch_at(relay, relay->given)->n > 0)
        hand_on(relay, &rest);
    pthread_mutex_lock(&relay->lock);
    relay->ended = true;
    pthread_cond_broadcast(&relay->changed);
    take_until(relay, relay->given);
    pthread_mutex_unlock(&relay->lock);
    while (n > 0)
        pthread_join(others[--n], NULL);
    return status;
}

static bool begin(struct relay *relay)
{
    relay->batches = calloc(BATCHES, sizeof *relay->batches);
    relay->places = calloc(relay->n, sizeof *relay->places);
    if (!relay->batches || !relay->places || pthread_mutex_init(&relay->lock, NULL) != 0)
        return false;
    if (pthread_cond_init(&relay->changed, NULL) == 0)
        return true;
    pthread_mutex_destroy(&relay->lock);
    return false;
}

static bool is_worth_it(const struct instants *in, size_t ntakers)
{
    return ntakers > 1 && in->records >= RELAY_LEAST &&
           (in->has_begins || in->has_calls || in->partial);
}

void relay_run(struct instants *in, unsigned workers, relay_give *give, struct relay_taker *takers,
               size_t n)
{
    struct relay relay = {.takers = takers, .n = n};
    csy_error error;
    csy_status status;
    if (workers > 1 && is_worth_it(in, n) && begin(&relay)) {
        status = give_to_all(&relay, in, workers, give, &error);
        pthread_cond_destroy(&relay.changed);
        pthread_mutex_destroy(&relay.lock);
    } else {
        status = give(in, put_alone, &relay, &error);
    }
    for (size_t i = 0; status && i < n; i++)
        if (!takers[i].status) {
            takers[i].status = status;
            takers[i].error = error;
        }
    free(relay.batches);
    free(relay.places);
}
