/* Ends of messages, one after another. */
#include "order/replay.h"

#include "base/array.h"
#include "base/error.h"
#include "base/texts.h"
#include "trace/trace.h"

#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

/* More locations are not read at once; descriptors that are left to others, and what a location
 * takes. */
enum { LOCATIONS_MOST = 128, SPARE_FILES = 24, FILES_EACH = 2 };

/* Room for sends of a channel at first. */
enum { SENDS_MIN = 4 };

/* An event that comes late is put in its place if no more are after it; else all are sorted. */
enum { LATE_MOST = 32 };

#define NO_CHANNEL UINT32_MAX

/* An event that waits. */
struct waiting {
    uint64_t position, place;
    int64_t ticks;
    uint64_t number; /* of a receive among those of its channel, in the order of posting */
    uint32_t channel;
    uint8_t role;
};

struct location {
    struct waiting *items; /* by position, from `first` on, as far as they are known */
    size_t first, count, capacity;
    uint64_t known; /* before this position all have come */
    uint64_t next;  /* position: those before it have been visited */
    bool queued;    /* it is among those that may go on */
};

/* A send that was visited; or its receive was, too. */
struct sent {
    struct replay_send send;
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
    struct texts keys; /* of channels */
    struct channel *channels;
    size_t nchannels, channels_capacity;
    bool stop;
};

bool replay_can(const struct csy_trace *trace)
{
    struct rlimit limit;
    const struct stream_reading *source = trace->source->streams;
    size_t n = source ? source->count(trace) : SIZE_MAX;
    if (n > LOCATIONS_MOST)
        return false;
    return getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY ||
           limit.rlim_cur >= SPARE_FILES + FILES_EACH * n;
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
    struct stream_item item = {.position = event->position,
                               .place = event->place,
                               .time_ticks = event->ticks,
                               .other_ticks = event->ticks,
                               .role = event->role};
    memcpy(item.key, keys->bytes + keys->items[event->channel].at, sizeof item.key);
    return item;
}

/* --- Sends under way -------------------------------------------------------------------------- */

static struct sent *sent_at(const struct channel *channel, uint64_t number)
{
    return &channel->ring[number & (channel->room - 1)];
}

static bool push_send(struct channel *channel, const struct replay_send *send)
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

void replay_each_send(struct replay *replay, void (*each)(void *user, struct replay_send *send),
                      void *user)
{
    for (size_t c = 0; c < replay->nchannels; c++) {
        const struct channel *channel = &replay->channels[c];
        for (uint64_t i = channel->first; i < channel->end; i++)
            if (!sent_at(channel, i)->received)
                each(user, &sent_at(channel, i)->send);
    }
}

/* --- Visiting --------------------------------------------------------------------------------- */

static void wake(struct replay *r, uint32_t location)
{
    if (location == NO_LOCATION || r->locations[location].queued)
        return;
    r->locations[location].queued = true;
    r->ready[r->nready++] = location;
}

static csy_status call(struct replay *r, uint32_t location, const struct waiting *item,
                       struct replay_send *send, csy_error *error)
{
    const struct replay_event event = {r,          send,           location,    item->channel,
                                       item->role, item->position, item->place, item->ticks};
    return r->visitor.visit(r->visitor.user, &event, error);
}

/* *blocked: it is a receive, and its send has not been visited. */
static csy_status visit(struct replay *r, uint32_t location, const struct waiting *item,
                        bool *blocked, csy_error *error)
{
    struct channel *channel = item->role == STREAM_PLAIN ? NULL : &r->channels[item->channel];
    csy_status status;
    if (!channel)
        return call(r, location, item, NULL, error);
    if (item->role == STREAM_SEND) {
        struct replay_send send = {.ticks = item->ticks, .point = NO_POINT, .location = location};
        status = call(r, location, item, &send, error);
        if (!status && !push_send(channel, &send))
            status = error_memory(error);
        wake(r, channel->waiter);
        channel->waiter = NO_LOCATION;
        return status;
    }
    if (item->number >= channel->end) {
        *blocked = true;
        channel->waiter = location;
        return CSY_OK;
    }
    struct replay_send send = sent_at(channel, item->number)->send;
    take_send(channel, item->number);
    return call(r, location, item, &send, error);
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

static bool add_item(struct replay *r, struct location *l, const struct stream_item *item,
                     bool *sorted)
{
    struct waiting waiting = {.position = item->position,
                              .place = item->place,
                              .ticks = item->time_ticks,
                              .channel = NO_CHANNEL,
                              .role = item->role};
    if (item->role == STREAM_MEMBER ||
        (item->role != STREAM_PLAIN && !find_channel(r, item, &waiting.channel)))
        return false;
    if (item->role == STREAM_RECV)
        waiting.number = r->channels[waiting.channel].received++;
    *sorted &= put_item(l, &waiting);
    return true;
}

/* What has come of a location, in its order. */
static bool add_batch(struct replay *r, const struct stream_batch *batch)
{
    struct location *l = &r->locations[batch->location];
    bool good = true, sorted = true;
    if (l->first > 0) {
        memmove(l->items, l->items + l->first, (l->count - l->first) * sizeof *l->items);
        l->count -= l->first;
        l->first = 0;
    }
    if (!ARRAY_RESERVE(l->items, l->capacity, l->count + batch->count + 1))
        return false;
    for (size_t i = 0; i < batch->count && good; i++)
        good = add_item(r, l, &batch->items[i], &sorted);
    if (!sorted)
        qsort(l->items, l->count, sizeof *l->items, by_position);
    l->known = batch->known;
    return good;
}

/* Whether a location waits for no other, but for its own events. */
static bool wants(const void *user, size_t location)
{
    const struct location *l = &((const struct replay *)user)->locations[location];
    return l->first == l->count || l->items[l->first].position >= l->known;
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
                                      .window_ticks = 1,
                                      .all = r->visitor.all,
                                      .wants = wants,
                                      .user = r};
    return r->source->start(trace, &part, &r->streams, error);
}

static csy_status read_all(struct replay *r, bool *good, csy_error *error)
{
    struct stream_batch batch;
    csy_status status = CSY_OK;
    while (!status && !r->stop && r->source->next(r->streams, &batch)) {
        if (!add_batch(r, &batch))
            return CSY_OK;
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
