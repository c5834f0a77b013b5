/* Matches messages while several locations are read. */
#include "order/meet.h"

#include "base/array.h"
#include "base/error.h"
#include "base/memory.h"
#include "clock/knots.h"
#include "order/match.h"

#include <stdlib.h>
#include <string.h>

#define NONE_KEPT INT64_MAX
#define NO_CHANNEL UINT32_MAX

enum { SLOTS_LEAST = 64 };

/* An end that waits for its partner, or is kept. */
struct end {
    uint64_t position, place;
    int64_t ticks, posted_ticks; /* posted_ticks of a send: the time when the message left */
    uint32_t location;
};

/* Flags in the unused upper bits of `place`: whether the end is close, and, for a receive, how many
 * items follow it. */
#define CLOSE ((uint64_t)1 << 63)
#define FOLLOWERS_MOST 0x7fff
enum { FOLLOWERS_SHIFT = 48 };
#define PLACE_END ((uint64_t)1 << FOLLOWERS_SHIFT)

struct tie {
    struct end ends[2];
    bool spare; /* only if clocks drift: the message makes no pair */
};

/* Whether several locations of one clock share a side of the channel. */
enum sharing {
    SHARED_NOT,
    SHARED_FOUND, /* found only now: its ends are ignored, and all must be matched again */
    SHARED_KNOWN
};

struct channel {
    uint32_t key[4];
    uint32_t locations[2]; /* the first location of its sends, and of its receives, or NO_CHANNEL */
    enum sharing sharing;
    bool fails;       /* a message within one clock cannot be matched; ignored if the channel is
                         found to be shared */
    bool contradicts; /* the reason is that it contradicts that clock */
    struct end *ring; /* pending ends */
    uint32_t count, begin, capacity;
    bool receives;      /* the pending ends are receives */
    bool met, several;  /* one message is complete; several are */
    int64_t least;      /* receive minus send minus latency of the kept message; or NONE_KEPT */
    struct end kept[2]; /* the send and the receive of that message */
    /* Other messages with the same `least`. If clocks drift, all kept messages. */
    struct tie *ties;
    size_t nties, ties_capacity;
    size_t hull; /* if clocks drift: number of the last tie that is not spare, from 1; or 0 */
    int64_t posted_ticks[2];     /* of the last send, and of the last receive, */
    uint64_t posted_position[2]; /* and their positions */
};

struct message {
    uint32_t channel;
    struct end ends[2];
};

struct meet {
    struct meet_rules rules;
    struct channel *channels;
    size_t nchannels, capacity;
    uint32_t *slots; /* channels by key; a power of 2, at most half of them used */
    size_t nslots;
    struct message *close;
    size_t nclose, close_capacity;
    uint64_t messages, waiting, ties;
    struct shared_ends *shared; /* the pending ends of shared channels, or NULL */
    csy_backward raw, tracer;
    bool failed, finds_shared;
};

void meet_free(struct meet *meet)
{
    if (!meet)
        return;
    for (size_t i = 0; i < meet->nchannels; i++) {
        free(meet->channels[i].ring);
        free(meet->channels[i].ties);
    }
    shared_ends_free(meet->shared);
    free(meet->channels);
    free(meet->slots);
    free(meet->close);
    free(meet);
}

bool meet_contradicts(const struct meet *meet)
{
    bool contradicts = false;
    for (size_t i = 0; i < meet->nchannels; i++)
        contradicts |= meet->channels[i].contradicts;
    return contradicts;
}

uint64_t meet_waiting(const struct meet *meet)
{
    return meet->waiting + (meet->shared ? shared_ends_waiting(meet->shared) : 0);
}

uint64_t meet_ties(const struct meet *meet)
{
    return meet->ties;
}

/* --- Channels ------------------------------------------------------------------------------- */

static size_t hash_of(const uint32_t key[4])
{
    uint64_t a = (uint64_t)key[0] << 32 | key[3], b = (uint64_t)key[1] << 32 | key[2];
    uint64_t mixed = (a * UINT64_C(0x9e3779b97f4a7c15)) ^ b;
    mixed = (mixed ^ mixed >> 32) * UINT64_C(0xff51afd7ed558ccd);
    return (size_t)(mixed >> 32);
}

/* The slot of a key, or the free slot for it. */
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
                                .least = NONE_KEPT,
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

static bool add_close(struct meet *m, const struct channel *channel, const struct end *send,
                      const struct end *recv)
{
    if (!ARRAY_RESERVE(m->close, m->close_capacity, m->nclose + 1))
        return false;
    m->close[m->nclose++] = (struct message){(uint32_t)(channel - m->channels), {*send, *recv}};
    return true;
}

/* Count a message that was received before it was sent, by timestamps and by the times of the
 * tracer. */
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

/* True if a message within one clock limits the rate of the clock. `least` is the time from send to
 * receive minus the latency. */
static bool binds_itself(const struct meet *m, const struct end *send, const struct end *recv,
                         int64_t least)
{
    int128 apart = (int128)recv->ticks - send->posted_ticks;
    return m->rules.drifts && (int128)least * AGE_UNIT < m->rules.rate_ppb * apart;
}

/* A message between locations of one clock, or within one location. It can be part of a path, but
 * alone it implies nothing, unless it contradicts that clock; at one tick it might be part of a
 * cycle. */
static bool meet_one_clock(struct meet *m, struct channel *channel, const struct end *send,
                           const struct end *recv, int64_t least)
{
    bool close = ((send->place | recv->place) & CLOSE) != 0;
    channel->fails |= send->location == recv->location && send->position >= recv->position;
    if (m->rules.counted)
        return true;
    channel->contradicts |= least <= 0;
    channel->fails |= least <= 0;
    bool matters = (close && least < m->rules.window_ticks) || binds_itself(m, send, recv, least);
    return !matters || add_close(m, channel, send, recv);
}

/* True if a message follows from another message of its channel with a margin, in ticks: receive
 * minus send is greater by the margin and by the drift of both clocks between the two messages
 * (graph/pair_table.h). */
static bool follows(const struct meet *m, const struct end message[2], const struct end other[2],
                    int64_t margin)
{
    int128 sent = (int128)message[0].posted_ticks - other[0].posted_ticks;
    int128 received = (int128)message[1].ticks - other[1].ticks;
    int128 apart = (sent < 0 ? -sent : sent) + (received < 0 ? -received : received);
    int128 by = received - sent - margin;
    return by >= 0 && by * AGE_UNIT >= m->rules.rate_ppb * apart;
}

/* Stack a message between clocks that drift, as graph/pair_table.c stacks pairs. The reference is
 * not known yet, so both clocks drift here, and the stack keeps a few more messages than pairs.
 *
 * A message is spare if it follows from another message, but not with a margin of the window plus
 * one tick. Pairs do not need spare messages, but a spare message may be an inversion
 * (sync/partial/partial_measure.c). Spare messages stay in the stack, in the order of the channel.
 */
static bool stack_message(struct meet *m, struct channel *channel, const struct end message[2])
{
    const int64_t margin = m->rules.window_ticks + 1;
    size_t kept = channel->hull; /* the messages before this one stay */
    bool spare = false;
    while (kept > 0 && !spare) {
        const struct tie *top = &channel->ties[kept - 1];
        bool pops = follows(m, top->ends, message, 0), follow = follows(m, message, top->ends, 0);
        if (!top->spare && follow && follows(m, message, top->ends, margin))
            return true;
        if (!top->spare && !pops && !follow)
            break;
        /* If two messages are equal, the first one received makes the pair. */
        spare = !top->spare && follow && !(pops && message[1].position < top->ends[1].position);
        kept--;
    }
    kept = spare ? channel->nties : kept;
    for (size_t i = kept; i < channel->nties; i++) {
        struct tie *old = &channel->ties[i];
        m->ties -= old->spare;
        if (follows(m, old->ends, message, margin))
            continue;
        old->spare = true;
        m->ties++;
        channel->ties[kept++] = *old;
    }
    channel->nties = kept;
    if (!ARRAY_RESERVE(channel->ties, channel->ties_capacity, kept + 1))
        return false;
    channel->ties[channel->nties++] = (struct tie){{message[0], message[1]}, spare};
    m->ties += spare;
    channel->hull = spare ? channel->hull : channel->nties;
    return true;
}

/* Note a message with both ends. */
static bool meet_ends(struct meet *m, struct channel *channel, const struct end *send,
                      const struct end *recv)
{
    const uint32_t *clocks = m->rules.clocks;
    bool close = ((send->place | recv->place) & CLOSE) != 0;
    int64_t least;
    m->messages++;
    channel->several |= channel->met;
    channel->met = true;
    if (m->rules.met)
        return m->rules.met(m->rules.user, send->place, recv->place);
    note_passage(m, send, recv);
    if (__builtin_sub_overflow(recv->ticks - send->posted_ticks, m->rules.latency_ticks, &least))
        return false;
    if (clocks[send->location] == clocks[recv->location])
        return meet_one_clock(m, channel, send, recv, least);
    if (m->rules.counted)
        return true;
    if (close)
        return add_close(m, channel, send, recv);
    if (m->rules.drifts)
        return stack_message(m, channel, (const struct end[]){*send, *recv});
    if (least > channel->least)
        return true;
    if (least == channel->least) {
        if (!ARRAY_RESERVE(channel->ties, channel->ties_capacity, channel->nties + 1))
            return false;
        channel->ties[channel->nties++] = (struct tie){{*send, *recv}, false};
        m->ties++;
        return true;
    }
    m->ties -= channel->nties;
    channel->least = least;
    channel->kept[0] = *send;
    channel->kept[1] = *recv;
    channel->nties = 0;
    return true;
}

/* Check that ends come in the order of posting. If two have the same time of posting, their ends
 * must be in the order of the trace. */
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

/* Add the next end of a channel. */
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

/* Another location uses the channel, too. False if the two must not share it. */
static bool share(struct meet *m, struct channel *channel, bool recv, size_t location)
{
    const uint32_t *clocks = m->rules.clocks;
    if (!clocks || m->rules.met || clocks[channel->locations[recv]] != clocks[location])
        return false;
    if (channel->sharing)
        return true;
    channel->sharing = SHARED_FOUND;
    m->finds_shared = true;
    m->waiting -= channel->count;
    channel->count = 0;
    channel->fails = channel->contradicts = channel->met = channel->several = false;
    return true;
}

/* Hold an end of a shared channel until no earlier one can come. */
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
    if (!channel || item->place >= PLACE_END || item->followers > FOLLOWERS_MOST)
        return false;
    if (channel->locations[recv] == NO_CHANNEL)
        channel->locations[recv] = (uint32_t)location;
    if (channel->locations[recv] != location && !share(m, channel, recv, location))
        return false;
    uint64_t marks = (uint64_t)item->followers << FOLLOWERS_SHIFT | (item->close ? CLOSE : 0);
    if (!recv)
        marks = item->close ? CLOSE : 0;
    const struct end end = {item->position, item->place | marks, item->time_ticks,
                            item->other_ticks, (uint32_t)location};
    if (channel->sharing)
        return !item->interval && hold_end(m, channel, recv, &end);
    return check_posted(channel, recv, &end) && add_end(m, channel, recv, &end);
}

bool meet_item(struct meet *m, size_t location, const struct stream_item *item)
{
    m->failed = m->failed || !take_item(m, location, item);
    return !m->failed;
}

/* Shared ends are posted in the order of time, since nothing else is known. */
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

/* --- What is kept --------------------------------------------------------------------------- */

struct keeping {
    struct meet_end *ends;
    size_t count, capacity;
    struct meet_end unmatched[CSY_UNUSED_LISTED]; /* the first ones, sorted */
    uint64_t nunmatched, messages;
};

static struct meet_end make(const struct channel *channel, bool recv, const struct end *end)
{
    uint64_t followers = recv ? end->place >> FOLLOWERS_SHIFT & FOLLOWERS_MOST : 0;
    struct meet_end made = {.location = end->location,
                            .item = {.position = end->position,
                                     .place = end->place & (PLACE_END - 1),
                                     .followers = (uint32_t)followers,
                                     .time_ticks = end->ticks,
                                     .other_ticks = end->posted_ticks,
                                     .role = recv ? STREAM_RECV : STREAM_SEND,
                                     .close = (end->place & CLOSE) != 0}};
    memcpy(made.item.key, channel->key, sizeof made.item.key);
    made.item.apart = channel->count > 0;
    made.item.shared = channel->sharing != 0;
    return made;
}

static bool keep(struct keeping *k, const struct meet_end *end)
{
    if (!ARRAY_RESERVE(k->ends, k->capacity, k->count + 1))
        return false;
    k->ends[k->count++] = *end;
    return true;
}

static bool keep_message(struct keeping *k, const struct channel *channel, const struct end ends[2])
{
    const struct meet_end send = make(channel, false, &ends[0]),
                          recv = make(channel, true, &ends[1]);
    k->messages++;
    return keep(k, &send) && keep(k, &recv);
}

static int by_place(const void *a, const void *b)
{
    const struct meet_end *x = a, *y = b;
    if (x->location != y->location)
        return x->location < y->location ? -1 : 1;
    return (x->item.position > y->item.position) - (x->item.position < y->item.position);
}

static void note_unmatched(struct keeping *k, const struct meet_end *end)
{
    uint64_t n = k->nunmatched++;
    size_t at = n < CSY_UNUSED_LISTED ? (size_t)n : CSY_UNUSED_LISTED - 1;
    if (n >= CSY_UNUSED_LISTED && by_place(&k->unmatched[at], end) < 0)
        return;
    for (; at > 0 && by_place(&k->unmatched[at - 1], end) > 0; at--)
        k->unmatched[at] = k->unmatched[at - 1];
    k->unmatched[at] = *end;
}

/* Collect the kept ends of a channel; false if receives are pending. */
static bool gather_channel(struct keeping *k, const struct channel *channel)
{
    bool good = channel->least == NONE_KEPT || keep_message(k, channel, channel->kept);
    if (channel->fails || (channel->count > 0 && channel->receives))
        return false;
    for (uint32_t i = 0; i < channel->count; i++) {
        const struct meet_end end =
            make(channel, false, &channel->ring[(channel->begin + i) & (channel->capacity - 1)]);
        note_unmatched(k, &end);
    }
    for (size_t i = 0; i < channel->nties && good; i++)
        good = keep_message(k, channel, channel->ties[i].ends);
    return good;
}

bool meet_finish(struct meet *m, struct meet_result *out)
{
    struct keeping k = {0};
    bool good = !m->failed && !m->finds_shared;
    struct shared_keys open = {.items = NULL};
    uint64_t several = 0;
    for (size_t i = 0; i < m->nchannels && good; i++) {
        const struct channel *channel = &m->channels[i];
        several += channel->several || is_uneven(channel);
        good = gather_channel(&k, channel) && (!is_uneven(channel) || list_key(&open, channel));
    }
    for (size_t i = 0; i < m->nclose && good; i++)
        good = keep_message(&k, &m->channels[m->close[i].channel], m->close[i].ends);
    for (size_t i = 0; i < CSY_UNUSED_LISTED && i < k.nunmatched && good; i++)
        good = keep(&k, &k.unmatched[i]);
    if (good && k.count > 1)
        qsort(k.ends, k.count, sizeof *k.ends, by_place);
    *out = (struct meet_result){.ends = k.ends,
                                .count = k.count,
                                .messages = m->messages - k.messages,
                                .several = several,
                                .open = open,
                                .raw = m->raw,
                                .tracer = m->tracer};
    if (k.nunmatched > CSY_UNUSED_LISTED)
        out->unmatched = k.nunmatched - CSY_UNUSED_LISTED;
    return good;
}
