/* Keeps the most restrictive message of each channel. */
#include "order/thin.h"

#include "base/array.h"
#include "base/error.h"
#include "base/memory.h"
#include "order/rebase.h"
#include "trace/trace.h"

#include <stdlib.h>
#include <string.h>

/* With latencies below this, differences of timestamps fit in 64 bits. */
#define LATENCY_MAX ((int64_t)1 << 58)

/* An end that waits for its partner. */
struct waiting {
    uint64_t position;
    int64_t x;
    int64_t more; /* of a send its begin, of a receive its latency */
};

/* The data needed for each end; it fits in a cache line. */
struct channel {
    uint32_t locations[2]; /* the location of its sends, and of its receives, or NO_LOCATION */
    uint32_t count;        /* pending ends: `first`, and the others in the ring */
    uint32_t begin, capacity;
    bool receives;     /* the pending ends are receives */
    bool met, several; /* one message is complete; several are */
    int64_t least;     /* receive minus send minus latency of the kept message; or NONE_KEPT */
    struct waiting *ring;
    struct waiting first;
} __attribute__((aligned(64)));

#define NONE_KEPT INT64_MAX

enum { LINE = 64 };

_Static_assert(sizeof(struct channel) <= LINE, "a line of a cache");

/* The data of a channel that is needed less often. */
struct message {
    struct waiting send, recv;
    int64_t posted[2]; /* begins of the last send and receive */
};

/* From this position on, place - position is `by`. */
struct shift {
    uint64_t position, by;
};

struct location {
    bool any;
    uint32_t clock;
    int64_t x;
    int128 zero; /* what its clock shows at x = 0 */
};

struct thin {
    struct match *match;
    int64_t latency_ticks;
    bool begins;      /* records may have begins */
    bool sends_known; /* no send is missing, unless a channel has more receives */
    bool failed, out_of_order;
    uint64_t messages;
    csy_backward raw;
    struct channel *channels;
    struct message *kept; /* by channel */
    size_t nchannels, capacity;
    struct location *locations;
    size_t nlocations, locations_capacity;
    struct shift *shifts;
    size_t nshifts, shifts_capacity;
};

csy_status thin_new(struct match *match, int64_t latency_ticks, const struct csy_trace *trace,
                    struct thin **out, csy_error *error)
{
    struct thin *thin = calloc(1, sizeof *thin);
    if (!thin)
        return error_memory(error);
    thin->match = match;
    thin->latency_ticks = latency_ticks;
    thin->begins = trace->has_begins;
    thin->sends_known = trace->sends != SENDS_UNKNOWN;
    *out = thin;
    return CSY_OK;
}

void thin_free(struct thin *thin)
{
    if (!thin)
        return;
    for (size_t i = 0; i < thin->nchannels; i++)
        free(thin->channels[i].ring);
    free(thin->channels);
    free(thin->kept);
    free(thin->locations);
    free(thin->shifts);
    free(thin);
}

bool thin_failed(const struct thin *thin)
{
    return thin->failed;
}

void thin_fail(struct thin *thin)
{
    thin->failed = true;
}

bool thin_in_order(const struct thin *thin)
{
    return !thin->out_of_order;
}

/* Channels are aligned to cache lines. */
static bool grow_channels(struct thin *thin)
{
    size_t capacity = thin->capacity ? 2 * thin->capacity : 64;
    if (!memory_allows((uint128)capacity * (sizeof *thin->channels + sizeof *thin->kept)))
        return false;
    struct channel *channels = aligned_alloc(LINE, capacity * sizeof *channels);
    struct message *kept = realloc(thin->kept, capacity * sizeof *kept);
    if (kept)
        thin->kept = kept;
    if (!channels || !kept) {
        free(channels);
        return false;
    }
    if (thin->nchannels > 0)
        memcpy(channels, thin->channels, thin->nchannels * sizeof *channels);
    free(thin->channels);
    thin->channels = channels;
    thin->capacity = capacity;
    return true;
}

bool thin_channel(struct thin *thin, const char *key, size_t size, uint32_t *out)
{
    if (!match_find_channel(thin->match, key, size, out))
        return false;
    if (*out < thin->nchannels)
        return true;
    if ((size_t)*out >= thin->capacity && !grow_channels(thin))
        return false;
    for (; thin->nchannels <= *out; thin->nchannels++) {
        thin->channels[thin->nchannels] =
            (struct channel){.locations = {NO_LOCATION, NO_LOCATION}, .least = NONE_KEPT};
        thin->kept[thin->nchannels] = (struct message){.posted = {INT64_MIN, INT64_MIN}};
    }
    return true;
}

void thin_expect(const struct thin *thin, const uint32_t *channels, size_t n)
{
    for (size_t i = 0; i < n; i++)
        __builtin_prefetch(&thin->channels[channels[i]], 1);
}

/* The ring has all pending ends except the first. */
static bool push(struct channel *channel, const struct waiting *end)
{
    uint32_t n = channel->count;
    if (n++ == 0) {
        channel->first = *end;
    } else {
        if (n - 1 > channel->capacity) {
            uint32_t capacity = channel->capacity ? 2 * channel->capacity : 2;
            struct waiting *ring =
                /* 0: more than 32 bits */
                capacity ? malloc((size_t)capacity * sizeof *ring) : NULL;
            if (!ring)
                return false;
            for (uint32_t i = 0; i < channel->capacity; i++)
                ring[i] = channel->ring[(channel->begin + i) & (channel->capacity - 1)];
            free(channel->ring);
            channel->ring = ring;
            channel->begin = 0;
            channel->capacity = capacity;
        }
        channel->ring[(channel->begin + n - 2) & (channel->capacity - 1)] = *end;
    }
    channel->count = n;
    return true;
}

static struct waiting pop(struct channel *channel)
{
    struct waiting end = channel->first;
    if (--channel->count > 0) {
        channel->first = channel->ring[channel->begin];
        channel->begin = (channel->begin + 1) & (channel->capacity - 1);
    }
    return end;
}

/* Note a message with both ends. */
static void meet(struct thin *thin, uint32_t number, const struct waiting *send,
                 const struct waiting *recv)
{
    struct channel *channel = &thin->channels[number];
    int64_t took = recv->x - send->more, least = took - recv->more;
    const struct location *from = &thin->locations[channel->locations[0]],
                          *to = &thin->locations[channel->locations[1]];
    bool same = from->clock == to->clock;
    match_note_passage(&thin->raw, took + to->zero - from->zero);
    thin->failed |=
        recv->more >= LATENCY_MAX || send->position == recv->position || (same && least < 0);
    thin->messages++;
    channel->several |= channel->met;
    channel->met = true;
    if (same || least >= channel->least)
        return;
    channel->least = least;
    thin->kept[number].send = *send;
    thin->kept[number].recv = *recv;
}

/* Ends of one location come in the order of the file; thinning fails if that is not the order of
 * posting. */
static void check_posted(struct thin *thin, uint32_t number, bool recv,
                         const struct thin_record *record)
{
    int64_t *posted = &thin->kept[number].posted[recv];
    thin->failed |= record->lo < *posted;
    *posted = record->lo;
}

/* Add an end to its channel. */
static inline bool add_end(struct thin *thin, uint32_t number, bool recv,
                           const struct thin_record *record, const struct waiting *end)
{
    struct channel *channel = &thin->channels[number];
    if (channel->locations[recv] != record->location) {
        thin->failed |= channel->locations[recv] != NO_LOCATION;
        channel->locations[recv] = record->location;
    }
    if (thin->begins)
        check_posted(thin, number, recv, record);
    if (channel->count == 0 || channel->receives == recv) {
        channel->receives = recv;
        return push(channel, end);
    }
    struct waiting other = pop(channel);
    if (recv) {
        meet(thin, number, &other, end);
    } else {
        thin->out_of_order = true;
        thin->failed |= channel->locations[0] == channel->locations[1];
        meet(thin, number, end, &other);
    }
    return true;
}

void thin_place(struct thin *thin, const struct thin_record *record)
{
    struct shift *last = thin->nshifts ? &thin->shifts[thin->nshifts - 1] : NULL;
    if (last && record->place - record->position == last->by)
        return;
    if (!ARRAY_RESERVE(thin->shifts, thin->shifts_capacity, thin->nshifts + 1)) {
        thin->failed = true;
        return;
    }
    thin->shifts[thin->nshifts++] =
        (struct shift){record->position, record->place - record->position};
}

void thin_record(struct thin *thin, const struct thin_record *record)
{
    struct location *location = &thin->locations[record->location];
    thin->failed |= location->clock != record->clock || record->x < location->x;
    location->x = record->x;
}

bool thin_end(struct thin *thin, uint32_t channel, bool recv, const struct thin_record *record,
              int64_t latency_ticks)
{
    int64_t latency = latency_ticks < 0 ? thin->latency_ticks : latency_ticks;
    const struct waiting end = {record->position, record->x, recv ? latency : record->lo};
    return add_end(thin, channel, recv, record, &end);
}

static csy_status add_ends(struct thin *thin, csy_text keys, bool recv,
                           const struct thin_record *record, int64_t latency_ticks,
                           csy_error *error)
{
    csy_text key;
    uint32_t channel;
    while (match_next_key(&keys, &key)) {
        bool good = thin_channel(thin, key.bytes, key.size, &channel);
        if (!good || !thin_end(thin, channel, recv, record, latency_ticks))
            return error_memory(error);
    }
    return CSY_OK;
}

csy_status thin_event(struct thin *thin, const struct event *event, int64_t x, csy_error *error)
{
    const struct event_roles *roles = event->roles;
    const struct named_stamp *stamp = &event->stamp;
    struct thin_record record = {.position = event->position,
                                 .place = event->place,
                                 .clock = event->thread,
                                 .x = x,
                                 .lo = x};
    csy_status status = match_find_location(thin->match, event, &record.location, error);
    if (status)
        return status;
    if (!ARRAY_RESERVE(thin->locations, thin->locations_capacity, (size_t)record.location + 1))
        return error_memory(error);
    if (thin->nlocations == record.location)
        thin->locations[thin->nlocations++] =
            (struct location){true, event->thread, INT64_MIN, (int128)event->local_ticks - x};
    if (stamp->interval) {
        int128 begin = (int128)stamp->begin_ticks - stamp->time_ticks + x;
        thin->failed |= begin > x || begin <= -X_MAX;
        record.lo = (int64_t)begin;
        thin->failed |= !thin->begins;
    }
    thin->failed |= roles->buffer.size + roles->block.size + roles->enter.size + roles->leave.size +
                            roles->id.size + roles->after.size >
                        0 ||
                    roles->sync || roles->late || roles->flush != 0 ||
                    roles->post.size + roles->wait.size + roles->members.size +
                            roles->release.size + roles->acquire.size + roles->spawn.size +
                            roles->join.size + roles->stream.size + roles->lacking >
                        0;
    thin_place(thin, &record);
    thin_record(thin, &record);
    status = add_ends(thin, roles->send, false, &record, 0, error);
    return status ? status
                  : add_ends(thin, roles->recv, true, &record,
                             roles->has_latency ? roles->latency_ticks : -1, error);
}

/* --- What is kept -------------------------------------------------------------------------- */

struct kept {
    struct waiting end;
    uint32_t channel;
    bool recv;
};

struct keeping {
    struct kept *items;
    size_t count, capacity;
    struct kept unmatched[2][CSY_UNUSED_LISTED]; /* the first ones, sorted */
    uint64_t nunmatched[2];
};

static int by_position(const void *a, const void *b)
{
    const struct kept *x = a, *y = b;
    if (x->end.position != y->end.position)
        return x->end.position < y->end.position ? -1 : 1;
    return (x->recv > y->recv) - (x->recv < y->recv);
}

static bool keep(struct keeping *keeping, const struct kept *kept)
{
    if (!ARRAY_RESERVE(keeping->items, keeping->capacity, keeping->count + 1))
        return false;
    keeping->items[keeping->count++] = *kept;
    return true;
}

static void note_unmatched(struct keeping *keeping, const struct kept *kept)
{
    struct kept *listed = keeping->unmatched[kept->recv];
    uint64_t n = keeping->nunmatched[kept->recv]++;
    size_t at = n < CSY_UNUSED_LISTED ? (size_t)n : CSY_UNUSED_LISTED - 1;
    if (n >= CSY_UNUSED_LISTED && by_position(&listed[at], kept) < 0)
        return;
    for (; at > 0 && by_position(&listed[at - 1], kept) > 0; at--)
        listed[at] = listed[at - 1];
    listed[at] = *kept;
}

static bool gather(const struct thin *thin, struct keeping *keeping)
{
    bool good = true;
    for (uint32_t c = 0; c < thin->nchannels && good; c++) {
        const struct channel *channel = &thin->channels[c];
        if (channel->least != NONE_KEPT)
            good = keep(keeping, &(struct kept){thin->kept[c].send, c, false}) &&
                   keep(keeping, &(struct kept){thin->kept[c].recv, c, true});
        if (channel->count > 0)
            note_unmatched(keeping, &(struct kept){channel->first, c, channel->receives});
        for (uint32_t i = 0; i + 1 < channel->count; i++) {
            uint32_t at = (channel->begin + i) & (channel->capacity - 1);
            note_unmatched(keeping, &(struct kept){channel->ring[at], c, channel->receives});
        }
    }
    for (int recv = 0; recv < 2; recv++)
        for (size_t i = 0; i < CSY_UNUSED_LISTED && i < keeping->nunmatched[recv] && good; i++)
            good = keep(keeping, &keeping->unmatched[recv][i]);
    if (good && keeping->count > 0)
        qsort(keeping->items, keeping->count, sizeof *keeping->items, by_position);
    return good;
}

/* Positions must not decrease from call to call. */
static uint64_t place_of(const struct thin *thin, uint64_t position, size_t *shift)
{
    while (*shift + 1 < thin->nshifts && thin->shifts[*shift + 1].position <= position)
        ++*shift;
    return position + thin->shifts[*shift].by;
}

/* Pass the n ends of one record to match. */
static csy_status hand_on(const struct thin *thin, const struct kept *ends, size_t n, size_t *shift,
                          csy_error *error)
{
    const struct channel *channel = &thin->channels[ends->channel];
    struct match_kept record = {.position = ends->end.position,
                                .place = place_of(thin, ends->end.position, shift),
                                .clock = thin->locations[channel->locations[ends->recv]].clock,
                                .location = channel->locations[ends->recv],
                                .x = ends->end.x,
                                .begin_x = ends->recv ? ends->end.x : ends->end.more};
    csy_status status = match_keep(thin->match, &record, error);
    for (size_t i = 0; i < n && !status; i++)
        status =
            match_keep_end(thin->match, ends[i].recv ? CSY_END_RECV : CSY_END_SEND, ends[i].channel,
                           thin->channels[ends[i].channel].count > 0, ends[i].end.more, error);
    return status;
}

/* List the channels with pending ends, and the first pending end of each. */
static bool list_open(const struct thin *thin, struct match_thinned *out)
{
    size_t n = 0;
    for (size_t c = 0; c < thin->nchannels; c++)
        n += thin->channels[c].count > 0;
    out->open = malloc((n + 1) * sizeof *out->open);
    for (uint32_t c = 0; out->open && c < thin->nchannels; c++) {
        const struct channel *channel = &thin->channels[c];
        if (channel->count > 0)
            out->open[out->nopen++] =
                (struct match_open){channel->first.position, c, channel->receives};
    }
    return out->open != NULL;
}

/* True if match_channel would leave out the channel; that needs all of its ends. */
static bool is_left_out(const struct thin *thin, const struct channel *channel)
{
    return channel->met && channel->count > 0 && (channel->receives || !thin->sends_known);
}

csy_status thin_finish(struct thin *thin, csy_error *error)
{
    struct keeping keeping = {0};
    struct match_thinned thinned = {.messages = thin->messages, .raw = thin->raw};
    size_t shift = 0;
    thinned.raw.known = true;
    for (size_t c = 0; c < thin->nchannels; c++) {
        const struct channel *channel = &thin->channels[c];
        thinned.several += channel->met && (channel->several || channel->count > 0);
        thin->failed |= is_left_out(thin, channel);
    }
    if (thin->failed)
        return CSY_OK;
    csy_status status = gather(thin, &keeping) ? CSY_OK : error_memory(error);
    for (size_t c = 0; c < thin->nchannels; c++)
        thinned.messages -= thin->channels[c].least != NONE_KEPT;
    for (size_t i = 0, n; i < keeping.count && !status; i += n) {
        for (n = 1; i + n < keeping.count &&
                    keeping.items[i + n].end.position == keeping.items[i].end.position;)
            n++;
        status = hand_on(thin, &keeping.items[i], n, &shift, error);
    }
    for (int recv = 0; recv < 2; recv++)
        if (keeping.nunmatched[recv] > CSY_UNUSED_LISTED)
            thinned.unmatched[recv] = keeping.nunmatched[recv] - CSY_UNUSED_LISTED;
    if (!status && !list_open(thin, &thinned))
        status = error_memory(error);
    match_set_thinned(thin->match, &thinned);
    free(keeping.items);
    return status;
}
