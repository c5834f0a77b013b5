/* Ends of messages and operations, one after another. */
#include "order/replay.h"

#include "base/array.h"
#include "base/error.h"
#include "base/texts.h"
#include "order/replay_operations.h"
#include "trace/trace.h"

#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

/* Descriptors that are left to others; a location takes one. */
enum { SPARE_FILES = 24 };

/* Room for sends of a channel at first. */
enum { SENDS_MIN = 4 };

/* An event that comes late is put in its place if no more are after it; else all are sorted. */
enum { LATE_MOST = 32 };

#define NO_CHANNEL UINT32_MAX

/* An event that waits. */
struct waiting {
    uint64_t position, place;
    int64_t ticks;
    union {
        uint64_t number; /* of a receive among those of its channel, in the order of posting */
        struct operation_at at;
    } of;
    int64_t begin_ticks; /* of an operation, and of what has one */
    uint32_t key;        /* of a message its channel, of an operation its group */
    uint8_t role;
    bool interval, loose; /* as struct stream_item has it */
};

struct location {
    struct waiting *items; /* by position, from `first` on, as far as they are known */
    size_t first, count, capacity;
    uint64_t known;        /* before this position all have come */
    uint64_t next;         /* position: those before it have been visited */
    int64_t reached_ticks; /* nothing that was not visited is before it */
    bool queued;           /* it is among those that may go on */
};

/* A send that was visited; or its receive was, too. */
struct sent {
    struct replay_source send;
    bool received;
};

struct channel {
    struct sent *ring;   /* a power of 2 */
    uint64_t first, end; /* numbers of those in it */
    size_t room;
    uint64_t received; /* numbers that receives have been given */
    uint32_t waiter;   /* the location whose next event waits for a send of it, or NO_LOCATION */
};

struct replay {
    const struct stream_reading *source;
    struct replay_visitor visitor;
    struct streams *streams;
    struct location *locations;
    size_t nlocations;
    uint32_t *ready; /* locations that may go on */
    size_t nready;
    struct operations *operations;
    struct replay_source *loose; /* a begin whose end is visited next, or NULL */
    struct texts keys;           /* of channels */
    struct channel *channels;
    size_t nchannels, channels_capacity;
    bool stop;
};

bool replay_can(const struct csy_trace *trace)
{
    struct rlimit limit;
    const struct stream_reading *source = trace->source->streams;
    size_t n = source ? source->count(trace) : SIZE_MAX;
    if (n > REPLAY_LOCATIONS_MOST)
        return false;
    return getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY ||
           limit.rlim_cur >= SPARE_FILES + n;
}

static bool find_channel(struct replay *r, const struct stream_item *item, uint32_t *out)
{
    bool added;
    if (!texts_find(&r->keys, (const char *)item->key, sizeof item->key, out, &added))
        return false;
    if (!added)
        return true;
    if (!ARRAY_RESERVE(r->channels, r->channels_capacity, r->nchannels + 1))
        return false;
    r->channels[r->nchannels++] = (struct channel){.waiter = NO_LOCATION};
    return true;
}

struct stream_item replay_item(const struct replay_event *event)
{
    const struct texts *keys = &event->replay->keys;
    bool send = event->kind == REPLAY_SEND, recv = event->kind == REPLAY_RECV;
    struct stream_item item = {.position = event->position,
                               .place = event->place,
                               .time_ticks = event->ticks,
                               .other_ticks = event->ticks,
                               .role = send   ? STREAM_SEND
                                       : recv ? STREAM_RECV
                                              : STREAM_MEMBER};
    if (send || recv)
        memcpy(item.key, keys->bytes + keys->items[event->key].at, sizeof item.key);
    else
        item.key[0] = event->key;
    return item;
}

/* --- Sends under way -------------------------------------------------------------------------- */

static struct sent *sent_at(const struct channel *channel, uint64_t number)
{
    return &channel->ring[number & (channel->room - 1)];
}

static bool push_send(struct channel *channel, const struct replay_source *send)
{
    if (channel->end - channel->first == channel->room &&
        !RING_GROW(channel->ring, channel->room, SENDS_MIN, channel->first, channel->end))
        return false;
    *sent_at(channel, channel->end++) = (struct sent){*send, false};
    return true;
}

static void take_send(struct channel *channel, uint64_t number)
{
    sent_at(channel, number)->received = true;
    while (channel->first < channel->end && sent_at(channel, channel->first)->received)
        channel->first++;
}

void replay_stop(struct replay *replay)
{
    replay->stop = true;
}

void replay_each_source(struct replay *replay,
                        void (*each)(void *user, struct replay_source *source), void *user)
{
    operations_each(replay->operations, each, user);
    if (replay->loose)
        each(user, replay->loose);
    for (size_t c = 0; c < replay->nchannels; c++) {
        const struct channel *channel = &replay->channels[c];
        for (uint64_t i = channel->first; i < channel->end; i++)
            if (!sent_at(channel, i)->received)
                each(user, &sent_at(channel, i)->send);
    }
}

void replay_each_location(const struct replay *replay,
                          void (*each)(void *user, uint32_t location, int64_t least_ticks),
                          void *user)
{
    for (uint32_t i = 0; i < replay->nlocations; i++) {
        const struct location *l = &replay->locations[i];
        if (l->known < UINT64_MAX || l->first < l->count)
            each(user, i, l->reached_ticks);
    }
}

/* --- Visiting --------------------------------------------------------------------------------- */

static void wake(void *user, uint32_t location)
{
    struct replay *r = user;
    if (location == NO_LOCATION || r->locations[location].queued)
        return;
    r->locations[location].queued = true;
    r->ready[r->nready++] = location;
}

/* What is said of it by itself. */
static struct replay_event event_of(struct replay *r, uint32_t location, const struct waiting *item)
{
    return (struct replay_event){.replay = r,
                                 .chained = true,
                                 .location = location,
                                 .key = item->key,
                                 .position = item->position,
                                 .place = item->place,
                                 .ticks = item->ticks};
}

static csy_status tell(struct replay *r, const struct replay_event *event, csy_error *error)
{
    return r->visitor.visit(r->visitor.user, event, error);
}

/* The begin of what is no operation and no send; own: what its end gets if it is loose. */
static csy_status visit_begin(struct replay *r, const struct waiting *item,
                              const struct replay_event *event, struct replay_source *own,
                              csy_error *error)
{
    struct replay_event begin = *event;
    begin.kind = REPLAY_BEGIN;
    begin.ticks = own->ticks = item->begin_ticks;
    begin.chained = !item->loose;
    if (item->loose) {
        begin.own = r->loose = own;
        begin.leaves = 1;
    }
    return tell(r, &begin, error);
}

static csy_status visit_plain(struct replay *r, const struct waiting *item,
                              const struct replay_event *event, csy_error *error)
{
    struct replay_source begin = {.point = NO_POINT, .location = event->location};
    csy_status status = item->interval ? visit_begin(r, item, event, &begin, error) : CSY_OK;
    /* No edge leads from it: both have the same clock. */
    r->loose = NULL;
    return status || r->stop ? status : tell(r, event, error);
}

static csy_status visit_send(struct replay *r, const struct waiting *item,
                             const struct replay_event *event, csy_error *error)
{
    struct channel *channel = &r->channels[item->key];
    struct replay_event made = *event;
    made.kind = REPLAY_SEND;
    made.begins = item->interval;
    made.chained = !item->loose;
    made.leaves = item->loose ? 2 : 1;
    made.ticks = item->interval ? item->begin_ticks : item->ticks;
    struct replay_source send = {
        .ticks = made.ticks, .point = NO_POINT, .location = event->location};
    made.own = &send;
    csy_status status = tell(r, &made, error);
    if (!status && !push_send(channel, &send))
        status = error_memory(error);
    wake(r, channel->waiter);
    channel->waiter = NO_LOCATION;
    if (status || r->stop || !item->interval)
        return status;
    const struct replay_before before = {&sent_at(channel, channel->end - 1)->send, EDGE_INTERVAL};
    struct replay_event end = *event;
    end.kind = REPLAY_END;
    end.before = &before;
    end.nbefore = item->loose;
    return tell(r, &end, error);
}

static csy_status visit_receive(struct replay *r, const struct waiting *item,
                                const struct replay_event *event, bool *blocked, csy_error *error)
{
    struct channel *channel = &r->channels[item->key];
    struct replay_source begin = {.point = NO_POINT, .location = event->location};
    *blocked = item->of.number >= channel->end;
    if (*blocked) {
        channel->waiter = event->location;
        return CSY_OK;
    }
    csy_status status = item->interval ? visit_begin(r, item, event, &begin, error) : CSY_OK;
    r->loose = NULL;
    if (status || r->stop)
        return status;
    struct replay_source send = sent_at(channel, item->of.number)->send;
    const struct replay_before before[] = {{&begin, EDGE_INTERVAL}, {&send, EDGE_MESSAGE}};
    take_send(channel, item->of.number);
    struct replay_event made = *event;
    made.kind = REPLAY_RECV;
    made.before = item->loose ? before : before + 1;
    made.nbefore = item->loose ? 2 : 1;
    return tell(r, &made, error);
}

static csy_status visit_operation(struct replay *r, const struct waiting *item,
                                  const struct replay_event *event, bool *blocked, csy_error *error)
{
    struct replay_event begin = *event;
    begin.ticks = item->begin_ticks;
    csy_status status = operations_begin(r->operations, &item->of.at, &begin, error);
    return status ? status : operations_end(r->operations, &item->of.at, event, blocked, error);
}

/* *blocked: something comes before it that has not been visited. */
static csy_status visit(struct replay *r, uint32_t location, const struct waiting *item,
                        bool *blocked, csy_error *error)
{
    const struct replay_event event = event_of(r, location, item);
    switch (item->role) {
    case STREAM_SEND:
        return visit_send(r, item, &event, error);
    case STREAM_RECV:
        return visit_receive(r, item, &event, blocked, error);
    case STREAM_MEMBER:
        return visit_operation(r, item, &event, blocked, error);
    default:
        return visit_plain(r, item, &event, error);
    }
}

static void raise(int64_t *to, int64_t value)
{
    *to = value > *to ? value : *to;
}

/* As far as it can. */
static csy_status go_on(struct replay *r, uint32_t number, csy_error *error)
{
    struct location *l = &r->locations[number];
    csy_status status = CSY_OK;
    bool blocked = false;
    while (l->first < l->count && l->items[l->first].position < l->known && !r->stop) {
        const struct waiting *item = &l->items[l->first];
        if (item->position >= l->next) {
            status = visit(r, number, item, &blocked, error);
            if (status || blocked)
                return status;
            l->next = item->position + 1;
            raise(&l->reached_ticks, item->ticks);
        }
        l->first++;
    }
    return status;
}

static csy_status go_on_all(struct replay *r, csy_error *error)
{
    csy_status status = CSY_OK;
    while (r->nready > 0 && !status && !r->stop) {
        uint32_t number = r->ready[--r->nready];
        r->locations[number].queued = false;
        status = go_on(r, number, error);
    }
    return status;
}

/* --- Reading ---------------------------------------------------------------------------------- */

/* What an event says comes before that it is one. */
static int by_position(const void *a, const void *b)
{
    const struct waiting *x = a, *y = b;
    if (x->position != y->position)
        return x->position < y->position ? -1 : 1;
    return (x->role > y->role) - (x->role < y->role);
}

/* false: it is not in its place. */
static bool put_item(struct location *l, const struct waiting *item)
{
    size_t at = l->count++, least = at > LATE_MOST ? at - LATE_MOST : 0;
    for (; at > least && by_position(&l->items[at - 1], item) > 0; at--)
        l->items[at] = l->items[at - 1];
    l->items[at] = *item;
    return at == 0 || by_position(&l->items[at - 1], item) <= 0;
}

static csy_status add_item(struct replay *r, uint32_t location, const struct stream_item *item,
                           bool *sorted, bool *good, csy_error *error)
{
    struct waiting waiting = {.position = item->position,
                              .place = item->place,
                              .ticks = item->time_ticks,
                              .begin_ticks = item->other_ticks,
                              .key = NO_CHANNEL,
                              .role = item->role,
                              .interval = item->interval,
                              .loose = stream_is_loose(item)};
    csy_status status = CSY_OK;
    if (item->role == STREAM_MEMBER) {
        waiting.key = item->key[0];
        struct replay_event event = event_of(r, location, &waiting);
        event.ticks = item->other_ticks;
        status = operations_read(r->operations, item, &event, &waiting.of.at, good, error);
    } else if (item->role != STREAM_PLAIN) {
        *good = find_channel(r, item, &waiting.key);
    }
    if (*good && item->role == STREAM_RECV)
        waiting.of.number = r->channels[waiting.key].received++;
    *sorted &= put_item(&r->locations[location], &waiting);
    return status;
}

/* What has come of a location, in its order. */
static csy_status add_batch(struct replay *r, const struct stream_batch *batch, bool *good,
                            csy_error *error)
{
    struct location *l = &r->locations[batch->location];
    bool sorted = true;
    csy_status status = CSY_OK;
    if (l->first > 0) {
        memmove(l->items, l->items + l->first, (l->count - l->first) * sizeof *l->items);
        l->count -= l->first;
        l->first = 0;
    }
    *good = ARRAY_RESERVE(l->items, l->capacity, l->count + batch->count + 1);
    for (size_t i = 0; i < batch->count && *good && !status && !r->stop; i++)
        status = add_item(r, (uint32_t)batch->location, &batch->items[i], &sorted, good, error);
    if (!sorted)
        qsort(l->items, l->count, sizeof *l->items, by_position);
    l->known = batch->known;
    /* Nothing waits, nor is held back: what comes next was not read. */
    if (l->count == 0 && batch->known == batch->totals.events && batch->known > 0)
        raise(&l->reached_ticks, batch->totals.last_ticks);
    return status;
}

/* Whether a location waits for no other, but for its own events. */
static bool wants(const void *user, size_t location)
{
    const struct location *l = &((const struct replay *)user)->locations[location];
    return l->first == l->count || l->items[l->first].position >= l->known;
}

/* Where locations are many less of each is read ahead. */
static size_t chunk_of(size_t nlocations)
{
    size_t each = STREAMS_HELD / (nlocations + 1);
    return each < STREAMS_CHUNK ? each : STREAMS_CHUNK;
}

static csy_status start(struct replay *r, struct csy_trace *trace, csy_error *error)
{
    r->nlocations = r->source->count(trace);
    r->locations = calloc(r->nlocations + 1, sizeof *r->locations);
    r->ready = malloc((r->nlocations + 1) * sizeof *r->ready);
    if (!r->locations || !r->ready)
        return error_memory(error);
    const struct streams_part part = {.first = 0,
                                      .step = 1,
                                      .open_most = r->nlocations + 1,
                                      .open_limit = r->nlocations + 1,
                                      .chunk = chunk_of(r->nlocations),
                                      .window_ticks = 1,
                                      .all = r->visitor.all,
                                      .wants = wants,
                                      .user = r};
    for (size_t l = 0; l < r->nlocations; l++)
        r->locations[l].reached_ticks = INT64_MIN;
    csy_status status =
        operations_new(&(struct operations_rules){&r->visitor, wake, r}, &r->operations, error);
    return status ? status : r->source->start(trace, &part, &r->streams, error);
}

static csy_status read_all(struct replay *r, bool *good, csy_error *error)
{
    struct stream_batch batch;
    csy_status status = CSY_OK;
    while (!status && !r->stop && r->source->next(r->streams, &batch)) {
        bool read;
        status = add_batch(r, &batch, &read, error);
        if (status || !read)
            return status;
        wake(r, (uint32_t)batch.location);
        status = go_on_all(r, error);
    }
    *good = r->stop || !r->source->failed(r->streams);
    for (size_t l = 0; l < r->nlocations && !r->stop; l++)
        *good &= r->locations[l].first == r->locations[l].count;
    return status;
}

static void replay_fini(struct replay *r)
{
    if (r->streams)
        r->source->stop(r->streams);
    for (size_t l = 0; r->locations && l < r->nlocations; l++)
        free(r->locations[l].items);
    for (size_t c = 0; c < r->nchannels; c++)
        free(r->channels[c].ring);
    free(r->locations);
    free(r->ready);
    operations_free(r->operations);
    texts_fini(&r->keys);
    free(r->channels);
}

csy_status replay_run(struct csy_trace *trace, const struct replay_visitor *visitor, bool *good,
                      csy_error *error)
{
    struct replay replay = {.source = trace->source->streams, .visitor = *visitor};
    *good = false;
    csy_status status = start(&replay, trace, error);
    if (!status)
        status = read_all(&replay, good, error);
    replay_fini(&replay);
    return status;
}
