/* Matches messages while several locations are read at the same time. */
#include "order/match_stream.h"

#include "base/array.h"
#include "base/error.h"
#include "base/sort.h"
#include "base/texts.h"
#include "order/match.h"

#include <stdlib.h>
#include <string.h>

#define NO_CHANNEL UINT32_MAX

/* A send or a receive that waits for its partner. */
struct end {
    uint64_t position, place;
    int64_t ticks, posted_ticks; /* time of the record, and time when the message was posted */
    uint32_t location;
};

/* Tells whether several locations of one clock send to a channel, or receive from it. */
enum sharing {
    SHARED_NOT,
    /* another location was just found: all messages must be matched again */
    SHARED_FOUND,
    SHARED_KNOWN
};

struct channel {
    uint32_t locations[2]; /* first location that sends, and first that receives, or NO_CHANNEL */
    enum sharing sharing;
    /* true if a location received a message before it sent it; unused if shared */
    bool fails;
    /* ring of ends that wait for their partners, numbered from `first` to `end` - 1 */
    struct end *ring;
    uint64_t first, end;
    size_t room;
    uint32_t next; /* number of the channel that was found after this one */
    bool receives; /* true if the waiting ends are receives, false if they are sends */
    /* true if at least one message is complete (met), or at least two (several) */
    bool met, several;
    int64_t posted_ticks[2];     /* time of posting of the last send, and of the last receive */
    uint64_t posted_position[2]; /* positions of the last send and the last receive */
};

struct match_stream {
    struct match_stream_rules rules;
    struct texts keys;
    struct channel *channels; /* indexed by the number of the channel's key */
    size_t nchannels, capacity;
    uint32_t last; /* number of the channel that was found last */
    uint64_t messages, waiting;
    struct shared_ends *shared; /* the waiting ends of shared channels, or NULL */
    csy_backward raw, tracer;
    bool failed, finds_shared;
};

void match_stream_free(struct match_stream *stream)
{
    if (!stream)
        return;
    for (size_t i = 0; i < stream->nchannels; i++)
        free(stream->channels[i].ring);
    shared_ends_free(stream->shared);
    free(stream->channels);
    texts_fini(&stream->keys);
    free(stream);
}

uint64_t match_stream_waiting(const struct match_stream *stream)
{
    return stream->waiting + (stream->shared ? shared_ends_waiting(stream->shared) : 0);
}

static struct channel *find_channel(struct match_stream *m, const uint32_t key[4])
{
    uint32_t last = m->last, number = last < m->nchannels ? m->channels[last].next : NO_CHANNEL;
    if (!texts_find_guess(&m->keys, (const char *)key, 4 * sizeof *key, &number) ||
        !ARRAY_EXTEND(m->channels, m->nchannels, m->capacity, (size_t)number + 1,
                      (struct channel){.locations = {NO_CHANNEL, NO_CHANNEL},
                                       .next = NO_CHANNEL,
                                       .posted_ticks = {INT64_MIN, INT64_MIN}}))
        return NULL;
    m->last = number;
    m->channels[last < m->nchannels ? last : number].next = number;
    return &m->channels[number];
}

static const char *key_of(const struct match_stream *m, const struct channel *channel)
{
    return texts_text(&m->keys, (size_t)(channel - m->channels)).bytes;
}

csy_status match_stream_new(const struct match_stream_rules *rules, struct match_stream **out,
                            csy_error *error)
{
    size_t nshared = rules->shared ? rules->shared->count : 0;
    struct match_stream *stream = calloc(1, sizeof *stream);
    if (!stream)
        return error_memory(error);
    stream->rules = *rules;
    *out = stream;
    if (nshared > 0)
        stream->shared = shared_ends_new(rules->clocks, rules->nlocations);
    bool good = nshared == 0 || stream->shared;
    for (size_t i = 0; i < nshared && good; i++) {
        struct channel *channel = find_channel(stream, rules->shared->items[i]);
        good = channel != NULL;
        if (good)
            channel->sharing = SHARED_KNOWN;
    }
    return good ? CSY_OK : error_memory(error);
}

bool match_stream_finds_shared(const struct match_stream *stream)
{
    return stream->finds_shared;
}

static bool list_key(const struct match_stream *m, struct shared_keys *out,
                     const struct channel *channel)
{
    if (!ARRAY_RESERVE(out->items, out->capacity, out->count + 1))
        return false;
    memcpy(out->items[out->count++], key_of(m, channel), sizeof *out->items);
    return true;
}

bool match_stream_list_shared(const struct match_stream *stream, struct shared_keys *out)
{
    bool good = true;
    out->count = 0;
    for (size_t i = 0; i < stream->nchannels && good; i++)
        good = !stream->channels[i].sharing || list_key(stream, out, &stream->channels[i]);
    return good;
}

static bool is_uneven(const struct channel *channel)
{
    return channel->met && channel->first < channel->end;
}

bool match_stream_is_uneven(const struct match_stream *stream)
{
    bool uneven = false;
    for (size_t i = 0; i < stream->nchannels; i++)
        uneven |= is_uneven(&stream->channels[i]);
    return uneven;
}

static bool add_end(struct match_stream *m, struct channel *channel, bool recv,
                    const struct end *end)
{
    if (channel->first == channel->end || channel->receives == recv) {
        channel->receives = recv;
        m->waiting++;
        return RING_PUSH(channel->ring, channel->room, channel->first, channel->end, *end);
    }
    struct end other = channel->ring[channel->first++ & (channel->room - 1)];
    const struct end *sent = recv ? &other : end, *got = recv ? end : &other;
    int64_t least;
    m->waiting--;
    m->messages++;
    channel->several |= channel->met;
    channel->met = true;
    if (m->rules.met)
        return m->rules.met(m->rules.user, sent->place, got->place);
    /* Count messages received before they were sent, by timestamps and by the tracer's times. */
    const struct tracer_thread *from = &m->rules.tracers[sent->location];
    const struct tracer_thread *to = &m->rules.tracers[got->location];
    int128 left, received;
    match_note_passage(&m->raw, (int128)got->ticks - sent->posted_ticks);
    if (tracer_correct(from, sent->posted_ticks, &left) &&
        tracer_correct(to, got->ticks, &received))
        match_note_passage(&m->tracer, received - left);
    channel->fails |= sent->location == got->location && sent->position >= got->position;
    return !__builtin_sub_overflow(got->ticks - sent->posted_ticks, m->rules.latency_ticks, &least);
}

/* Note that another location uses the channel. Returns false if these locations cannot share it. */
static bool share(struct match_stream *m, struct channel *channel, bool recv, size_t location)
{
    const uint32_t *clocks = m->rules.clocks;
    if (!clocks || m->rules.met || m->rules.whole ||
        clocks[channel->locations[recv]] != clocks[location])
        return false;
    if (channel->sharing)
        return true;
    channel->sharing = SHARED_FOUND;
    m->finds_shared = true;
    m->waiting -= channel->end - channel->first;
    channel->first = channel->end;
    channel->fails = channel->met = channel->several = false;
    return true;
}

bool match_stream_item(struct match_stream *m, size_t location, const struct stream_item *item)
{
    bool recv = item->role == STREAM_RECV;
    if (m->failed)
        return false;
    m->failed = true; /* false again at the end, unless adding the item fails */
    struct channel *channel = find_channel(m, item->key);
    if (!channel)
        return false;
    if (channel->locations[recv] == NO_CHANNEL)
        channel->locations[recv] = (uint32_t)location;
    if (channel->locations[recv] != location && !share(m, channel, recv, location))
        return false;
    const struct end end = {item->position, item->place, item->time_ticks, item->other_ticks,
                            (uint32_t)location};
    if (channel->sharing) {
        /* In a shared channel, an end waits until no location can add an earlier one. */
        const struct shared_end held = {end.ticks,    end.position,
                                        end.place,    (uint32_t)(channel - m->channels),
                                        end.location, recv};
        m->failed = item->interval ||
                    (channel->sharing != SHARED_FOUND && !shared_ends_put(m->shared, &held));
        return !m->failed;
    }
    /* Ends must be added in the order of posting. At equal times, the order of the trace counts. */
    int64_t *ticks = &channel->posted_ticks[recv];
    uint64_t *position = &channel->posted_position[recv];
    bool good =
        end.posted_ticks > *ticks || (end.posted_ticks == *ticks && end.position > *position);
    *ticks = end.posted_ticks;
    *position = end.position;
    m->failed = !good || !add_end(m, channel, recv, &end);
    return !m->failed;
}

bool match_stream_reach(struct match_stream *m, size_t location, int64_t known_ticks)
{
    struct shared_end held;
    if (!m->shared || m->failed)
        return !m->failed;
    shared_ends_reach(m->shared, location, known_ticks);
    while (!m->failed && shared_ends_next(m->shared, location, &held)) {
        const struct end end = {held.position, held.place, held.ticks, held.ticks, held.location};
        m->failed = !add_end(m, &m->channels[held.channel], held.recv, &end);
    }
    return !m->failed;
}

static int by_place(const struct match_stream_send *x, const struct match_stream_send *y,
                    bool whole)
{
    int by_position = COMPARE(x->item.position, y->item.position);
    return whole ? by_position : COMPARE_THEN(x->location, y->location, by_position);
}

/* Count a send without a receive. The first such sends are stored in the order of the trace. */
static void note_unmatched(const struct match_stream *m, struct match_stream_result *out,
                           const struct channel *channel, const struct end *end)
{
    bool whole = m->rules.whole;
    struct match_stream_send send = {end->location,
                                     channel->sharing != SHARED_NOT,
                                     {.position = end->position,
                                      .place = end->place,
                                      .time_ticks = end->ticks,
                                      .other_ticks = end->posted_ticks,
                                      .role = STREAM_SEND}};
    memcpy(send.item.key, key_of(m, channel), sizeof send.item.key);
    uint64_t n = out->nunmatched++;
    size_t at = n < CSY_UNUSED_LISTED ? (size_t)n : CSY_UNUSED_LISTED - 1;
    if (n >= CSY_UNUSED_LISTED && by_place(&out->unmatched[at], &send, whole) < 0)
        return;
    for (; at > 0 && by_place(&out->unmatched[at - 1], &send, whole) > 0; at--)
        out->unmatched[at] = out->unmatched[at - 1];
    out->unmatched[at] = send;
}

bool match_stream_finish(struct match_stream *m, struct match_stream_result *out)
{
    bool good = !m->failed && !m->finds_shared;
    *out =
        (struct match_stream_result){.messages = m->messages, .raw = m->raw, .tracer = m->tracer};
    for (size_t i = 0; i < m->nchannels && good; i++) {
        const struct channel *channel = &m->channels[i];
        out->several += channel->several || is_uneven(channel);
        good = !channel->fails && (channel->first == channel->end || !channel->receives) &&
               (!is_uneven(channel) || list_key(m, &out->open, channel));
        for (uint64_t k = channel->first; k < channel->end && good; k++)
            note_unmatched(m, out, channel, &channel->ring[k & (channel->room - 1)]);
    }
    return good;
}
