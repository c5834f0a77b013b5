/* Finds the range of a weighted sum of clock offsets, and the order of two clocks' moments. */
#include "base/array.h"
#include "base/error.h"
#include "graph/flow.h"
#include "sync/drift/drift.h"
#include "sync/placement.h"
#include "sync/solution.h"

#include <stdlib.h>

/* The least or the greatest value of a sum of offsets. `none` is true if there is no limit. */
struct end {
    bool none;
    int128 value;
};

/* The sum of coefficients[t] times the offset of clock t, over all clocks t. `nabove` is the
 * number of positive coefficients, `nbelow` the number of negative ones. */
struct sum {
    struct csy_sync *sync;
    const int64_t *coefficients;
    size_t nclocks;
    uint64_t nabove, nbelow;
    int128 estimate;
    struct end lo, hi;
    csy_range_kind kind;
};

static void add(struct end *end, int64_t coefficient, int64_t ticks, bool none)
{
    end->none |= none;
    end->value += none ? 0 : (int128)coefficient * ticks;
}

static csy_status sum_by_reference(struct sum *sum, csy_error *error)
{
    size_t tau = sum->sync->reference;
    sum->kind = CSY_RANGE_STAR;
    for (size_t t = 0; t < sum->nclocks; t++) {
        int64_t c = sum->coefficients[t], lower, upper;
        if (c == 0 || t == tau)
            continue;
        csy_status status = csy_sync_bounds(sum->sync, tau, t, &lower, &upper, NULL, error);
        if (status)
            return status;
        /* csy_sync_bounds bounds the reference's offset minus t's offset, hence the signs */
        add(c > 0 ? &sum->lo : &sum->hi, -c, upper, upper == INT64_MAX);
        add(c > 0 ? &sum->hi : &sum->lo, -c, lower, lower == INT64_MIN);
    }
    return CSY_OK;
}

/* Find the exact range of the sum as a minimum-cost flow, from clocks with a positive
 * coefficient to clocks with a negative one. The cost from one clock to another is a bound of the
 * difference of their offsets. */
static csy_status sum_exactly(struct sum *sum, csy_error *error)
{
    size_t pairs = (size_t)(sum->nabove * sum->nbelow), nup = 0, ndown = 0;
    size_t n = (size_t)(sum->nabove + sum->nbelow);
    uint32_t above = 0, below = (uint32_t)sum->nabove;
    int64_t *supply = calloc(n + 1, sizeof *supply);
    struct flow_arc *up = malloc((pairs + 1) * sizeof *up);
    struct flow_arc *down = malloc((pairs + 1) * sizeof *down);
    csy_status status = supply && up && down ? CSY_OK : error_memory(error);
    for (size_t s = 0; s < sum->nclocks && !status; s++) {
        uint32_t at = (uint32_t)sum->nabove;
        if (sum->coefficients[s] < 0)
            supply[below++] = sum->coefficients[s];
        if (sum->coefficients[s] <= 0)
            continue;
        for (size_t t = 0; t < sum->nclocks && !status; t++) {
            int64_t lower = INT64_MIN, upper = INT64_MAX;
            if (sum->coefficients[t] >= 0)
                continue;
            status = csy_sync_bounds(sum->sync, s, t, &lower, &upper, NULL, error);
            if (upper != INT64_MAX)
                up[nup++] = (struct flow_arc){above, at, upper, FLOW_ENDLESS};
            if (lower != INT64_MIN)
                down[ndown++] = (struct flow_arc){at, above, -lower, FLOW_ENDLESS};
            at++;
        }
        supply[above++] = sum->coefficients[s];
    }
    struct flow most, least;
    if (!status)
        status = flow_find(supply, n, up, nup, &most, NULL, error);
    for (size_t v = 0; v < n && !status; v++)
        supply[v] = -supply[v];
    if (!status)
        status = flow_find(supply, n, down, ndown, &least, NULL, error);
    if (!status) {
        sum->hi = (struct end){!most.possible, most.cost};
        sum->lo = (struct end){!least.possible, -least.cost};
    }
    FREE_ALL(supply, up, down);
    return status;
}

/* Store the range of a sum. `what` names the sum in the message if a limit exceeds 64 bits. */
static csy_status range_of(const struct sum *sum, const char *what, csy_range *out,
                           csy_error *error)
{
    csy_range found = {.estimate = (int64_t)sum->estimate, .kind = sum->kind};
    if (!fits_int64(sum->estimate) ||
        !solution_end(sum->lo.value, sum->lo.none, INT64_MIN, &found.lo) ||
        !solution_end(sum->hi.value, sum->hi.none, INT64_MAX, &found.hi))
        return error_set(error, CSY_INPUT, "%s: %s leaves 64 bits", sum->sync->trace->name, what);
    *out = found;
    return CSY_OK;
}

csy_status csy_sync_bound_sum(csy_sync *sync, const int64_t *coefficients, csy_range *out,
                              csy_error *error)
{
    struct sum sum = {.sync = sync,
                      .coefficients = coefficients,
                      .nclocks = sync->survey.threads.count,
                      .kind = CSY_RANGE_EXACT};
    csy_status status = sync->read ? CSY_OK : solution_check_bounds(sync, error);
    int128 total = 0, size = 0;
    for (size_t t = 0; t < sum.nclocks; t++) {
        int64_t c = coefficients[t];
        total += c;
        size += c < 0 ? -(int128)c : c;
        sum.nabove += c > 0;
        sum.nbelow += c < 0;
    }
    if (!status && size > INT64_MAX)
        status = error_set(error, CSY_INPUT, "%s: coefficients of a sum of offsets are too large",
                           sync->trace->name);
    for (size_t t = 0; t < sum.nclocks && !status; t++)
        sum.estimate += (int128)coefficients[t] * sync->views[t].offset_ticks;
    if (!status && total != 0)
        status =
            error_set(error, CSY_USAGE, "%s: the coefficients of a sum of offsets do not sum to 0",
                      sync->trace->name);
    bool many = sum.nabove * sum.nbelow > CSY_BOUND_SUM_PAIRS_MAX;
    if (!status)
        status = solution_is_star(sync) || many ? sum_by_reference(&sum, error)
                                                : sum_exactly(&sum, error);
    if (status)
        return status;
    return range_of(&sum, "a sum of offsets", out, error);
}

/* Returns true if the moment is the timestamp of a record, and this record was not left out. */
static bool is_ordered(const struct csy_sync *sync, const csy_instant *instant)
{
    const csy_dropped *dropped = &sync->dropped;
    bool left_out = false;
    for (size_t i = 0; i < dropped->count; i++)
        left_out |= dropped->records[i].record == instant->record;
    return instant->record != CSY_NO_RECORD && !sync->trace->partial && !left_out;
}

/* Find the range of the global time of `a` minus the global time of `b`. */
static csy_status subtract(csy_sync *sync, const csy_instant *a, const csy_instant *b,
                           struct sum *out, csy_error *error)
{
    csy_range offsets = {0};
    csy_status status = CSY_OK;
    int128 apart = (int128)a->local_ticks - b->local_ticks;
    if (a->thread != b->thread) {
        int64_t *coefficients = calloc(out->nclocks, sizeof *coefficients);
        if (!coefficients)
            return error_memory(error);
        coefficients[a->thread] = 1;
        coefficients[b->thread] = -1;
        status = csy_sync_bound_sum(sync, coefficients, &offsets, error);
        free(coefficients);
    }
    /* each of the two timestamps is off by at most half of added_ticks */
    int64_t added = sync->imprecision.added_ticks;
    out->estimate = apart + offsets.estimate;
    out->lo = (struct end){offsets.lo == INT64_MIN, apart + offsets.lo - added};
    out->hi = (struct end){offsets.hi == INT64_MAX, apart + offsets.hi + added};
    out->kind = added > 0 && offsets.kind == CSY_RANGE_EXACT ? CSY_RANGE_PROVEN : offsets.kind;
    return status;
}

/* Find the range of the global time of `a` minus the global time of `b`, if clocks drift. The
 * timestamp error is in ticks of the timestamp's clock. Drift makes these ticks longer or
 * shorter. */
static csy_status subtract_drifting(csy_sync *sync, const csy_instant *a, const csy_instant *b,
                                    struct sum *out, csy_error *error)
{
    bool known = false;
    int128 least = 0, greatest = 0;
    const int128 *rough = sync->survey.rough.offset;
    int128 from = b->local_ticks + rough[b->thread], to = a->local_ticks + rough[a->thread];
    if (!fits_int64(from) || !fits_int64(to))
        return error_set(error, CSY_INPUT, "%s: a moment leaves 64 bits", sync->trace->name);
    csy_status status = ageing_between(
        &sync->drift->ageing, (struct ageing_moment){(uint32_t)b->thread, (int64_t)from},
        (struct ageing_moment){(uint32_t)a->thread, (int64_t)to}, &known, &least, &greatest, error);
    least += known ? AGE_UNIT * (to - from) : 0;
    greatest += known ? AGE_UNIT * (to - from) : 0;
    int128 added = sync->imprecision.added_ticks * ((int128)AGE_UNIT + sync->drift->view.rate_ppb);
    out->estimate = placement_of(sync, a->thread, a->local_ticks) -
                    placement_of(sync, b->thread, b->local_ticks);
    out->lo = (struct end){!known, floor_div(least - added, AGE_UNIT)};
    out->hi = (struct end){!known, ceil_div(greatest + added, AGE_UNIT)};
    out->kind = CSY_RANGE_PROVEN;
    return status;
}

csy_status csy_sync_before(csy_sync *sync, const csy_instant *a, const csy_instant *b,
                           csy_verdict *verdict, csy_range *distance, csy_error *error)
{
    struct sum sum = {.sync = sync, .nclocks = sync->survey.threads.count};
    csy_status status = sync->read    ? CSY_OK
                        : sync->drift ? solution_check_feasible(sync, error)
                                      : solution_check_bounds(sync, error);
    if (status)
        return status;
    if (a->thread >= sum.nclocks || b->thread >= sum.nclocks)
        return error_set(error, CSY_USAGE, "%s: a moment of thread %zu is asked for, of %zu",
                         sync->trace->name, a->thread < sum.nclocks ? b->thread : a->thread,
                         sum.nclocks);
    status = sync->drift ? subtract_drifting(sync, a, b, &sum, error)
                         : subtract(sync, a, b, &sum, error);
    if (status)
        return status;
    bool ordered = is_ordered(sync, a) && is_ordered(sync, b);
    if (ordered && a->record <= b->record && (sum.hi.none || sum.hi.value > 0))
        sum.hi = (struct end){false, 0};
    if (ordered && a->record >= b->record && (sum.lo.none || sum.lo.value < 0))
        sum.lo = (struct end){false, 0};
    status = range_of(&sum, "a distance of two moments", distance, error);
    if (status)
        return status;
    bool before = distance->hi < 0 || (distance->hi == 0 && distance->lo < 0);
    *verdict = (ordered ? a->record < b->record : before) ? CSY_BEFORE_YES
               : ordered || distance->lo >= 0             ? CSY_BEFORE_NO
                                                          : CSY_BEFORE_UNKNOWN;
    return CSY_OK;
}
