/* Events on their way from the worker that reads them to the one that writes them. */
#include "output/trace/batches.h"

#include "base/error.h"
#include "base/worker.h"
#include "trace/csv/csv.h"
#include "trace/pex/record.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>

enum {
    BATCHES = 4,
    BATCH_EVENTS = 256,
    BATCH_BYTES = 64 * 1024 /* unless one event takes more */
};

struct item {
    struct event source;
    csy_event event;
    bool selected;
    union {
        struct record record;
        struct csv_row row;
    };
};

struct batch {
    size_t n;
    struct item items[BATCH_EVENTS];
    char *bytes; /* what they point at */
    size_t used, capacity;
};

struct batches {
    batches_take take;
    void *user;
    pthread_t worker;
    bool blocks_pipe;  /* SIGPIPE, in the caller */
    csy_status status; /* the worker's, once it is joined */
    csy_error error;

    pthread_mutex_t lock;
    pthread_cond_t changed;
    uint64_t filled, taken; /* batches so far; taken <= filled <= taken + BATCHES */
    bool ended, failed;
    struct batch batches[BATCHES];
};

static csy_status take_batch(struct batches *b, const struct batch *batch)
{
    csy_status status = CSY_OK;
    for (size_t i = 0; i < batch->n && !status; i++)
        status = b->take(b->user, &batch->items[i].source, &batch->items[i].event,
                         batch->items[i].selected, &b->error);
    return status;
}

/* A pipe that nothing reads ends the program as it would where the caller writes. */
static void *run(void *user)
{
    struct batches *b = user;
    sigset_t pipe;
    sigemptyset(&pipe);
    sigaddset(&pipe, SIGPIPE);
    if (!b->blocks_pipe)
        pthread_sigmask(SIG_UNBLOCK, &pipe, NULL);
    pthread_mutex_lock(&b->lock);
    for (;;) {
        while (b->taken == b->filled && !b->ended)
            pthread_cond_wait(&b->changed, &b->lock);
        if (b->taken == b->filled)
            break;
        pthread_mutex_unlock(&b->lock);
        if (!b->status)
            b->status = take_batch(b, &b->batches[b->taken % BATCHES]);
        pthread_mutex_lock(&b->lock);
        b->failed = b->status != CSY_OK;
        b->taken++;
        pthread_cond_signal(&b->changed);
    }
    pthread_mutex_unlock(&b->lock);
    return NULL;
}

static void batches_free(struct batches *b)
{
    for (size_t i = 0; i < BATCHES; i++)
        free(b->batches[i].bytes);
    pthread_cond_destroy(&b->changed);
    pthread_mutex_destroy(&b->lock);
    free(b);
}

void batches_open(batches_take take, void *user, struct batches **out)
{
    struct batches *b = calloc(1, sizeof *b);
    *out = NULL;
    if (!b)
        return;
    bool good = true;
    sigset_t blocked;
    pthread_sigmask(SIG_SETMASK, NULL, &blocked);
    b->blocks_pipe = sigismember(&blocked, SIGPIPE);
    b->take = take;
    b->user = user;
    pthread_mutex_init(&b->lock, NULL);
    pthread_cond_init(&b->changed, NULL);
    for (size_t i = 0; i < BATCHES; i++) {
        b->batches[i].capacity = BATCH_BYTES;
        b->batches[i].bytes = malloc(BATCH_BYTES);
        good = good && b->batches[i].bytes;
    }
    if (good && worker_start(&b->worker, run, b))
        *out = b;
    else
        batches_free(b);
}

/* The batch that is being filled is full enough: hand it on, and wait for one that is free. */
static bool submit(struct batches *b)
{
    pthread_mutex_lock(&b->lock);
    b->filled++;
    pthread_cond_signal(&b->changed);
    while (b->filled - b->taken == BATCHES)
        pthread_cond_wait(&b->changed, &b->lock);
    bool failed = b->failed;
    pthread_mutex_unlock(&b->lock);
    struct batch *next = &b->batches[b->filled % BATCHES];
    next->n = next->used = 0;
    return !failed;
}

/* Bytes of all that an event points at. */
static size_t bytes_of(const struct event *source)
{
    size_t size = source->size + source->name_size;
    if (source->row)
        size += source->row->end_size + source->row->nfields * sizeof(struct csv_field);
    return size + _Alignof(max_align_t);
}

static const char *keep(struct batch *batch, const void *bytes, size_t size)
{
    char *at = batch->bytes + batch->used;
    if (size > 0)
        memcpy(at, bytes, size);
    batch->used += size;
    return at;
}

/* Fields lie within their row. */
static void keep_row(struct batch *batch, struct item *item, const struct csv_row *from)
{
    struct csv_row *row = &item->row;
    size_t rest = batch->used % _Alignof(struct csv_field);
    batch->used += rest ? _Alignof(struct csv_field) - rest : 0;
    struct csv_field *fields = (struct csv_field *)(void *)(batch->bytes + batch->used);
    batch->used += from->nfields * sizeof *fields;
    *row = *from;
    row->bytes = keep(batch, from->bytes, from->size + from->end_size);
    for (size_t i = 0; i < from->nfields; i++) {
        fields[i] = from->fields[i];
        fields[i].at = row->bytes + (from->fields[i].at - from->bytes);
    }
    row->fields = fields;
    row->named = NULL;
    item->source.row = row;
    item->source.bytes = (const uint8_t *)row->bytes;
}

static void keep_item(struct batch *batch, const struct event *source, const csy_event *event,
                      bool selected)
{
    struct item *item = &batch->items[batch->n++];
    item->source = *source;
    item->event = *event;
    item->selected = selected;
    item->source.stamp.thread = item->source.stamp.clock = NULL;
    item->source.stamp.thread_size = item->source.stamp.clock_size = 0;
    if (source->row) {
        keep_row(batch, item, source->row);
    } else {
        item->source.bytes = (const uint8_t *)keep(batch, source->bytes, source->size);
    }
    if (source->record) {
        item->record = *source->record;
        item->record.bytes = item->source.bytes;
        item->source.record = &item->record;
    }
    item->source.name = keep(batch, source->name, source->name_size);
    item->event.bytes = item->source.bytes;
}

csy_status batches_add(struct batches *b, const struct event *source, const csy_event *event,
                       bool selected, bool *stopped, csy_error *error)
{
    struct batch *batch = &b->batches[b->filled % BATCHES];
    size_t need = bytes_of(source);
    if (batch->n == BATCH_EVENTS || (batch->n > 0 && need > batch->capacity - batch->used)) {
        *stopped = !submit(b);
        batch = &b->batches[b->filled % BATCHES];
    }
    if (need > batch->capacity) {
        char *bytes = realloc(batch->bytes, need);
        if (!bytes)
            return error_memory(error);
        batch->bytes = bytes;
        batch->capacity = need;
    }
    keep_item(batch, source, event, selected);
    return CSY_OK;
}

csy_status batches_close(struct batches *b, csy_error *error)
{
    pthread_mutex_lock(&b->lock);
    b->filled += b->batches[b->filled % BATCHES].n > 0;
    b->ended = true;
    pthread_cond_signal(&b->changed);
    pthread_mutex_unlock(&b->lock);
    pthread_join(b->worker, NULL);
    csy_status status = b->status;
    if (status && error)
        *error = b->error;
    batches_free(b);
    return status;
}
