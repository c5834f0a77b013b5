/* Solves traces by other methods, for comparison with the method bhh. They give no bounds. */
#include "sync/methods/methods.h"

#include "base/array.h"
#include "base/error.h"
#include "base/sort.h"
#include "graph/search.h"
#include "sync/methods/leastsq.h"
#include "sync/partial_order.h"
#include "sync/placement.h"

#include <stdlib.h>
#include <string.h>

/* --- Least squares over the messages of a trace in partial order --------------------------------
 *
 * See doc/algorithms.md, Least squares.
 *
 *    minimize  sum (g[t] + receive time - g[s] - send time - latency)^2
 *
 * over all messages from a clock s to another clock t, where g are the offsets. With
 * CSY_METHOD_ENDS, the ends of two members of an operation take the place of send and receive,
 * without a latency. Some clocks may not be connected to the PPE (or, without a PPE, to the first
 * clock) by messages or operations. They are fitted separately, and begin together with the
 * connected clocks. */

/* Greatest absolute value of timestamps and latencies in ticks. */
#define MESSAGE_LATENCY_MAX ((int64_t)1 << 58)

struct fit {
    struct csy_sync *sync;
    struct leastsq leastsq;
    uint32_t *parent; /* for each clock: a clock that messages connect to it, or the clock itself */
    uint32_t anchor;
};

static uint32_t root_of(struct fit *f, uint32_t clock)
{
    while (f->parent[clock] != clock)
        clock = f->parent[clock] = f->parent[f->parent[clock]];
    return clock;
}

static csy_status refuse_latency(const struct csy_sync *sync, csy_error *error)
{
    return error_set(error, CSY_INPUT, "%s: a latency is 2^58 ticks or more", sync->trace->name);
}

/* Add two events of different clocks to the least-squares problem, which makes their global times
 * as equal as possible. */
static csy_status take_pair(struct fit *f, struct point from, struct point to, csy_error *error)
{
    const struct sink sink = leastsq_sink(&f->leastsq);
    uint32_t s = root_of(f, from.thread), t = root_of(f, to.thread);
    f->parent[s > t ? s : t] = s > t ? t : s;
    return sink.pair(sink.engine, &from, &to, error);
}

/* Assume that all members of a collective operation end at the same time. Pair the end of each
 * member with the end of the first member. */
static csy_status take_ends(struct fit *f, csy_error *error)
{
    const struct points *points = &f->sync->partial->points;
    uint32_t *first = malloc((points->nhubs + 1) * sizeof *first);
    if (!first)
        return error_memory(error);
    memset(first, 0xff, points->nhubs * sizeof *first); /* this sets each item to NO_POINT */
    csy_status status = CSY_OK;
    for (size_t e = 0; e < points->nedges && !status; e++) {
        const struct order_edge *edge = &points->edges[e];
        if (edge->kind != EDGE_LEAVE || instant_is_hub(&points->items[edge->to]))
            continue;
        uint32_t hub = points->items[edge->from].clock;
        if (first[hub] == NO_POINT)
            first[hub] = edge->to;
        const struct instant *p = &points->items[first[hub]], *q = &points->items[edge->to];
        if (p->clock != q->clock)
            status = take_pair(f, (struct point){.thread = p->clock, .x = p->hi},
                               (struct point){.thread = q->clock, .x = q->hi}, error);
    }
    free(first);
    return status;
}

/* Shift the clocks that no chain of messages connects to the clock `anchor`, so that they begin at
 * the same time as the connected clocks. Count the shifted clocks in summary.unbounded_threads.
 * Returns CSY_INPUT on overflow. */
static csy_status align(struct csy_sync *sync, const uint32_t *root, uint32_t anchor, int64_t *g,
                        csy_error *error)
{
    const struct survey *survey = &sync->survey;
    uint32_t n = (uint32_t)survey->threads.count, home = root[anchor];
    int128 *begin = malloc((n + (size_t)1) * sizeof *begin);
    bool *begun = calloc(n + (size_t)1, sizeof *begun);
    csy_status status = begin && begun ? CSY_OK : error_memory(error);
    for (uint32_t t = 0; t < n && !status; t++) {
        /* g is set: NOLINTNEXTLINE(clang-analyzer-core.UndefinedBinaryOperatorResult) */
        int128 least = (int128)g[t] + survey->rough.offset[t] + survey->threads.items[t].min_ticks;
        if (!begun[root[t]] || least < begin[root[t]])
            begin[root[t]] = least;
        begun[root[t]] = true;
    }
    for (uint32_t t = 0; t < n && !status; t++) {
        int128 place = g[t] + begin[home] - begin[root[t]];
        if (!fits_int64(place))
            status = error_set(error, CSY_INPUT, "%s: global times do not fit 64 bits",
                               sync->trace->name);
        g[t] = (int64_t)place;
        sync->summary.unbounded_threads += root[t] != home;
    }
    FREE_ALL(begin, begun);
    return status;
}

csy_status messages_fit(struct csy_sync *sync, csy_error *error)
{
    const struct threads *threads = &sync->survey.threads;
    struct fit f = {.sync = sync, .anchor = threads->ppe == NO_THREAD ? 0 : threads->ppe};
    leastsq_init(&f.leastsq);
    f.parent = malloc(threads->count * sizeof *f.parent);
    const struct points *points = &sync->partial->points;
    const struct sink sink = leastsq_sink(&f.leastsq);
    uint32_t n = (uint32_t)threads->count;
    bool ends = sync->method == CSY_METHOD_ENDS;
    csy_status status = f.parent ? sink.birth(sink.engine, n - 1, error) : error_memory(error);
    for (uint32_t t = 0; t < n && f.parent; t++)
        f.parent[t] = t;
    if (!status && ends)
        status = take_ends(&f, error);
    for (size_t e = 0; e < points->nedges && !status && !ends; e++) {
        const struct order_edge *edge = &points->edges[e];
        const struct instant *p = &points->items[edge->from], *q = &points->items[edge->to];
        if (edge->kind != EDGE_MESSAGE)
            continue;
        status =
            edge->latency_ticks >= MESSAGE_LATENCY_MAX
                ? refuse_latency(sync, error)
                : take_pair(&f, (struct point){.thread = p->clock, .x = p->lo},
                            (struct point){.thread = q->clock, .x = q->hi - edge->latency_ticks},
                            error);
    }
    if (!status) {
        /* Least squares needs all clocks to be connected. So add one pair for each set of connected
         * clocks that lacks the anchor. One pair changes no offsets inside such a set. */
        uint32_t home = root_of(&f, f.anchor);
        const struct point to = {.thread = f.anchor};
        for (uint32_t t = 0; t < n && !status; t++) {
            const struct point from = {.thread = t};
            if (root_of(&f, t) == t && t != home)
                status = sink.pair(sink.engine, &from, &to, error);
        }
    }
    if (!status) {
        uint32_t *order = solution_last_order(sync, f.anchor);
        int64_t *g = malloc((n + (size_t)1) * sizeof *g);
        status = order && g ? CSY_OK : error_memory(error);
        for (uint32_t t = 0; t < n; t++)
            f.parent[t] = root_of(&f, t);
        if (!status)
            status = leastsq_solve(&f.leastsq, order, f.anchor, g, error);
        if (!status)
            status = align(sync, f.parent, f.anchor, g, error);
        if (!status)
            status = solution_shift_offsets(sync, g, error);
        FREE_ALL(order, g);
    }
    leastsq_fini(&f.leastsq);
    free(f.parent);
    return status;
}

/* --- The method of NTP servers ------------------------------------------------------------------
 *
 * See doc/algorithms.md, Other methods.
 *
 *    w(s,t) = least (receive time - send time - latency) of all messages from s to t
 *    width of the pair s, t = w(s,t) + w(t,s)
 *    offset of t - offset of s = (w(t,s) - w(s,t)) / 2
 *
 * Two clocks are peers if messages go both ways. A tree of peers contains, for each clock, the path
 * from the reference with the least sum of widths. Offsets are computed along this tree. [Mills:
 * RFC 5905, the clock filter, and root distance] */

/* The least value of receive time minus send time minus latency, over all messages from clock s to
 * clock t. */
struct passage {
    uint32_t s, t;
    int64_t least;
};

struct ntp {
    struct csy_sync *sync;
    struct passage *passages;
    size_t npassages;
    struct pairs peers;
    int64_t *width;
    uint32_t *root;
    int64_t *distance;
};

static int compare_passages(const void *a, const void *b)
{
    const struct passage *x = a, *y = b;
    return 4 * COMPARE(x->s, y->s) + 2 * COMPARE(x->t, y->t) + COMPARE(x->least, y->least);
}

static const struct passage *find_back(const struct ntp *ntp, const struct passage *there)
{
    const struct passage back = {there->t, there->s, INT64_MIN};
    size_t low = 0, high = ntp->npassages;
    BISECT(low, high, middle, compare_passages(&ntp->passages[middle], &back) < 0);
    const struct passage *found = &ntp->passages[low];
    return low < ntp->npassages && found->s == back.s && found->t == back.t ? found : NULL;
}

static csy_status find_peers(struct ntp *ntp, csy_error *error)
{
    const struct points *points = &ntp->sync->partial->points;
    struct pairs *peers = &ntp->peers;
    size_t n = ntp->sync->survey.threads.count, met = 0;
    ntp->passages = malloc((points->nedges + 1) * sizeof *ntp->passages);
    if (!ntp->passages)
        return error_memory(error);
    for (size_t e = 0; e < points->nedges; e++) {
        const struct order_edge *edge = &points->edges[e];
        const struct instant *p = &points->items[edge->from], *q = &points->items[edge->to];
        if (edge->kind != EDGE_MESSAGE || p->clock == q->clock)
            continue;
        if (edge->latency_ticks >= MESSAGE_LATENCY_MAX)
            return refuse_latency(ntp->sync, error);
        ntp->passages[met++] =
            (struct passage){p->clock, q->clock, q->hi - p->lo - edge->latency_ticks};
    }
    SORT(ntp->passages, met, compare_passages);
    for (size_t i = 0; i < met; i++) {
        const struct passage *last = &ntp->passages[ntp->npassages ? ntp->npassages - 1 : 0];
        if (ntp->npassages == 0 || last->s != ntp->passages[i].s || last->t != ntp->passages[i].t)
            ntp->passages[ntp->npassages++] = ntp->passages[i];
    }
    *peers = (struct pairs){.nclocks = n, .nvertices = n};
    peers->items = calloc(ntp->npassages + 1, sizeof *peers->items);
    peers->first = calloc(n + 1, sizeof *peers->first);
    ntp->width = malloc((ntp->npassages + 1) * sizeof *ntp->width);
    if (!peers->items || !peers->first || !ntp->width)
        return error_memory(error);
    for (size_t i = 0; i < ntp->npassages; i++) {
        const struct passage *there = &ntp->passages[i], *back = find_back(ntp, there);
        if (!back)
            continue;
        int64_t width = there->least + back->least;
        ntp->width[peers->count] = width > 0 ? width : 0;
        peers->items[peers->count++] =
            (struct clock_pair){.s = there->s, .t = there->t, .weight = there->least};
        peers->first[there->s + 1]++;
    }
    for (size_t t = 0; t < n; t++)
        peers->first[t + 1] += peers->first[t];
    return CSY_OK;
}

/* Set the root of all clocks that messages both ways connect to `root`, directly or not. */
static void spread_root(struct ntp *ntp, uint32_t root, uint32_t *queue)
{
    const struct pairs *peers = &ntp->peers;
    size_t n = 0;
    queue[n++] = ntp->root[root] = root;
    for (size_t i = 0; i < n; i++)
        for (size_t k = peers->first[queue[i]]; k < peers->first[queue[i] + 1]; k++) {
            uint32_t next = peers->items[k].t;
            if (ntp->root[next] != NO_THREAD)
                continue;
            ntp->root[next] = root;
            queue[n++] = next;
        }
}

/* Compute offsets along the shortest paths from the roots. */
static csy_status follow_tree(struct ntp *ntp, int128 *twice, uint32_t *queue, int64_t *g,
                              csy_error *error)
{
    const struct pairs *peers = &ntp->peers;
    size_t count = ntp->sync->survey.threads.count, n = 0;
    bool *placed = calloc(count + 1, sizeof *placed);
    csy_status status = placed ? CSY_OK : error_memory(error);
    for (uint32_t t = 0; t < count && !status; t++)
        if (ntp->root[t] == t) {
            queue[n++] = t;
            twice[t] = g[t] = 0;
            placed[t] = true;
        }
    for (size_t i = 0; i < n && !status; i++) {
        uint32_t s = queue[i];
        for (size_t k = peers->first[s]; k < peers->first[s + 1] && !status; k++) {
            const struct clock_pair *pair = &peers->items[k];
            uint32_t t = pair->t;
            if (placed[t] || ntp->distance[s] + ntp->width[k] != ntp->distance[t])
                continue;
            const struct passage there = {s, t, pair->weight};
            placed[t] = true;
            twice[t] = twice[s] + find_back(ntp, &there)->least - there.least;
            int128 half = (twice[t] + 1) >> 1;
            g[t] = (int64_t)half;
            if (!fits_int64(half))
                status = error_set(error, CSY_INPUT, "%s: global times do not fit 64 bits",
                                   ntp->sync->trace->name);
            queue[n++] = t;
        }
    }
    free(placed);
    return status;
}

csy_status ntp_place(struct csy_sync *sync, csy_error *error)
{
    struct ntp ntp = {.sync = sync};
    uint32_t n = (uint32_t)sync->survey.threads.count;
    struct search_graph graph = {0};
    uint32_t *queue = malloc((n + 1) * sizeof *queue);
    int128 *twice = malloc((n + 1) * sizeof *twice);
    int64_t *g = malloc((n + 1) * sizeof *g);
    ntp.root = malloc((n + 1) * sizeof *ntp.root);
    ntp.distance = malloc((n + 1) * sizeof *ntp.distance);
    bool good = queue && twice && g && ntp.root && ntp.distance;
    csy_status status = good ? find_peers(&ntp, error) : error_memory(error);
    if (!status && ntp.peers.first) {
        memset(ntp.root, 0xff, n * sizeof *ntp.root);
        spread_root(&ntp, (uint32_t)sync->reference, queue);
        for (uint32_t t = 0; t < n; t++)
            if (ntp.root[t] == NO_THREAD)
                spread_root(&ntp, t, queue);
        for (uint32_t t = 0; t < n; t++)
            ntp.distance[t] = ntp.root[t] == t ? 0 : WALK_INF;
        status = search_init(&graph, &ntp.peers, ntp.width, error);
    }
    if (!status)
        status = search_from(&graph, NULL, ntp.distance, error);
    if (!status)
        status = follow_tree(&ntp, twice, queue, g, error);
    if (!status)
        status = align(sync, ntp.root, (uint32_t)sync->reference, g, error);
    if (!status)
        status = solution_shift_offsets(sync, g, error);
    search_fini(&graph);
    FREE_ALL(queue, twice, g, ntp.passages);
    pairs_fini(&ntp.peers);
    FREE_ALL(ntp.width, ntp.root, ntp.distance);
    return status;
}

/* --- Lamport's clocks for partial orders --------------------------------------------------------
 *
 * Global times follow messages, groups, and all other edges of the order. See doc/algorithms.md,
 * Other methods.
 *
 *    counters:  time = (greatest time of the records known to precede) + 1, or 0
 *    clock:     time = the greatest of
 *                  (time of the previous record in the same chain) + 1,
 *                  (time of the source of an edge) + max(latency, 1),
 *                  (time of the location's previous record) + (local time since then)
 *
 * Hubs and flushes have no records and only pass on the greatest time of their predecessors. A
 * begin that follows the location's previous record on the same clock keeps their local distance.
 * The times of other begins are unknown, except that a location's first begin is at least 0. */

/* A Lamport time that is not known. Known times are at least 0. */
#define NOTHING ((int64_t)-1)

struct latest {
    int64_t time; /* Lamport time of the end of the last record, or NOTHING */
    bool any;
    uint32_t clock; /* clock of the location's last event */
    int64_t x, at;
};

struct logical {
    const struct points *points;
    bool counters;
    int64_t *time;
    struct latest *locations;
    int64_t *buffers; /* for each buffer: Lamport time of its last record or flushed block */
};

static int128 time_of(const struct logical *l, uint32_t p)
{
    const struct instant *item = &l->points->items[p];
    const struct latest *last = &l->locations[instant_is_hub(item) ? 0 : item->location];
    const struct points *points = l->points;
    bool end = points->items[p].kind == INSTANT_END;
    int128 time = NOTHING;
    for (uint32_t e = points->first_edge[p]; e < points->first_edge[p + 1]; e++) {
        const struct order_edge *edge = &points->edges[e];
        int64_t from = l->time[edge->from], latency = l->counters ? 0 : edge->latency_ticks;
        if (from == NOTHING)
            continue;
        int128 least = (int128)from + (end && latency < 1 ? 1 : latency);
        time = least > time ? least : time;
    }
    if (instant_is_hub(item))
        return time;
    if (item->kind == INSTANT_FLUSH)
        return item->buffer != NO_BUFFER && time < l->buffers[item->buffer]
                   ? l->buffers[item->buffer]
                   : time;
    if (item->kind == INSTANT_BEGIN && !item->chained)
        return NOTHING;
    /* time by the location's own clock: Lamport time of its last event, plus the ticks since
     * then */
    int128 own = l->counters || !last->any || last->clock != item->clock
                     ? NOTHING
                     : (int128)last->at + item->lo - last->x;
    if (item->kind == INSTANT_BEGIN) {
        own = own > last->time ? own : last->time;
        return own == NOTHING && !l->counters ? 0 : own;
    }
    time = time > own ? time : own;
    if (last->time != NOTHING && time <= last->time)
        time = (int128)last->time + 1;
    if (item->buffer != NO_BUFFER && time <= l->buffers[item->buffer])
        time = (int128)l->buffers[item->buffer] + 1;
    return time == NOTHING ? 0 : time;
}

/* Store the Lamport times in sync->times. They are shifted so that the first record of the PPE
 * keeps its local time. Without a PPE, they begin at 0. */
static csy_status set_times(const struct logical *l, struct csy_sync *sync, csy_error *error)
{
    const struct threads *threads = &sync->survey.threads;
    const struct points *points = l->points;
    bool ppe = !l->counters && threads->ppe != NO_THREAD;
    int64_t least = INT64_MAX, most = INT64_MIN;
    int128 shift = 0;
    for (size_t p = 0; p < points->count; p++) {
        const struct instant *item = &points->items[p];
        int64_t time = l->time[p];
        if (item->kind != INSTANT_END)
            continue;
        sync->times[item->position] = time;
        least = time < least ? time : least;
        most = time > most ? time : most;
        if (ppe && item->position == threads->items[threads->ppe].first_record)
            shift = item->lo - sync->survey.rough.offset[threads->ppe] - time;
    }
    shift = ppe ? shift : -(int128)least;
    if (!fits_int64(least + shift) || !fits_int64(most + shift))
        return error_set(error, CSY_INPUT, "%s: global times do not fit 64 bits",
                         sync->trace->name);
    sync->origin_ticks = (int64_t)(least + shift);
    for (uint64_t i = 0; i < sync->survey.records; i++)
        sync->times[i] = (int64_t)(sync->times[i] + shift);
    for (size_t t = 0; t < threads->count; t++)
        sync->views[t].offset_ticks = CSY_NO_OFFSET;
    return CSY_OK;
}

csy_status logical_place(struct csy_sync *sync, csy_error *error)
{
    const struct points *points = &sync->partial->points;
    struct logical l = {points, sync->method == CSY_METHOD_LAMPORT,
                        calloc(points->count + 1, sizeof *l.time),
                        calloc(points->nlocations + 1, sizeof *l.locations),
                        calloc(points->nbuffers + 1, sizeof *l.buffers)};
    /* the size does not overflow, because memory already contains a point for each record */
    sync->times = calloc((size_t)sync->survey.records + 1, sizeof *sync->times);
    csy_status status =
        l.time && l.locations && l.buffers && sync->times ? CSY_OK : error_memory(error);
    for (size_t i = 0; i < points->nlocations && !status; i++)
        l.locations[i] = (struct latest){.time = NOTHING};
    for (size_t i = 0; i < points->nbuffers && !status; i++)
        l.buffers[i] = NOTHING;
    for (size_t i = 0; i < points->count && !status; i++) {
        uint32_t p = sync->partial->order[i];
        const struct instant *item = &l.points->items[p];
        int128 time = time_of(&l, p);
        if (!fits_int64(time))
            status = error_set(error, CSY_INPUT, "%s: global times do not fit 64 bits",
                               sync->trace->name);
        l.time[p] = (int64_t)time;
        if (item->buffer != NO_BUFFER && item->kind != INSTANT_BEGIN)
            l.buffers[item->buffer] = (int64_t)time;
        if (instant_is_hub(item) || !item->chained)
            continue;
        struct latest *last = &l.locations[item->location];
        last->any = time != NOTHING;
        last->clock = item->clock;
        last->x = item->lo;
        last->at = (int64_t)time;
        if (item->kind == INSTANT_END)
            last->time = (int64_t)time;
    }
    if (!status)
        status = set_times(&l, sync, error);
    FREE_ALL(l.time, l.locations, l.buffers);
    return status;
}

/* --- One buffer: Lamport's clocks, and least squares --------------------------------------------
 *
 * See doc/algorithms.md, Other methods. Least squares finds an offset for each thread; Lamport's
 * clocks place each record by itself. */

struct baseline {
    struct csy_sync *sync;
    struct leastsq leastsq;
    struct lamport lamport; /* Lamport's clocks, which start at global time 0 */
};

static csy_status take_lamport(void *user, const struct event *event, csy_error *error)
{
    struct baseline *b = user;
    int64_t global;
    return lamport_next(&b->lamport, event->thread, event->local_ticks, &global, error);
}

static csy_status start(void *user, struct taker *taker, csy_error *error)
{
    struct baseline *b = user;
    csy_method method = b->sync->method;
    (void)error;
    leastsq_fini(&b->leastsq);
    lamport_fini(&b->lamport);
    leastsq_init(&b->leastsq);
    lamport_init(&b->lamport, method == CSY_METHOD_LAMPORT, 0);
    if (method == CSY_METHOD_LSQ)
        *taker = (struct taker){.sink = leastsq_sink(&b->leastsq), .pairs = LINE_NEIGHBOURS};
    else
        *taker = (struct taker){.observe = take_lamport, .observer = b};
    return CSY_OK;
}

csy_status baseline_solve(struct csy_trace *trace, struct csy_sync *sync,
                          const struct progress *progress, csy_error *error)
{
    struct baseline b = {.sync = sync};
    struct first_pass first = {.start = start, .user = &b, .progress = progress};
    const struct threads *threads = &sync->survey.threads;
    csy_status status = pass_survey(trace, &sync->survey, &first, error);
    sync->imprecision.adjacent_steps_back = sync->survey.adjacent_steps_back;
    sync->imprecision.delta.den = 1;
    if (!status)
        status = solution_name_threads(sync, error);
    if (!status)
        status = solution_choose_reference(sync, NULL, error);
    for (size_t t = 0; t < threads->count && !status; t++) {
        sync->views[t].offset_ticks = CSY_NO_OFFSET;
        sync->views[t].earliest_ticks = INT64_MIN;
        sync->views[t].latest_ticks = INT64_MAX;
    }
    if (!status && sync->method == CSY_METHOD_LSQ) {
        uint32_t anchor = threads->ppe == NO_THREAD ? 0 : threads->ppe;
        uint32_t *order = solution_last_order(sync, anchor);
        int64_t *g = malloc((threads->count + 1) * sizeof *g);
        status = order && g ? CSY_OK : error_memory(error);
        if (!status)
            status = leastsq_solve(&b.leastsq, order, anchor, g, error);
        if (!status)
            status = solution_shift_offsets(sync, g, error);
        FREE_ALL(order, g);
    } else if (!status) {
        /* Lamport's clocks keep the local time of the PPE's first record. Counters start at 0. */
        bool clock = sync->method == CSY_METHOD_LAMPORT_CLOCK && threads->ppe != NO_THREAD;
        int128 origin = clock ? -b.lamport.threads[threads->ppe].offset : 0;
        if (!fits_int64(origin) || !fits_int64(origin + b.lamport.global_ticks))
            status =
                error_set(error, CSY_INPUT, "%s: global times do not fit 64 bits", trace->name);
        sync->origin_ticks = (int64_t)origin;
    }
    leastsq_fini(&b.leastsq);
    lamport_fini(&b.lamport);
    return status;
}
