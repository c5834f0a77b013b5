/* Proof of the places of clocks that the reference does not bound both ways. */
#include "check/check_islands.h"

#include "base/error.h"
#include "clock/global.h"
#include "order/known.h"

#include <stdlib.h>
#include <string.h>

/* When so many points have been walked over, all walks together, no more is proved. */
#define STEPS_MAX ((uint64_t)1 << 31)

#define NO_COMPONENT UINT32_MAX

struct proving {
    struct check *check;
    const struct points *points;
    const uint32_t *order;
    size_t n;
    uint64_t steps;
    int64_t *start; /* by clock: of a walk */
    bool forwards, changed;
    bool *wanted;     /* by component: it may be reached, else it is passed over */
    bool tight;       /* only by what is kept with equality */
    int64_t *ends[2]; /* by clock: distances from a reference, and to it */
    uint32_t *component,
        *member;                 /* by clock: its component; the next clock of that, or NO_THREAD */
    uint32_t *first, *reference; /* by component: its first clock; and that of its inside */
    bool *placed, *reached;      /* by component */
    size_t ncomponents;
};

static csy_status walk(struct proving *p, known_show show, csy_error *error)
{
    p->steps += p->points->count;
    return known_walk(p->points, p->order, p->forwards, p->start, show, p, error);
}

/* What a point leaves of the distance to those before it, or after it, with what is added: at least
 * 0. */
static csy_status room_at(const struct proving *p, uint32_t point, int64_t known, bool *any,
                          int64_t *room, csy_error *error)
{
    const struct instant *item = &p->points->items[point];
    int64_t x = p->forwards ? item->hi : item->lo;
    int128 far = p->forwards ? (int128)x - known : -(int128)known - x;
    *any = known != KNOWN_NONE && x != (p->forwards ? HI_NONE : LO_NONE);
    far += p->check->strict ? 0 : p->check->table.added_ticks;
    *room = *any ? (int64_t)far : 0;
    return !*any || (fits_int64(far) && fits_int64(-far))
               ? CSY_OK
               : error_set(error, CSY_INPUT, "stamps and latencies leave 64 bits");
}

/* --- Components ---------------------------------------------------------------------------- */

/* Ends move away from offsets until they are as near as points let them be: forwards start is minus
 * the distance from the reference, backwards the distance to it. */
static csy_status move_end(void *user, uint32_t point, int64_t known, csy_error *error)
{
    struct proving *p = user;
    int64_t *start = &p->start[p->points->items[point].clock], room;
    bool any;
    csy_status status = room_at(p, point, known, &any, &room, error);
    int64_t end = p->forwards ? -room : room;
    if (status || !any || (*start != KNOWN_NONE && (p->forwards ? *start >= end : *start <= end)))
        return status;
    *start = end;
    p->changed = true;
    return CSY_OK;
}

static csy_status find_ends(struct proving *p, size_t reference, bool forwards, csy_error *error)
{
    csy_status status = CSY_OK;
    for (size_t t = 0; t < p->n; t++)
        p->start[t] = t == reference ? 0 : KNOWN_NONE;
    p->forwards = forwards;
    for (p->changed = true; p->changed && !status;) {
        p->changed = false;
        status = walk(p, move_end, error);
    }
    memcpy(p->ends[forwards], p->start, p->n * sizeof *p->start);
    return status;
}

static bool is_within(const struct proving *p, size_t t)
{
    return p->ends[0][t] != KNOWN_NONE && p->ends[1][t] != KNOWN_NONE;
}

/* Most records, then the first of them. */
static size_t choose_reference(const struct proving *p, size_t t)
{
    const struct thread *threads = p->check->survey.threads.items;
    size_t best = t;
    for (size_t u = 0; u < p->n; u++)
        if (is_within(p, u) && threads[u].records > threads[best].records)
            best = u;
    return best; /* clocks are in the order of their first records */
}

/* Where alpha puts a clock against the reference of its component; distances are from offsets. */
static bool is_inside(const struct proving *p, size_t t)
{
    const csy_fraction alpha = p->check->table.alpha;
    int64_t reference = p->check->table.rows.threads[p->reference[p->component[t]]].offset_ticks;
    int128 own = p->check->table.rows.threads[t].offset_ticks;
    int128 before = reference - (own + p->ends[1][t]), after = own + p->ends[0][t] - reference;
    return own ==
           reference + floor_div(alpha.num * after - (alpha.den - alpha.num) * before, alpha.den);
}

/* The component of a clock that has none yet.  That of tau is proved already where its bounds are
 * what it is placed between. */
static csy_status make_component(struct proving *p, size_t t, size_t tau, csy_error *error)
{
    uint32_t c = (uint32_t)p->ncomponents++, last = NO_THREAD;
    csy_status status = find_ends(p, t, true, error);
    if (!status)
        status = find_ends(p, t, false, error);
    size_t reference = t == tau || status ? t : choose_reference(p, t);
    if (!status && reference != t) {
        status = find_ends(p, reference, true, error);
        if (!status)
            status = find_ends(p, reference, false, error);
    }
    p->reference[c] = (uint32_t)reference;
    p->first[c] = NO_THREAD;
    for (size_t u = p->n; u-- > 0 && !status;) {
        if (!is_within(p, u))
            continue;
        p->component[u] = c;
        p->member[u] = last;
        p->first[c] = last = (uint32_t)u;
        if ((c > 0 || p->check->strict) && !is_inside(p, u))
            status = check_fail_thread(p->check, u, "its offset is not where alpha puts it", error);
    }
    return status;
}

/* --- Places -------------------------------------------------------------------------------- */

static void set_component(struct proving *p, uint32_t c, int64_t start)
{
    for (uint32_t t = p->first[c]; t != NO_THREAD; t = p->member[t])
        p->start[t] = start;
}

/* A component that is reached, or tight, reaches others. */
static csy_status reach(void *user, uint32_t point, int64_t known, csy_error *error)
{
    struct proving *p = user;
    uint32_t c = p->component[p->points->items[point].clock];
    int64_t room;
    bool any;
    csy_status status = room_at(p, point, known, &any, &room, error);
    if (status || !any || p->placed[c] || p->reached[c] || !p->wanted[c] || (p->tight && room != 0))
        return status;
    p->reached[c] = p->changed = true;
    set_component(p, c, 0);
    return CSY_OK;
}

/* All that those placed reach, of the wanted, by any points or by tight ones. */
static csy_status reach_all(struct proving *p, bool forwards, bool tight, csy_error *error)
{
    csy_status status = CSY_OK;
    p->forwards = forwards;
    p->tight = tight;
    memset(p->reached, 0, p->ncomponents * sizeof *p->reached);
    for (uint32_t c = 0; c < p->ncomponents; c++)
        set_component(p, c, p->placed[c] ? 0 : KNOWN_NONE);
    for (p->changed = true; p->changed && !status;) {
        p->changed = false;
        status = walk(p, reach, error);
    }
    return status;
}

/* Those after what is placed, or before it, are as near to it as they can be. */
static csy_status prove_turn(struct proving *p, bool forwards, size_t *n, csy_error *error)
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
                                     forwards ? "it is not as early as those before it let it be"
                                              : "it is not as late as those after it let it be",
                                     error);
        p->placed[c] |= p->reached[c];
    }
    return status;
}

static csy_status prove_island(struct proving *p, uint32_t c, csy_error *error)
{
    csy_status status = CSY_OK;
    size_t n = 1, idle = 0;
    p->placed[c] = true;
    for (bool forwards = true; idle < 2 && !status; forwards = !forwards) {
        status = prove_turn(p, forwards, &n, error);
        idle = n > 0 ? 0 : idle + 1;
    }
    return status;
}

static int128 least_of(const struct proving *p, uint32_t c)
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

/* Component 0 is tau's; others are in the order of their first records. */
static csy_status prove_all(struct proving *p, csy_error *error)
{
    csy_status status = prove_island(p, 0, error);
    for (uint32_t c = 1; c < p->ncomponents && p->steps < STEPS_MAX && !status; c++) {
        if (p->placed[c])
            continue;
        status =
            least_of(p, c) == least_of(p, 0)
                ? prove_island(p, c, error)
                : check_fail_thread(p->check, p->first[c],
                                    "it does not begin where the reference's clocks do", error);
    }
    return status;
}

static csy_status prove(struct proving *p, size_t tau, size_t *left, csy_error *error)
{
    csy_status status = make_component(p, tau, tau, error);
    for (size_t t = 0; t < p->n && p->steps < STEPS_MAX && !status; t++)
        if (p->component[t] == NO_COMPONENT)
            status = make_component(p, t, tau, error);
    if (!status && p->steps < STEPS_MAX)
        status = prove_all(p, error);
    *left = 0;
    for (size_t t = 0; t < p->n && p->steps >= STEPS_MAX; t++)
        *left += p->component[t] != 0; /* what tau bounds both ways is known */
    return status;
}

csy_status check_islands(struct check *check, const struct points *points, const uint32_t *order,
                         size_t tau, size_t *left, csy_error *error)
{
    size_t n = check->table.rows.count;
    int64_t *room = calloc(3 * n + 3, sizeof *room);
    uint32_t *ids = calloc(4 * n + 4, sizeof *ids);
    bool *marks = calloc(3 * n + 3, sizeof *marks);
    struct proving p = {.check = check, .points = points, .order = order, .n = n};
    csy_status status = room && ids && marks ? CSY_OK : error_memory(error);
    if (!status) {
        p.start = room;
        p.ends[0] = room + n;
        p.ends[1] = room + 2 * n;
        p.component = ids;
        p.member = ids + n;
        p.first = ids + 2 * n;
        p.reference = ids + 3 * n;
        p.wanted = marks;
        p.placed = marks + n;
        p.reached = marks + 2 * n;
        memset(p.component, 0xff, n * sizeof *p.component);
        status = prove(&p, tau, left, error);
    }
    free(room);
    free(ids);
    free(marks);
    return status;
}
