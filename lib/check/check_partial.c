/* Proves a solution of a trace in partial order. */
#include "check/check.h"

#include "base/array.h"
#include "base/error.h"
#include "clock/global.h"
#include "clock/knots.h"
#include "clock/points.h"
#include "order/match.h"
#include "order/visit.h"

#include <stdlib.h>
#include <string.h>

/* Constraints divide the clocks into components. Two clocks are in one component if constraints
 * limit the difference of their offsets on both sides. First, each offset is proved relative to one
 * clock of its component. Then it is proved that each component as a whole is in the right place,
 * beginning with the component of the reference. If only earlier events limit a component, it must
 * be as early as possible. If only later events limit it, it must be as late as possible. Without
 * either limit, it must begin at the same global time as the component of the reference. See
 * doc/algorithms.md, Partial orders. */

/* The proof stops after this many visits of points (clock/points.h). */
#define STEPS_MAX ((uint64_t)1 << 31)

#define NO_COMPONENT UINT32_MAX

/* There is no limit. A pass ignores a clock with this value in check_partial.start. */
#define KNOWN_NONE INT64_MIN

/* Greater latency limits, in ticks, are ignored, because they have no effect (graph/reduce.c). */
#define KNOWN_LIMIT_MAX ((int64_t)1 << 59)

struct check_partial {
    struct check *check;
    bool any;
    bool limits_need_delta;
    int64_t first_ticks;

    /* For the current pass over all points (clock/points.h), forwards or backwards: */
    int64_t *start; /* for each clock: number of ticks to add to the offset that the file states; or
                     * KNOWN_NONE */
    bool forwards, changed;
    uint64_t steps;
    /* first point that is earlier than an event that must precede it, by more than delta; or
     * NO_POINT */
    uint32_t inverted;

    /* For the proof of components (see the head of this file): */
    size_t n; /* number of clocks */
    bool *wanted;
    bool tight; /* true to ignore all constraints that the offsets in the file do not satisfy with
                   * equality */
    /* for each clock: by how much its greatest ([0]) and its least ([1]) possible offset exceed the
     * offset in the file */
    int64_t *ends[2];
    /* component[t]: number of the component of clock t. member[t]: next clock of this component, or
     * NO_THREAD */
    uint32_t *component, *member;
    uint32_t *first, *reference;
    /* placed: components proved to be in the right place. reached: components that a placed one
     * limits in this pass, directly or through others */
    bool *placed, *reached;
    size_t ncomponents;
};

/* --- Earliest times of points that earlier points and latencies permit, or latest times --- */

/* A function that is called for a point. In a forward pass, earlier points require that the point
 * is not before the global time `known`. In a backward pass, later points require that it is not
 * after -known. KNOWN_NONE: they require nothing. */
typedef csy_status (*known_show)(void *user, uint32_t point, int64_t known, csy_error *error);

static csy_status refuse(csy_error *error)
{
    error_set(error, CSY_INPUT, "the sum of a timestamp and latencies does not fit 64 bits");
    return CSY_INPUT;
}

static csy_status raise(int64_t *known, int64_t other, int64_t latency_ticks, csy_error *error)
{
    int64_t sum;
    if (other == KNOWN_NONE)
        return CSY_OK;
    if (__builtin_add_overflow(other, latency_ticks, &sum))
        return refuse(error);
    *known = sum > *known ? sum : *known;
    return CSY_OK;
}

/* points[p] is the value `known` (see known_show) of point p. `chains` has the values of the points
 * visited last in each location, and then in each buffer. */
struct known {
    int64_t *points, *chains;
};

/* Compute `known` (see known_show) of point p. All points that precede p must have been visited; in
 * a backward pass, all points that follow p. */
static csy_status visit(const struct check_partial *partial, const struct known *limits, uint32_t p,
                        known_show show, csy_error *error)
{
    const struct points *points = &partial->check->points;
    const struct instant *item = &points->items[p];
    const bool forwards = partial->forwards, hub = instant_is_hub(item);
    int64_t *known = &limits->points[p];
    int64_t *chains[2] = {NULL, NULL};
    csy_status status = CSY_OK;
    if (item->chained)
        chains[0] = &limits->chains[item->location];
    if (item->buffer != NO_BUFFER)
        chains[1] = &limits->chains[points->nlocations + item->buffer];
    for (size_t c = 0; c < 2 && !status; c++)
        if (chains[c])
            status = raise(known, *chains[c], 0, error);
    for (size_t i = points->first_edge[p]; i < points->first_edge[p + 1] && forwards; i++)
        if (!status)
            status = raise(known, limits->points[points->edges[i].from],
                           points->edges[i].latency_ticks, error);
    if (!status && !hub)
        status = show(unconst(partial), p, *known, error);
    int64_t x = forwards ? item->lo : item->hi, own;
    int64_t start = hub ? KNOWN_NONE : partial->start[item->clock];
    if (!status && start != KNOWN_NONE && x != (forwards ? LO_NONE : HI_NONE))
        status = __builtin_add_overflow(x, start, &own) || own == INT64_MIN
                     ? refuse(error)
                     : raise(known, forwards ? own : -own, 0, error);
    for (size_t c = 0; c < 2; c++)
        if (chains[c])
            *chains[c] = *known;
    for (size_t i = points->first_edge[p]; i < points->first_edge[p + 1] && !forwards; i++)
        if (!status)
            status = raise(&limits->points[points->edges[i].from], *known,
                           points->edges[i].latency_ticks, error);
    return status;
}

/* Call `show` for each point that belongs to a record, so that each point comes after all points
 * that precede it. In a backward pass, call it in reverse order. `show` may change p->start, with
 * effect on later points. Returns CSY_INPUT if a sum exceeds 64 bits. Time: O(points + edges).
 * Memory: 8 bytes for each point. */
static csy_status known_walk(struct check_partial *p, known_show show, csy_error *error)
{
    const struct points *points = &p->check->points;
    size_t n = points->count, nchains = points->nlocations + points->nbuffers;
    struct known limits = {malloc((n + 1) * sizeof *limits.points),
                           malloc((nchains + 1) * sizeof *limits.chains)};
    csy_status status = limits.points && limits.chains ? CSY_OK : error_memory(error);
    for (size_t i = 0; i < n && !status; i++)
        limits.points[i] = KNOWN_NONE;
    for (size_t i = 0; i < nchains && !status; i++)
        limits.chains[i] = KNOWN_NONE;
    for (size_t i = 0; i < n && !status; i++)
        status = visit(p, &limits, p->check->order[p->forwards ? i : n - 1 - i], show, error);
    FREE_ALL(limits.points, limits.chains);
    return status;
}

/* Call `show` for each struct order_limit, such as the longest latency of a message. In a forward
 * pass, the later point limits how early the earlier point can be. In a backward pass, the earlier
 * point limits how late the later point can be. Returns CSY_INPUT if a sum exceeds 64 bits. */
static csy_status known_limits(struct check_partial *p, known_show show, csy_error *error)
{
    const struct points *points = &p->check->points;
    csy_status status = CSY_OK;
    for (size_t i = 0; i < points->nlimits && !status; i++) {
        const struct order_limit *limit = &points->limits[i];
        const struct instant *by = &points->items[p->forwards ? limit->later : limit->earlier];
        int64_t x = p->forwards ? by->lo : by->hi, base = p->start[by->clock], known;
        if (base == KNOWN_NONE || x == (p->forwards ? LO_NONE : HI_NONE) ||
            limit->most_ticks > KNOWN_LIMIT_MAX)
            continue;
        if (__builtin_add_overflow(x, base, &known) || known == INT64_MIN)
            return refuse(error);
        known = p->forwards ? known : -known;
        if (__builtin_sub_overflow(known, limit->most_ticks, &known) || known == KNOWN_NONE)
            return refuse(error);
        status = show(p, p->forwards ? limit->earlier : limit->later, known, error);
    }
    return status;
}

static csy_status walk_points(struct check_partial *p, known_show show, csy_error *error)
{
    p->steps += p->check->points.count;
    csy_status status = known_walk(p, show, error);
    return status ? status : known_limits(p, show, error);
}

/* Set *room to the number of ticks that a point could be earlier (in a backward pass: later)
 * without violating `known`. *any is false if nothing limits the point or it has no timestamp. */
static csy_status room_at(const struct check_partial *p, uint32_t point, int64_t known, bool *any,
                          int64_t *room, csy_error *error)
{
    const struct instant *item = &p->check->points.items[point];
    int64_t x = p->forwards ? item->hi : item->lo;
    int128 far = p->forwards ? (int128)x - known : -(int128)known - x;
    *any = known != KNOWN_NONE && x != (p->forwards ? HI_NONE : LO_NONE);
    far += p->check->strict ? 0 : p->check->table.added_ticks;
    *room = *any ? (int64_t)far : 0;
    return !*any || (fits_int64(far) && fits_int64(-far)) ? CSY_OK : refuse(error);
}

/* --- Components ---------------------------------------------------------------------------- */

static csy_status move_end(void *user, uint32_t point, int64_t known, csy_error *error)
{
    struct check_partial *p = user;
    int64_t *start = &p->start[p->check->points.items[point].clock], room;
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

/* Make a component of clock t and all clocks that constraints bound relative to t on both sides.
 * Prove their offsets relative to one of these clocks. This is not necessary in the component of
 * the reference tau, where check_offsets proves them, unless check->strict is true. */
static csy_status make_component(struct check_partial *p, size_t t, size_t tau, csy_error *error)
{
    const struct thread *threads = p->check->survey.threads.items;
    const struct table_thread *rows = p->check->table.rows.threads;
    const csy_fraction alpha = p->check->table.alpha;
    uint32_t c = (uint32_t)p->ncomponents++, last = NO_THREAD;
    csy_status status = find_distances(p, t, error);
    size_t reference = t;
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

static csy_status reach(void *user, uint32_t point, int64_t known, csy_error *error)
{
    struct check_partial *p = user;
    uint32_t c = p->component[p->check->points.items[point].clock];
    int64_t room;
    bool any;
    csy_status status = room_at(p, point, known, &any, &room, error);
    if (status || !any || p->placed[c] || p->reached[c] || !p->wanted[c] || (p->tight && room != 0))
        return status;
    p->reached[c] = p->changed = true;
    set_component(p, c, 0);
    return CSY_OK;
}

/* Set `reached` for all wanted components that a placed component limits, directly or through other
 * components. If `tight` is true, use only constraints that the offsets in the file satisfy with
 * equality. */
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

/* In a forward pass, find all components that are limited by earlier events of placed components.
 * Prove that each of them is as early as possible; it is then placed, too. A backward pass uses
 * later events, and proves that components are as late as possible. *n becomes the number of
 * components found. */
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
    for (size_t c = 0; *n > 0 && c < p->ncomponents && !status; c++) {
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

/* Prove that each component is in the right place, as described at the head of this file. *left
 * becomes the number of clocks that were not checked because this would take too long. */
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
            *left += p->component[t] != 0;
    }
    free(ends);
    free(ids);
    free(marks);
    return status;
}

/* --- The check ------------------------------------------------------------------------------- */

csy_status check_begin_order(struct check *check, csy_error *error)
{
    bool drifts = check->rule.rate_ppb != CSY_NO_DRIFT;
    struct check_partial *partial = check->partial = drifts ? NULL : calloc(1, sizeof *partial);
    csy_status status = drifts ? check_drift_new(check, error) : CSY_OK;
    if (partial)
        partial->check = check;
    else if (!drifts)
        return error_memory(error);
    if (status || !check->trace->partial)
        return status;
    check->points.close_ticks = drifts
                                    ? knots_window(check->table.added_ticks, check->rule.rate_ppb)
                                    : check->table.added_ticks;
    status = match_new(&check->points, check->rule.latency_ticks, check_source(check),
                       &check->match, error);
    if (status)
        return status;
    match_set_latency_max(check->match, check->rule.latency_max_ticks);
    match_store_all(check->match, true);
    return CSY_OK;
}

csy_status check_visit(struct check *check, csy_error *error)
{
    struct visit_cycle cycle = {0};
    uint64_t place = 0;
    csy_status status = check->match ? match_finish(check->match, &place, error)
                                     : points_finish(&check->points, error);
    if (status)
        return status == CSY_INPUT ? trace_at_place(check_source(check), place, status, error)
                                   : status;
    status = visit_order(&check->points, &check->order, &cycle, error);
    if (!status && cycle.length > 0)
        status = error_set(error, CSY_CHECK,
                           "%s: the events cannot be ordered, because the order contains a cycle",
                           check->trace->name);
    visit_cycle_fini(&cycle);
    return status;
}

void check_partial_free(struct check_partial *partial)
{
    if (partial)
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
    return match_event(partial->check->match, event, (int64_t)x, error);
}

/* Called for each struct order_limit: fail if the offsets in the file violate it by more than delta
 * allows. Set limits_need_delta if they violate it by less. */
static csy_status meet_limit(void *user, uint32_t point, int64_t known, csy_error *error)
{
    struct check_partial *p = user;
    const struct instant *item = &p->check->points.items[point];
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

/* Count the point if it is the end of a record and earlier than an event that precedes it.
 * `inverted` becomes the first point for which delta does not explain this. */
static csy_status note_inversion(void *user, uint32_t p, int64_t known, csy_error *error)
{
    struct check_partial *partial = user;
    struct check *check = partial->check;
    const struct instant *item = &partial->check->points.items[p];
    int64_t size;
    if (known == KNOWN_NONE || item->hi == HI_NONE)
        return CSY_OK;
    if (__builtin_add_overflow(item->hi, partial->start[item->clock], &size) ||
        __builtin_sub_overflow(known, size, &size))
        return refuse(error);
    check->inversions.count += size > 0 && item->kind == INSTANT_END;
    if (size > check->inversions.largest_ticks && item->kind == INSTANT_END)
        check->inversions.largest_ticks = size;
    if (size > check->table.added_ticks && partial->inverted == NO_POINT)
        partial->inverted = p;
    return CSY_OK;
}

csy_status check_partial_order(struct check_partial *partial, csy_error *error)
{
    struct check *check = partial->check;
    csy_status status = check_visit(check, error);
    partial->start = calloc(check->table.rows.count + 1, sizeof *partial->start);
    partial->forwards = true;
    partial->inverted = NO_POINT;
    check->inversions.count = 0;
    check->inversions.largest_ticks = 0;
    if (!status && !partial->start)
        status = error_memory(error);
    status = status ? status : known_walk(partial, note_inversion, error);
    if (!status && partial->inverted == NO_POINT)
        status = known_limits(partial, meet_limit, error);
    return status || partial->inverted == NO_POINT
               ? status
               : check_fail_at(check, partial->check->points.items[partial->inverted].position,
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
    check->strict = check_source(check)->independent && check->inversions.count == 0 &&
                    !partial->limits_need_delta;
    return status || (check->unbounded == 0 && !check->strict)
               ? status
               : check_islands(partial, tau, &check->unplaced, error);
}
