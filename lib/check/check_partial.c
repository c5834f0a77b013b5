/* Proves a solution of a trace in partial order. */
#include "check/check.h"

#include "base/error.h"
#include "clock/global.h"
#include "clock/points.h"
#include "order/known.h"
#include "order/match.h"
#include "order/visit.h"

#include <stdlib.h>
#include <string.h>

/* Proof of the places of clocks that the reference does not limit on both sides. See
 * doc/algorithms.md, Partial orders. A component is a set of clocks that limit each other on both
 * sides. First, the offsets inside each component are proved, then the places of components,
 * beginning with the reference's component. A component that only earlier events limit must be as
 * early as possible, and one that only later events limit, as late as possible. All others begin
 * where the reference's component begins. */

/* The proof stops after this many visits of points in all passes. */
#define STEPS_MAX ((uint64_t)1 << 31)

#define NO_COMPONENT UINT32_MAX

struct check_partial {
    struct check *check;
    struct points points; /* points in global time relative to the first record */
    struct match *match;
    uint32_t *order;
    bool any;
    bool limits_need_delta;
    int64_t first_ticks;

    /* Members for one pass over the points: */
    int64_t *start; /* for each clock: limit of its offset minus its offset, or KNOWN_NONE */
    bool forwards, changed;
    uint64_t steps;

    /* Members for the proof of the places of components: */
    size_t n;     /* number of clocks */
    bool *wanted; /* for each component: true if the pass may reach it */
    bool tight;   /* true if only constraints that hold with equality count */
    /* for each clock: its latest ([0]) and earliest ([1]) offset minus its offset */
    int64_t *ends[2];
    /* for each clock: its component, and the component's next clock or NO_THREAD */
    uint32_t *component, *member;
    uint32_t *first, *reference; /* for each component: its first clock, and its reference clock */
    bool *placed, *reached;      /* for each component: place proved; reached by the pass */
    size_t ncomponents;
};

static csy_status walk_points(struct check_partial *p, known_show show, csy_error *error)
{
    p->steps += p->points.count;
    csy_status status = known_walk(&p->points, p->order, p->forwards, p->start, show, p, error);
    return status ? status : known_limits(&p->points, p->forwards, p->start, show, p, error);
}

/* Get the amount that a point could move towards the points before it (backwards: after it) within
 * all constraints and delta. *any is false if nothing limits it. */
static csy_status room_at(const struct check_partial *p, uint32_t point, int64_t known, bool *any,
                          int64_t *room, csy_error *error)
{
    const struct instant *item = &p->points.items[point];
    int64_t x = p->forwards ? item->hi : item->lo;
    int128 far = p->forwards ? (int128)x - known : -(int128)known - x;
    *any = known != KNOWN_NONE && x != (p->forwards ? HI_NONE : LO_NONE);
    far += p->check->strict ? 0 : p->check->table.added_ticks;
    *room = *any ? (int64_t)far : 0;
    return !*any || (fits_int64(far) && fits_int64(-far))
               ? CSY_OK
               : error_set(error, CSY_INPUT,
                           "the sum of a timestamp and latencies does not fit 64 bits");
}

/* --- Components ---------------------------------------------------------------------------- */

/* Move the limit of a clock towards its offset, as far as this point requires. */
static csy_status move_end(void *user, uint32_t point, int64_t known, csy_error *error)
{
    struct check_partial *p = user;
    int64_t *start = &p->start[p->points.items[point].clock], room;
    bool any;
    csy_status status = room_at(p, point, known, &any, &room, error);
    int64_t end = p->forwards ? -room : room;
    if (status || !any || (*start != KNOWN_NONE && (p->forwards ? *start >= end : *start <= end)))
        return status;
    *start = end;
    p->changed = true;
    return CSY_OK;
}

static csy_status find_ends(struct check_partial *p, size_t reference, bool forwards,
                            csy_error *error)
{
    csy_status status = CSY_OK;
    for (size_t t = 0; t < p->check->table.rows.count; t++)
        p->start[t] = t == reference ? 0 : KNOWN_NONE;
    p->forwards = forwards;
    for (p->changed = true; p->changed && !status;) {
        p->changed = false;
        status = walk_points(p, move_end, error);
    }
    return status;
}

static csy_status find_distances(struct check_partial *p, size_t reference, csy_error *error)
{
    csy_status status = CSY_OK;
    for (int forwards = 1; forwards >= 0 && !status; forwards--) {
        status = find_ends(p, reference, forwards, error);
        memcpy(p->ends[forwards], p->start, p->n * sizeof *p->start);
    }
    return status;
}

static bool is_within(const struct check_partial *p, size_t t)
{
    return p->ends[0][t] != KNOWN_NONE && p->ends[1][t] != KNOWN_NONE;
}

/* Find the component of clock t, and prove the offsets inside. Other code proves the offsets in the
 * component of the reference tau, unless they were placed with delta 0. */
static csy_status make_component(struct check_partial *p, size_t t, size_t tau, csy_error *error)
{
    const struct thread *threads = p->check->survey.threads.items;
    const struct table_thread *rows = p->check->table.rows.threads;
    const csy_fraction alpha = p->check->table.alpha;
    uint32_t c = (uint32_t)p->ncomponents++, last = NO_THREAD;
    csy_status status = find_distances(p, t, error);
    size_t reference = t;
    /* Choose the clock with the most records; of several such clocks, the first one. */
    for (size_t u = 0; u < p->n && t != tau && !status; u++)
        if (is_within(p, u) && threads[u].records > threads[reference].records)
            reference = u;
    if (!status && reference != t)
        status = find_distances(p, reference, error);
    p->reference[c] = (uint32_t)reference;
    p->first[c] = NO_THREAD;
    for (size_t u = p->n; u-- > 0 && !status;) {
        if (!is_within(p, u))
            continue;
        p->component[u] = c;
        p->member[u] = last;
        p->first[c] = last = (uint32_t)u;
        int128 own = rows[u].offset_ticks, base = rows[reference].offset_ticks;
        int128 before = base - (own + p->ends[1][u]), after = own + p->ends[0][u] - base;
        int128 place =
            base + floor_div(alpha.num * after - (alpha.den - alpha.num) * before, alpha.den);
        if ((c > 0 || p->check->strict) && own != place)
            status = check_fail_thread(
                p->check, u, "the offset of this thread is not at the fraction alpha of its bounds",
                error);
    }
    return status;
}

/* --- Places -------------------------------------------------------------------------------- */

static void set_component(struct check_partial *p, uint32_t c, int64_t start)
{
    for (uint32_t t = p->first[c]; t != NO_THREAD; t = p->member[t])
        p->start[t] = start;
}

/* Mark the point's component as reached if a reached or placed component limits this point. */
static csy_status reach(void *user, uint32_t point, int64_t known, csy_error *error)
{
    struct check_partial *p = user;
    uint32_t c = p->component[p->points.items[point].clock];
    int64_t room;
    bool any;
    csy_status status = room_at(p, point, known, &any, &room, error);
    if (status || !any || p->placed[c] || p->reached[c] || !p->wanted[c] || (p->tight && room != 0))
        return status;
    p->reached[c] = p->changed = true;
    set_component(p, c, 0);
    return CSY_OK;
}

/* Find all wanted components that placed ones limit (if `tight`, by constraints with equality). */
static csy_status reach_all(struct check_partial *p, bool forwards, bool tight, csy_error *error)
{
    csy_status status = CSY_OK;
    p->forwards = forwards;
    p->tight = tight;
    memset(p->reached, 0, p->ncomponents * sizeof *p->reached);
    for (uint32_t c = 0; c < p->ncomponents; c++)
        set_component(p, c, p->placed[c] ? 0 : KNOWN_NONE);
    for (p->changed = true; p->changed && !status;) {
        p->changed = false;
        status = walk_points(p, reach, error);
    }
    return status;
}

/* Prove one turn: the *n components limited by earlier events of placed ones are as early as
 * possible. In backward passes, those limited by later events are as late as possible. */
static csy_status prove_turn(struct check_partial *p, bool forwards, size_t *n, csy_error *error)
{
    *n = 0;
    for (size_t c = 0; c < p->ncomponents; c++)
        p->wanted[c] = true;
    csy_status status = reach_all(p, forwards, false, error);
    if (status)
        return status;
    memcpy(p->wanted, p->reached, p->ncomponents * sizeof *p->wanted);
    for (size_t c = 0; c < p->ncomponents; c++)
        *n += p->wanted[c];
    if (*n > 0)
        status = reach_all(p, forwards, true, error);
    for (size_t c = 0; c<p->ncomponents && * n> 0 && !status; c++) {
        if (p->wanted[c] && !p->reached[c])
            return check_fail_thread(p->check, p->first[c],
                                     forwards ? "the offset of this thread could be smaller: it is "
                                                "not at its limit from earlier events"
                                              : "the offset of this thread could be larger: it is "
                                                "not at its limit from later events",
                                     error);
        p->placed[c] |= p->reached[c];
    }
    return status;
}

static int128 least_of(const struct check_partial *p, uint32_t c)
{
    const struct check *check = p->check;
    int128 least = 0;
    for (uint32_t t = p->first[c]; t != NO_THREAD; t = p->member[t]) {
        int128 time = placement_global(check->table.rows.threads[t].offset_ticks,
                                       check->survey.threads.items[t].min_ticks);
        least = t == p->first[c] || time < least ? time : least;
    }
    return least;
}

static int64_t offset_of(const struct check_partial *p, uint32_t c)
{
    return p->check->table.rows.threads[p->reference[c]].offset_ticks;
}

/* Prove the places of components after the bounds. *left becomes the number of clocks for which
 * this takes too long. Returns CSY_CHECK if a place is wrong. */
static csy_status check_islands(struct check_partial *p, size_t tau, size_t *left, csy_error *error)
{
    size_t n = p->n = p->check->table.rows.count;
    bool own_times = threads_keep_times(&p->check->survey.threads, p->check->trace->loose);
    int64_t *ends = calloc(2 * n + 2, sizeof *ends);
    uint32_t *ids = calloc(4 * n + 4, sizeof *ids);
    bool *marks = calloc(3 * n + 3, sizeof *marks);
    csy_status status = ends && ids && marks ? CSY_OK : error_memory(error);
    if (!status) {
        p->steps = 0;
        p->ends[0] = ends;
        p->ends[1] = ends + n;
        p->component = ids;
        p->member = ids + n;
        p->first = ids + 2 * n;
        p->reference = ids + 3 * n;
        p->wanted = marks;
        p->placed = marks + n;
        p->reached = marks + 2 * n;
        memset(p->component, 0xff, n * sizeof *p->component);
        status = make_component(p, tau, tau, error);
        for (size_t t = 0; t < p->n && p->steps < STEPS_MAX && !status; t++)
            if (p->component[t] == NO_COMPONENT)
                status = make_component(p, t, tau, error);
        /* Component 0 contains the reference. The others are sorted by their first records. */
        for (uint32_t c = 0; c < p->ncomponents && p->steps < STEPS_MAX && !status; c++) {
            if (p->placed[c])
                continue;
            if (own_times && offset_of(p, c) != offset_of(p, 0))
                status = check_fail_thread(p->check, p->reference[c],
                                           "this thread is not connected with the reference, but "
                                           "does not have its offset",
                                           error);
            else if (!own_times && least_of(p, c) != least_of(p, 0))
                status = check_fail_thread(p->check, p->first[c],
                                           "this thread is not connected with the reference, and "
                                           "its group does not begin at the same global time",
                                           error);
            p->placed[c] = true;
            bool forwards = true;
            for (size_t placed = 0, idle = 0; idle < 2 && !status; forwards = !forwards) {
                status = prove_turn(p, forwards, &placed, error);
                idle = placed > 0 ? 0 : idle + 1;
            }
        }
        *left = 0;
        for (size_t t = 0; t < p->n && p->steps >= STEPS_MAX; t++)
            /* clocks that the reference limits on both sides are proved already */
            *left += p->component[t] != 0;
    }
    free(ends);
    free(ids);
    free(marks);
    return status;
}

/* --- The check ------------------------------------------------------------------------------- */

csy_status check_match(const struct check *check, struct points *points, int64_t latency_ticks,
                       int64_t latency_max_ticks, struct match **out, csy_error *error)
{
    csy_status status = match_new(points, latency_ticks, check_source(check), out, error);
    if (!status)
        match_set_latency_max(*out, latency_max_ticks);
    if (!status)
        match_store_all(*out, true);
    return status;
}

csy_status check_visit(const struct check *check, struct match *match, struct points *points,
                       uint32_t **order, csy_error *error)
{
    struct visit_cycle cycle = {0};
    uint64_t place = 0;
    csy_status status = match ? match_finish(match, &place, error) : points_finish(points, error);
    if (status)
        return status == CSY_INPUT ? trace_at_place(check_source(check), place, status, error)
                                   : status;
    status = visit_order(points, order, &cycle, error);
    if (!status && cycle.length > 0)
        status = error_set(error, CSY_CHECK,
                           "%s: the events cannot be ordered, because the order contains a cycle",
                           check->trace->name);
    visit_cycle_fini(&cycle);
    return status;
}

csy_status check_partial_new(struct check *check, int64_t latency_ticks, int64_t latency_max_ticks,
                             struct check_partial **out, csy_error *error)
{
    struct check_partial *partial = calloc(1, sizeof *partial);
    if (!partial)
        return error_memory(error);
    partial->check = check;
    partial->points.close_ticks = check->table.added_ticks;
    *out = partial;
    return check_match(check, &partial->points, latency_ticks, latency_max_ticks, &partial->match,
                       error);
}

void check_partial_free(struct check_partial *partial)
{
    if (!partial)
        return;
    match_free(partial->match);
    points_fini(&partial->points);
    free(partial->order);
    free(partial->start);
    free(partial);
}

csy_status check_partial_event(struct check_partial *partial, const struct event *event,
                               int64_t global_ticks, csy_error *error)
{
    if (!partial->any)
        partial->first_ticks = global_ticks;
    partial->any = true;
    int128 x = (int128)global_ticks - partial->first_ticks;
    if (x >= X_MAX || x <= -X_MAX)
        return check_fail_at(
            partial->check, event->position,
            "the global time of this record is 2^58 ticks or more from the first one", error);
    return match_event(partial->match, event, (int64_t)x, error);
}

/* Compare a limit with the offsets. Set limits_need_delta if it is violated at delta 0. */
static csy_status meet_limit(void *user, uint32_t point, int64_t known, csy_error *error)
{
    struct check_partial *p = user;
    const struct instant *item = &p->points.items[point];
    int128 size = (int128)known - item->hi;
    if (known == KNOWN_NONE || item->hi == HI_NONE || size <= 0)
        return CSY_OK;
    p->limits_need_delta = true;
    return size <= p->check->table.added_ticks
               ? CSY_OK
               : check_fail_at(p->check, item->position,
                               "a message or group at this record takes longer than its limit by "
                               "more than delta allows",
                               error);
}

csy_status check_partial_order(struct check_partial *partial, csy_error *error)
{
    struct check *check = partial->check;
    struct known_inversions found = {.first = NO_POINT};
    csy_status status =
        check_visit(check, partial->match, &partial->points, &partial->order, error);
    partial->start = calloc(check->table.rows.count + 1, sizeof *partial->start);
    if (!status && !partial->start)
        status = error_memory(error);
    if (!status)
        status = known_find_inversions(&partial->points, partial->order, partial->start,
                                       check->table.added_ticks, &found, error);
    check->inversions.count = found.records;
    check->inversions.largest_ticks = found.largest_ticks;
    if (!status && found.first == NO_POINT)
        status = known_limits(&partial->points, true, partial->start, meet_limit, partial, error);
    return status || found.first == NO_POINT
               ? status
               : check_fail_at(check, partial->points.items[found.first].position,
                               "the global time of this record is before an event that precedes "
                               "it, by more than delta allows",
                               error);
}

csy_status check_partial_ends(struct check_partial *partial, size_t tau, csy_error *error)
{
    struct check *check = partial->check;
    csy_status status = CSY_OK;
    for (int forwards = 1; forwards >= 0 && !status; forwards--) {
        status = find_ends(partial, tau, forwards, error);
        for (size_t t = 0; t < check->table.rows.count && !status; t++)
            status = check_set_end(check, t, forwards, partial->start[t] == KNOWN_NONE,
                                   partial->start[t], error);
    }
    for (size_t t = 0; t < check->table.rows.count && !status; t++)
        check->unbounded += check->table.rows.threads[t].earliest_ticks == INT64_MIN ||
                            check->table.rows.threads[t].latest_ticks == INT64_MAX;
    /* If clocks tick at different instants, they are placed with delta 0 if possible. */
    check->strict = check_source(check)->independent && check->inversions.count == 0 &&
                    !partial->limits_need_delta;
    return status || (check->unbounded == 0 && !check->strict)
               ? status
               : check_islands(partial, tau, &check->unplaced, error);
}
