/* Finds the steps from one record to a later one: messages, groups, and buffers. */
#include "sync/partial/partial_steps.h"

#include "base/array.h"
#include "base/error.h"
#include "base/sort.h"
#include "bounds/tight.h"
#include "graph/search.h"
#include "order/walk.h"
#include "sync/events.h"
#include "sync/partial/walked.h"

#include <stdlib.h>
#include <string.h>

/* Values of way.edge without an edge: the path is empty, or its last step is within a buffer. */
#define BY_NOTHING UINT32_MAX
#define BY_BUFFER (UINT32_MAX - 1)

/* The best path to a point so far: greatest total latency, then fewest steps. All 0 if none. */
struct way {
    bool reached;
    uint32_t steps;
    int64_t latency_ticks;
    uint32_t edge, source; /* last edge of the path, and the index in points->items of its begin */
};

struct search {
    const struct points *points;
    struct way *ways;
    struct way *locations, *buffers;
    uint32_t *last_in; /* for each buffer: index in points->items of its last event so
                        * far */
};

/* Edges of these kinds connect events of one location, or lead out of a group. They are not counted
 * as steps, because the edge that leads into the group is counted. */
static bool is_silent(uint16_t kind)
{
    return kind == EDGE_INTERVAL || kind == EDGE_FLUSH || kind == EDGE_LEAVE;
}

static void take(struct way *best, const struct way *other)
{
    if (!best->reached || other->latency_ticks > best->latency_ticks ||
        (other->latency_ticks == best->latency_ticks && other->steps < best->steps))
        *best = *other;
}

static struct way find_way(const struct search *s, uint32_t p)
{
    const struct points *points = s->points;
    const struct instant *item = &points->items[p];
    struct way best = {0};
    if (!instant_is_hub(item) && item->chained)
        best = s->locations[item->location];
    if (item->buffer != NO_BUFFER && s->buffers[item->buffer].reached) {
        const struct way *last = &s->buffers[item->buffer];
        const struct way by = {true, last->steps + 1, last->latency_ticks, BY_BUFFER,
                               s->last_in[item->buffer]};
        take(&best, &by);
    }
    for (uint32_t e = points->first_edge[p]; e < points->first_edge[p + 1]; e++) {
        const struct order_edge *edge = &points->edges[e];
        const struct way *source = &s->ways[edge->from];
        const struct way by = {true, source->steps + !is_silent(edge->kind),
                               source->latency_ticks + edge->latency_ticks, e, edge->from};
        if (source->reached)
            take(&best, &by);
    }
    return best;
}

static void hand_on(struct search *s, uint32_t p)
{
    const struct instant *item = &s->points->items[p];
    if (!instant_is_hub(item) && item->chained)
        s->locations[item->location] = s->ways[p];
    if (item->buffer == NO_BUFFER)
        return;
    s->buffers[item->buffer] = s->ways[p];
    s->last_in[item->buffer] = p;
}

/* The caller frees *steps. */
static csy_status tell(const struct csy_sync *sync, const struct search *s, uint32_t to,
                       csy_order_step **steps, size_t *count, csy_error *error)
{
    static const csy_order_kind kinds[EDGE_KINDS] = {
        [EDGE_AFTER] = CSY_ORDER_NAMED,  [EDGE_MESSAGE] = CSY_ORDER_MESSAGE,
        [EDGE_SYNC] = CSY_ORDER_SYNC,    [EDGE_ENTER] = CSY_ORDER_GROUP,
        [EDGE_ROOM] = CSY_ORDER_ROOM,    [EDGE_LOCK] = CSY_ORDER_LOCK,
        [EDGE_SPAWN] = CSY_ORDER_SPAWN,  [EDGE_JOIN] = CSY_ORDER_JOIN,
        [EDGE_APART] = CSY_ORDER_MESSAGE};
    const struct points *points = s->points;
    const struct way *way = &s->ways[to];
    csy_order_step *out = calloc((size_t)way->steps + 1, sizeof *out);
    if (!out)
        return error_memory(error);
    *count = way->steps;
    for (size_t i = way->steps; way->edge != BY_NOTHING; way = &s->ways[way->source]) {
        if (way->edge == BY_BUFFER) {
            out[--i].kind = CSY_ORDER_BUFFER;
            out[i].key = match_buffer(sync->partial->match, points->items[way->source].buffer);
        } else if (!is_silent(points->edges[way->edge].kind)) {
            const struct order_edge *edge = &points->edges[way->edge];
            const char *key = edge->key == NO_KEY ? NULL : points->keys + edge->key;
            out[--i] = (csy_order_step){
                kinds[edge->kind], {key, key ? strlen(key) : 0}, edge->latency_ticks};
        }
    }
    *steps = out;
    return CSY_OK;
}

/* Find why the first event of the constraint `edge` precedes its second event: the path of messages
 * and other steps from one to the other. In `order`, each event comes after all events that precede
 * it. */
static csy_status partial_find_steps(const struct csy_sync *sync, const struct points *points,
                                     const uint32_t *order, const struct edge *edge,
                                     csy_witness_edge *named, csy_error *error)
{
    static const csy_order_kind kinds[] = {[LIMIT_LATENCY] = CSY_ORDER_LATENCY_MAX,
                                           [LIMIT_SAME] = CSY_ORDER_SAME,
                                           [LIMIT_OFFSET] = CSY_ORDER_OFFSET};
    const uint32_t from = edge->from_point, to = edge->to_point;
    const struct order_limit *limits = NULL;
    size_t nlimits = points->nlimits > 0 ? points_limits_of(points, to, &limits) : 0;
    for (size_t i = 0; i < nlimits; i++) {
        if (limits[i].later != from || limits[i].most_ticks != -edge->latency_ticks)
            continue;
        const char *key = limits[i].key == NO_KEY ? NULL : points->keys + limits[i].key;
        csy_order_step *step = malloc(sizeof *step);
        if (!step)
            return error_memory(error);
        *step = (csy_order_step){
            kinds[limits[i].kind], {key, key ? strlen(key) : 0}, -limits[i].most_ticks};
        named->steps = step;
        named->nsteps = 1;
        return CSY_OK;
    }
    csy_order_step *steps = NULL;
    /* Most systems provide memory of calloc on first use, and the search uses only a part of it. */
    struct search s = {points, calloc(points->count + 1, sizeof *s.ways),
                       calloc(points->nlocations + 1, sizeof *s.locations),
                       calloc(points->nbuffers + 1, sizeof *s.buffers),
                       calloc(points->nbuffers + 1, sizeof *s.last_in)};
    csy_status status =
        s.ways && s.locations && s.buffers && s.last_in ? CSY_OK : error_memory(error);
    named->nsteps = 0;
    if (!status) {
        size_t i = 0;
        while (order[i] != from)
            i++;
        s.ways[from] = (struct way){true, 0, 0, BY_NOTHING, from};
        for (hand_on(&s, from); order[i] != to && ++i < points->count;) {
            s.ways[order[i]] = find_way(&s, order[i]);
            hand_on(&s, order[i]);
        }
        if (s.ways[to].reached)
            status = tell(sync, &s, to, &steps, &named->nsteps, error);
    }
    named->steps = steps;
    FREE_ALL(s.ways, s.locations, s.buffers, s.last_in);
    return status;
}

static csy_status find_flat(const struct csy_sync *sync, const struct edge *edge,
                            csy_witness_edge *named, csy_error *error)
{
    const struct partial *partial = sync->partial;
    const struct points *lives = &partial->lives;
    const struct instant *from = &partial->points.items[edge->from_point],
                         *to = &partial->points.items[edge->to_point];
    csy_order_step *step = calloc(1, sizeof *step);
    if (!step)
        return error_memory(error);
    named->steps = step;
    named->nsteps = 1;
    for (size_t e = 0; e < lives->nedges; e++) {
        const struct order_edge *life = &lives->edges[e];
        if ((life->kind != EDGE_SPAWN && life->kind != EDGE_JOIN) ||
            lives->items[life->from].position != from->position ||
            lives->items[life->to].position != to->position)
            continue;
        step->kind = life->kind == EDGE_SPAWN ? CSY_ORDER_SPAWN : CSY_ORDER_JOIN;
        return CSY_OK;
    }
    named->nsteps = from->location != to->location;
    *step = (csy_order_step){CSY_ORDER_BUFFER, match_buffer(partial->match, from->buffer), 0};
    return CSY_OK;
}

/* --- Steps in a trace that is read again because its points are not held ------------------- */

/* For each channel or group: result of points_key for its name, or NO_KEY if unused. */
struct keys {
    uint32_t *items;
    size_t count, capacity;
};

/* A constraint between two records, and the events of the trace from one record to the other. */
struct span {
    uint64_t from, to;
    bool from_begin, to_begin;
    uint64_t first;
    bool began, ended;
    struct points points;
    struct keys keys[2]; /* keys[0] is for groups, keys[1] for channels */
};

struct namer {
    const struct csy_sync *sync;
    struct span *spans;
    size_t n, left;
    uint64_t visited;
};

static csy_status add_point(const struct namer *m, struct span *span,
                            const struct order_walk_event *event, csy_error *error)
{
    struct points *points = &span->points;
    uint32_t number = (uint32_t)points->count, key = NO_KEY;
    csy_status status = CSY_OK;
    if (points->count == NO_POINT)
        return error_set(error, CSY_MEMORY, "more than 2^32 - 2 points of order");
    if (!ARRAY_PUSH(points->items, points->count, points->capacity, walked_instant(m->sync, event)))
        return error_memory(error);
    for (size_t i = 0; i < event->nbefore && !status; i++) {
        const struct order_walk_before *before = &event->before[i];
        uint64_t from = (uint64_t)before->source->value;
        if (from < span->first)
            continue;
        if (before->kind != EDGE_INTERVAL) {
            struct csy_trace *trace = m->sync->trace;
            struct event made = {0};
            bool receive = event->kind == WALK_RECV;
            struct keys *keys = &span->keys[receive];
            if (!ARRAY_EXTEND(keys->items, keys->count, keys->capacity, (size_t)event->key + 1,
                              NO_KEY))
                return error_memory(error);
            if (keys->items[event->key] == NO_KEY) {
                const struct stream_item item = order_walk_item(event);
                trace->source->streams->event(trace, event->location, &item, &made);
                csy_text text = receive ? made.roles->recv : made.roles->members;
                status = points_key(&span->points, text.bytes, text.size, &keys->items[event->key],
                                    error);
            }
            key = keys->items[event->key];
        }
        const struct order_edge edge = {
            (uint32_t)(from - span->first), number, walked_latency(m->sync, before),
            before->kind == EDGE_INTERVAL ? NO_KEY : key, (uint16_t)before->kind};
        if (!status)
            status = points_edge(points, &edge, error);
    }
    return status;
}

static bool is_at(const struct order_walk_event *event, uint64_t position, uint64_t at, bool begin)
{
    return event->kind != WALK_HUB && position == at && order_walk_is_begin(event) == begin;
}

static csy_status name_event(void *user, const struct order_walk_event *event, csy_error *error)
{
    struct namer *m = user;
    uint64_t position =
        m->sync->partial->walked->found.starts[event->location].position + event->position;
    csy_status status = CSY_OK;
    for (size_t i = 0; i < m->n && !status; i++) {
        struct span *span = &m->spans[i];
        if (!span->began && is_at(event, position, span->from, span->from_begin)) {
            span->began = true;
            span->first = m->visited;
        }
        if (!span->began || span->ended)
            continue;
        status = add_point(m, span, event, error);
        span->ended = is_at(event, position, span->to, span->to_begin);
        m->left -= span->ended;
    }
    if (event->own)
        event->own->value = (int64_t)m->visited;
    m->visited++;
    if (m->left == 0)
        order_walk_stop(event->walk);
    return status;
}

static csy_status name_span(const struct namer *m, struct span *span, csy_witness_edge *named,
                            csy_error *error)
{
    size_t n = span->points.count;
    uint32_t *order = calloc(n + 1, sizeof *order);
    if (!order)
        return error_memory(error);
    for (size_t p = 0; p < n; p++)
        order[p] = (uint32_t)p;
    span->points.nlocations = m->sync->partial->walked->found.nlocations;
    const struct edge edge = {.from_point = 0, .to_point = (uint32_t)n - 1};
    csy_status status = points_finish(&span->points, error);
    if (!status)
        status = partial_find_steps(m->sync, &span->points, order, &edge, named, error);
    free(order);
    /* Copy the names of channels and groups to the solution, which then owns them. */
    struct walked *walked = m->sync->partial->walked;
    csy_order_step *steps = unconst(named->steps);
    for (size_t i = 0; i < named->nsteps && !status; i++) {
        struct walked_name *name =
            steps[i].key.bytes ? malloc(sizeof *name + steps[i].key.size + 1) : NULL;
        if (!name) {
            status = steps[i].key.bytes ? error_memory(error) : CSY_OK;
            steps[i].key = (csy_text){NULL, 0};
            continue;
        }
        memcpy(name->text, steps[i].key.bytes, steps[i].key.size + 1);
        steps[i].key.bytes = name->text;
        name->next = walked->names;
        walked->names = name;
    }
    return status;
}

/* --- All traces ----------------------------------------------------------------------------  */

/* Explain n constraints by steps such as messages, groups, and buffers. If several paths of steps
 * lead from one record to the other, the path with the greatest latency is chosen, then the path
 * with the fewest steps. The caller frees the steps. */
static csy_status partial_name_edges(const struct csy_sync *sync, const struct edge *edges,
                                     csy_witness_edge *const *named, size_t n, csy_error *error)
{
    const struct partial *partial = sync->partial;
    csy_status status = CSY_OK;
    for (size_t i = 0; i < n && !status && !partial->walked; i++)
        status = partial->flat ? find_flat(sync, &edges[i], named[i], error)
                               : partial_find_steps(sync, &partial->points, partial->order,
                                                    &edges[i], named[i], error);
    if (!partial->walked)
        return status;
    /* Read the trace again, because the events are not stored. */
    struct namer m = {sync, calloc(n + 1, sizeof *m.spans), n, n, 0};
    if (!m.spans)
        return error_memory(error);
    for (size_t i = 0; i < n; i++) {
        m.spans[i].from = edges[i].from.position;
        m.spans[i].to = edges[i].to.position;
        m.spans[i].from_begin = edges[i].from_begin;
        m.spans[i].to_begin = edges[i].to_begin;
    }
    const struct order_walk_visitor visitor = {.visit = name_event, .user = &m};
    status = n > 0 ? walked_pass(sync, visitor, error) : CSY_OK;
    if (!status && m.left > 0)
        status = trace_refuse_changed(sync->trace, error);
    for (size_t i = 0; i < n; i++) {
        if (!status)
            status = name_span(&m, &m.spans[i], named[i], error);
        points_fini(&m.spans[i].points);
        FREE_ALL(m.spans[i].keys[0].items, m.spans[i].keys[1].items);
    }
    free(m.spans);
    return status;
}

/* --- Walks along pairs ------------------------------------------------------------------------ */

#define NO_PAIR SIZE_MAX

/* Describe point p at its earliest (if `lo` is true) or its latest time. */
static struct point point_of(const struct csy_sync *sync, const struct points *points, uint32_t p,
                             bool lo)
{
    const struct instant *item = &points->items[p];
    int64_t x = lo ? item->lo : item->hi;
    /* show the record after a flush, because it limits the latest time of the flush; O(edges) */
    bool flush = !lo && item->kind == INSTANT_FLUSH;
    for (size_t i = 0; i < points->nedges && flush; i++)
        if (points->edges[i].from == p) {
            item = &points->items[points->edges[i].to];
            break;
        }
    return (struct point){item->position, item->place, item->clock,
                          rebase_local(&sync->survey.rough, item->clock, x), x};
}

csy_status pairs_edges(const struct csy_sync *sync, const struct points *points,
                       const struct pairs *pairs, const size_t *walk, size_t n, struct edge **edges,
                       size_t *count, csy_error *error)
{
    size_t start = 0;
    struct edge *made = calloc(n + 1, sizeof *made);
    if (!made)
        return error_memory(error);
    *count = 0;
    while (start < n && pairs->items[walk[start]].s >= pairs->nclocks)
        start++;
    for (size_t i = 0; i < n; i++) {
        const struct clock_pair *pair = &pairs->items[walk[(start + i) % n]];
        struct edge *edge = &made[*count];
        if (pair->s < pairs->nclocks) {
            edge->from = point_of(sync, points, edge->from_point = pair->from, true);
            edge->from_begin = points->items[pair->from].kind == INSTANT_BEGIN;
        }
        edge->latency_ticks -= pair->weight;
        if (pair->t >= pairs->nclocks)
            continue;
        edge->to = point_of(sync, points, edge->to_point = pair->to, false);
        edge->to_begin = points->items[pair->to].kind == INSTANT_BEGIN;
        edge->latency_ticks += edge->to.x - edge->from.x;
        ++*count;
    }
    *edges = made;
    return CSY_OK;
}

csy_status witness_set(struct csy_sync *sync, const struct points *points,
                       const struct pairs *pairs, const size_t *cycle, size_t n,
                       struct witness_edges *edges, csy_error *error)
{
    free(edges->items);
    *edges = (struct witness_edges){0};
    csy_status status = pairs_edges(sync, points, pairs, cycle, n, &edges->items, &edges->n, error);
    return status ? status : solution_set_witness(sync, edges->items, edges->n, error);
}

csy_status witness_name(struct csy_sync *sync, struct witness_edges *edges, csy_error *error)
{
    size_t n = edges->items && sync->partial ? edges->n : 0;
    csy_witness_edge **named = calloc(n + 1, sizeof(csy_witness_edge *));
    csy_status status = named ? CSY_OK : error_memory(error);
    for (size_t i = 0; i < n && named; i++)
        named[i] = &sync->witness_edges[i];
    if (!status && n > 0)
        status = partial_name_edges(sync, edges->items, named, n, error);
    FREE_ALL(named, edges->items);
    *edges = (struct witness_edges){0};
    return status;
}

/* Find a shortest path from one clock to another, with the fewest pairs of clocks, as constraints.
 * *count is 0 if there is no path. The caller frees *edges. O(pairs log vertices). */
static csy_status partial_walk(const struct csy_sync *sync, uint32_t from, uint32_t to,
                               struct edge **edges, size_t *count, csy_error *error)
{
    const struct partial *partial = sync->partial;
    size_t n = partial->pairs.nvertices, length = 0;
    int64_t *distance = malloc((n + 1) * sizeof *distance);
    size_t *parent = malloc((n + 1) * sizeof *parent);
    uint32_t *queue = malloc((n + 1) * sizeof *queue);
    struct search_graph graph = {.pairs = NULL};
    csy_status status = distance && parent && queue ? CSY_OK : error_memory(error);
    *edges = NULL;
    *count = 0;
    if (!status)
        status = search_init(&graph, &partial->pairs, partial->weight, error);
    for (size_t v = 0; v < n && !status; v++)
        distance[v] = v == from ? 0 : WALK_INF;
    if (!status)
        status = search_from(&graph, NULL, distance, error);
    search_fini(&graph);
    if (!status && distance[to] < WALK_FAR) {
        for (size_t v = 0; v < n; v++)
            parent[v] = NO_PAIR;
        size_t nqueue = 0;
        queue[nqueue++] = from;
        for (size_t i = 0; i < nqueue && parent[to] == NO_PAIR; i++)
            for (size_t k = partial->pairs.first[queue[i]]; k < partial->pairs.first[queue[i] + 1];
                 k++) {
                uint32_t next = partial->pairs.items[k].t;
                if (next == from || parent[next] != NO_PAIR ||
                    distance[queue[i]] + partial->weight[k] != distance[next])
                    continue;
                parent[next] = k;
                queue[nqueue++] = next;
            }
        for (uint32_t v = to; v != from; v = partial->pairs.items[parent[v]].s)
            length++;
        size_t *walk = calloc(length + 1, sizeof *walk), i = length;
        for (uint32_t v = to; walk && v != from; v = partial->pairs.items[parent[v]].s)
            walk[--i] = parent[v];
        status = walk ? pairs_edges(sync, partial_points(sync->partial), &partial->pairs, walk,
                                    length, edges, count, error)
                      : error_memory(error);
        free(walk);
    }
    FREE_ALL(distance, parent, queue);
    return status;
}

/* --- The records that determine a bound between two threads s and t (csy_sync_explain) ---
 *
 * See doc/algorithms.md, Chains.
 *
 *    bounds of s --bounds/tight.h, in one pass--> constraints that hold with equality
 *      --> chains of constraints from s to t and from t to s */

struct explanation {
    struct bound_row row; /* bounds between thread s and all threads */
    struct tight from, to;
    struct line lines[2];
};

static csy_status take_event(void *engine, const struct point *event, csy_error *error)
{
    struct explanation *e = engine;
    csy_status status = line_event(&e->lines[0], event, error);
    return status ? status : line_event(&e->lines[1], event, error);
}

static csy_status take_pair(void *engine, const struct point *from, const struct point *to,
                            csy_error *error)
{
    struct explanation *e = engine;
    csy_status status = e->lines[0].sink.pair(&e->from, from, to, error);
    return status ? status : e->lines[1].sink.pair(&e->to, from, to, error);
}

static csy_status make_chain(const struct csy_sync *sync, struct tight *tight, size_t s, size_t t,
                             int64_t end_ticks, csy_chain *chain, csy_error *error)
{
    *chain = (csy_chain){.s = s, .t = t, .end_ticks = end_ticks};
    if (end_ticks == INT64_MAX)
        return CSY_OK;
    struct edge *edges = NULL;
    csy_status status =
        sync->partial ? partial_walk(sync, (uint32_t)s, (uint32_t)t, &edges, &chain->length, error)
                      : tight_walk(tight, (uint32_t)s, (uint32_t)t, &edges, &chain->length, error);
    csy_chain_edge *made = status ? NULL : calloc(chain->length + 1, sizeof *made);
    csy_witness_edge **named =
        made && sync->partial ? calloc(chain->length + 1, sizeof(csy_witness_edge *)) : NULL;
    for (size_t i = 0; made && i < chain->length; i++) {
        made[i].constraint = solution_edge(&edges[i]);
        int128 from = placement_of(sync, made[i].constraint.s, made[i].constraint.time_s);
        int128 to = placement_of(sync, made[i].constraint.t, made[i].constraint.time_t);
        made[i].slack_ticks =
            (int64_t)(to + sync->imprecision.added_ticks - made[i].constraint.latency_ticks - from);
        const csy_witness_edge *c = &made[i].constraint;
        made[i].global_s = (int64_t)placement_of(sync, c->s, c->time_s);
        made[i].global_t = (int64_t)placement_of(sync, c->t, c->time_t);
        if (named)
            named[i] = &made[i].constraint;
    }
    if (named)
        status = partial_name_edges(sync, edges, named, chain->length, error);
    FREE_ALL(named, edges);
    chain->edges = made;
    if (!status && (!made || (sync->partial && !named)))
        status = error_memory(error);
    if (!status && chain->length == 0)
        status = trace_refuse_changed(sync->trace, error);
    return status;
}

struct mention {
    uint64_t record;
    int64_t *global;
};

static size_t mention_edges(const csy_chain *chain, struct mention *out)
{
    csy_chain_edge *edges = unconst(chain->edges);
    for (size_t i = 0; i < chain->length; i++) {
        out[2 * i] = (struct mention){edges[i].constraint.record_s, &edges[i].global_s};
        out[2 * i + 1] = (struct mention){edges[i].constraint.record_t, &edges[i].global_t};
    }
    return 2 * chain->length;
}

static csy_status raise_times(csy_trace *trace, const struct csy_sync *sync,
                              const csy_explanation *made, csy_error *error)
{
    size_t n = 2 * (made->upper.length + made->lower.length);
    struct mention *mentions = malloc((n + 1) * sizeof *mentions);
    if (!mentions)
        return error_memory(error);
    size_t upper = mention_edges(&made->upper, mentions);
    mention_edges(&made->lower, mentions + upper);
    SORT(mentions, n, compare_numbers);
    /* With --monotonic, a global time depends on all earlier records, so read them all. */
    csy_events *events = NULL;
    csy_event event;
    bool more = true;
    csy_status status = events_open(trace, sync, &events, error);
    for (size_t i = 0; !status && more && i < n;) {
        status = csy_events_next(events, &event, &more, error);
        for (; !status && more && i < n && mentions[i].record == event.record; i++)
            *mentions[i].global = event.global_ticks;
    }
    csy_events_free(events);
    free(mentions);
    return status;
}

csy_status csy_sync_explain(csy_sync *sync, size_t s, size_t t, csy_explanation **out,
                            csy_error *error)
{
    struct csy_trace *trace = sync->trace;
    struct explanation e = {.row = {NULL, NULL, 0, 0}};
    csy_explanation *made = NULL;
    csy_status status = solution_check_pair(sync, s, t, error);
    if (!status && s == t)
        status = error_set(error, CSY_USAGE, "%s: a bound is between two different threads",
                           sync->trace->name);
    if (!status && !(made = calloc(1, sizeof *made)))
        status = error_memory(error);
    if (!status)
        status = solution_row(sync, s, &e.row, error);
    if (!status && !sync->partial) {
        const csy_imprecision *imprecision = &sync->imprecision;
        int64_t added = imprecision->added_ticks;
        bool all_pairs = added > 0 && imprecision->relax != CSY_RELAX_PAPER;
        struct taker taker = {.sink = {.engine = &e}, .pairs = LINE_NEIGHBOURS};
        if (all_pairs)
            taker.sink.event = take_event;
        else
            taker.sink.pair = take_pair;
        struct progress progress = trace->progress;
        progress.stage = "explaining";
        tight_init(&e.from, TIGHT_FROM, &e.row, sync->survey.threads.count, added);
        tight_init(&e.to, TIGHT_TO, &e.row, sync->survey.threads.count, added);
        struct sink from = tight_sink(&e.from), to = tight_sink(&e.to);
        line_init(&e.lines[0], &from, LINE_TIGHT, added);
        line_init(&e.lines[1], &to, LINE_TIGHT, added);
        status = pass_again(trace, &sync->survey, NO_THREAD, &taker, &progress, error);
    }
    if (!status) {
        int64_t lower, upper;
        status = solution_ends(sync, s, t, bound_from(&e.row, t), bound_to(&e.row, t), &lower,
                               &upper, error);
        if (!status)
            status = make_chain(sync, &e.from, s, t, upper, &made->upper, error);
        status = status ? status
                        : make_chain(sync, &e.to, t, s, lower == INT64_MIN ? INT64_MAX : -lower,
                                     &made->lower, error);
    }
    if (!status && sync->monotonic)
        status = raise_times(trace, sync, made, error);
    if (!status)
        status = trace_check_unchanged(trace, error);
    line_fini(&e.lines[0]);
    line_fini(&e.lines[1]);
    tight_fini(&e.from);
    tight_fini(&e.to);
    if (status)
        csy_explanation_free(made);
    else
        *out = made;
    return status;
}

static void free_chain(const csy_chain *chain)
{
    for (size_t i = 0; chain->edges && i < chain->length; i++)
        free(unconst(chain->edges[i].constraint.steps));
    free(unconst(chain->edges));
}

void csy_explanation_free(csy_explanation *explanation)
{
    if (!explanation)
        return;
    free_chain(&explanation->upper);
    free_chain(&explanation->lower);
    free(explanation);
}
