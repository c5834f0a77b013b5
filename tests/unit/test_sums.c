/* Sums of offsets and orders of moments: against every placement of clocks that the bounds of all
 * pairs allow. */
#include "support.h"

#include <stdlib.h>
#include <string.h>

enum { CLOCKS = 4, EVENTS = 40, HZ = 1000000, WIDE = 40 };

/* A trace of the n events that were drawn, in one buffer. */
struct drawn {
    size_t clocks;
    csy_new_event events[EVENTS];
    csy_trace *trace;
    csy_sync *sync;
    size_t thread[CLOCKS]; /* of the solution, by thread of the trace */
};

static void solve(struct drawn *d, int64_t delta)
{
    static const char *const names[CLOCKS] = {"a", "b", "c", "d"};
    csy_options *options;
    csy_error error;
    ck_ok(csy_trace_new("made", HZ, &d->trace, &error), error);
    for (size_t t = 0; t < d->clocks; t++) {
        size_t index;
        ck_ok(csy_trace_add_thread(d->trace, names[t], NULL, &index, &error), error);
    }
    ck_ok(csy_trace_add(d->trace, d->events, EVENTS, &error), error);
    ck_ok(csy_options_new(&options, &error), error);
    ck_ok(csy_options_set_relax(options, CSY_RELAX_GIVEN, &error), error);
    ck_ok(csy_options_set_delta(options, (csy_fraction){delta, 1}, &error), error);
    ck_ok(csy_trace_synchronize(d->trace, options, &d->sync, &error), error);
    csy_options_free(options);
    for (size_t t = 0; t < d->clocks; t++)
        ck_ok(csy_sync_find_thread(d->sync, names[t], 1, &d->thread[t], &error), error);
}

static struct drawn draw(uint64_t trial, int64_t delta)
{
    struct random r = random_trial(trial);
    struct drawn d = {.clocks = (size_t)random_between(&r, 2, CLOCKS)};
    int64_t now = 0;
    for (size_t i = 0; i < EVENTS; i++) {
        size_t t = i < d.clocks ? i : (size_t)random_between(&r, 0, (int64_t)d.clocks - 1);
        now += random_between(&r, 0, 3);
        d.events[i] = (csy_new_event){
            .thread = t, .time_ticks = now + (int64_t)t * 1000 + random_between(&r, -delta, delta)};
    }
    solve(&d, delta);
    return d;
}

static void done(struct drawn *d)
{
    csy_sync_free(d->sync);
    csy_trace_free(d->trace);
}

/* All offsets within the bounds, those of clock 0 kept as they are: the least and the greatest sum
 * of them. */
struct all {
    struct drawn *d;
    int64_t c[CLOCKS], x[CLOCKS];
    int64_t lower[CLOCKS][CLOCKS], upper[CLOCKS][CLOCKS];
    int64_t least, most;
};

static void place_from(struct all *a, size_t t)
{
    size_t n = a->d->clocks;
    if (t == n || t == CLOCKS) {
        int64_t sum = 0;
        for (size_t i = 0; i < n; i++)
            sum += a->c[i] * a->x[i];
        a->least = sum < a->least ? sum : a->least;
        a->most = sum > a->most ? sum : a->most;
        return;
    }
    for (int64_t x = a->x[0] + a->lower[t][0]; x <= a->x[0] + a->upper[t][0]; x++) {
        bool good = true;
        for (size_t i = 1; i < t && good; i++)
            good = x - a->x[i] >= a->lower[t][i] && x - a->x[i] <= a->upper[t][i];
        a->x[t] = x;
        if (good)
            place_from(a, t + 1);
    }
}

/* False: a clock is not bounded, or there are too many placements. */
static bool place_all(struct drawn *d, struct all *a)
{
    csy_error error;
    *a = (struct all){.d = d, .least = INT64_MAX, .most = INT64_MIN};
    a->x[0] = csy_sync_thread(d->sync, 0)->offset_ticks;
    for (size_t s = 0; s < d->clocks; s++)
        for (size_t t = 0; t < d->clocks; t++) {
            ck_ok(csy_sync_bounds(d->sync, s, t, &a->lower[s][t], &a->upper[s][t], NULL, &error),
                  error);
            if (a->lower[s][t] == INT64_MIN || a->upper[s][t] == INT64_MAX ||
                a->upper[s][t] - a->lower[s][t] > WIDE)
                return false;
        }
    return true;
}

START_TEST(sums_are_what_any_placement_makes_of_them)
{
    int tried = 0, apart = 0;
    for (int trial = 0; trial < trials_of(300); trial++) {
        struct drawn d = draw((uint64_t)trial, trial % 3);
        struct random r = random_trial((uint64_t)trial + 1000000);
        struct all a;
        csy_range range;
        csy_error error;
        if (place_all(&d, &a)) {
            int64_t estimate = 0;
            for (int i = 0; i < 4; i++) {
                int64_t amount = random_between(&r, 0, 3);
                a.c[random_between(&r, 0, (int64_t)d.clocks - 1)] += amount;
                a.c[random_between(&r, 0, (int64_t)d.clocks - 1)] -= amount;
            }
            for (size_t t = 0; t < d.clocks; t++)
                estimate += a.c[t] * csy_sync_thread(d.sync, t)->offset_ticks;
            place_from(&a, 1);
            ck_ok(csy_sync_bound_sum(d.sync, a.c, &range, &error), error);
            ck_assert_int_eq(range.kind, CSY_RANGE_EXACT);
            ck_assert_int_eq(range.estimate, estimate);
            ck_assert_int_eq(range.lo, a.least);
            ck_assert_int_eq(range.hi, a.most);
            tried++;
            apart += range.lo < range.hi;
        }
        done(&d);
    }
    ck_assert_int_gt(tried, 20 * trials_of(300) / 100);
    ck_assert_int_gt(apart, 10 * trials_of(300) / 100);
}
END_TEST

/* The moment of event i, and by its place if it has one. */
static csy_instant moment(const struct drawn *d, size_t i, bool placed)
{
    return (csy_instant){d->thread[d->events[i].thread], d->events[i].time_ticks,
                         placed ? i : CSY_NO_RECORD};
}

START_TEST(one_moment_is_before_another_or_not_or_that_is_not_known)
{
    int verdicts[3] = {0};
    for (int trial = 0; trial < trials_of(100); trial++) {
        struct drawn d = draw((uint64_t)trial, trial % 3);
        int64_t added = csy_sync_imprecision(d.sync)->added_ticks;
        for (size_t i = 0; i < EVENTS; i++)
            for (size_t k = 0; k < EVENTS; k++) {
                csy_instant a = moment(&d, i, false), b = moment(&d, k, false);
                csy_verdict verdict;
                csy_range range;
                csy_error error;
                int64_t lower, upper, apart = a.local_ticks - b.local_ticks;
                ck_ok(csy_sync_before(d.sync, &a, &b, &verdict, &range, &error), error);
                ck_ok(csy_sync_bounds(d.sync, a.thread, b.thread, &lower, &upper, NULL, &error),
                      error);
                bool good = range.lo == (lower == INT64_MIN ? lower : lower + apart - added) &&
                            range.hi == (upper == INT64_MAX ? upper : upper + apart + added);
                good &= range.kind == (added > 0 ? CSY_RANGE_PROVEN : CSY_RANGE_EXACT);
                good &= (verdict == CSY_BEFORE_YES) == (range.hi <= 0 && range.lo < 0);
                good &= (verdict == CSY_BEFORE_NO) == (range.lo >= 0);
                verdicts[verdict]++;
                /* By their places they are always decided, and never against the truth. */
                a.record = i;
                b.record = k;
                ck_ok(csy_sync_before(d.sync, &a, &b, &verdict, &range, &error), error);
                good &= verdict == (i < k ? CSY_BEFORE_YES : CSY_BEFORE_NO);
                good &= i < k ? range.hi <= 0 && range.lo <= range.hi
                              : range.lo >= 0 && range.lo <= range.hi;
                ck_assert(good);
            }
        done(&d);
    }
    ck_assert(verdicts[0] > 0 && verdicts[1] > 0 && verdicts[2] > 0);
}
END_TEST

START_TEST(what_a_clock_showed_is_where_its_event_is)
{
    struct drawn d = draw(3, 1);
    csy_events *events;
    csy_event event;
    csy_error error;
    bool more = true;
    size_t n = 0;
    ck_ok(csy_events_open(d.sync, &events, &error), error);
    for (;; n++) {
        int64_t global;
        ck_ok(csy_events_next(events, &event, &more, &error), error);
        if (!more)
            break;
        ck_ok(csy_sync_global(d.sync, event.thread, event.local_ticks, &global, &error), error);
        ck_assert_int_eq(global, event.global_ticks);
    }
    ck_assert_uint_eq(n, EVENTS);
    csy_events_free(events);
    done(&d);
}
END_TEST

START_TEST(refused)
{
    struct drawn d = draw(1, 0);
    int64_t odd[CLOCKS] = {1}, huge[CLOCKS] = {INT64_MAX, -INT64_MAX};
    csy_instant here = {0, 5, CSY_NO_RECORD}, nowhere = {d.clocks, 5, CSY_NO_RECORD};
    csy_range range;
    csy_verdict verdict;
    csy_error error;
    char text[100];
    ck_refused(csy_sync_bound_sum(d.sync, odd, &range, &error), CSY_USAGE, error,
               "made: the coefficients of a sum of offsets do not sum to 0");
    ck_refused(csy_sync_bound_sum(d.sync, huge, &range, &error), CSY_INPUT, error,
               "made: coefficients of a sum of offsets are too large");
    int64_t global;
    snprintf(text, sizeof text, "made: a time of thread %zu is asked for, of %zu", d.clocks,
             d.clocks);
    ck_refused(csy_sync_global(d.sync, d.clocks, 5, &global, &error), CSY_USAGE, error, text);
    size_t ahead = d.thread[1]; /* some 1000 ticks ahead of the first one */
    ck_assert_int_lt(csy_sync_thread(d.sync, ahead)->offset_ticks, 0);
    ck_refused(csy_sync_global(d.sync, ahead, INT64_MIN, &global, &error), CSY_INPUT, error,
               "made: global time leaves 64 bits");
    snprintf(text, sizeof text, "made: a moment of thread %zu is asked for, of %zu", d.clocks,
             d.clocks);
    ck_refused(csy_sync_before(d.sync, &here, &nowhere, &verdict, &range, &error), CSY_USAGE, error,
               text);
    done(&d);
}
END_TEST

int main(void)
{
    TCase *tests = unit_begin("sums");
    tcase_add_test(tests, sums_are_what_any_placement_makes_of_them);
    tcase_add_test(tests, one_moment_is_before_another_or_not_or_that_is_not_known);
    tcase_add_test(tests, what_a_clock_showed_is_where_its_event_is);
    tcase_add_test(tests, refused);
    return unit_run();
}
