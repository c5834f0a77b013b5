/* Ends of messages and operations, one after another. */
#include "order/replay.h"

#include "base/array.h"
#include "base/error.h"
#include "base/texts.h"
#include "order/replay_operations.h"
#include "order/replay_sends.h"
#include "order/shared_ends.h"
#include "trace/trace.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

/* Descriptors that are left to others; a location takes one. */
enum { SPARE_FILES = 24 };

/* Room for numbers of ends of a location at first. */
enum { NUMBERS_MIN = 16 };

/* An event that comes late is put in its place if no more are after it; else all are sorted. */
enum { LATE_MOST = 32 };

#define NO_CHANNEL UINT32_MAX

/* An event that waits. */
struct waiting {
    uint64_t position, place;
    int64_t ticks;
    union {
        uint64_t number; /* of a receive among those of its channel, in the order of posting, unless
                            several locations share that */
        struct operation_at at;
    } of;
    int64_t begin_ticks; /* of an operation, and of what has one */
    uint32_t key;        /* of a message its channel, of an operation its group */
    uint8_t role;
    bool interval, early; /* as struct stream_item has it */
};

struct location {
    struct waiting *items; /* by position, from `first` on, as far as they are known */
    size_t first, count, capacity;
    uint64_t known;        /* before this position all have come */
    uint64_t next;         /* position: those before it have been visited */
    int64_t reached_ticks; /* nothing that was not visited is before it */
    bool queued;           /* it is among those that may go on */
    bool waits;            /* for a send of a channel, and so does next_waiter, or NO_LOCATION */
    uint32_t next_waiter;
    /* Of its ends that are of shared channels, in its order, from the first one that was not
     * visited as far as they are known: a ring, of a power of 2. */
    uint64_t *numbers;
    uint64_t first_number, end_number;
    size_t room;
};

struct channel {
    struct replay_sends sends;
    uint64_t numbered[2]; /* so many receives were given numbers, and sends, if it is shared */
    bool shared;          /* by several locations, each way of one clock */
    uint32_t waiter;      /* a location whose next event waits for a send of it, or NO_LOCATION */
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
    struct replay_source *begun; /* a begin whose end is visited next, or NULL */
    struct texts keys;           /* of channels */
    uint32_t *clocks;            /* by location */
    _Atomic int64_t *starts;     /* by clock */
    struct shared_ends *shared;  /* or NULL */
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

static bool find_channel(struct replay *r, const uint32_t key[4], uint32_t *out)
{
    bool added;
    if (!texts_find(&r->keys, (const char *)key, 4 * sizeof *key, out, &added))
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

void replay_stop(struct replay *replay)
{
    replay->stop = true;
}

void replay_each_source(struct replay *replay,
                        void (*each)(void *user, struct replay_source *source), void *user)
{
    operations_each(replay->operations, each, user);
    if (replay->begun)
        each(user, replay->begun);
    for (size_t c = 0; c < replay->nchannels; c++) {
        const struct replay_sends *sends = &replay->channels[c].sends;
        for (uint64_t i = sends->first; i < sends->end; i++) {
            struct replay_source *send = replay_sends_find(sends, i);
            if (send)
                each(user, send);
        }
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

/* Those whose next event waits for a send of the channel. */
static void wake_waiters(struct replay *r, struct channel *channel)
{
    while (channel->waiter != NO_LOCATION) {
        uint32_t location = channel->waiter;
        channel->waiter = r->locations[location].next_waiter;
        r->locations[location].waits = false;
        wake(r, location);
    }
}

static void wait_for_send(struct replay *r, struct channel *channel, uint32_t location)
{
    struct location *l = &r->locations[location];
    if (l->waits)
        return;
    l->waits = true;
    l->next_waiter = channel->waiter;
    channel->waiter = location;
}

/* That of an end among those of its channel and kind; false: it is not known yet. */
static bool number_of(const struct replay *r, uint32_t location, const struct waiting *item,
                      uint64_t *out)
{
    const struct location *l = &r->locations[location];
    const struct channel *channel = &r->channels[item->key];
    *out = item->role == STREAM_RECV ? item->of.number : channel->sends.end;
    if (!channel->shared)
        return true;
    if (l->first_number == l->end_number)
        return false;
    *out = l->numbers[l->first_number & (l->room - 1)];
    return true;
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

/* Whether another location may have sent or received at the time of an event of the channel. */
static bool is_loose(const struct replay *r, const struct channel *channel)
{
    return channel->shared && !r->visitor.exact;
}

/* Visit the record itself, which is in the chain of its location, beside its loose point. */
static csy_status visit_apart(struct replay *r, const struct replay_event *event, csy_error *error)
{
    return r->visitor.all ? tell(r, event, error) : CSY_OK;
}

/* The begin of what is no operation and no send; own: what its end gets. */
static csy_status visit_begin(struct replay *r, const struct waiting *item,
                              const struct replay_event *event, struct replay_source *own,
                              csy_error *error)
{
    struct replay_event begin = *event;
    begin.kind = REPLAY_BEGIN;
    begin.ticks = own->ticks = item->begin_ticks;
    begin.chained = false;
    begin.early = item->early;
    begin.own = r->begun = own;
    begin.leaves = 1;
    return tell(r, &begin, error);
}

static csy_status visit_plain(struct replay *r, const struct waiting *item,
                              const struct replay_event *event, csy_error *error)
{
    struct replay_source begin = {.point = NO_POINT, .location = event->location};
    csy_status status = item->interval ? visit_begin(r, item, event, &begin, error) : CSY_OK;
    /* No edge leads from it: both have the same clock. */
    r->begun = NULL;
    return status || r->stop ? status : tell(r, event, error);
}

static csy_status visit_send(struct replay *r, const struct waiting *item,
                             const struct replay_event *event, bool *blocked, csy_error *error)
{
    struct channel *channel = &r->channels[item->key];
    struct replay_event made = *event;
    uint64_t number;
    *blocked = !number_of(r, event->location, item, &number);
    if (*blocked)
        return CSY_OK;
    made.kind = REPLAY_SEND;
    made.begins = item->interval;
    made.loose = is_loose(r, channel) && !item->interval;
    made.chained = !item->interval && !made.loose;
    made.early = item->early;
    made.leaves = item->interval ? 2 : 1;
    made.ticks = item->interval ? item->begin_ticks : item->ticks;
    struct replay_source send = {
        .ticks = made.ticks, .point = NO_POINT, .location = event->location};
    made.own = &send;
    csy_status status = made.loose ? visit_apart(r, event, error) : CSY_OK;
    if (!status)
        status = tell(r, &made, error);
    if (!status && !replay_sends_add(&channel->sends, number, &send))
        status = error_memory(error);
    wake_waiters(r, channel);
    r->locations[event->location].first_number += channel->shared;
    if (status || r->stop || !item->interval)
        return status;
    const struct replay_before before = {replay_sends_find(&channel->sends, number), EDGE_INTERVAL};
    struct replay_event end = *event;
    end.kind = REPLAY_END;
    end.before = &before;
    end.nbefore = 1;
    return tell(r, &end, error);
}

static csy_status visit_receive(struct replay *r, const struct waiting *item,
                                const struct replay_event *event, bool *blocked, csy_error *error)
{
    struct channel *channel = &r->channels[item->key];
    struct replay_source begin = {.point = NO_POINT, .location = event->location};
    uint64_t number;
    *blocked = !number_of(r, event->location, item, &number);
    if (*blocked)
        return CSY_OK;
    const struct replay_source *sent = replay_sends_find(&channel->sends, number);
    *blocked = !sent;
    if (*blocked) {
        wait_for_send(r, channel, event->location);
        return CSY_OK;
    }
    csy_status status = item->interval ? visit_begin(r, item, event, &begin, error) : CSY_OK;
    r->begun = NULL;
    if (status || r->stop)
        return status;
    struct replay_source send = *sent;
    const struct replay_before before[] = {{&begin, EDGE_INTERVAL}, {&send, EDGE_MESSAGE}};
    replay_sends_take(&channel->sends, number);
    r->locations[event->location].first_number += channel->shared;
    struct replay_event made = *event;
    made.kind = REPLAY_RECV;
    made.loose = is_loose(r, channel);
    made.chained = !made.loose;
    made.before = item->interval ? before : before + 1;
    made.nbefore = item->interval ? 2 : 1;
    if (made.loose)
        status = visit_apart(r, event, error);
    return status ? status : tell(r, &made, error);
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
        return visit_send(r, item, &event, blocked, error);
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

/* Of a channel that is shared, when there is no other one that may be before it. */
static bool number_end(struct replay *r, uint32_t location, const struct stream_item *item,
                       struct waiting *waiting)
{
    struct channel *channel = &r->channels[waiting->key];
    bool recv = item->role == STREAM_RECV;
    const struct shared_end end = {item->time_ticks, item->position, item->place,
                                   waiting->key,     location,       recv};
    if (channel->shared)
        return shared_ends_put(r->shared, &end);
    if (recv)
        waiting->of.number = channel->numbered[recv]++;
    return true;
}

/* Ends of its clock whose numbers are known now. */
static bool number_shared(struct replay *r, const struct stream_batch *batch)
{
    struct shared_end end;
    if (!r->shared)
        return true;
    shared_ends_reach(r->shared, batch->location, batch->known_ticks);
    while (shared_ends_next(r->shared, batch->location, &end)) {
        struct location *l = &r->locations[end.location];
        if (l->end_number - l->first_number == l->room &&
            !RING_GROW(l->numbers, l->room, NUMBERS_MIN, l->first_number, l->end_number))
            return false;
        l->numbers[l->end_number++ & (l->room - 1)] = r->channels[end.channel].numbered[end.recv]++;
        wake(r, end.location);
    }
    return true;
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
                              .early = stream_is_early(item)};
    csy_status status = CSY_OK;
    if (item->role == STREAM_MEMBER) {
        waiting.key = item->key[0];
        struct replay_event event = event_of(r, location, &waiting);
        event.ticks = item->other_ticks;
        status = operations_read(r->operations, item, &event, &waiting.of.at, good, error);
    } else if (item->role != STREAM_PLAIN) {
        *good = find_channel(r, item->key, &waiting.key) && number_end(r, location, item, &waiting);
    }
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

/* Whether a location waits for no other, but for its own events, or others of its clock do. */
static bool wants(const void *user, size_t location)
{
    const struct replay *r = user;
    const struct location *l = &r->locations[location];
    return l->first == l->count || l->items[l->first].position >= l->known ||
           (r->shared && shared_ends_want(r->shared, location));
}

/* Where locations are many less of each is read ahead. */
static size_t chunk_of(size_t nlocations)
{
    size_t each = STREAMS_HELD / (nlocations + 1);
    return each < STREAMS_CHUNK ? each : STREAMS_CHUNK;
}

static csy_status share_channels(struct replay *r, csy_error *error)
{
    const struct shared_keys *shared = r->visitor.shared;
    uint32_t channel;
    r->shared = shared_ends_new(r->clocks, r->nlocations);
    bool good = r->shared != NULL;
    for (size_t i = 0; i < shared->count && good; i++) {
        good = find_channel(r, shared->items[i], &channel);
        if (good)
            r->channels[channel].shared = true;
    }
    return good ? CSY_OK : error_memory(error);
}

static csy_status start(struct replay *r, struct csy_trace *trace, csy_error *error)
{
    r->nlocations = r->source->count(trace);
    r->locations = calloc(r->nlocations + 1, sizeof *r->locations);
    r->ready = malloc((r->nlocations + 1) * sizeof *r->ready);
    r->clocks = calloc(r->nlocations + 1, sizeof *r->clocks);
    r->starts = malloc((r->nlocations + 1) * sizeof *r->starts);
    if (!r->locations || !r->ready || !r->clocks || !r->starts)
        return error_memory(error);
    for (size_t i = 0; i < r->nlocations; i++)
        atomic_init(&r->starts[i], INT64_MAX);
    bool shared = r->visitor.shared && r->visitor.shared->count > 0;
    const struct streams_part part = {.first = 0,
                                      .step = 1,
                                      .open_most = r->nlocations + 1,
                                      .open_limit = r->nlocations + 1,
                                      .chunk = chunk_of(r->nlocations),
                                      .window_ticks = 1,
                                      .clocks = r->clocks,
                                      .starts = shared ? r->starts : NULL,
                                      .all = r->visitor.all,
                                      .wants = wants,
                                      .user = r};
    for (size_t l = 0; l < r->nlocations; l++)
        r->locations[l].reached_ticks = INT64_MIN;
    csy_status status = r->source->clocks(trace, r->clocks, error);
    if (!status && shared)
        status = share_channels(r, error);
    if (!status)
        status =
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
        if (!status && read && !number_shared(r, &batch))
            status = error_memory(error);
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
    for (size_t l = 0; r->locations && l < r->nlocations; l++) {
        free(r->locations[l].items);
        free(r->locations[l].numbers);
    }
    for (size_t c = 0; c < r->nchannels; c++)
        replay_sends_fini(&r->channels[c].sends);
    free(r->locations);
    free(r->ready);
    operations_free(r->operations);
    texts_fini(&r->keys);
    free(r->channels);
    free(r->clocks);
    free(r->starts);
    shared_ends_free(r->shared);
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
