/* Orders events of a trace by their messages, tokens, groups, and locks. For example, a send
 * precedes its receive. Each such order becomes an edge of a graph. */
#include "base/array.h"

#include "base/error.h"
#include "base/sort.h"
#include "order/match.h"
#include "order/matching.h"
#include "order/rebase.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* --- Locks: the turn of an acquire tells which release the acquire waited for ---------------- */

static int compare_turns(const void *a, const void *b)
{
    const struct match_end *x = a, *y = b;
    return COMPARE_THEN(x->key, y->key, COMPARE_THEN(x->turn, y->turn, COMPARE(x->end, y->end)));
}

csy_status matching_join(struct matching *m, const struct match_end *from, size_t nfrom,
                         const struct match_end *to, size_t nto, uint32_t key, enum edge_kind kind,
                         csy_error *error)
{
    uint32_t hub = NO_POINT;
    csy_status status = CSY_OK;
    if (nfrom > 1 && nto > 1)
        status = points_hub(m->points, from->begin, &hub, error);
    for (size_t i = 0; i < nfrom && hub != NO_POINT && !status; i++)
        status = points_edge(
            m->points, &(struct order_edge){from[i].begin, hub, 0, key, (uint16_t)kind}, error);
    for (size_t i = 0; i < nto; i++) {
        bool stated = kind != EDGE_LOCK && to[i].latency_ticks != LATENCY_USUAL;
        struct order_edge edge = {hub, to[i].end, stated ? to[i].latency_ticks : 0, key,
                                  hub == NO_POINT ? (uint16_t)kind : EDGE_LEAVE};
        for (size_t k = 0; k < (hub == NO_POINT ? nfrom : 1) && !status; k++) {
            edge.from = hub == NO_POINT ? from[k].begin : hub;
            status = points_edge(m->points, &edge, error);
        }
    }
    return status;
}

csy_status matching_locks(struct matching *m, csy_error *error)
{
    struct match_ends *releases = &m->ends[CSY_END_RELEASE], *acquires = &m->ends[CSY_END_ACQUIRE];
    size_t next = 0;
    uint32_t lock = NO_TEXT, key = NO_KEY;
    csy_status status = CSY_OK;
    SORT(releases->items, releases->count, compare_turns);
    SORT(acquires->items, acquires->count, compare_turns);
    for (size_t i = 0, end; i < acquires->count && !status; i = end) {
        const struct match_end *first = &acquires->items[i];
        for (end = i; end < acquires->count && acquires->items[end].key == first->key &&
                      acquires->items[end].turn == first->turn;)
            end++;
        for (; next < releases->count && releases->items[next].key < first->key; next++)
            matching_leave_out(m, CSY_END_RELEASE, CSY_LEFT_UNMATCHED, &releases->items[next]);
        size_t usable = next, n = next;
        for (; next < releases->count && releases->items[next].key == first->key &&
               releases->items[next].turn < first->turn;
             next++)
            if (releases->items[next].begin_unknown)
                matching_leave_out(m, CSY_END_RELEASE, CSY_LEFT_NO_BEGIN, &releases->items[next]);
            else
                releases->items[n++] = releases->items[next];
        if (next == usable)
            continue;
        if (lock != first->key)
            status = matching_key(m, KEYS_LOCKS, first->key, &key, error);
        lock = first->key;
        m->report.handovers += n > usable ? end - i : 0;
        if (!status)
            status = matching_join(m, releases->items + usable, n - usable, first, end - i, key,
                                   EDGE_LOCK, error);
    }
    for (; next < releases->count; next++)
        matching_leave_out(m, CSY_END_RELEASE, CSY_LEFT_UNMATCHED, &releases->items[next]);
    return status;
}

/* --- Sides: all sends, or all receives, of a channel, and their order -----------------------
 *
 * The k-th of several events on one clock has the k-th of their timestamps, within the timestamp
 * error. But unless timestamps are exact, it is not known which record the k-th event belongs to.
 * So if several locations share a channel, the k-th send and the k-th receive of the channel become
 * separate points (INSTANT_LOOSE). */

/* The events with key k have the indexes items[first[k]] to items[first[k + 1] - 1]. */
struct by_key {
    size_t *first;
    uint32_t *items;
};

/* All events that have one role in a channel or a group, for example all sends of a channel. Such
 * an event is called an end. */
struct side {
    const struct match_ends *ends;
    csy_end kind;
    uint32_t *items;
    size_t n;
    bool locations, clocks; /* true if the events are on several locations, or on several clocks */
    bool begins;
    bool recorded;
    bool unsure;    /* true if the order of posting (starting) the events is not known */
    bool sync;      /* true if a send waits for its receive */
    bool latencies; /* true if the receives have different latencies */
    bool shared;    /* true if several locations send to the channel, or receive from the channel */
    /* [i]: true if another event was posted (started) at almost the same time as event i; or
     * NULL */
    bool *close;
};

static inline const struct match_end *side_end(const struct side *side, size_t i)
{
    return &side->ends->items[side->items[i]];
}

static csy_status by_key_init(struct by_key *by_key, const struct match_ends *ends, size_t nkeys,
                              csy_error *error)
{
    if (ends->count > UINT32_MAX) {
        error_set(error, CSY_MEMORY, "more than 2^32 - 1 ends of messages or groups");
        return CSY_MEMORY;
    }
    by_key->first = calloc(nkeys + 2, sizeof *by_key->first);
    by_key->items = malloc((ends->count + 1) * sizeof *by_key->items);
    if (!by_key->first || !by_key->items)
        return error_memory(error);
    size_t *first = by_key->first;
    for (size_t i = 0; i < ends->count; i++)
        first[ends->items[i].key + 2]++;
    for (size_t key = 0; key < nkeys; key++)
        first[key + 2] += first[key + 1];
    for (size_t i = 0; i < ends->count; i++)
        by_key->items[first[ends->items[i].key + 1]++] = (uint32_t)i;
    return CSY_OK;
}

static struct side side_of(struct matching *m, csy_end kind, const struct by_key *by_key,
                           size_t key)
{
    struct side side = {.ends = &m->ends[kind],
                        .kind = kind,
                        .items = by_key->items + by_key->first[key],
                        .n = by_key->first[key + 1] - by_key->first[key],
                        .begins = true};
    bool receives = kind == CSY_END_RECV || kind == CSY_END_WAIT;
    const struct instant *items = m->points->items, *one = NULL;
    for (size_t i = 0; i < side.n; i++) {
        const struct match_end *end = side_end(&side, i);
        const struct instant *point = &items[end->end];
        one = one ? one : point;
        side.locations |= point->location != one->location;
        side.clocks |= point->clock != one->clock;
        side.shared |= end->shared;
        side.begins &= end->begin != end->end || end->posted != POSTED_BEGIN;
        side.recorded |= end->posted != POSTED_BEGIN;
        side.latencies |= receives && end->latency_ticks != side_end(&side, 0)->latency_ticks;
        side.sync |= kind == CSY_END_SEND && end->sync;
        side.unsure |= kind == CSY_END_RECV && end->posted == POSTED_UNKNOWN;
    }
    return side;
}

struct timed {
    int64_t x;
    uint32_t index;
};

static int compare_timed(const void *a, const void *b)
{
    const struct timed *x = a, *y = b;
    return COMPARE_THEN(x->x, y->x, COMPARE(x->index, y->index));
}

static int64_t time_of(const struct matching *m, const struct match_end *end, bool at_end)
{
    if (at_end)
        return m->points->items[end->end].lo;
    if (end->posted != POSTED_BEGIN)
        return end->posted;
    return end->begin_unknown ? LO_NONE : m->points->items[end->begin].lo;
}

/* Events with an unknown time come first. Events at the same time keep their order in the file. */
static csy_status sort_side(const struct matching *m, struct side *side, bool at_end,
                            csy_error *error)
{
    bool sorted = true;
    for (size_t i = 1; i < side->n && sorted; i++)
        sorted = time_of(m, side_end(side, i - 1), at_end) <= time_of(m, side_end(side, i), at_end);
    if (sorted)
        return CSY_OK;
    struct timed *timed = malloc(side->n * sizeof *timed);
    if (!timed)
        return error_memory(error);
    for (size_t i = 0; i < side->n; i++)
        timed[i] = (struct timed){time_of(m, side_end(side, i), at_end), side->items[i]};
    SORT(timed, side->n, compare_timed);
    for (size_t i = 0; i < side->n; i++)
        side->items[i] = timed[i].index;
    free(timed);
    return CSY_OK;
}

/* Returns true if end i was certainly posted before end i + 1; stated times of posting are
 * exact. */
static bool is_posted_before(struct matching *m, const struct side *side, size_t i)
{
    const struct match_end *end = side_end(side, i), *next = side_end(side, i + 1);
    int64_t apart = time_of(m, next, false) - time_of(m, end, false);
    bool records = end->posted != POSTED_BEGIN && next->posted != POSTED_BEGIN;
    return (records && apart > 0) || points_tell(m->points, apart);
}

/* Mark the events that were started too close in time to know their order. If these are receives,
 * sort them as in the file. */
static csy_status find_close(struct matching *m, struct side *side, bool receives, csy_error *error)
{
    bool in_file_order = true;
    for (size_t i = 1; i < side->n; i++)
        in_file_order &= side->items[i - 1] < side->items[i];
    if (in_file_order && receives && !side->sync && !side->latencies)
        return CSY_OK;
    free(side->close);
    side->close = calloc(side->n + 1, sizeof *side->close);
    if (!side->close)
        return error_memory(error);
    for (size_t i = 0, end; i < side->n; i = end) {
        for (end = i + 1; end < side->n && !is_posted_before(m, side, end - 1);)
            end++;
        if (end - i == 1)
            continue;
        memset(side->close + i, true, (end - i) * sizeof *side->close);
        if (receives)
            SORT(side->items + i, end - i, compare_ids);
    }
    return CSY_OK;
}

static csy_status side_point(struct matching *m, const struct side *side, size_t i, bool receives,
                             uint32_t *out, csy_error *error)
{
    const struct match_end *end = side_end(side, i);
    *out = receives ? end->end : end->begin;
    bool known = !side->shared || (!receives && end->begin != end->end);
    return known || points_tell(m->points, 0)
               ? CSY_OK
               : points_apart(m->points, &m->points->items[*out], INSTANT_LOOSE, out, error);
}

static csy_status side_order_sends(struct matching *m, struct side *side, csy_error *error)
{
    bool sorted = side->locations || (side->begins && !side->clocks);
    csy_status status = sorted ? sort_side(m, side, false, error) : CSY_OK;
    return status || !sorted || side->locations || !side->sync ? status
                                                               : find_close(m, side, false, error);
}

/* Sort the receives of a channel, or other ends that edges lead to. If by_ends is true, sort them
 * by the times when they ended, otherwise by the times when they were posted (started). */
static csy_status side_order_receives(struct matching *m, struct side *side, bool by_ends,
                                      csy_error *error)
{
    bool sorted = by_ends ? side->locations : side->begins && !side->clocks;
    csy_status status = sorted ? sort_side(m, side, by_ends, error) : CSY_OK;
    return status || !sorted || by_ends ? status : find_close(m, side, true, error);
}

/* --- What is left out ---------------------------------------------------------------------- */

void matching_leave_out(struct matching *m, csy_end kind, csy_left_out why,
                        const struct match_end *end)
{
    struct unused_end *listed = m->unused.listed[kind][why];
    uint64_t n = m->unused.counts[kind][why]++;
    size_t at = n < CSY_UNUSED_LISTED ? (size_t)n : CSY_UNUSED_LISTED - 1;
    if (n >= CSY_UNUSED_LISTED && listed[at].point <= end->end)
        return;
    for (; at > 0 && listed[at - 1].point > end->end; at--)
        listed[at] = listed[at - 1];
    listed[at] = (struct unused_end){end->end, end->key};
}

csy_status matching_key(struct matching *m, enum key_space space, uint32_t number, uint32_t *out,
                        csy_error *error)
{
    const csy_text text = texts_text(&m->texts[space], number);
    return points_key(m->points, text.bytes, text.size, out, error);
}

void matching_unused(struct matching *m)
{
    m->report.nunused = 0;
    for (unsigned kind = 0; kind < END_KINDS; kind++)
        for (unsigned why = 0; why < LEFT_REASONS; why++)
            if (m->unused.counts[kind][why] > 0) {
                csy_unused *out = &m->unused.items[m->report.nunused++];
                *out = (csy_unused){.end = (csy_end)kind,
                                    .why = (csy_left_out)why,
                                    .count = m->unused.counts[kind][why]};
                for (; out->nlisted < out->count && out->nlisted < CSY_UNUSED_LISTED;
                     out->nlisted++) {
                    const struct unused_end *end = &m->unused.listed[kind][why][out->nlisted];
                    const struct instant *point = &m->points->items[end->point];
                    out->listed[out->nlisted] = (csy_unused_end){
                        point->position, point->place,
                        texts_text(&m->texts[matching_space(kind)], end->key).bytes};
                }
            }
    m->report.unused = m->unused.items;
    for (size_t i = 0; i < m->report.nuneven && i < CSY_UNUSED_LISTED; i++)
        m->uneven[i].channel =
            texts_text(&m->texts[m->uneven[i].tokens ? KEYS_TOKENS : KEYS_CHANNELS],
                       m->uneven_keys[i])
                .bytes;
    m->report.uneven = m->uneven;
}

/* --- Limits: longest latencies, moments that several clocks share, and measured offsets ------- */

/* If a moment has more records than this, only the first record is compared with the others. */
enum { MOMENT_PAIRS_MAX = 64 };

static csy_status refuse_at(struct matching *m, uint32_t point, const char *what, csy_error *error)
{
    m->limits.place = m->points->items[point].place;
    return error_set(error, CSY_INPUT, "%s", what);
}

/* Limit the time that a message takes if the receive, or an option for all messages, states the
 * longest latency. */
static csy_status matching_longest(struct matching *m, const struct match_end *recv,
                                   const struct order_edge *message, csy_error *error)
{
    const struct match_limits *limits = &m->limits;
    size_t low = 0, high = limits->nlongest;
    BISECT(low, high, middle, limits->longest[middle].end < recv->end);
    bool own = low < limits->nlongest && limits->longest[low].end == recv->end;
    int64_t most = own ? limits->longest[low].ticks : limits->latency_max_ticks;
    if (most == INT64_MAX)
        return CSY_OK;
    uint64_t place = m->points->items[recv->end].place;
    if (message->latency_ticks > most) {
        m->limits.place = place;
        return error_set(error, CSY_INPUT,
                         "%s of %" PRId64 " ticks is below the latency of the message, %" PRId64
                         " ticks",
                         own ? "latency_max" : "--max-latency", most, message->latency_ticks);
    }
    m->report.limits++;
    return points_limit(
        m->points,
        &(struct order_limit){message->to, message->from, most, message->key, LIMIT_LATENCY, place},
        error);
}

csy_status matching_limits(struct matching *m, const uint32_t chain[3],
                           const struct order_limit *limit, csy_error *error)
{
    csy_status status = CSY_OK;
    m->report.limits += 2;
    for (size_t i = 0; i < 2 && !status; i++) {
        struct order_limit added = *limit;
        added.earlier = chain[i];
        added.later = chain[i + 1];
        status = points_limit(m->points, &added, error);
    }
    return status;
}

static int compare_moments(const void *a, const void *b)
{
    const struct match_moment *x = a, *y = b;
    return COMPARE_THEN(x->key, y->key,
                        COMPARE_THEN(x->within_ticks, y->within_ticks, COMPARE(x->end, y->end)));
}

csy_status matching_moments(struct matching *m, csy_error *error)
{
    struct match_moment *moments = m->limits.moments;
    size_t n = m->limits.nmoments;
    csy_status status = CSY_OK;
    SORT(moments, n, compare_moments);
    for (size_t i = 0, end; i < n && !status; i = end) {
        uint32_t key = NO_KEY;
        for (end = i + 1; end < n && moments[end].key == moments[i].key;)
            end++;
        if (end == i + 1)
            return refuse_at(m, moments[i].end, "same: no other row has the same key", error);
        status = matching_key(m, KEYS_MOMENTS, moments[i].key, &key, error);
        bool all = end - i <= MOMENT_PAIRS_MAX;
        for (size_t a = i; a < (all ? end : i + 1); a++)
            for (size_t b = a + 1; b < end && !status; b++) {
                /* Limit the time between both records in both directions. */
                uint32_t x = moments[a].end, y = moments[b].end;
                uint64_t place = m->points->items[x > y ? x : y].place;
                int64_t most = moments[b].within_ticks;
                if (x != y)
                    status = matching_limits(
                        m, (const uint32_t[]){y, x, y},
                        &(struct order_limit){0, 0, most, key, LIMIT_SAME, place}, error);
            }
    }
    return status;
}

csy_status matching_compared(struct matching *m, csy_error *error)
{
    csy_status status = CSY_OK;
    for (size_t i = 0; i < m->limits.ncompared && !status; i++) {
        const struct match_compared *compared = &m->limits.compared[i];
        const struct match_clock *other =
            compared->key < m->limits.nclocks ? &m->limits.clocks[compared->key] : NULL;
        struct instant reading = m->points->items[compared->end];
        uint32_t end = compared->end, point, key = NO_KEY;
        if (!other || other->clock == NO_POINT)
            return refuse_at(m, end, "other_clock: no row has this clock", error);
        if (other->clock == reading.clock)
            return refuse_at(m, end, "other_clock: this is the clock of the row itself", error);
        int128 x = (int128)compared->other_ticks + other->shift_ticks;
        if (x >= X_MAX || x <= -X_MAX)
            return refuse_at(
                m, end, "other_time is 2^58 ticks or more from the first time of its clock", error);
        reading.clock = other->clock;
        reading.lo = reading.hi = (int64_t)x;
        status = points_apart(m->points, &reading, INSTANT_READING, &point, error);
        if (!status)
            status = matching_key(m, KEYS_CLOCKS, compared->key, &key, error);
        if (!status)
            status = matching_limits(m, (const uint32_t[]){end, point, compared->begin},
                                     &(struct order_limit){0, 0, compared->within_ticks, key,
                                                           LIMIT_OFFSET, reading.place},
                                     error);
    }
    return status;
}

/* A search for times of all points that satisfy all edges and limits. It moves points to later
 * times as long as an edge or a limit requires this. If this does not end, there is no solution. */
struct instants {
    const struct points *points;
    int128 *time;
    uint32_t *moved_by;
    size_t *by_limit;
    uint32_t *location, *buffer;
    uint32_t *mark;
};

#define NO_LIMIT SIZE_MAX

static bool move(struct instants *s, uint32_t to, uint32_t from, int64_t ticks, size_t limit)
{
    if (s->time[from] + ticks <= s->time[to])
        return false;
    s->time[to] = s->time[from] + ticks;
    s->moved_by[to] = from;
    s->by_limit[to] = limit;
    return true;
}

static void follow_chain(struct instants *s, uint32_t p, uint32_t *last)
{
    if (*last != NO_POINT)
        move(s, p, *last, 0, NO_LIMIT);
    *last = p;
}

static const struct order_limit *find_cycle(struct instants *s)
{
    uint32_t walk = 0;
    memset(s->mark, 0, s->points->count * sizeof *s->mark);
    for (size_t i = 0; i < s->points->count; i++) {
        uint32_t p = (uint32_t)i;
        walk++;
        for (; p != NO_POINT && s->mark[p] == 0; p = s->moved_by[p])
            s->mark[p] = walk;
        if (p == NO_POINT || s->mark[p] != walk)
            continue;
        while (s->by_limit[p] == NO_LIMIT)
            p = s->moved_by[p];
        return &s->points->limits[s->by_limit[p]];
    }
    return NULL;
}

csy_status limits_contradicted(const struct points *points, const uint32_t *order,
                               const struct order_limit **out, csy_error *error)
{
    struct instants s = {points,
                         calloc(points->count + 1, sizeof *s.time),
                         malloc((points->count + 1) * sizeof *s.moved_by),
                         malloc((points->count + 1) * sizeof *s.by_limit),
                         malloc((points->nlocations + 1) * sizeof *s.location),
                         malloc((points->nbuffers + 1) * sizeof *s.buffer),
                         malloc((points->count + 1) * sizeof *s.mark)};
    bool good = s.time && s.moved_by && s.by_limit && s.location && s.buffer && s.mark;
    bool moved = good;
    *out = NULL;
    if (good) {
        memset(s.moved_by, 0xff, points->count * sizeof *s.moved_by);
        memset(s.by_limit, 0xff, points->count * sizeof *s.by_limit);
    }
    for (uint64_t round = 1; moved && !*out; round++) {
        moved = false;
        memset(s.location, 0xff, points->nlocations * sizeof *s.location);
        memset(s.buffer, 0xff, points->nbuffers * sizeof *s.buffer);
        for (size_t i = 0; i < points->count; i++) {
            uint32_t p = order[i];
            const struct instant *item = &points->items[p];
            for (size_t e = points->first_edge[p]; e < points->first_edge[p + 1]; e++)
                move(&s, p, points->edges[e].from, points->edges[e].latency_ticks, NO_LIMIT);
            if (!instant_is_hub(item) && item->chained)
                follow_chain(&s, p, &s.location[item->location]);
            if (item->buffer != NO_BUFFER)
                follow_chain(&s, p, &s.buffer[item->buffer]);
        }
        for (size_t i = 0; i < points->nlimits; i++) {
            const struct order_limit *limit = &points->limits[i];
            moved |= move(&s, limit->earlier, limit->later, -limit->most_ticks, i);
        }

        if (moved && (round & (round - 1)) == 0)
            *out = find_cycle(&s);
    }
    FREE_ALL(s.time, s.moved_by, s.by_limit, s.location, s.buffer, s.mark);
    return good ? CSY_OK : error_memory(error);
}

/* --- Messages ------------------------------------------------------------------------------ */

typedef csy_status match_sides(struct matching *m, struct side *one, struct side *other,
                               uint32_t key, void *user, csy_error *error);

/* Call the function `match` for both sides of each channel or group. */
static csy_status each_key(struct matching *m, csy_end kind, csy_end other_kind, match_sides *match,
                           void *user, csy_error *error)
{
    struct by_key ones = {0}, others = {0};
    size_t n = m->texts[matching_space(kind)].count;
    csy_status status = by_key_init(&ones, &m->ends[kind], n, error);
    if (!status)
        status = by_key_init(&others, &m->ends[other_kind], n, error);
    for (uint32_t key = 0; key < n && !status; key++) {
        struct side one = side_of(m, kind, &ones, key),
                    other = side_of(m, other_kind, &others, key);
        one.shared |= one.locations || other.locations || other.shared;
        other.shared = one.shared;
        status = match(m, &one, &other, key, user, error);
        FREE_ALL(one.close, other.close);
    }
    FREE_ALL(ones.first, ones.items, others.first, others.items);
    return status;
}

static void leave_out_side(struct matching *m, const struct side *side, size_t from,
                           csy_left_out why)
{
    for (size_t i = from; i < side->n; i++)
        matching_leave_out(m, side->kind, why, side_end(side, i));
}

struct message {
    const struct match_end *send, *recv;
    uint32_t from, to; /* indexes in points->items of the send and of the receive */
    int64_t latency_ticks;
    uint32_t key; /* key of the channel's name (from points_key) */
    /* true if several locations use the channel, or the order of posting is unknown */
    bool shared;
    bool apart; /* true if receives are missing in the trace, so that the receive may belong to
                 * another send */
    bool close; /* true if timestamps do not show which message the receive got */
};

static bool is_shared(const struct side *sends, const struct side *recvs)
{
    return sends->locations || recvs->locations || recvs->unsure;
}

static csy_status add_message(struct matching *m, csy_end kind, const struct message *message,
                              csy_error *error)
{
    const struct match_end *send = message->send, *recv = message->recv;
    if (send->begin_unknown || send->begin == recv->end) {
        matching_leave_out(m, kind, CSY_LEFT_NO_BEGIN, send);
        return CSY_OK;
    }
    m->report.messages += kind == CSY_END_SEND;
    m->report.posts += kind == CSY_END_POST;
    const struct order_edge edge = {message->from, message->to, message->latency_ticks,
                                    message->key, message->apart ? EDGE_APART : EDGE_MESSAGE};
    csy_status status = points_edge(m->points, &edge, error);
    bool sure = !message->shared && !message->close && !message->apart;
    if (!status && sure && kind == CSY_END_SEND)
        status = matching_longest(m, recv, &edge, error);
    if (status || !send->sync)
        return status;
    /* The send is synchronous: it waits for the begin of its receive. */
    if (sure && recv->begin != recv->end) {
        m->report.synchronous++;
        return points_edge(m->points,
                           &(struct order_edge){recv->begin, send->end, 0, message->key, EDGE_SYNC},
                           error);
    }
    matching_leave_out(m, CSY_END_SYNC,
                       message->shared  ? CSY_LEFT_LOCATIONS
                       : message->close ? CSY_LEFT_CLOSE
                       : message->apart ? CSY_LEFT_MORE_SENDS
                                        : CSY_LEFT_NO_BEGIN,
                       send);
    return CSY_OK;
}

/* Returns why the channel must be left out, or CSY_LEFT_UNMATCHED if it can be used. If a send is
 * missing, later sends would be matched with the wrong receives, and bounds would be wrong. A
 * missing receive is harmless: the k-th receive has the k-th message or a later one. */
static csy_left_out judge_channel(const struct matching *m, const struct side *sends,
                                  const struct side *recvs)
{
    if ((sends->locations && sends->clocks) || (recvs->locations && recvs->clocks))
        return CSY_LEFT_SEVERAL_CLOCKS; /* clocks differ, so the order of the sends or of the
                                         * receives is not known */
    if (recvs->n > sends->n && (sends->n > 0 || is_shared(sends, recvs) || recvs->recorded))
        return CSY_LEFT_MORE_RECEIVES;
    return sends->n > recvs->n && recvs->n > 0 && !m->sends_known ? CSY_LEFT_MORE_SENDS
                                                                  : CSY_LEFT_UNMATCHED;
}

static csy_status order_sides(struct matching *m, struct side *sends, struct side *recvs,
                              csy_error *error)
{
    csy_status status = side_order_sends(m, sends, error);
    recvs->sync = sends->sync;
    return status ? status : side_order_receives(m, recvs, is_shared(sends, recvs), error);
}

/* Check a loose trace (trace/trace.h), where a key means one message. Returns CSY_INPUT if a key is
 * used again before both ends of the message are known. */
static csy_status refuse_reused(struct matching *m, const struct side *sends,
                                const struct side *recvs, uint32_t channel, csy_error *error)
{
    const csy_text key = texts_text(&m->texts[KEYS_CHANNELS], channel);
    const struct instant *points = m->points->items;
    size_t most = sends->n > recvs->n ? sends->n : recvs->n;
    char escaped[ERROR_ESCAPED_MAX];
    for (size_t i = 1; i < most; i++)
        for (int s = 0; s < 2; s++) {
            const struct side *side = s ? recvs : sends, *other = s ? sends : recvs;
            if (i >= side->n)
                continue;
            const struct instant *again = &points[side_end(side, i)->end];
            if (i <= other->n && points[side_end(other, i - 1)->end].position <= again->position)
                continue;
            m->limits.place = again->place;
            return error_set(
                error, CSY_INPUT,
                "the key '%s' is %s a second time, but the message of %s %" PRIu64
                " is not complete: if rows are in no order, each message needs its own key",
                error_escape(escaped, key.bytes, key.size), s ? "received" : "sent", m->place,
                points[side_end(side, i - 1)->end].place);
        }
    return CSY_OK;
}

/* Match the k-th send with the k-th receive of a channel, or the k-th post with the k-th wait. */
static csy_status match_channel(struct matching *m, struct side *sends, struct side *recvs,
                                uint32_t channel, void *unused, csy_error *error)
{
    csy_left_out why = m->loose ? CSY_LEFT_UNMATCHED : judge_channel(m, sends, recvs);
    struct message message = {.key = NO_KEY,
                              .shared = !m->loose && is_shared(sends, recvs),
                              .apart = !m->loose && sends->n != recvs->n};
    size_t n = why ? 0 : sends->n < recvs->n ? sends->n : recvs->n;
    (void)unused;
    csy_status status = m->loose ? refuse_reused(m, sends, recvs, channel, error)
                        : n > 0  ? order_sides(m, sends, recvs, error)
                                 : CSY_OK;
    if (!status && n > 0)
        status = matching_key(m, matching_space(sends->kind), channel, &message.key, error);
    int64_t usual = recvs->kind == CSY_END_RECV ? m->latency_ticks : 0;
    int64_t least = INT64_MAX; /* least latency of receives 0 to i */
    for (size_t i = 0; i < n && !status; i++) {
        message.send = side_end(sends, i);
        message.recv = side_end(recvs, i);
        int64_t latency = message.recv->latency_ticks;
        latency = latency == LATENCY_USUAL ? usual : latency;
        least = latency < least ? latency : least;
        message.close = (sends->close && sends->close[i]) || (recvs->close && recvs->close[i]);
        bool unsure = message.shared || (recvs->close && recvs->close[i]);
        message.latency_ticks = unsure ? least : latency;
        message.from = message.send->begin;
        message.to = message.recv->end;
        if (!m->loose)
            status = side_point(m, sends, i, false, &message.from, error);
        if (!status && !m->loose)
            status = side_point(m, recvs, i, true, &message.to, error);
        if (!status)
            status = add_message(m, sends->kind, &message, error);
    }
    if (sends->n > 0 && recvs->n > 0 &&
        (why == CSY_LEFT_MORE_RECEIVES || why == CSY_LEFT_MORE_SENDS)) {
        uint64_t listed = m->report.nuneven++;
        if (listed < CSY_UNUSED_LISTED) {
            m->uneven[listed] = (csy_uneven){
                .tokens = sends->kind == CSY_END_POST, .sends = sends->n, .receives = recvs->n};
            m->uneven_keys[listed] = channel;
        }
    }
    m->report.several += n > 0 && sends->n + recvs->n > 2;
    leave_out_side(m, sends, n, why);
    leave_out_side(m, recvs, n, why);
    return status;
}

/* Match the k-th post of a token channel with its k-th wait. If the channel has room for c tokens,
 * wait k also begins before post k + c ends. If several locations share the channel, posts and
 * waits are counted by time, and the second rule requires that no waits are missing. */
static csy_status match_tokens(struct matching *m, struct side *posts, struct side *waits,
                               uint32_t channel, void *unused, csy_error *error)
{
    csy_status status = match_channel(m, posts, waits, channel, unused, error);
    uint64_t room = channel < m->nroom ? m->room[channel] : 0;
    struct side later = *posts;
    csy_left_out why = judge_channel(m, posts, waits);
    uint32_t key = NO_KEY;
    if (status || room == 0 || room >= posts->n || waits->n == 0)
        return status;
    later.n -= (size_t)room; /* the channel has room for the first tokens, so their posts need not
                              * wait */
    if (!why && is_shared(waits, &later) && later.n > waits->n)
        why = CSY_LEFT_MORE_RECEIVES;
    status = why ? CSY_OK : side_order_sends(m, waits, error);
    if (!status && !why)
        status = side_order_receives(m, posts, posts->locations, error);
    if (!status && !why)
        status = matching_key(m, KEYS_TOKENS, channel, &key, error);
    size_t n = waits->n < later.n ? waits->n : later.n;
    for (size_t i = 0; i < n && !status; i++) {
        const struct match_end *wait = side_end(waits, i),
                               *post = side_end(posts, i + (size_t)room);
        if (why || wait->begin_unknown || wait->begin == post->end) {
            matching_leave_out(m, CSY_END_ROOM, why ? why : CSY_LEFT_NO_BEGIN, wait);
            continue;
        }
        struct order_edge edge = {.key = key, .kind = EDGE_ROOM};
        m->report.rooms++;
        status = side_point(m, waits, i, false, &edge.from, error);
        if (!status)
            status = side_point(m, posts, i + (size_t)room, true, &edge.to, error);
        if (!status)
            status = points_edge(m->points, &edge, error);
    }
    return status;
}

csy_status matching_messages(struct matching *m, csy_error *error)
{
    csy_status status = each_key(m, CSY_END_SEND, CSY_END_RECV, match_channel, NULL, error);
    return status ? status : each_key(m, CSY_END_POST, CSY_END_WAIT, match_tokens, NULL, error);
}

/* --- Flows: the messages of each event, while a trace is read again ------------------------- */

#define NO_FLOW UINT32_MAX

struct flows {
    const struct matching *m;
    /* message of each send (index 0) and receive (1), in the order of the file, or NO_FLOW */
    struct event_flow *of[2];
    size_t next[2]; /* number of the next send, and of the next receive */
    bool all;       /* true to include messages of channels where receives are missing */
    struct event_flows found;
};

static csy_status pair_channel(struct matching *m, struct side *sends, struct side *recvs,
                               uint32_t channel, void *user, csy_error *error)
{
    const struct flows *flows = user;
    if (is_shared(sends, recvs) || judge_channel(m, sends, recvs))
        return CSY_OK;
    csy_status status = order_sides(m, sends, recvs, error);
    bool apart = sends->n != recvs->n;
    for (size_t i = 0; recvs->close && i < recvs->n; i++)
        apart |= recvs->close[i];
    size_t n = sends->n < recvs->n ? sends->n : recvs->n;
    for (size_t k = 0; k < n && !status && (flows->all || !apart); k++)
        flows->of[0][sends->items[k]] = flows->of[1][recvs->items[k]] =
            (struct event_flow){channel, (uint32_t)k, apart};
    return status;
}

csy_status flows_new(struct match *match, bool all, struct flows **out, csy_error *error)
{
    struct matching *m = match_matching(match);
    struct flows *flows = calloc(1, sizeof *flows);
    if (!flows)
        return error_memory(error);
    *flows = (struct flows){.m = m, .all = all};
    csy_status status = CSY_OK;
    for (size_t recv = 0; recv < 2; recv++) {
        size_t n = m->ends[recv ? CSY_END_RECV : CSY_END_SEND].count;
        flows->of[recv] = malloc((n + 1) * sizeof *flows->of[recv]);
        for (size_t i = 0; flows->of[recv] && i < n; i++)
            flows->of[recv][i].number = NO_FLOW;
    }
    status = flows->of[0] && flows->of[1]
                 ? each_key(m, CSY_END_SEND, CSY_END_RECV, pair_channel, flows, error)
                 : error_memory(error);
    if (status)
        flows_free(flows);
    else
        *out = flows;
    return status;
}

void flows_free(struct flows *flows)
{
    if (flows)
        FREE_ALL(flows->of[0], flows->of[1], flows);
}

void flows_rewind(struct flows *flows)
{
    flows->next[0] = flows->next[1] = 0;
}

/* Find the messages of the sends or receives with these keys. Returns the number of messages. */
static unsigned take_ends(struct flows *flows, csy_text keys, bool recv, struct event_flow *out)
{
    const struct match_ends *ends = &flows->m->ends[recv ? CSY_END_RECV : CSY_END_SEND];
    csy_text key;
    unsigned n = 0;
    while (match_next_key(&keys, &key)) {
        size_t i = flows->next[recv]++;
        if (i < ends->count && flows->of[recv][i].number != NO_FLOW && n < EVENT_FLOWS_MAX)
            out[n++] = flows->of[recv][i];
    }
    return n;
}

const struct event_flows *flows_take(struct flows *flows, const struct event *event)
{
    const struct event_roles *roles = event->roles;
    struct event_flows *found = &flows->found;
    if (!roles || roles->send.size + roles->recv.size == 0)
        return NULL;
    found->nsent = take_ends(flows, roles->send, false, found->sent);
    found->nreceived = take_ends(flows, roles->recv, true, found->received);
    return found->nsent + found->nreceived > 0 ? found : NULL;
}

/* --- Groups -------------------------------------------------------------------------------- */

static csy_status match_group(struct matching *m, struct side *enters, struct side *leaves,
                              uint32_t group, void *unused, csy_error *error)
{
    (void)unused;
    /* number of enters with a known begin, and the index of the first of them */
    size_t useful = 0, first = 0;
    for (size_t i = 0; i < enters->n; i++) {
        if (side_end(enters, i)->begin_unknown)
            matching_leave_out(m, CSY_END_ENTER, CSY_LEFT_NO_BEGIN, side_end(enters, i));
        else if (useful++ == 0)
            first = i;
    }
    if (useful > 0 && leaves->n > 0) {
        m->report.groups++;
        m->report.enters += useful;
        m->report.leaves += leaves->n;
        uint32_t key, hub = NO_POINT;
        csy_status status = matching_key(m, KEYS_GROUPS, group, &key, error);
        if (!status)
            status = points_hub(m->points, side_end(enters, first)->begin, &hub, error);
        for (size_t i = first; i < enters->n && !status; i++) {
            const struct match_end *enter = side_end(enters, i);
            struct order_edge edge = {enter->begin, hub, 0, key, EDGE_ENTER};
            if (!enter->begin_unknown)
                status = points_edge(m->points, &edge, error);
        }
        for (size_t i = 0; i < leaves->n && !status; i++) {
            const struct match_end *leave = side_end(leaves, i);
            int64_t latency = leave->latency_ticks == LATENCY_USUAL ? 0 : leave->latency_ticks;
            struct order_edge edge = {hub, leave->end, latency, key, EDGE_LEAVE};
            status = points_edge(m->points, &edge, error);
        }
        return status;
    }
    for (size_t i = 0; i < enters->n; i++)
        if (!side_end(enters, i)->begin_unknown)
            matching_leave_out(m, CSY_END_ENTER, CSY_LEFT_UNMATCHED, side_end(enters, i));
    leave_out_side(m, leaves, 0, CSY_LEFT_UNMATCHED);
    return CSY_OK;
}

csy_status matching_groups(struct matching *m, csy_error *error)
{
    return each_key(m, CSY_END_ENTER, CSY_END_LEAVE, match_group, NULL, error);
}
