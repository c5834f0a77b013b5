/* Solves a trace in partial order (csy_trace.partial):
 *
 *   events
 *     --order/match.h-->                   points: begins and ends of records
 *     --order/visit.h-->                   points in a topological order
 *     --graph/reduce.h-->                  pairs of points that limit each other
 *     --graph/mincycle.h-->                delta, the timestamp error
 *     --graph/eliminate.h or search.h-->   bounds
 *     --sync/partial/islands.h-->          offsets
 *
 * Either the trace is read once and its points are stored, or it is read several times without
 * storing them (sync/partial/walked.h). See doc/algorithms.md, Partial orders. */
#include "sync/pipeline/pipeline.h"

#include "base/array.h"
#include "base/error.h"
#include "clock/knots.h"
#include "graph/closure.h"
#include "graph/eliminate.h"
#include "graph/mincycle.h"
#include "order/loose.h"
#include "order/match.h"
#include "order/visit.h"
#include "order/walk.h"
#include "sync/drift/drift.h"
#include "sync/measure.h"
#include "sync/methods/methods.h"
#include "sync/options.h"
#include "sync/outcome.h"
#include "sync/partial/blocks_only.h"
#include "sync/partial/islands.h"
#include "sync/partial/partial_steps.h"
#include "sync/partial/tight.h"
#include "sync/partial/walked.h"
#include "sync/partial_order.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- Messages about a cyclic order ----------------------------------------------------------  */

enum { CYCLE_STEPS_MAX = 6, STEP_TEXT_MAX = 2 * ERROR_ESCAPED_MAX + 2 * CSY_PLACE_TEXT_MAX };

/* Describe a part of a cyclic order, such as "line 7 before line 12 (channel 'x')". */
static void describe_step(const struct csy_sync *sync, const struct visit_step *step,
                          char text[STEP_TEXT_MAX])
{
    static const char *const words[EDGE_KINDS] = {
        [EDGE_CHAIN] = "thread",    [EDGE_AFTER] = "after",        [EDGE_MESSAGE] = "channel",
        [EDGE_SYNC] = "channel",    [EDGE_ENTER] = "group",        [EDGE_LEAVE] = "group",
        [EDGE_FLUSH] = "its block", [EDGE_INTERVAL] = "its begin", [EDGE_LOCK] = "lock",
        [EDGE_ROOM] = "channel",    [EDGE_SPAWN] = "spawn",        [EDGE_JOIN] = "join",
        [EDGE_APART] = "channel"};
    const struct points *points = &sync->partial->points;
    const struct instant *from = &points->items[step->from], *to = &points->items[step->to];
    char before[CSY_PLACE_TEXT_MAX], after[CSY_PLACE_TEXT_MAX];
    const char *word = words[step->kind];
    csy_text name = {NULL, 0};
    char shown[ERROR_ESCAPED_MAX];
    if (step->kind == EDGE_CHAIN && step->buffer) {
        word = "buffer";
        name = match_buffer(sync->partial->match, from->buffer);
    } else if (step->kind == EDGE_CHAIN) {
        name = match_location(sync->partial->match, from->location);
    } else if (step->key != NO_KEY) {
        name = (csy_text){points->keys + step->key, strlen(points->keys + step->key)};
    }
    snprintf(text, STEP_TEXT_MAX, "%s before %s (%s%s%s%s)",
             csy_trace_place_text(sync->trace, from->place, before),
             csy_trace_place_text(sync->trace, to->place, after), word, name.bytes ? " '" : "",
             name.bytes ? error_escape(shown, name.bytes, name.size) : "", name.bytes ? "'" : "");
}

static bool is_message(unsigned kind)
{
    return kind == EDGE_MESSAGE || kind == EDGE_SYNC || kind == EDGE_APART;
}

/* In the cycle, find a message of a channel with more than one message. Its send and receive may
 * have been matched wrongly, which would explain a contradiction. Returns NULL if there is none.
 * O(edges) for each step of the cycle. */
static const struct visit_step *find_counted(const struct csy_sync *sync,
                                             const struct visit_cycle *cycle)
{
    const struct points *points = &sync->partial->points;
    for (size_t i = 0; i < cycle->length; i++) {
        const struct visit_step *step = &cycle->steps[i];
        size_t messages = 0;
        if (!is_message(step->kind) || step->key == NO_KEY)
            continue;
        for (size_t e = 0; e < points->nedges; e++) {
            const struct order_edge *edge = &points->edges[e];
            messages += is_message(edge->kind) && edge->key != NO_KEY &&
                        strcmp(points->keys + edge->key, points->keys + step->key) == 0;
        }
        if (messages > 1)
            return step;
    }
    return NULL;
}

/* Report the records of a cycle, which contradict each other. Returns CSY_INPUT. */
static csy_status partial_refuse_cycle(const struct csy_sync *sync, const struct visit_cycle *cycle,
                                       csy_error *error)
{
    const struct instant *points = sync->partial->points.items;
    char text[STEP_TEXT_MAX * CYCLE_STEPS_MAX + 64];
    size_t size = 0, shown = 0, first = 0;
    for (size_t i = 0; i < cycle->length; i++)
        if (points[cycle->steps[i].from].position < points[cycle->steps[first].from].position)
            first = i;
    for (size_t i = 0; i < cycle->length && shown < CYCLE_STEPS_MAX; i++) {
        char step_text[STEP_TEXT_MAX];
        size_t at = (first + i) % cycle->length;
        if (instant_is_hub(&points[cycle->steps[at].from]))
            continue;
        struct visit_step step = cycle->steps[at];
        for (size_t next = at + 1; instant_is_hub(&points[step.to]); next++)
            step.to = cycle->steps[next % cycle->length].to;
        if (points[step.from].position == points[step.to].position &&
            !instant_is_hub(&points[cycle->steps[at].to]))
            continue;
        describe_step(sync, &step, step_text);
        size += (size_t)snprintf(text + size, sizeof text - size, "%s%s", shown++ ? ", " : "",
                                 step_text);
    }
    const char *more = shown == CYCLE_STEPS_MAX ? ", ..." : "";
    const struct source *source = sync->trace->source;
    const struct visit_step *counted = find_counted(sync, cycle);
    if (counted) {
        const char *key = sync->partial->points.keys + counted->key;
        char name[ERROR_ESCAPED_MAX], from[CSY_PLACE_TEXT_MAX], to[CSY_PLACE_TEXT_MAX];
        return error_set(
            error, CSY_INPUT,
            "%s: the events cannot be ordered: messages of channel '%s' are matched by counting, "
            "and the message from %s to %s closes a cycle. Maybe a send was lost. Give each "
            "message its own key, or remove the channel. The cycle: %s%s",
            sync->trace->name, error_escape(name, key, strlen(key)),
            csy_trace_place_text(sync->trace, points[counted->from].place, from),
            csy_trace_place_text(sync->trace, points[counted->to].place, to), text, more);
    }
    bool group = false;
    for (size_t i = 0; i < cycle->length; i++)
        group |= cycle->steps[i].kind == EDGE_ENTER || cycle->steps[i].kind == EDGE_LEAVE;
    if (source->named_groups && group)
        return error_set(error, CSY_INPUT,
                         "%s: the events cannot be ordered, because they form a cycle: %s%s; check "
                         "that each group operation has its own name, such as g/1 and g/2",
                         sync->trace->name, text, more);
    return error_set(
        error, CSY_INPUT,
        "%s: the events cannot be ordered, because they form a cycle: %s%s; check that the %ss of "
        "each thread are in program order, and that sends are recorded before the message leaves",
        sync->trace->name, text, more, source->called ? source->called : "record");
}

struct solver {
    struct csy_trace *trace;
    struct csy_sync *sync;
    struct partial *partial;
    const csy_options *options;
    const struct progress *progress;
    /* receives the events during read_flat; otherwise NULL */
    struct blocks_only *flat;
    struct loose_order loose; /* receives the events if trace.loose is true */
    bool stores_all;
    bool begins_follow; /* true to order begins after earlier records (clock/points.h) */
    bool no_streams;    /* true if reading the locations separately has failed */
    bool no_flat;
    bool streamed; /* true if locations were read separately */
    /* timestamp error that the matching of sends and receives assumes, times 2, in ticks */
    int64_t close_added;
    int64_t least_added;
    bool cyclic;
    bool told;
    int64_t least_told, least_above;
    struct witness_edges witness;
    int64_t window;
    csy_imprecision imprecision;
    csy_summary summary;
    csy_fraction twice;
};

/* --- Solving ------------------------------------------------------------------------------- */

/* The bounds between all clocks are computed at once (graph/eliminate.h) if this needs at most so
 * much memory and work. Otherwise, a search finds each bound when it is requested
 * (graph/search.h). */
#define ENTRIES_PER_PAIR 32
#define ENTRIES_MAX ((uint64_t)1 << 27)
#define WORK_MAX ((uint64_t)1 << 38)
#define CELLS_MAX ((uint64_t)1 << 27)

static csy_status set_witness(struct solver *s, const struct mincycle *found, csy_error *error)
{
    csy_status status = witness_set(s->sync, partial_points(s->partial), &s->partial->pairs,
                                    found->witness, found->nwitness, &s->witness, error);
    /* Without stored events, finding the names means reading the trace again. */
    return status || s->partial->walked ? status : witness_name(s->sync, &s->witness, error);
}

static csy_status partial_make_pairs(struct solver *s, csy_error *error)
{
    struct partial *partial = s->partial;
    size_t nclocks = s->sync->survey.threads.count;
    const struct reduce_window window = {s->window, NULL, nclocks <= partial_hubs_most(s->trace)};
    if (partial->flat)
        return blocks_only_again(s->sync, s->window, s->progress, error);
    pairs_fini(&partial->pairs);
    if (partial->walked)
        return walked_pairs(s->sync, &window, &partial->walked->points, &partial->pairs, error);
    csy_status status =
        reduce_points(&partial->points, partial->order, nclocks, &window, &partial->pairs, error);
    return status ? error_prefix(error, status, "%s", s->trace->name) : CSY_OK;
}

static csy_status find_delta(struct solver *s, csy_error *error)
{
    struct mincycle found = {0};
    bool enough = false;
    csy_status status = CSY_OK;
    while (!status && !enough) {
        status = partial_make_pairs(s, error);
        if (!status)
            status = mincycle_find(&s->partial->pairs, s->twice, false, &found, error);
        if (!status && found.nwitness > 0)
            status = set_witness(s, &found, error);
        if (!status) {
            int64_t up = (int64_t)ceil_div(found.twice.num, found.twice.den);
            s->twice = found.twice;
            enough = up <= s->window;
            int64_t more = up / 3;
            if (!enough)
                s->window = up < WALK_MAX - more ? up + more : WALK_MAX;
        }
        mincycle_fini(&found);
    }
    return status;
}

/* Test whether the timestamp error that the user gave explains all contradictions. Report the
 * contradictory constraints if not. */
static csy_status test_delta(struct solver *s, csy_error *error)
{
    struct mincycle found = {0};
    csy_status status = partial_make_pairs(s, error);
    if (!status)
        status = mincycle_find(&s->partial->pairs, s->twice, true, &found, error);
    if (!status && found.infeasible) {
        status = set_witness(s, &found, error);
        if (!status)
            status = witness_name(s->sync, &s->witness, error);
        if (!status)
            status = outcome_refuse(s->sync, s->options, error);
    }
    mincycle_fini(&found);
    return status;
}

static csy_status partial_start_delta(struct solver *s, csy_error *error)
{
    const csy_options *options = s->options;
    const csy_fraction least = {solution_least_twice(s->sync), 1};
    s->twice = least;
    s->window = least.num;
    if (options->relax == CSY_RELAX_GIVEN &&
        (!fraction_make((int128)2 * options->delta.num, options->delta.den, &s->twice) ||
         !fraction_twice_ceil(options->delta, &s->window) || s->window >= WALK_MAX))
        return error_set(error, CSY_USAGE, "delta is too large for 64-bit arithmetic");
    if (options->relax == CSY_RELAX_EXACT && s->least_added > least.num) {
        s->twice = (csy_fraction){s->least_added, 1};
        s->window = s->least_added;
    }
    if (s->twice.num < least.num * s->twice.den)
        s->twice = least;
    s->window = s->window < least.num ? least.num : s->window;
    return CSY_OK;
}

static csy_status close_pairs(struct solver *s, csy_error *error)
{
    const struct partial *partial = s->partial;
    const struct pairs *pairs = &partial->pairs;
    struct dense *dense = &s->sync->bounds.dense;
    size_t n = pairs->nvertices, nclocks = pairs->nclocks;
    int64_t most = 0;
    if (n > CSY_DENSE_THREADS_MAX)
        return error_set(
            error, CSY_MEMORY,
            "%s: the dense engine supports at most %d clocks and groups, but the trace has %zu",
            s->trace->name, CSY_DENSE_THREADS_MAX, n);
    csy_status status = error_check_memory((uint128)n * n * sizeof *dense->closure, s->trace->name,
                                           "dense bounds between all threads", error);
    if (status)
        return status;
    int64_t *m = malloc(n * n * sizeof *m);
    if (!m)
        return error_memory(error);
    for (size_t i = 0; i < n * n; i++)
        m[i] = i % (n + 1) == 0 ? 0 : WALK_INF;
    for (size_t i = 0; i < pairs->count; i++) {
        walk_lower(&m[pairs->items[i].s * n + pairs->items[i].t], partial->weight[i]);
        most = partial->weight[i] > most ? partial->weight[i] : most;
    }
    if ((int128)most * (int128)(n + 1) < WALK_FAR)
        status = closure_make(m, n, s->trace->workers, s->progress, error);
    else if (!closure_make_checked(m, n))
        status = error_set(error, CSY_INPUT,
                           "the differences between clocks are too large for 64-bit arithmetic");
    for (size_t t = 0; t < nclocks; t++)
        memmove(m + t * nclocks, m + t * n, nclocks * sizeof *m);
    *dense = (struct dense){nclocks, m};
    return status;
}

static csy_status make_records(struct solver *s, csy_error *error)
{
    struct partial *partial = s->partial;
    struct bounds *bounds = &s->sync->bounds;
    uint64_t entries = (uint64_t)ENTRIES_PER_PAIR * partial->pairs.count + partial->pairs.nvertices;
    struct mindegree order;
    csy_status status =
        mindegree_find(&partial->pairs, (uint32_t)s->sync->reference,
                       entries < ENTRIES_MAX ? entries : ENTRIES_MAX, WORK_MAX, &order, error);
    if (status)
        return status;
    if (order.cut_short || order.cells_most > CELLS_MAX)
        status = search_init(&bounds->search, &partial->pairs, partial->weight, error);
    else
        status = eliminate_pairs(&partial->pairs, partial->weight, &order, &bounds->sweep, error);
    mindegree_fini(&order);
    return status;
}

static csy_status place_islands(struct solver *s, int64_t *g, csy_error *error)
{
    const struct survey *survey = &s->sync->survey;
    struct search_graph graph;
    size_t n = survey->threads.count, count;
    const struct pairs *pairs = &s->partial->pairs;
    struct island_clock *clocks = malloc((n + 1) * sizeof *clocks);
    int64_t *weight = malloc((pairs->count + 1) * sizeof *weight);
    if (!clocks || !weight) {
        FREE_ALL(clocks, weight);
        return error_memory(error);
    }
    for (size_t i = 0; i < pairs->count; i++)
        weight[i] = s->partial->strict ? pairs->items[i].weight : s->partial->weight[i];
    for (size_t t = 0; t < n; t++) {
        const struct thread *thread = &survey->threads.items[t];
        clocks[t] = (struct island_clock){thread->first_record, thread->records,
                                          rebase_x(&survey->rough, (uint32_t)t, thread->min_ticks),
                                          survey->rough.offset[s->sync->reference] -
                                              survey->rough.offset[t]};
    }
    const struct islands_rule rule = {s->sync->reference,
                                      s->sync->alpha,
                                      clocks,
                                      NULL,
                                      NULL,
                                      threads_keep_times(&survey->threads, s->trace->loose)};
    csy_status status = search_init(&graph, pairs, weight, error);
    if (!status)
        status = islands_place(&graph, &rule, g, NULL, &count, error);
    search_fini(&graph);
    FREE_ALL(clocks, weight);
    return status;
}

static csy_status set_offsets(struct solver *s, csy_error *error)
{
    struct csy_sync *sync = s->sync;
    size_t n = sync->survey.threads.count, unbounded = 0;
    int64_t *g = malloc(3 * n * sizeof *g);
    if (!g)
        return error_memory(error);
    int64_t *from = g + n, *to = from + n;
    const struct bounds *bounds = &s->sync->bounds;
    for (size_t t = 0; t < bounds->n; t++)
        from[t] = to[t] = t == s->sync->reference ? 0 : WALK_INF;
    csy_status status = bounds_around(bounds, from, to, s->sync->trace->workers, error);
    if (!status)
        status = place_islands(s, g, error);
    if (!status)
        status = solution_shift_offsets(sync, g, error);
    if (!status)
        status = outcome_set_ends(sync, from, to, error);
    if (!status)
        status = set_records_place(sync, error);
    for (size_t t = 0; t < n && !status; t++)
        unbounded += from[t] >= WALK_FAR || to[t] >= WALK_FAR;
    free(g);
    if (!status)
        status = outcome_gather_figures(
            sync, NULL,
            s->options->statistics == CSY_STATISTICS_ALL ? UINT64_MAX : CSY_STATISTICS_STEPS_MAX,
            error);
    sync->summary.unbounded_threads = unbounded;
    return status;
}

static csy_status solve_ours(struct solver *s, csy_error *error)
{
    csy_status status = partial_start_delta(s, error);
    if (status)
        return status;
    status = s->options->relax == CSY_RELAX_EXACT ? find_delta(s, error) : test_delta(s, error);
    if (!status)
        status = witness_name(s->sync, &s->witness, error);
    free(s->witness.items);
    s->witness.items = NULL;
    if (!status)
        status = outcome_set_imprecision(s->sync, s->options->relax, s->twice, error);
    if (!status) {
        struct partial *partial = s->partial;
        struct pairs *pairs = &partial->pairs;
        int64_t added = s->sync->imprecision.added_ticks;
        int64_t *label = malloc((pairs->nvertices + 1) * sizeof *label);
        partial->weight = malloc((pairs->count + 1) * sizeof *partial->weight);
        struct mincycle found = {0};
        status = label && partial->weight ? CSY_OK : error_memory(error);
        /* Independent clocks always have a timestamp error, but constraints may not need it. */
        if (!status && s->trace->independent)
            status = mincycle_find(pairs, (csy_fraction){0, 1}, true, &found, error);
        partial->strict = s->trace->independent && !status && !found.infeasible;
        s->sync->ordered = partial->strict;
        mincycle_fini(&found);
        if (!status)
            status = mincycle_labels(pairs, partial->strict ? 0 : added, label, error);
        for (size_t i = 0; i < pairs->count && !status; i++) {
            struct clock_pair *pair = &pairs->items[i];
            pair->weight += label[pair->s] - label[pair->t];
            partial->weight[i] = pair->weight + (pair_counts(pairs, pair) ? added : 0);
        }
        for (size_t t = 0; t < pairs->nclocks && !status; t++)
            s->sync->survey.rough.offset[t] -= label[t];
        struct points *points = partial_points(partial);
        for (size_t p = 0; p < points->count && !status; p++) {
            struct instant *item = &points->items[p];
            size_t v = instant_is_hub(item) ? pairs->nclocks + item->clock : item->clock;
            int64_t by = v < pairs->nvertices ? label[v] : 0;
            item->lo -= item->lo == LO_NONE ? 0 : by;
            item->hi -= item->hi == HI_NONE ? 0 : by;
        }
        free(label);
        s->sync->bounds.n = s->sync->survey.threads.count;
        if (status)
            return status;
        status =
            s->options->engine == CSY_ENGINE_DENSE ? close_pairs(s, error) : make_records(s, error);
    }
    return status ? status : set_offsets(s, error);
}

/* --- Reading a trace in partial order ------------------------------------------------------ */

static void forget_reading(struct solver *s)
{
    struct timeline_rules rules = s->sync->survey.rules;
    partial_fini(s->partial);
    survey_fini(&s->sync->survey);
    s->sync->survey = (struct survey){.rules = rules};
}

static csy_status start_reading(struct solver *s, csy_error *error)
{
    forget_reading(s);
    s->partial->flat = s->flat != NULL;
    csy_status status = match_new(s->flat ? &s->partial->lives : &s->partial->points,
                                  s->options->latency_ticks, s->trace, &s->partial->match, error);
    if (!status)
        match_set_latency_max(s->partial->match, s->options->latency_max_ticks);
    if (!status && s->flat) {
        uint32_t rate = s->sync->drift ? (uint32_t)s->options->drift_ppb : 0;
        int64_t window = knots_window(s->close_added, rate);
        status =
            blocks_only_start(s->flat, s->sync, window < WALK_MAX ? window : WALK_MAX, rate, error);
        s->flat->line.lives = &s->partial->lives;
    }
    if (!status && s->stores_all)
        match_store_all(s->partial->match, true);
    s->partial->points.begins_follow = s->begins_follow;
    s->partial->points.close_ticks =
        knots_window(s->close_added, s->sync->drift ? s->options->drift_ppb : 0);
    s->partial->least_added = s->least_added;
    bool loose = s->trace->loose && s->options->method == CSY_METHOD_BHH;
    return status || !loose ? status : loose_order_start(&s->loose, s->sync, s->options, error);
}

static csy_status take_event(void *user, const struct event *event, csy_error *error)
{
    struct solver *s = user;
    int64_t x = rebase_x(&s->sync->survey.rough, event->thread, event->local_ticks);
    return s->loose.loose ? loose_event(s->loose.loose, event, x, error)
           : s->flat      ? blocks_only_event(&s->flat->line, event, x, error)
                          : match_event(s->partial->match, event, x, error);
}

static csy_status start_survey(void *user, struct taker *taker, csy_error *error)
{
    struct solver *s = user;
    *taker = (struct taker){
        .sink.over = s->flat ? &s->flat->line.broken : NULL, .observe = take_event, .observer = s};
    return start_reading(s, error);
}

static csy_status survey(struct solver *s, csy_error *error)
{
    struct first_pass first = {
        .start = start_survey, .user = s, .progress = s->progress, .alone = true};
    forget_reading(s);
    return pass_survey(s->trace, &s->sync->survey, &first, error);
}

static csy_status finish_match(struct solver *s, uint64_t *place, csy_error *error)
{
    const struct points *points = &s->partial->points;
    csy_status status = match_finish(s->partial->match, place, error);
    s->told = points->told;
    s->least_told = points->least_told;
    s->least_above = points->least_above;
    return status;
}

/* Sort the stored events by their order. If it is cyclic and s->begins_follow is true, set *again,
 * because the cycle may vanish without that rule. */
static csy_status order_points(struct solver *s, bool *again, csy_error *error)
{
    struct visit_cycle cycle;
    uint64_t place = 0;
    csy_status status = finish_match(s, &place, error);
    if (status)
        return status == CSY_INPUT ? trace_at_place(s->trace, place, status, error) : status;
    status = visit_order(&s->partial->points, &s->partial->order, &cycle, error);
    *again = cycle.length > 0 && s->begins_follow;
    s->cyclic = cycle.length > 0 && s->told;
    if (!status && cycle.length > 0 && !*again)
        status = partial_refuse_cycle(s->sync, &cycle, error);
    visit_cycle_fini(&cycle);
    return status;
}

/* Set *good to false if constraints form a cycle without slack, because the order of records may
 * then be cyclic. The constraints must be free of contradictions. */
static csy_status check_cycles(struct solver *s, bool *good, csy_error *error)
{
    const struct pairs *pairs = &s->partial->pairs;
    size_t n = pairs->nvertices, count = 0, ntight = 0;
    int64_t *label = malloc((n + 1) * sizeof *label);
    size_t *start = calloc(n + 2, sizeof *start);
    uint32_t *to = malloc((pairs->count + 1) * sizeof *to);
    uint32_t *component = malloc((n + 1) * sizeof *component);
    csy_status status = label && start && to && component ? mincycle_labels(pairs, 0, label, error)
                                                          : error_memory(error);
    for (size_t v = 0; v < n && !status; v++) {
        for (size_t i = pairs->first[v]; i < pairs->first[v + 1]; i++) {
            const struct clock_pair *pair = &pairs->items[i];
            if (label[pair->s] + pair->weight == label[pair->t])
                to[ntight++] = pair->t;
        }
        start[v + 1] = ntight;
    }
    if (!status)
        status = components_find(n, start, to, component, &count, error);
    *good = count == n;
    FREE_ALL(label, start, to, component);
    return status;
}

/* Read a trace where blocks of the trace buffer, spawns, and joins order the events. *good becomes
 * false if there are other kinds of order. `exact` is true if timestamps have no error. */
static csy_status read_flat(struct solver *s, bool exact, bool *good, csy_error *error)
{
    struct blocks_only flat = {.has_lives = false};
    s->flat = &flat;
    csy_status status = survey(s, error);
    *good = !flat.line.broken;
    if (!status && *good)
        status = blocks_only_finish(&flat, s->sync, error);
    if (!status && *good && flat.has_lives) {
        /* Spawns and joins may contradict the order of blocks. */
        struct mincycle found = {0};
        if (exact)
            status = mincycle_find(&s->partial->pairs, (csy_fraction){0, 1}, true, &found, error);
        *good = exact && !found.infeasible;
        mincycle_fini(&found);
        if (!status && *good)
            status = check_cycles(s, good, error);
    }
    blocks_only_fini(&flat);
    s->flat = NULL;
    return status;
}

static csy_status choose_reference(const struct solver *s, csy_error *error)
{
    bool ours = s->options->method == CSY_METHOD_BHH;
    csy_status status = solution_name_threads(s->sync, error);
    return status ? status
                  : solution_choose_reference(s->sync, ours ? s->options->reference : NULL, error);
}

/* Read a trace ordered only by the roles of events. Drop constraints that follow from others. */
static csy_status read_loose(struct solver *s, csy_error *error)
{
    struct visit_cycle cycle = {.length = 0};
    uint64_t place;
    csy_status status = survey(s, error);
    if (!status)
        status = choose_reference(s, error);
    if (!status)
        status = loose_order_finish(&s->loose, s->sync, error);
    loose_order_stop(&s->loose);
    if (!status)
        status = finish_match(s, &place, error);
    if (!status)
        status = visit_order(&s->partial->points, &s->partial->order, &cycle, error);
    if (!status && cycle.length > 0)
        status = partial_refuse_cycle(s->sync, &cycle, error);
    visit_cycle_fini(&cycle);
    s->sync->matched = match_report(s->partial->match);
    return status;
}

static csy_status partial_read(struct solver *s, csy_error *error)
{
    const csy_options *options = s->options;
    bool good = false, exact = solution_least_twice(s->sync) == 0 &&
                               (options->relax != CSY_RELAX_GIVEN || options->delta.num == 0);
    csy_status status = CSY_OK;
    bool ours = options->method == CSY_METHOD_BHH,
         limited = s->trace->limits || s->options->latency_max_ticks < INT64_MAX;
    if (ours && s->trace->loose)
        return read_loose(s, error);
    bool flat = ours && !s->no_flat && !limited;
    bool streams = ours && order_walk_can(s->trace) && !s->no_streams && !limited;
    s->streamed = false;
    if (streams) {
        struct survey *survey = &s->sync->survey;
        struct timeline timeline;
        bool again;
        size_t clocks_most = s->sync->drift ? REDUCE_PASSES_HUBS : partial_hubs_most(s->trace);
        status = start_reading(s, error);
        struct walked *walked = s->partial->walked = calloc(1, sizeof *walked);
        if (!status)
            status = walked ? partial_start_delta(s, error) : error_memory(error);
        if (status)
            return status;
        status = timeline_init(&timeline, s->trace, &survey->rules, NULL, error);
        if (!status)
            status = fast_streams_read(&timeline, clocks_most, &survey->rough, s->partial->match,
                                       &walked->found, error);
        s->streamed = !status && walked->found.good;
        if (s->streamed)
            status = survey_end(survey, &timeline, &again, error);
        timeline_fini(&timeline);
        s->streamed &= !status;
    }
    if (s->streamed) {
        struct walked *walked = s->partial->walked;
        s->partial->streamed = true;
        s->sync->matched = match_report(s->partial->match);
        /* If the timestamp error is 0, timestamps show which location sent or received. */
        walked->exact = s->close_added == 0;
        s->told = walked->found.nshared > 0 && walked->exact;
        s->least_told = 0;
        s->least_above = walked->found.nshared > 0 && !walked->exact;
    } else if (!status && streams) {
        forget_reading(s);
    }
    if (status || s->streamed)
        return status;
    if (flat && !s->trace->has_keys)
        status = read_flat(s, exact, &good, error);
    if (!status && good)
        s->sync->matched = match_report(s->partial->match);
    if (status || good)
        return status;
    s->stores_all = s->begins_follow = !method_of(options->method)->moves_threads;
    s->twice = (csy_fraction){0, 1};
    /* At first, assume that an event begins after the earlier records of its location. If the order
     * is then cyclic, the assumption is wrong, so read the trace again without it. */
    bool again = true;
    for (; again && !status; s->begins_follow = s->begins_follow && !again) {
        again = false;
        status = survey(s, error);
        if (!status)
            status = order_points(s, &again, error);
    }
    if (!status)
        s->sync->matched = match_report(s->partial->match);
    return status;
}

/* --- The whole ----------------------------------------------------------------------------- */

static csy_status solve_once(struct solver *s, csy_error *error)
{
    bool ours = s->sync->method == CSY_METHOD_BHH;
    csy_status status = partial_read(s, error);
    if (!status && !s->partial->loose)
        status = choose_reference(s, error);
    /* The least and the longest latencies may contradict each other, whatever delta is. */
    const struct points *points = &s->partial->points;
    const struct order_limit *limit = NULL;
    if (!status && ours && points->nlimits > 0)
        status = limits_contradicted(points, s->partial->order, &limit, error);
    if (!status && limit) {
        const char *name = limit->key == NO_KEY ? "" : points->keys + limit->key;
        char key[ERROR_ESCAPED_MAX], place[CSY_PLACE_TEXT_MAX];
        return error_set(
            error, CSY_INFEASIBLE,
            "%s: infeasible: %s: the order of events and the latencies contradict the %s '%s' "
            "(within %" PRId64 " ticks), regardless of the timestamps",
            s->trace->name, csy_trace_place_text(s->trace, limit->place, place),
            limit->kind == LIMIT_LATENCY ? "maximum latency of message"
            : limit->kind == LIMIT_SAME  ? "same moment"
                                         : "offset to clock",
            error_escape(key, name, strlen(name)), limit->most_ticks);
    }
    if (!status && s->sync->drift) {
        status = drift_solve_partial(s->sync, s->options, error);
    } else if (!status && ours) {
        status = solve_ours(s, error);
    } else if (!status) { /* the other methods, such as least squares, compute no bounds */
        csy_method method = s->sync->method;
        s->sync->imprecision.delta.den = 1;
        for (size_t t = 0; t < s->sync->survey.threads.count; t++) {
            s->sync->views[t].earliest_ticks = INT64_MIN;
            s->sync->views[t].latest_ticks = INT64_MAX;
        }
        status = method == CSY_METHOD_LSQ || method == CSY_METHOD_ENDS
                     ? messages_fit(s->sync, error)
                 : method == CSY_METHOD_NTP ? ntp_place(s->sync, error)
                                            : logical_place(s->sync, error);
    }
    /* If global times satisfy all constraints, no message is received before it is sent. So nothing
     * needs to be counted. */
    bool ordered = ours && (s->sync->imprecision.added_ticks == 0 || s->sync->ordered);
    if (!status && ordered && s->partial->streamed)
        s->partial->ours = (csy_backward){.known = true};
    if (status || ordered)
        return status;
    return s->partial->flat ? blocks_only_measure(s->sync, s->progress, error)
           : s->partial->loose && s->partial->streamed
               ? loose_measure(s->sync, s->progress, error)
               : partial_measure(s->sync, !ours, s->progress, error);
}

static void start_again(struct solver *s)
{
    solution_reset(s->sync);
    if (s->sync->drift)
        drift_reset(s->sync->drift);
    s->sync->imprecision = s->imprecision;
    s->sync->summary = s->summary;
}

static csy_status solve_matched(struct solver *s, csy_error *error)
{
    csy_status status = solve_once(s, error);
    bool streams = s->streamed && s->partial->walked->failed;
    if (!streams && !(s->partial->flat && s->sync->drift &&
                      (status == CSY_INFEASIBLE ||
                       (!status && s->sync->imprecision.added_ticks > s->close_added))))
        return status;
    s->no_streams |= streams;
    s->no_flat |= !streams;
    start_again(s);
    return solve_once(s, error);
}

/* A greater timestamp error matches fewer records with certainty, so constraints depend on 2 delta.
 * Bisect to find the least 2 delta, in ticks, that satisfies the constraints found with it. */
static csy_status solve_for_least(struct solver *s, csy_error *error)
{
    int64_t low = -1, high = INT64_MAX;
    for (bool halve = false;; halve = !halve) {
        s->cyclic = false;
        csy_status status = solve_matched(s, error);
        int64_t at = s->close_added, asks = s->sync->imprecision.added_ticks;
        int64_t ticks = knots_window(asks, s->sync->drift ? s->options->drift_ppb : 0);
        if ((status && !s->cyclic) || s->least_added > 0)
            return status;
        if (s->cyclic)
            asks = s->least_told > 2 * at ? s->least_told + 1 : 2 * at + 1;
        else if (ticks >= s->least_above && (!s->told || ticks <= s->least_told))
            return CSY_OK;
        *(asks > at ? &low : &high) = at;
        bool within = asks > low && asks < high;
        s->close_added = within && !(halve && high < INT64_MAX) ? asks : low + (high - low + 1) / 2;
        s->least_added = s->close_added == high ? high : 0;
        start_again(s);
    }
}

csy_status partial_solve(struct csy_sync *sync, const csy_options *options,
                         const struct progress *progress, csy_error *error)
{
    const char *line = options->measure                      ? "--measure"
                       : options->relax == CSY_RELAX_PAPER   ? "--relax=paper"
                       : options->engine == CSY_ENGINE_SWEEP ? "--engine=sweep"
                       : options->monotonic                  ? "--monotonic"
                       : options->drop > 0                   ? "--drop"
                       : options->center == CSY_CENTER_LOCAL ? "--center=local"
                                                             : NULL;
    if (line)
        return error_set(
            error, CSY_USAGE,
            "%s: %s requires a trace in one buffer, but this trace is in partial order",
            sync->trace->name, line);
    if (sync->trace->loose && !method_of(options->method)->moves_threads)
        return error_set(error, CSY_USAGE,
                         "%s: --method=%s requires the order of the %ss of each thread, but this "
                         "trace does not contain it",
                         sync->trace->name, method_of(options->method)->word,
                         sync->trace->source->called ? sync->trace->source->called : "record");
    struct solver s = {.trace = sync->trace,
                       .sync = sync,
                       .options = options,
                       .progress = progress,
                       .partial = calloc(1, sizeof *s.partial)};
    if (!s.partial)
        return error_memory(error);
    sync->partial = s.partial;
    sync->latency_ticks = options->latency_ticks;
    sync->latency_max_ticks = options->latency_max_ticks;
    bool ours = sync->method == CSY_METHOD_BHH;
    s.imprecision = sync->imprecision;
    s.summary = sync->summary;
    csy_status status = ours ? partial_start_delta(&s, error) : CSY_OK;
    s.close_added = ours ? s.window : 0;
    if (!status)
        status = ours && options->relax == CSY_RELAX_EXACT ? solve_for_least(&s, error)
                                                           : solve_matched(&s, error);
    loose_order_stop(&s.loose);
    return status;
}
