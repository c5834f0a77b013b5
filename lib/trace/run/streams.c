/* Reads the threads of a run separately. A process is read once for all of its threads, because one
 * file contains the blocks of all threads of a process. */
#include "trace/streams.h"

#include "base/array.h"
#include "base/error.h"
#include "trace/run/run.h"

#include <stdlib.h>
#include <string.h>

enum { CHANNELS, GROUPS }; /* indexes of run.keys, which has the names of each kind */

static struct run *run_of(const struct csy_trace *trace)
{
    return ((const struct run_cursor *)trace->state)->run;
}

/* --- The threads ---------------------------------------------------------------------------- */

/* Returns the index in p->threads of the thread with this key (key_of), or where to insert it. */
static size_t place_thread(const struct process *p, uint64_t key)
{
    size_t low = 0, high = p->nthreads;
    BISECT(low, high, middle, p->threads[middle].key < key);
    return low;
}

static uint64_t key_of(const struct record *record)
{
    return record->id == ID_BUFFER_FLUSH ? RUN_WRITER : record->thread;
}

/* Find the threads of a process, and count its records. *good becomes false if another process has
 * a thread of the same name. */
static csy_status survey_process(const struct csy_trace *trace, struct run_cursor *cursor,
                                 uint64_t *records, bool *good, csy_error *error)
{
    struct run *run = cursor->run;
    struct process *p = &run->items[cursor->next];
    struct record record;
    uint64_t last = 0;
    bool more = true, any = false;
    p->first_location = (uint32_t)run->locations.count;
    p->first_position = *records;
    csy_status status = run_begin_process(trace, cursor, false, error);
    while (!status && *good) {
        status = run_next_of_process(cursor, &record, &more, error);
        if (status || !more)
            break;
        ++*records;
        *good = !record.spe;
        status = record_roles_check_block(cursor->roles, &record, p->trace_name, error);
        struct run_thread thread = {.key = key_of(&record)};
        if (status || (any && thread.key == last))
            continue;
        last = thread.key;
        any = true;
        size_t at = place_thread(p, thread.key), capacity = p->nthreads;
        if (at < p->nthreads && p->threads[at].key == thread.key)
            continue;
        csy_text name = run_thread_name(cursor, &record);
        if (!texts_find(&run->locations, name.bytes, name.size, &thread.location, NULL) ||
            !ARRAY_RESERVE(p->threads, capacity, p->nthreads + 1)) {
            status = error_memory(error);
            break;
        }
        memmove(&p->threads[at + 1], &p->threads[at], (p->nthreads++ - at) * sizeof *p->threads);
        p->threads[at] = thread;
        *good &= thread.location >= p->first_location;
    }
    run_end_process(cursor);
    p->nlocations = (uint32_t)run->locations.count - p->first_location;
    return status;
}

static size_t count_locations(struct csy_trace *trace)
{
    struct run *run = run_of(trace);
    csy_error error; /* ignored, because reading in the ordinary way reports the error */
    if (!run->is_surveyed) {
        struct run_cursor *cursor = run_cursor_new(run);
        uint64_t records = 0;
        bool good = cursor && run_piece(trace, &error) == CSY_OK;
        while (good && cursor->next < run->count) {
            run->nranks += run->items[cursor->next].metadata.has_rank;
            good &= survey_process(trace, cursor, &records, &good, &error) == CSY_OK;
        }
        if (run->nranks == 0)
            run->nranks = (uint32_t)run->count;
        run_cursor_free(cursor);
        run->is_surveyed = true;
        /* Threads can be read separately only if each clock of the run has records. */
        bool *used = calloc(run->nclocks + 1, sizeof *used);
        good = good && used;
        for (size_t i = 0; i < run->count && good; i++)
            used[run->items[i].clock_number] |= run->items[i].nlocations > 0;
        for (size_t i = 0; i < run->nclocks && good; i++)
            good = used[i];
        free(used);
        run->is_streamed = good;
    }
    return run->is_streamed ? run->locations.count : SIZE_MAX;
}

static csy_status number_clocks(const struct csy_trace *trace, uint32_t *clocks, csy_error *error)
{
    const struct run *run = run_of(trace);
    (void)error;
    for (size_t i = 0; i < run->count; i++)
        for (uint32_t k = 0; k < run->items[i].nlocations; k++)
            clocks[run->items[i].first_location + k] = run->items[i].clock_number;
    return CSY_OK;
}

/* --- A process that is being read ----------------------------------------------------------- */

struct stream {
    struct stream_item *items;
    size_t count, capacity;
    struct stream_totals totals;
    bool listed; /* true if open_process.listed contains this stream */
};

struct open_process {
    struct stream_file base;
    struct run_cursor *cursor;
    const struct process *process;
    struct stream *streams; /* one stream for each location of the process */
    uint32_t *listed;       /* indexes of streams with new records; at the end, of all streams. Has
                       * base.nbatches items */
    uint64_t position;      /* number of the next record */
    uint64_t key;           /* thread id of the last record, or RUN_WRITER */
    struct stream *last;    /* item of `streams` that got the last record */
    uint8_t ordered[(UINT16_MAX + 1) / 8]; /* one bit for each record id that may have roles */
};

static csy_status start(struct streams *s, csy_error *error)
{
    (void)error;
    s->nfiles = run_of(s->trace)->count;
    return CSY_OK;
}

static void close_process(struct stream_file *file)
{
    struct open_process *o = (void *)file;
    for (uint32_t i = 0; o->streams && i < o->process->nlocations; i++)
        free(o->streams[i].items);
    run_cursor_free(o->cursor);
    FREE_ALL(o->streams, o->listed, o);
}

static bool open_process(struct streams *s, size_t number, struct stream_file **out)
{
    struct run *run = run_of(s->trace);
    const struct process *p = &run->items[number];
    struct open_process *o = calloc(1, sizeof *o);
    csy_error error;
    if (!o)
        return false;
    *out = &o->base;
    o->base.first = p->first_location;
    o->base.nlocations = p->nlocations;
    o->process = p;
    o->position = p->first_position;
    o->cursor = run_cursor_new(run);
    o->streams = calloc((size_t)p->nlocations + 1, sizeof *o->streams);
    o->listed = malloc(((size_t)p->nlocations + 1) * sizeof *o->listed);
    for (size_t i = 0; i < p->metadata.orders.count; i++) {
        uint16_t id = p->metadata.orders.items[i].id;
        o->ordered[id / 8] |= (uint8_t)(1 << id % 8);
    }
    if (!o->cursor || !o->streams || !o->listed)
        return false;
    o->cursor->next = number;
    return run_begin_process(s->trace, o->cursor, true, &error) == CSY_OK;
}

/* --- Records -------------------------------------------------------------------------------- */

static bool add(struct stream *to, const struct stream_item *item)
{
    return ARRAY_PUSH(to->items, to->count, to->capacity, *item);
}

static bool find_key(struct run *run, unsigned space, csy_text key, uint32_t *out)
{
    pthread_mutex_lock(&run->lock);
    bool good = texts_find(&run->keys[space], key.bytes, key.size, out, NULL);
    pthread_mutex_unlock(&run->lock);
    return good;
}

/* Returns false if struct stream_item cannot describe the role of the record. */
static bool take_role(struct streams *s, struct open_process *o, struct stream *to,
                      const struct record *record, struct stream_item *item)
{
    struct event event = {.place = record->offset};
    csy_error error;
    if (run_read_roles(o->cursor, record, &event, &error) != CSY_OK)
        return false;
    const struct event_roles *roles = event.roles;
    bool recv = roles->recv.size > 0, send = roles->send.size > 0;
    bool member = roles->members.size > 0;
    if (recv + send + member > 1 || roles->sync || roles->lacking || roles->has_latency ||
        roles->has_latency_max ||
        roles->post.size + roles->wait.size + roles->enter.size + roles->leave.size +
                roles->release.size + roles->acquire.size + roles->same.size +
                roles->other_clock.size >
            0)
        return false;
    if (!recv && !send && !member)
        return true;
    if (record->interval ? record->begin > record->stamp : !send || roles->late)
        return false;
    item->interval = record->interval;
    if (member) {
        const struct event_collective *is = &roles->collective;
        if (!is->enters || !is->leaves || is->self >= UINT32_MAX || is->instance >= UINT32_MAX)
            return false;
        to->totals.operations++;
        item->role = STREAM_MEMBER;
        item->kind = (uint8_t)is->kind;
        item->gives = !is->gives_nothing;
        item->gets = !is->gets_nothing;
        item->has_root = is->has_root && is->root < UINT32_MAX; /* a barrier states 2^64 - 1 */
        item->has_instance = is->has_instance;
        item->key[1] = (uint32_t)is->root;
        item->key[2] = (uint32_t)is->instance;
        item->key[3] = (uint32_t)is->self;
        item->ranks = run_of(s->trace)->nranks;
        return find_key(run_of(s->trace), GROUPS, roles->members, &item->key[0]) && add(to, item);
    }
    item->role = recv ? STREAM_RECV : STREAM_SEND;
    to->totals.sends += send;
    to->totals.receives += recv;
    return find_key(run_of(s->trace), CHANNELS, recv ? roles->recv : roles->send, &item->key[0]) &&
           add(to, item);
}

/* Returns false if the record shows that the trace cannot be read thread by thread. */
static bool take(struct streams *s, struct open_process *o, const struct record *record)
{
    uint64_t key = key_of(record), position = o->position++;
    int64_t ticks = (int64_t)record->stamp;
    if (!o->last || o->key != key) {
        const struct process *p = o->process;
        size_t at = place_thread(p, key);
        if (at == p->nthreads || p->threads[at].key != key)
            return false; /* the file has changed */
        o->key = key;
        o->last = &o->streams[p->threads[at].location - p->first_location];
    }
    struct stream *to = o->last;
    if (record->spe || record->stamp > INT64_MAX || (record->interval && record->begin > INT64_MAX))
        return false;
    struct stream_totals *totals = &to->totals;
    int64_t before = totals->events > 0 ? totals->last_ticks : INT64_MIN;
    if (ticks < before)
        return false;
    if (!to->listed)
        o->listed[o->base.nbatches++] = (uint32_t)(to - o->streams);
    to->listed = true;
    if (before == INT64_MIN) {
        totals->first_position = position;
        totals->first_ticks = ticks;
        totals->first_begins = record->interval;
        totals->first_begin_ticks = (int64_t)record->begin;
    }
    totals->events++;
    totals->last_ticks = ticks;
    totals->last_position = position;
    o->base.last_ticks = ticks;
    bool ordered = o->ordered[record->id / 8] >> record->id % 8 & 1 && !s->part.plain;
    bool plain = s->part.all || s->part.plain;
    if (!ordered && !plain)
        return true;
    struct stream_item item = {.position = position,
                               .place = record->offset,
                               .time_ticks = ticks,
                               .other_ticks = record->interval ? (int64_t)record->begin : ticks,
                               .before_ticks = before,
                               .role = STREAM_PLAIN};
    return (!plain || add(to, &item)) && (!ordered || take_role(s, o, to, record, &item));
}

/* --- Chunks --------------------------------------------------------------------------------- */

/* Read more records of a process. At its end, list all streams, because each has a last batch. */
static bool read_chunk(struct streams *s, struct stream_file *file)
{
    struct open_process *o = (void *)file;
    struct run_cursor *cursor = o->cursor;
    struct record record;
    csy_error error;
    bool more = true, good = true;
    file->nbatches = 0;
    for (size_t n = 0; n < s->part.chunk && good; n++) {
        good = run_next_of_process(cursor, &record, &more, &error) == CSY_OK;
        if (!good || !more)
            break;
        if (file->totals.events++ == 0)
            file->totals.first_ticks = (int64_t)record.stamp;
        good = take(s, o, &record);
    }
    file->ended = !more;
    for (uint32_t i = 0; !more && i < o->process->nlocations; i++)
        if (!o->streams[i].listed)
            o->listed[o->base.nbatches++] = i;
    return good &&
           (more || trace_check_file(s->trace, o->process->file, cursor->fd, &error) == CSY_OK);
}

/* Give the caller the records of the next location. */
static void give(struct stream_file *file, struct stream_batch *batch)
{
    struct open_process *o = (void *)file;
    uint32_t number = o->listed[file->nbatches];
    struct stream *from = &o->streams[number];
    batch->location += number;
    batch->items = from->items;
    batch->count = from->count;
    batch->totals = from->totals;
    if (!file->ended) {
        batch->known = o->position;
        batch->known_ticks = from->totals.last_ticks;
    }
    from->listed = false;
    from->count = 0;
}

/* --- Events --------------------------------------------------------------------------------- */

static void make_event(struct csy_trace *trace, size_t location, const struct stream_item *item,
                       struct event *event)
{
    struct run_cursor *cursor = trace->state;
    const struct run *run = cursor->run;
    const struct process *p = run->items;
    while (location >= p->first_location + p->nlocations)
        p++;
    csy_text name = texts_text(&run->locations, location), key = {0};
    const char *host = p->metadata.process.host;
    struct event_roles *roles = &cursor->made_roles;
    event->stamp = (struct named_stamp){.thread = name.bytes,
                                        .thread_size = name.size,
                                        .clock = p->clock,
                                        .clock_size = strlen(p->clock),
                                        .node = {host, strlen(host)}};
    *roles = (struct event_roles){.late = true};
    event->roles = roles;
    if (!item)
        return;
    event->place = item->place;
    event->stamp.interval = item->other_ticks < item->time_ticks;
    event->stamp.begin_ticks = item->other_ticks;
    roles->late = false;
    key = texts_text(&run->keys[item->role == STREAM_MEMBER ? GROUPS : CHANNELS], item->key[0]);
    *(item->role == STREAM_MEMBER ? &roles->members
      : item->role == STREAM_SEND ? &roles->send
                                  : &roles->recv) = key;
}

const struct stream_reading run_streams = {.whole = true,
                                           .count = count_locations,
                                           .clocks = number_clocks,
                                           .start = start,
                                           .open = open_process,
                                           .read = read_chunk,
                                           .give = give,
                                           .close = close_process,
                                           .event = make_event};
