/* Matches messages while several locations are read. */
#include "order/meet.h"

#include "base/array.h"
#include "base/error.h"
#include "base/memory.h"
#include "order/match.h"

#include <stdlib.h>
#include <string.h>

#define NO_CHANNEL UINT32_MAX

enum { SLOTS_LEAST = 64 };

/* An end of a message that waits for its partner. */
struct end {
    uint64_t position, place;
    int64_t ticks, posted_ticks; /* for a send, posted_ticks is when the message left */
    uint32_t location;
};

/* Whether several locations of one clock share one side of a channel. */
enum sharing {
    SHARED_NOT,
    /* found only now: ignore its ends, and match everything again */
    SHARED_FOUND,
    SHARED_KNOWN
};

struct channel {
    uint32_t key[4];
    uint32_t locations[2]; /* first location of its sends and of its receives, or NO_CHANNEL */
    enum sharing sharing;
    bool fails;       /* a location receives a message before sending it; ignored if the channel is
                       * shared */
    struct end *ring; /* pending ends */
    uint32_t count, begin, capacity;
    bool receives;               /* they are receives, not sends */
    bool met, several;           /* one message is complete; several are */
    int64_t posted_ticks[2];     /* when the last send and the last receive were posted */
    uint64_t posted_position[2]; /* positions of these */
};

struct meet {
    struct meet_rules rules;
    struct channel *channels;
    size_t nchannels, capacity;
    uint32_t *slots; /* channels by key; a power of 2, at most half of them used */
    size_t nslots;
    uint64_t messages, waiting;
    struct shared_ends *shared; /* pending ends of shared channels, or NULL */
    csy_backward raw, tracer;
    bool failed, finds_shared;
};

void meet_free(struct meet *meet)
{
    if (!meet)
        return;
    for (size_t i = 0; i < meet->nchannels; i++)
        free(meet->channels[i].ring);
    shared_ends_free(meet->shared);
    free(meet->channels);
    free(meet->slots);
    free(meet);
}

uint64_t meet_waiting(const struct meet *meet)
{
    return meet->waiting + (meet->shared ? shared_ends_waiting(meet->shared) : 0);
}

/* --- Channels ------------------------------------------------------------------------------- */

static size_t hash_of(const uint32_t key[4])
{
    uint64_t a = (uint64_t)key[0] << 32 | key[3], b = (uint64_t)key[1] << 32 | key[2];
    uint64_t mixed = (a * UINT64_C(0x9e3779b97f4a7c15)) ^ b;
    mixed = (mixed ^ mixed >> 32) * UINT64_C(0xff51afd7ed558ccd);
    return (size_t)(mixed >> 32);
}

/* The slot of this key, or a free slot for it. */
static uint32_t *find_slot(const struct meet *m, const uint32_t key[4])
{
    for (size_t i = hash_of(key);; i++) {
        uint32_t *slot = &m->slots[i & (m->nslots - 1)];
        if (*slot == NO_CHANNEL ||
            memcmp(m->channels[*slot].key, key, sizeof m->channels->key) == 0)
            return slot;
    }
}

static bool grow_slots(struct meet *m)
{
    size_t n = m->nslots ? 2 * m->nslots : SLOTS_LEAST;
    uint32_t *slots = memory_allows((uint128)n * sizeof *slots) ? malloc(n * sizeof *slots) : NULL;
    if (!slots)
        return false;
    free(m->slots);
    m->slots = slots;
    m->nslots = n;
    memset(slots, 0xff, n * sizeof *slots);
    for (size_t i = 0; i < m->nchannels; i++)
        *find_slot(m, m->channels[i].key) = (uint32_t)i;
    return true;
}

static struct channel *find_channel(struct meet *m, const uint32_t key[4])
{
    if (m->nchannels + 1 > m->nslots / 2 && !grow_slots(m))
        return NULL;
    uint32_t *slot = find_slot(m, key);
    if (*slot != NO_CHANNEL)
        return &m->channels[*slot];
    if (m->nchannels == NO_CHANNEL || !ARRAY_RESERVE(m->channels, m->capacity, m->nchannels + 1))
        return NULL;
    struct channel *channel = &m->channels[m->nchannels];
    *channel = (struct channel){.locations = {NO_CHANNEL, NO_CHANNEL},
                                .posted_ticks = {INT64_MIN, INT64_MIN}};
    memcpy(channel->key, key, sizeof channel->key);
    *slot = (uint32_t)m->nchannels++;
    return channel;
}

csy_status meet_new(const struct meet_rules *rules, struct meet **out, csy_error *error)
{
    size_t nshared = rules->shared ? rules->shared->count : 0;
    struct meet *meet = calloc(1, sizeof *meet);
    if (!meet)
        return error_memory(error);
    meet->rules = *rules;
    *out = meet;
    if (nshared > 0)
        meet->shared = shared_ends_new(rules->clocks, rules->nlocations);
    bool good = nshared == 0 || meet->shared;
    for (size_t i = 0; i < nshared && good; i++) {
        struct channel *channel = find_channel(meet, rules->shared->items[i]);
        good = channel != NULL;
        if (good)
            channel->sharing = SHARED_KNOWN;
    }
    return good ? CSY_OK : error_memory(error);
}

bool meet_finds_shared(const struct meet *meet)
{
    return meet->finds_shared;
}

static bool list_key(struct shared_keys *out, const struct channel *channel)
{
    if (!ARRAY_RESERVE(out->items, out->capacity, out->count + 1))
        return false;
    memcpy(out->items[out->count++], channel->key, sizeof channel->key);
    return true;
}

bool meet_list_shared(const struct meet *meet, struct shared_keys *out)
{
    bool good = true;
    out->count = 0;
    for (size_t i = 0; i < meet->nchannels && good; i++)
        good = !meet->channels[i].sharing || list_key(out, &meet->channels[i]);
    return good;
}

static bool is_uneven(const struct channel *channel)
{
    return channel->met && channel->count > 0;
}

bool meet_is_uneven(const struct meet *meet)
{
    bool uneven = false;
    for (size_t i = 0; i < meet->nchannels; i++)
        uneven |= is_uneven(&meet->channels[i]);
    return uneven;
}

/* --- Ends ----------------------------------------------------------------------------------- */

static bool push(struct channel *channel, const struct end *end)
{
    if (channel->count == channel->capacity) {
        uint32_t capacity = channel->capacity ? 2 * channel->capacity : 4;
        struct end *ring = capacity ? malloc((size_t)capacity * sizeof *ring) : NULL;
        if (!ring)
            return false;
        for (uint32_t i = 0; i < channel->count; i++)
            ring[i] = channel->ring[(channel->begin + i) & (channel->capacity - 1)];
        free(channel->ring);
        channel->ring = ring;
        channel->begin = 0;
        channel->capacity = capacity;
    }
    channel->ring[(channel->begin + channel->count++) & (channel->capacity - 1)] = *end;
    return true;
}

static struct end pop(struct channel *channel)
{
    struct end end = channel->ring[channel->begin];
    channel->begin = (channel->begin + 1) & (channel->capacity - 1);
    channel->count--;
    return end;
}

/* Count a message that was received before it was sent, by timestamps and by the tracer's times. */
static void note_passage(struct meet *m, const struct end *send, const struct end *recv)
{
    const struct tracer_thread *from = &m->rules.tracers[send->location];
    const struct tracer_thread *to = &m->rules.tracers[recv->location];
    int128 sent, received;
    match_note_passage(&m->raw, (int128)recv->ticks - send->posted_ticks);
    if (tracer_correct(from, send->posted_ticks, &sent) &&
        tracer_correct(to, recv->ticks, &received))
        match_note_passage(&m->tracer, received - sent);
}

/* Count a message of which both ends are known. */
static bool meet_ends(struct meet *m, struct channel *channel, const struct end *send,
                      const struct end *recv)
{
    int64_t least;
    m->messages++;
    channel->several |= channel->met;
    channel->met = true;
    if (m->rules.met)
        return m->rules.met(m->rules.user, send->place, recv->place);
    note_passage(m, send, recv);
    channel->fails |= send->location == recv->location && send->position >= recv->position;
    return !__builtin_sub_overflow(recv->ticks - send->posted_ticks, m->rules.latency_ticks,
                                   &least);
}

/* Check that ends come in the order in which they were posted. If two were posted at the same time,
 * they must be in the order of the trace. */
static bool check_posted(struct channel *channel, bool recv, const struct end *end)
{
    int64_t *ticks = &channel->posted_ticks[recv];
    uint64_t *position = &channel->posted_position[recv];
    bool good =
        end->posted_ticks > *ticks || (end->posted_ticks == *ticks && end->position > *position);
    *ticks = end->posted_ticks;
    *position = end->position;
    return good;
}

static bool add_end(struct meet *m, struct channel *channel, bool recv, const struct end *end)
{
    if (channel->count == 0 || channel->receives == recv) {
        channel->receives = recv;
        m->waiting++;
        return push(channel, end);
    }
    struct end other = pop(channel);
    m->waiting--;
    return meet_ends(m, channel, recv ? &other : end, recv ? end : &other);
}

/* Note that another location uses the channel, too. Returns false if the two must not share it. */
static bool share(struct meet *m, struct channel *channel, bool recv, size_t location)
{
    const uint32_t *clocks = m->rules.clocks;
    if (!clocks || m->rules.met || m->rules.whole ||
        clocks[channel->locations[recv]] != clocks[location])
        return false;
    if (channel->sharing)
        return true;
    channel->sharing = SHARED_FOUND;
    m->finds_shared = true;
    m->waiting -= channel->count;
    channel->count = 0;
    channel->fails = channel->met = channel->several = false;
    return true;
}

/* Keep an end of a shared channel until no earlier one can come. */
static bool hold_end(struct meet *m, const struct channel *channel, bool recv,
                     const struct end *end)
{
    const struct shared_end held = {end->ticks,    end->position,
                                    end->place,    (uint32_t)(channel - m->channels),
                                    end->location, recv};
    return channel->sharing == SHARED_FOUND || shared_ends_put(m->shared, &held);
}

static bool take_item(struct meet *m, size_t location, const struct stream_item *item)
{
    bool recv = item->role == STREAM_RECV;
    struct channel *channel = find_channel(m, item->key);
    if (!channel)
        return false;
    if (channel->locations[recv] == NO_CHANNEL)
        channel->locations[recv] = (uint32_t)location;
    if (channel->locations[recv] != location && !share(m, channel, recv, location))
        return false;
    const struct end end = {item->position, item->place, item->time_ticks, item->other_ticks,
                            (uint32_t)location};
    if (channel->sharing)
        return !item->interval && hold_end(m, channel, recv, &end);
    return check_posted(channel, recv, &end) && add_end(m, channel, recv, &end);
}

bool meet_item(struct meet *m, size_t location, const struct stream_item *item)
{
    m->failed = m->failed || !take_item(m, location, item);
    return !m->failed;
}

/* Add shared ends that can be next; they count as posted in the order of time. */
bool meet_reach(struct meet *m, size_t location, int64_t known_ticks)
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

/* --- The result ----------------------------------------------------------------------------- */

static int by_place(const struct meet_send *x, const struct meet_send *y, bool whole)
{
    if (!whole && x->location != y->location)
        return x->location < y->location ? -1 : 1;
    return (x->item.position > y->item.position) - (x->item.position < y->item.position);
}

/* Count a send without a receive. Keep the first ones, sorted. */
static void note_unmatched(struct meet_result *out, const struct channel *channel,
                           const struct end *end, bool whole)
{
    struct meet_send send = {end->location,
                             channel->sharing != SHARED_NOT,
                             {.position = end->position,
                              .place = end->place,
                              .time_ticks = end->ticks,
                              .other_ticks = end->posted_ticks,
                              .role = STREAM_SEND}};
    memcpy(send.item.key, channel->key, sizeof send.item.key);
    uint64_t n = out->nunmatched++;
    size_t at = n < CSY_UNUSED_LISTED ? (size_t)n : CSY_UNUSED_LISTED - 1;
    if (n >= CSY_UNUSED_LISTED && by_place(&out->unmatched[at], &send, whole) < 0)
        return;
    for (; at > 0 && by_place(&out->unmatched[at - 1], &send, whole) > 0; at--)
        out->unmatched[at] = out->unmatched[at - 1];
    out->unmatched[at] = send;
}

bool meet_finish(struct meet *m, struct meet_result *out)
{
    bool good = !m->failed && !m->finds_shared;
    *out = (struct meet_result){.messages = m->messages, .raw = m->raw, .tracer = m->tracer};
    for (size_t i = 0; i < m->nchannels && good; i++) {
        const struct channel *channel = &m->channels[i];
        out->several += channel->several || is_uneven(channel);
        good = !channel->fails && (channel->count == 0 || !channel->receives) &&
               (!is_uneven(channel) || list_key(&out->open, channel));
        for (uint32_t k = 0; k < channel->count && good; k++)
            note_unmatched(out, channel,
                           &channel->ring[(channel->begin + k) & (channel->capacity - 1)],
                           m->rules.whole);
    }
    return good;
}
