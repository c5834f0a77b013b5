/* Batches of events pass from a thread that reads to another thread, the worker, that writes. */
#include "output/trace/batches.h"

#include "base/array.h"
#include "base/error.h"
#include "base/worker.h"
#include "trace/csv/csv.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>

enum {
    BATCHES = 4,
    BATCH_EVENTS = 1024,
    BATCH_BYTES = 128 * 1024, /* largest size of a batch's data, unless one event is larger */
    SHORT_BYTES = 64          /* most records are at most this long */
};

_Static_assert((int)SHORT_BYTES <= (int)FAST_LOOKAHEAD, "so many bytes follow a plain record");

/* A copy of an event and of all structs that the event points to. */
struct whole {
    struct event source;
    union {
        struct record record;
        struct csv_row row;
    };
};

struct item {
    csy_event event;
    const struct event *source; /* the copied event; NULL: a record from events_plain */
    uint64_t place;
    bool selected; /* true if the worker writes the event */
};

struct batch {
    size_t n;
    struct item items[BATCH_EVENTS];
    char *bytes; /* data that the events point to */
    size_t used, capacity;
};

/* A write that the caller does for the worker. */
struct errand {
    relay_write write;
    void *file;
    const void *bytes;
    size_t size;
};

struct batches {
    batches_take take;
    void *user;
    struct relay relay;
    pthread_t worker;
    bool blocks_pipe;  /* true if SIGPIPE is blocked in the caller */
    csy_status status; /* result of the worker, valid after pthread_join */
    csy_error error;

    pthread_mutex_t lock;
    pthread_cond_t changed;
    uint64_t filled, taken;  /* numbers of batches filled, and processed by the worker */
    uint64_t asked, written; /* numbers of writes that the worker has requested, and that the caller
                              * has done */
    bool waits;              /* true while the caller waits, and can write for the worker */
    bool ended, failed, done;
    struct errand errands[RELAY_PENDING];
    struct batch batches[BATCHES];
};

/* The worker thread. SIGPIPE is unblocked, so that it ends the program like in the caller. */
static void *run(void *user)
{
    struct batches *b = user;
    struct events_source plain;
    sigset_t pipe;
    events_source_init(&plain);
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
        const struct batch *batch = &b->batches[b->taken % BATCHES];
        for (size_t i = 0; i < batch->n && !b->status; i++) {
            const struct item *item = &batch->items[i];
            const struct event *source = item->source;
            if (!source)
                source = events_source_of(&plain, &item->event, item->place);
            b->status = b->take(b->user, source, &item->event, item->selected, &b->error);
        }
        pthread_mutex_lock(&b->lock);
        b->failed = b->status != CSY_OK;
        b->taken++;
        pthread_cond_signal(&b->changed);
    }
    b->done = true;
    pthread_cond_signal(&b->changed);
    pthread_mutex_unlock(&b->lock);
    return NULL;
}

/* Write for the worker. If the caller waits, the caller does the write; otherwise, the worker does.
 * So the thread with less work writes, and the two threads never write at once. */
static void ask(void *user, relay_write write, void *file, const void *bytes, size_t size)
{
    struct batches *b = user;
    pthread_mutex_lock(&b->lock);
    if (b->written == b->asked && !b->waits) {
        pthread_mutex_unlock(&b->lock);
        write(file, bytes, size);
        return;
    }
    b->errands[b->asked++ % RELAY_PENDING] = (struct errand){write, file, bytes, size};
    pthread_cond_signal(&b->changed);
    while (b->asked - b->written == RELAY_PENDING)
        pthread_cond_wait(&b->changed, &b->lock);
    pthread_mutex_unlock(&b->lock);
}

/* Do the worker's next write, or wait for a change. The caller of `help` holds the lock. */
static void help(struct batches *b)
{
    if (b->written == b->asked) {
        b->waits = true;
        pthread_cond_wait(&b->changed, &b->lock);
        b->waits = false;
        return;
    }
    struct errand errand = b->errands[b->written % RELAY_PENDING];
    pthread_mutex_unlock(&b->lock);
    errand.write(errand.file, errand.bytes, errand.size);
    pthread_mutex_lock(&b->lock);
    b->written++;
    pthread_cond_signal(&b->changed);
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
    b->relay = (struct relay){ask, b};
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

const struct relay *batches_relay(struct batches *b)
{
    return &b->relay;
}

static const char *copy_bytes(struct batch *batch, const void *bytes, size_t size)
{
    char *at = batch->bytes + batch->used;
    if (size > 0)
        memcpy(at, bytes, size);
    batch->used += size;
    return at;
}

/* Allocate aligned memory from the bytes of a batch. */
static void *take_room(struct batch *batch, size_t size)
{
    size_t rest = batch->used % _Alignof(max_align_t);
    batch->used += rest ? _Alignof(max_align_t) - rest : 0;
    void *room = batch->bytes + batch->used;
    batch->used += size;
    return room;
}

/* Returns a batch with room for an event and `need` bytes of data, or NULL if out of memory. */
static struct batch *find_room(struct batches *b, size_t need, bool *stopped)
{
    struct batch *batch = &b->batches[b->filled % BATCHES];
    if (batch->n == BATCH_EVENTS || (batch->n > 0 && need > batch->capacity - batch->used)) {
        /* Pass the full batch to the worker, and wait for a free batch. */
        pthread_mutex_lock(&b->lock);
        b->filled++;
        pthread_cond_signal(&b->changed);
        while (b->written < b->asked || b->filled - b->taken == BATCHES)
            help(b);
        *stopped = b->failed;
        pthread_mutex_unlock(&b->lock);
        batch = &b->batches[b->filled % BATCHES];
        batch->n = batch->used = 0;
    }
    return ARRAY_RESERVE(batch->bytes, batch->capacity, need) ? batch : NULL;
}

csy_status batches_add(struct batches *b, const struct event *source, const csy_event *event,
                       bool selected, bool *stopped, csy_error *error)
{
    const struct csv_row *row = source->row;
    size_t need = sizeof(struct whole) + source->size + source->name_size;
    if (row)
        need += row->end_size + row->nfields * sizeof(struct csv_field);
    if (source->flows)
        need += sizeof *source->flows;
    struct batch *batch = find_room(b, need + 3 * _Alignof(max_align_t), stopped);
    if (!batch)
        return error_memory(error);
    struct whole *whole = take_room(batch, sizeof *whole);
    struct event *copy = &whole->source;
    *copy = *source;
    copy->stamp.thread = copy->stamp.clock = NULL;
    copy->stamp.thread_size = copy->stamp.clock_size = 0;
    copy->roles = NULL;
    if (source->flows) {
        struct event_flows *flows = take_room(batch, sizeof *flows);
        *flows = *source->flows;
        copy->flows = flows;
    }
    if (row) { /* copy the row, with fields that point into the copy */
        struct csv_field *fields = take_room(batch, row->nfields * sizeof *fields);
        whole->row = *row;
        whole->row.bytes = copy_bytes(batch, row->bytes, row->size + row->end_size);
        for (size_t i = 0; i < row->nfields; i++) {
            fields[i] = row->fields[i];
            fields[i].at = whole->row.bytes + (row->fields[i].at - row->bytes);
        }
        whole->row.fields = fields;
        whole->row.named = NULL;
        copy->row = &whole->row;
        copy->bytes = (const uint8_t *)whole->row.bytes;
    } else {
        copy->bytes = (const uint8_t *)copy_bytes(batch, source->bytes, source->size);
    }
    if (source->record) {
        whole->record = *source->record;
        whole->record.bytes = copy->bytes;
        copy->record = &whole->record;
    }
    copy->name = copy_bytes(batch, source->name, source->name_size);
    struct item *item = &batch->items[batch->n++];
    *item = (struct item){.event = *event, .source = copy, .selected = selected};
    item->event.bytes = copy->bytes;
    return CSY_OK;
}

csy_status batches_add_plain(struct batches *b, const csy_event *event, uint64_t place,
                             bool selected, bool *stopped, csy_error *error)
{
    size_t need = event->size < SHORT_BYTES ? SHORT_BYTES : event->size;
    struct batch *batch = find_room(b, need, stopped);
    if (!batch)
        return error_memory(error);
    char *bytes = batch->bytes + batch->used;
    if (event->size <= SHORT_BYTES)
        memcpy(bytes, event->bytes, SHORT_BYTES); /* a constant length is faster */
    else
        memcpy(bytes, event->bytes, event->size);
    batch->used += event->size;
    struct item *item = &batch->items[batch->n++];
    *item = (struct item){.event = *event, .place = place, .selected = selected};
    item->event.bytes = (const uint8_t *)bytes;
    return CSY_OK;
}

csy_status batches_close(struct batches *b, csy_error *error)
{
    pthread_mutex_lock(&b->lock);
    b->filled += b->batches[b->filled % BATCHES].n > 0;
    b->ended = true;
    pthread_cond_signal(&b->changed);
    while (b->written < b->asked || !b->done)
        help(b);
    pthread_mutex_unlock(&b->lock);
    pthread_join(b->worker, NULL);
    csy_status status = b->status;
    if (status && error)
        *error = b->error;
    batches_free(b);
    return status;
}
