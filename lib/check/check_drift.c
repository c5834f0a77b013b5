/* Proves a solution of a trace with drifting clocks. */
#include "check/check.h"

#include "base/array.h"
#include "base/error.h"
#include "base/sort.h"
#include "clock/knots.h"
#include "order/match.h"
#include "sync/drift_clocks.h"
#include "trace/csv/csv.h"

#include <stdlib.h>

/* A reading is a local time that a clock showed at some moment. The limits of the clock's rate
 * determine which global times are possible for a reading.
 *
 * Global times are in units of 1/AGE_UNIT tick (clock/knots.h). If a clock gains or loses at most
 * R, two of its readings a <= b meet
 *
 *    (AGE_UNIT - R) (b - a) <= time of b - time of a <= (AGE_UNIT + R) (b - a)
 *
 * with R = 0 for the reference. */

/* An unknown upper limit of a global time. Its negative is an unknown lower limit. */
#define READINGS_NOTHING ((int128)1 << 120)

/* A local time of a clock, with the global time that the file states for it. */
struct reading {
    int64_t x; /* local ticks since the first record of the clock */
    int64_t global_ticks;
    uint64_t position; /* position of one record with this reading */
    uint32_t clock;
    uint32_t records; /* number of records of the clock with this local time */
    uint32_t part;    /* fraction of a tick to add to global_ticks, in units of 1/AGE_UNIT */
    bool written;
};

struct readings {
    struct reading *items;
    size_t count, capacity;
    size_t *first_of; /* for each clock: index of its first item; first_of[nclocks] is `count` */
    size_t nclocks, reference;
    int64_t rate_ppb;
    int128 *least, *greatest; /* for each reading: least and greatest possible global time, in
                               * 1/AGE_UNIT ticks */
    bool changed;             /* true if `least` or `greatest` changed in this pass */
};

/* in units of 1/AGE_UNIT ticks */
static inline int128 reading_written(const struct reading *reading)
{
    return (int128)reading->global_ticks * AGE_UNIT + reading->part;
}

static inline void readings_raise(struct readings *readings, size_t i, int128 least)
{
    readings->changed |= least > readings->least[i];
    readings->least[i] = least > readings->least[i] ? least : readings->least[i];
}

static inline void readings_lower(struct readings *readings, size_t i, int128 greatest)
{
    readings->changed |= greatest < readings->greatest[i];
    readings->greatest[i] = greatest < readings->greatest[i] ? greatest : readings->greatest[i];
}

/* Add a reading. Returns CSY_MEMORY also if there are more than 2^32 - 1 readings. */
static csy_status readings_add(struct readings *readings, const struct reading *reading,
                               csy_error *error)
{
    if (readings->count == UINT32_MAX ||
        !ARRAY_RESERVE(readings->items, readings->capacity, readings->count + 1))
        return error_memory(error);
    readings->items[readings->count++] = *reading;
    return CSY_OK;
}

/* If two readings have the same clock and local time, the reading with a global time in the file is
 * first. */
static int compare_readings(const void *one, const void *other)
{
    const struct reading *a = one, *b = other;
    if (a->clock != b->clock || a->x != b->x)
        return COMPARE_THEN(a->clock, b->clock, COMPARE(a->x, b->x));
    return 2 * COMPARE(b->written, a->written) + COMPARE(a->position, b->position);
}

/* Sort all readings by clock and local time, and remove duplicates. If the file states two global
 * times for one local time of a clock, *wrong becomes the position of such a record, otherwise
 * UINT64_MAX. O(n log n), with 32 bytes for each reading. */
static csy_status readings_sort(struct readings *readings, size_t nclocks, size_t reference,
                                uint64_t *wrong, csy_error *error)
{
    size_t kept = 0, t = 0;
    *wrong = UINT64_MAX;
    SORT(readings->items, readings->count, compare_readings);
    for (size_t i = 0; i < readings->count; i++) {
        const struct reading *next = &readings->items[i];
        struct reading *last = &readings->items[kept > 0 ? kept - 1 : 0];
        if (kept == 0 || last->clock != next->clock || last->x != next->x) {
            readings->items[kept++] = *next;
            continue;
        }
        if (next->written && reading_written(next) != reading_written(last))
            *wrong = next->position;
        last->records += next->records;
    }
    readings->count = kept;
    readings->nclocks = nclocks;
    readings->reference = reference;
    readings->first_of = malloc((nclocks + 1) * sizeof *readings->first_of);
    readings->least = malloc((kept + 1) * sizeof *readings->least);
    readings->greatest = malloc((kept + 1) * sizeof *readings->greatest);
    if (!readings->first_of || !readings->least || !readings->greatest)
        return error_memory(error);
    for (size_t i = 0; i <= kept; i++)
        for (; t <= (i < kept ? readings->items[i].clock : nclocks); t++)
            readings->first_of[t] = i;
    return CSY_OK;
}

/* Returns the index of the reading of this clock at local time x, which must exist. O(log n). */
static uint32_t readings_find(const struct readings *readings, uint32_t clock, int64_t x)
{
    size_t after = readings->first_of[clock] + 1, end = readings->first_of[clock + 1];
    BISECT(after, end, middle, readings->items[middle].x <= x);
    return (uint32_t)(after - 1);
}

static int64_t rate_of(const struct readings *readings, size_t clock)
{
    return clock == readings->reference ? 0 : readings->rate_ppb;
}

/* Returns the global time between readings i and i + 1 if the clock has this rate. */
static int128 passes(const struct readings *readings, size_t i, int64_t rate_ppb)
{
    return ((int128)readings->items[i + 1].x - readings->items[i].x) * (AGE_UNIT + rate_ppb);
}

/* Narrow the range of reading i by the range of the clock's previous (`up`) or next reading. */
static void readings_age_by(struct readings *readings, size_t i, bool up)
{
    size_t clock = readings->items[i].clock, by = up ? i - 1 : i + 1, gap = up ? by : i;
    int64_t rate = rate_of(readings, clock), sign = up ? 1 : -1;
    if (i == (up ? readings->first_of[clock] : readings->first_of[clock + 1] - 1))
        return;
    if (readings->least[by] != -READINGS_NOTHING)
        readings_raise(readings, i,
                       readings->least[by] + sign * passes(readings, gap, -sign * rate));
    if (readings->greatest[by] != READINGS_NOTHING)
        readings_lower(readings, i,
                       readings->greatest[by] + sign * passes(readings, gap, sign * rate));
}

static void readings_age(struct readings *readings)
{
    for (size_t i = 0; i < readings->count; i++)
        readings_age_by(readings, i, true);
    for (size_t i = readings->count; i-- > 0;)
        readings_age_by(readings, i, false);
}

/* --- The check ----------------------------------------------------------------------------- */

/* The proof stops after this many steps. A step is the visit of one point (clock/points.h). */
#define STEPS_MAX ((uint64_t)1 << 31)

/* readings.items[lo] and readings.items[hi] are the readings at the least and the greatest local
 * time of a point (clock/points.h). NO_POINT: the point has no such time. */
struct readings_of {
    uint32_t lo, hi;
};

struct check_drift {
    struct check *check;
    struct readings readings;
    int64_t *bases; /* for each clock: local time of its first record */
    size_t nbases, bases_capacity;
    struct readings_of *of;

    /* Values `known` (see point_visitor). known[p] is for point p. `chains` is for the points
     * visited last in each location, and then in each buffer. */
    int128 *known, *chains;
    bool forwards;
    uint64_t steps;
    /* first point that is earlier than an event that must precede it, by more than delta; or
     * NO_POINT */
    uint32_t first;
    uint32_t first_limit;

    bool bounds_found;
    uint64_t records; /* number of records of clocks with bounds, except the reference */
    int128 width_sum, width_max;
};

/* Read parts per million below 10^6 as ppb. If the line lacks the key, *ppb is CSY_NO_DRIFT. */
static csy_status read_ppm(const struct csy_trace *trace, const struct table_facts *said,
                           const char *key, char *text, int64_t *ppb, csy_error *error)
{
    enum { UNITS = 1000, WHOLE = 1000000 };
    csy_fraction ppm;
    *ppb = CSY_NO_DRIFT;
    if (!csv_fact_find(said->facts, key, text))
        return CSY_OK;
    if (!fraction_parse(text, 1, &ppm) || ppm.num / ppm.den >= WHOLE || UNITS % ppm.den != 0)
        return error_set(error, CSY_INPUT, "%s: %s: %s is malformed", trace->name, said->where,
                         key);
    *ppb = ppm.num * (UNITS / ppm.den);
    return CSY_OK;
}

csy_status check_drift_read_rule(struct check *check, const struct table_facts *said,
                                 csy_error *error)
{
    const struct csy_trace *trace = check->trace;
    struct check_rule *rule = &check->rule;
    char *text = malloc(said->facts.size + 1);
    uint64_t latency = 0, latency_max = INT64_MAX;
    csy_status status = text ? CSY_OK : error_memory(error);
    status = status ? status : read_ppm(trace, said, "drift", text, &rule->rate_ppb, error);
    status = status ? status : read_ppm(trace, said, "wander", text, &rule->wander_ppb, error);
    if (!status && csv_fact_find(said->facts, "latency", text) &&
        (!number_parse(text, &latency) || latency > INT64_MAX))
        status = error_set(error, CSY_INPUT, "%s: %s: latency is missing or malformed", trace->name,
                           said->where);
    if (!status && csv_fact_find(said->facts, "max_latency", text) &&
        (!number_parse(text, &latency_max) || latency_max > INT64_MAX))
        status = error_set(error, CSY_INPUT, "%s: %s: max_latency is malformed", trace->name,
                           said->where);
    free(text);
    rule->latency_ticks = (int64_t)latency;
    rule->latency_max_ticks = (int64_t)latency_max;
    return status;
}

csy_status check_drift_new(struct check *check, csy_error *error)
{
    struct check_drift *drift = check->drift = calloc(1, sizeof *drift);
    if (!drift)
        return error_memory(error);
    drift->check = check;
    return CSY_OK;
}

void check_drift_free(struct check_drift *drift)
{
    if (!drift)
        return;
    FREE_ALL(drift->readings.items, drift->readings.first_of, drift->readings.least,
             drift->readings.greatest, drift->bases, drift->of, drift->known, drift->chains, drift);
}

/* ---- Readings */

static void set_global(struct reading *reading, int128 global)
{
    csy_fine fine = drift_fine(global);
    reading->global_ticks = fine.ticks;
    reading->part = fine.billionths;
}

csy_status check_drift_event(struct check_drift *drift, const struct event *event, int128 global,
                             const int128 *begin_global, csy_error *error)
{
    const struct named_stamp *stamp = &event->stamp;
    /* Clocks are numbered in the order of their first events. */
    if (event->thread >= drift->nbases) {
        if (!ARRAY_RESERVE(drift->bases, drift->bases_capacity, drift->nbases + 1))
            return error_memory(error);
        drift->bases[drift->nbases++] = event->local_ticks;
    }
    int128 x = (int128)event->local_ticks - drift->bases[event->thread];
    int128 begin = x - stamp->time_ticks + stamp->begin_ticks;
    if (x >= X_MAX || x <= -X_MAX)
        return check_fail_at(
            drift->check, event->position,
            "the local time of this record is 2^58 ticks or more from the first time of its clock",
            error);
    struct reading reading = {.x = (int64_t)x,
                              .position = event->position,
                              .clock = event->thread,
                              .records = 1,
                              .written = true};
    set_global(&reading, global);
    csy_status status = readings_add(&drift->readings, &reading, error);
    if (!status && begin_global && begin < x && begin > -X_MAX) {
        reading.x = (int64_t)begin;
        set_global(&reading, *begin_global);
        reading.records = 0;
        status = readings_add(&drift->readings, &reading, error);
    }
    if (status || drift->check->match)
        return status ? status : match_event(drift->check->match, event, (int64_t)x, error);
    uint32_t first_point, last_point;
    const struct point_record record = {.position = event->position,
                                        .place = event->place,
                                        .clock = event->thread,
                                        .location = 0,
                                        .buffer = NO_BUFFER,
                                        .x = (int64_t)x,
                                        .keyed = true};
    return points_record(&drift->check->points, &record, &first_point, &last_point, error);
}

static int128 *new_times(size_t n)
{
    return calloc(n + 1, sizeof(int128));
}

static csy_status make_room(struct check_drift *d, csy_error *error)
{
    d->of = calloc(d->check->points.count + 1, sizeof *d->of);
    d->known = new_times(d->check->points.count);
    d->chains = new_times(d->check->points.nlocations + d->check->points.nbuffers);
    if (!d->of || !d->known || !d->chains)
        return error_memory(error);
    for (size_t p = 0; p < d->check->points.count; p++) {
        const struct instant *item = &d->check->points.items[p];
        bool hub = instant_is_hub(item);
        d->of[p].lo = hub || item->lo == LO_NONE
                          ? NO_POINT
                          : readings_find(&d->readings, item->clock, item->lo);
        d->of[p].hi = hub || item->hi == HI_NONE
                          ? NO_POINT
                          : readings_find(&d->readings, item->clock, item->hi);
    }
    return CSY_OK;
}

/* ---- Clocks */

/* Prove that clocks with the allowed rates can show all times in the file. Then find limits of the
 * times that the file does not state. */
static csy_status prove_rates(struct check_drift *d, csy_error *error)
{
    int128 below = d->check->rule.interpolated ? AGE_UNIT : AGE_UNIT - 1;
    for (size_t i = 0; i < d->readings.count; i++) {
        const struct reading *reading = &d->readings.items[i];
        int128 written = reading_written(reading);
        d->readings.least[i] = reading->written ? written : -READINGS_NOTHING;
        d->readings.greatest[i] = reading->written ? written + below : READINGS_NOTHING;
    }
    readings_age(&d->readings);
    for (size_t i = 0; i < d->readings.count; i++)
        if (d->readings.least[i] > d->readings.greatest[i])
            return check_fail_at(
                d->check, d->readings.items[i].position,
                "the clock of this record gains or loses more than the drift limit in the file",
                error);
    return CSY_OK;
}

/* ---- Walks over points */

static void raise_known(int128 *known, int128 other)
{
    *known = other > *known ? other : *known;
}

/* Called for each point p. In a forward pass, earlier points require that p is not before the
 * global time `known`. In a backward pass, later points require that p is not after -known.
 * -READINGS_NOTHING: no limit. */
typedef void (*point_visitor)(struct check_drift *d, uint32_t p, int128 known);

/* An order_limit of more ticks is ignored, because it has no effect (graph/reduce.c). */
#define LIMIT_MAX ((int64_t)1 << 59)

/* Call `show` for each struct order_limit, such as the longest latency of a message. In a forward
 * pass, the later point limits how early the earlier point can be. In a backward pass, the earlier
 * point limits how late the later point can be. */
static void walk_limits(struct check_drift *d, bool forwards, point_visitor show)
{
    size_t n = d->check->points.count > 0 ? d->check->points.nlimits : 0;
    d->forwards = forwards;
    for (size_t i = 0; i < n; i++) {
        const struct order_limit *limit = &d->check->points.limits[i];
        uint32_t own = forwards ? d->of[limit->later].lo : d->of[limit->earlier].hi;
        if (own == NO_POINT || limit->most_ticks > LIMIT_MAX)
            continue;
        int128 known = forwards ? d->readings.least[own] : -d->readings.greatest[own];
        if (known > -READINGS_NOTHING)
            show(d, forwards ? limit->earlier : limit->later,
                 known - (int128)limit->most_ticks * AGE_UNIT);
    }
}

static void walk_points(struct check_drift *d, bool forwards, point_visitor show)
{
    const struct points *points = &d->check->points;
    size_t n = points->count, nchains = points->nlocations + points->nbuffers;
    for (size_t i = 0; i < n; i++)
        d->known[i] = -READINGS_NOTHING;
    for (size_t i = 0; i < nchains; i++)
        d->chains[i] = -READINGS_NOTHING;
    d->forwards = forwards;
    d->steps += n;
    for (size_t at = 0; at < n; at++) {
        uint32_t p = d->check->order[forwards ? at : n - 1 - at];
        const struct instant *item = &points->items[p];
        uint32_t own = forwards ? d->of[p].lo : d->of[p].hi;
        int128 *known = &d->known[p];
        int128 *const chains[] = {
            item->chained ? &d->chains[item->location] : NULL,
            item->buffer == NO_BUFFER ? NULL : &d->chains[points->nlocations + item->buffer]};
        for (int i = 0; i < 2; i++)
            if (chains[i])
                raise_known(known, *chains[i]);
        for (size_t i = points->first_edge[p]; i < points->first_edge[p + 1] && forwards; i++) {
            const struct order_edge *edge = &points->edges[i];
            if (d->known[edge->from] != -READINGS_NOTHING)
                raise_known(known, d->known[edge->from] + (int128)edge->latency_ticks * AGE_UNIT);
        }
        show(d, p, *known);
        if (own != NO_POINT)
            raise_known(known, forwards ? d->readings.least[own] : -d->readings.greatest[own]);
        for (int i = 0; i < 2; i++)
            if (chains[i])
                *chains[i] = *known;
        for (size_t i = points->first_edge[p]; i < points->first_edge[p + 1] && !forwards; i++) {
            const struct order_edge *edge = &points->edges[i];
            if (*known != -READINGS_NOTHING)
                raise_known(&d->known[edge->from], *known + (int128)edge->latency_ticks * AGE_UNIT);
        }
    }
}

/* ---- Order */

/* Returns twice the timestamp error delta, in 1/AGE_UNIT ticks of the reference. A tick of the
 * slowest allowed clock is AGE_UNIT + rate_ppb of these units. */
static int128 added_of(const struct check_drift *d)
{
    return (int128)d->check->table.added_ticks * (AGE_UNIT + d->check->rule.rate_ppb);
}

static int64_t allowed_ticks(const struct check_drift *d)
{
    return (int64_t)ceil_div(added_of(d), AGE_UNIT) + d->check->rule.interpolated;
}

static void meet_inversion(struct check_drift *d, uint32_t p, int128 known)
{
    struct inversions *inversions = &d->check->inversions;
    const struct instant *item = &d->check->points.items[p];
    if (known == -READINGS_NOTHING || d->of[p].hi == NO_POINT)
        return;
    int128 size = floor_div(known - d->readings.greatest[d->of[p].hi], AGE_UNIT);
    inversions->count += size > 0 && item->kind == INSTANT_END;
    if (size > inversions->largest_ticks && item->kind == INSTANT_END)
        inversions->largest_ticks = fits_int64(size) ? (int64_t)size : INT64_MAX;
    if (size > allowed_ticks(d) && d->first == NO_POINT)
        d->first = p;
}

static void meet_limit(struct check_drift *d, uint32_t p, int128 known)
{
    if (d->of[p].hi != NO_POINT && d->first_limit == NO_POINT &&
        floor_div(known - d->readings.greatest[d->of[p].hi], AGE_UNIT) > allowed_ticks(d))
        d->first_limit = p;
}

/* Prove that no point (clock/points.h) is earlier than a point that precedes it, by more than
 * delta. */
static csy_status prove_order(struct check_drift *d, csy_error *error)
{
    for (size_t i = 0; i < d->readings.count; i++) {
        const struct reading *reading = &d->readings.items[i];
        int128 written = reading_written(reading);
        d->readings.least[i] =
            reading->written ? written : floor_div(d->readings.least[i], AGE_UNIT) * AGE_UNIT;
        d->readings.greatest[i] =
            reading->written ? written : floor_div(d->readings.greatest[i], AGE_UNIT) * AGE_UNIT;
    }
    d->first = d->first_limit = NO_POINT;
    walk_points(d, true, meet_inversion);
    walk_limits(d, true, meet_limit);
    if (d->first_limit != NO_POINT)
        return check_fail_at(d->check, d->check->points.items[d->first_limit].position,
                             "a message or group at this record takes longer than its limit by "
                             "more than delta allows",
                             error);
    return d->first == NO_POINT ? CSY_OK
                                : check_fail_at(d->check, d->check->points.items[d->first].position,
                                                "the global time of this record is before an event "
                                                "that precedes it, by more than delta allows",
                                                error);
}

/* ---- Bounds */

static void meet_bound(struct check_drift *d, uint32_t p, int128 known)
{
    uint32_t first = d->forwards ? d->of[p].lo : d->of[p].hi;
    uint32_t last = d->forwards ? d->of[p].hi : d->of[p].lo;
    if (known != -READINGS_NOTHING && last != NO_POINT && d->forwards)
        readings_raise(&d->readings, last, known - added_of(d));
    else if (known != -READINGS_NOTHING && last != NO_POINT)
        readings_lower(&d->readings, last, -known + added_of(d));
    if (first != NO_POINT)
        readings_age_by(&d->readings, first, d->forwards);
}

static bool is_bounded(const struct check_drift *d, size_t i)
{
    return d->readings.least[i] != -READINGS_NOTHING && d->readings.greatest[i] != READINGS_NOTHING;
}

/* Returns true if reading i is less than a tick from the line through readings a and b. The file
 * must state all three global times. For a and b, they must be whole ticks. */
static bool is_between(const struct check_drift *d, size_t a, size_t b, size_t i)
{
    const struct reading *from = &d->readings.items[a], *to = &d->readings.items[b],
                         *at = &d->readings.items[i];
    int128 run = (int128)to->x - from->x, rise = (int128)to->global_ticks - from->global_ticks;
    int128 off =
        ((int128)at->global_ticks - from->global_ticks) * run - rise * ((int128)at->x - from->x);
    off += floor_div(at->part * run, AGE_UNIT);
    return off < run && -off < run;
}

/* Before its first and after its last change of rate, a clock must run at the rate of the
 * reference. Returns true if it does so from reading `knot` to reading i. */
static bool goes_on(const struct check_drift *d, size_t knot, size_t i)
{
    const struct reading *from = &d->readings.items[knot], *at = &d->readings.items[i];
    int128 off = reading_written(at) - reading_written(from) - ((int128)at->x - from->x) * AGE_UNIT;
    return off <= AGE_UNIT && off >= -AGE_UNIT;
}

/* Prove the global times of readings `from` to `to`. knot_from and knot_to are true if the clock
 * changes its rate at these readings. Between two changes, global time is a linear function of
 * local time. */
static csy_status prove_piece(const struct check_drift *d, size_t from, size_t to, bool knot_from,
                              bool knot_to, csy_error *error)
{
    /* true if the file does not state the global time of some reading: the rate may change there,
     * so the readings around it need not be on one line */
    bool open = false;
    for (size_t i = from; i < to; i++)
        open |= !d->readings.items[i].written;
    for (size_t i = from; i < to && !open; i++) {
        bool holds = knot_from && knot_to ? is_between(d, from, to, i)
                     : knot_from          ? goes_on(d, from, i)
                     : knot_to            ? goes_on(d, to, i)
                                          : false;
        if (!holds)
            return check_fail_at(
                d->check, d->readings.items[i].position,
                "the global time of this record is not at the fraction alpha of its range", error);
    }
    return CSY_OK;
}

static bool contradict(const struct readings *readings)
{
    size_t i = 0;
    while (i < readings->count && readings->least[i] <= readings->greatest[i])
        i++;
    return i < readings->count;
}

/* Find the least and the greatest possible global time of each reading. *found is false if the
 * constraints contradict each other, or if this takes more than most_steps steps. */
static void find_bounds(struct check_drift *d, uint64_t most_steps, bool *found)
{
    struct readings *readings = &d->readings;
    int64_t offset = 0;
    d->steps = 0;
    /* Begin with the reference: its global times are in the file. There are no limits yet for other
     * clocks. */
    for (size_t i = readings->first_of[readings->reference];
         i < readings->first_of[readings->reference + 1]; i++)
        if (readings->items[i].written)
            offset = readings->items[i].global_ticks - readings->items[i].x;
    for (size_t i = 0; i < readings->count; i++) {
        bool tau = readings->items[i].clock == readings->reference;
        int128 at = ((int128)readings->items[i].x + offset) * AGE_UNIT;
        readings->least[i] = tau ? at : -READINGS_NOTHING;
        readings->greatest[i] = tau ? at : READINGS_NOTHING;
    }
    for (readings->changed = true; readings->changed && d->steps < most_steps;) {
        readings->changed = false;
        walk_points(d, true, meet_bound);
        walk_points(d, false, meet_bound);
        walk_limits(d, true, meet_bound);
        walk_limits(d, false, meet_bound);
        readings_age(readings);
        if (contradict(readings))
            break;
    }
    *found = !readings->changed && !contradict(readings);
}

/* Prove that each global time is at the fraction alpha of the range from readings.least to
 * readings.greatest. This does not include records during which a clock may have been set. */
static csy_status prove_all_places(const struct check_drift *d, csy_error *error)
{
    csy_status status = CSY_OK;
    const csy_fraction alpha = d->check->table.alpha;
    for (size_t t = 0; t < d->readings.nclocks && !status; t++) {
        if (!is_bounded(d, d->readings.first_of[t]) || d->check->survey.threads.items[t].set)
            continue;
        size_t end = d->readings.first_of[t + 1], from = d->readings.first_of[t];
        bool knot_from = false;
        for (size_t i = from; i < end && !status; i++) {
            const struct reading *reading = &d->readings.items[i];
            if (!reading->written || reading->part > 0)
                continue;
            int128 least = d->readings.least[i], width = d->readings.greatest[i] - least;
            int128 place = least + knots_part(width, alpha.num, alpha.den);
            if (floor_div(place, AGE_UNIT) != reading->global_ticks)
                continue;
            status = prove_piece(d, from, i, knot_from, true, error);
            from = i;
            knot_from = true;
        }
        status = status ? status : prove_piece(d, from, end, knot_from, false, error);
    }
    return status;
}

/* The proof with delta 0 may take up to this many times as many steps as with the real delta. */
enum { STEPS_FACTOR = 8 };

/* Do the same as prove_all_places, but with delta 0. d->readings does not change. Takes 32 bytes
 * for each reading until it returns. */
static csy_status prove_order_places(struct check_drift *d, csy_error *error)
{
    struct readings *readings = &d->readings;
    struct table *table = &d->check->table;
    const struct readings kept = *readings;
    const int64_t added = table->added_ticks;
    const uint64_t steps =
        d->steps < STEPS_MAX / STEPS_FACTOR ? d->steps * STEPS_FACTOR : STEPS_MAX;
    bool found = false;
    readings->least = new_times(readings->count);
    readings->greatest = new_times(readings->count);
    csy_status status = readings->least && readings->greatest ? CSY_OK : error_memory(error);
    table->added_ticks = 0;
    if (!status)
        find_bounds(d, steps, &found);
    table->added_ticks = added;
    if (!status)
        status = found ? prove_all_places(d, error)
                       : error_set(error, CSY_CHECK,
                                   "%s: the constraints contradict each other, so no offsets "
                                   "satisfy all of them",
                                   d->check->trace->name);
    FREE_ALL(readings->least, readings->greatest);
    *readings = kept;
    return status;
}

/* Prove the bounds of all clocks. Then prove that each global time lies the fraction alpha (an
 * option) of the way from its least to its greatest possible value. cellsync finds these values
 * with delta 0 if possible. Otherwise, and in files of version 0.2, it uses the real delta. */
static csy_status prove_bounds(struct check_drift *d, csy_error *error)
{
    struct readings *readings = &d->readings;
    bool places = d->check->rule.wander_ppb == CSY_NO_DRIFT;
    csy_status status = CSY_OK;
    find_bounds(d, STEPS_MAX, &d->bounds_found);
    const struct thread *threads = d->check->survey.threads.items;
    for (size_t i = 0; i < readings->count; i++) {
        const struct thread *one = &threads[readings->items[i].clock];
        const uint32_t sides[2] = {one->set_before, one->set_after};
        int128 least = READINGS_NOTHING, greatest = -READINGS_NOTHING;
        bool bounded = one->set && is_bounded(d, i);
        for (size_t k = 0; k < 2 && bounded; k++) {
            const struct thread *side = sides[k] == NO_THREAD ? NULL : &threads[sides[k]];
            int64_t at = !side ? 0 : k == 0 ? side->last_ticks : side->first_ticks;
            int128 from, to, x = (int128)readings->items[i].x + d->bases[readings->items[i].clock];
            int128 apart = x - at, rate = sides[k] == readings->reference ? 0 : readings->rate_ppb;
            bool found;
            bounded = side && check_drift_bounds(d, sides[k], at, &from, &to, &found);
            if (!bounded)
                break;
            from += apart * AGE_UNIT - (apart < 0 ? -apart : apart) * rate;
            to += apart * AGE_UNIT + (apart < 0 ? -apart : apart) * rate;
            least = from < least ? from : least;
            greatest = to > greatest ? to : greatest;
        }
        least = least > readings->least[i] ? least : readings->least[i];
        greatest = greatest < readings->greatest[i] ? greatest : readings->greatest[i];
        if (!bounded || least > greatest)
            continue;
        readings->least[i] = least;
        readings->greatest[i] = greatest;
    }
    for (size_t t = 0; t < readings->nclocks; t++) {
        bool bounded = is_bounded(d, readings->first_of[t]);
        d->check->unbounded += !bounded;
        d->check->unplaced += !bounded;
        if (!bounded || !d->bounds_found || t == readings->reference)
            continue;
        for (size_t i = readings->first_of[t]; i < readings->first_of[t + 1]; i++) {
            int128 width = readings->greatest[i] - readings->least[i];
            d->records += readings->items[i].records;
            d->width_sum += width * readings->items[i].records;
            if (readings->items[i].records > 0 && width > d->width_max)
                d->width_max = width;
        }
    }
    if (places && d->bounds_found)
        status = prove_all_places(d, error);
    if (status == CSY_CHECK && d->check->table.added_ticks > 0 && d->check->inversions.count == 0 &&
        prove_order_places(d, NULL) == CSY_OK)
        status = CSY_OK;
    return status;
}

csy_status check_drift_prove(struct check_drift *drift, size_t tau, csy_error *error)
{
    uint64_t wrong = UINT64_MAX;
    drift->readings.rate_ppb = drift->check->rule.rate_ppb;
    csy_status status = check_visit(drift->check, error);
    for (size_t p = 0; p < drift->check->points.count && !status; p++) {
        const struct instant *item = &drift->check->points.items[p];
        struct reading reading = {.position = item->position, .clock = item->clock};
        if (instant_is_hub(item) || item->kind == INSTANT_END)
            continue;
        if (item->lo != LO_NONE) {
            reading.x = item->lo;
            status = readings_add(&drift->readings, &reading, error);
        }
        if (item->hi != HI_NONE && item->hi != item->lo && !status) {
            reading.x = item->hi;
            status = readings_add(&drift->readings, &reading, error);
        }
    }
    status = status ? status : readings_sort(&drift->readings, drift->nbases, tau, &wrong, error);
    if (!status && wrong != UINT64_MAX)
        status = check_fail_at(
            drift->check, wrong,
            "another record with the same clock and local time has a different global time", error);
    status = status ? status : make_room(drift, error);
    status = status ? status : prove_rates(drift, error);
    status = status ? status : prove_order(drift, error);
    status = status ? status : prove_bounds(drift, error);
    /* Global time must be the PPE's time or, without a PPE, begin at 0. */
    const struct check *check = drift->check;
    uint32_t ppe = check->survey.threads.ppe;
    int64_t least = INT64_MAX;
    for (size_t i = 0; i < drift->readings.count && !status; i++) {
        const struct reading *reading = &drift->readings.items[i];
        if (reading->records > 0 && reading->global_ticks < least)
            least = reading->global_ticks;
        if (reading->clock == ppe && reading->x == 0 && reading->written &&
            reading->global_ticks != drift->bases[ppe])
            status = check_fail_thread(check, ppe, "the offset of the PPE is not 0", error);
    }
    if (!status && ppe == NO_THREAD && least != 0 && !drift->check->rule.interpolated)
        status = error_set(error, CSY_CHECK, "%s: the smallest global time is not 0",
                           check->trace->name);
    return status;
}

bool check_drift_bounds(const struct check_drift *drift, uint32_t clock, int64_t local_ticks,
                        int128 *least, int128 *greatest, bool *found)
{
    const struct readings *readings = &drift->readings;
    int128 x = (int128)local_ticks - drift->bases[clock];
    *found = drift->bounds_found && drift->check->rule.wander_ppb == CSY_NO_DRIFT;
    if (!*found || readings->first_of[clock] == readings->first_of[clock + 1])
        return false;
    uint32_t i = fits_int64(x) ? readings_find(readings, clock, (int64_t)x) : 0;
    *found = fits_int64(x) && readings->items[i].clock == clock && readings->items[i].x == x;
    if (!*found || !is_bounded(drift, i))
        return false;
    *least = readings->least[i];
    *greatest = readings->greatest[i];
    return true;
}

void check_drift_fill(const struct check_drift *drift, csy_proof *proof)
{
    proof->drift_ppb = drift->check->rule.rate_ppb;
    proof->wander_ppb = drift->check->rule.wander_ppb;
    proof->allowed_inversion_ticks = allowed_ticks(drift);
    proof->bounds_found = drift->bounds_found;
    proof->error_records = drift->records;
    proof->max_error = drift_fine(drift->width_max);
    proof->mean_error =
        drift_fine(drift->records > 0 ? floor_div(drift->width_sum, (int128)drift->records) : 0);
}
