/* Ranges of the elapsed time of a routine whose calls are intervals, of its time while one unit
 * alone is active, and of how many are in it at once, against every way to move a few clocks by
 * whole ticks: they contain what is attained. */
#include "acting.h"

#include <cellsync/analysis.h>

enum { TRIALS = 2500, MOVES_MAX = 40 };

struct attained {
    bool any;
    int64_t lo, hi;
    int64_t alone_lo, alone_hi;
    int64_t most_lo, most_hi; /* the former of threads that are in it for a tick together */
};

static bool is_in(const struct acting *a, const int64_t *x, size_t thread, int64_t now, bool closed)
{
    for (size_t i = 0; i < a->n; i++) {
        const struct acting_event *e = &a->events[i];
        if (e->kind == ACTING_WAIT && e->thread == thread && e->begin + x[thread] <= now &&
            now < e->time + x[thread] + closed)
            return true;
    }
    return false;
}

/* How long threads are in calls while one unit alone is there, from its first record to its last:
 * all but the first are units, which is the PPE. */
static int64_t alone_of(const struct acting *a, const int64_t *x, int64_t *most, int64_t *touching)
{
    int64_t from[ACTING_THREADS], until[ACTING_THREADS], first = INT64_MAX, last = INT64_MIN;
    int64_t alone = 0;
    *most = *touching = 1; /* a call without length */
    for (size_t t = 0; t < a->nthreads; t++) {
        acting_span(a, t, &from[t], &until[t]);
        from[t] += x[t];
        until[t] += x[t];
        last = until[t] > last ? until[t] : last;
    }
    for (size_t i = 0; i < a->n; i++) {
        int64_t at = a->events[i].begin + x[a->events[i].thread];
        first = at < first ? at : first;
    }
    for (int64_t now = first; now <= last; now++) {
        int64_t there = 0, inside = 0, touch = 0;
        for (size_t t = 0; t < a->nthreads; t++) {
            there += t > 0 && from[t] <= now && now < until[t];
            inside += is_in(a, x, t, now, false);
            touch += is_in(a, x, t, now, true);
        }
        alone += there == 1 ? inside : 0;
        *most = inside > *most ? inside : *most;
        *touching = touch > *touching ? touch : *touching;
    }
    return alone;
}

/* How long at least one thread is in a call; these are the intervals. */
static int64_t elapsed_of(const struct acting *a, const int64_t *x)
{
    int64_t first = INT64_MAX, last = INT64_MIN, elapsed = 0;
    for (size_t i = 0; i < a->n; i++) {
        const struct acting_event *e = &a->events[i];
        first = e->begin + x[e->thread] < first ? e->begin + x[e->thread] : first;
        last = e->time + x[e->thread] > last ? e->time + x[e->thread] : last;
    }
    for (int64_t now = first; now < last; now++) {
        bool any = false;
        for (size_t i = 0; i < a->n; i++) {
            const struct acting_event *e = &a->events[i];
            any |= e->kind == ACTING_WAIT && e->begin + x[e->thread] <= now &&
                   now < e->time + x[e->thread];
        }
        elapsed += any;
    }
    return elapsed;
}

static void look(const struct acting *a, const int64_t *x, struct attained *out)
{
    int64_t together, touching;
    int64_t elapsed = elapsed_of(a, x), alone = alone_of(a, x, &together, &touching);
    out->alone_lo = !out->any || alone < out->alone_lo ? alone : out->alone_lo;
    out->alone_hi = !out->any || alone > out->alone_hi ? alone : out->alone_hi;
    out->most_lo = !out->any || together < out->most_lo ? together : out->most_lo;
    out->most_hi = !out->any || touching > out->most_hi ? touching : out->most_hi;
    out->lo = !out->any || elapsed < out->lo ? elapsed : out->lo;
    out->hi = !out->any || elapsed > out->hi ? elapsed : out->hi;
    out->any = true;
}

struct tally {
    int ranges, attained, partial, shared, alone, narrow;
    int64_t width, want, alone_width, alone_want;
};

/* The time of one thread alone, the rest of it, and how many are in it at once. */
static void compare_alone(const csy_value *row, int64_t direct, const struct attained *want,
                          int trial, struct tally *tally)
{
    const csy_range *alone = &row[4].range, *together = &row[5].range, *most = &row[8].range;
    if (alone->kind != CSY_RANGE_UNKNOWN) {
        ck_assert_msg(alone->lo <= want->alone_lo && want->alone_hi <= alone->hi,
                      "trial %d: alone in [%lld, %lld], but [%lld, %lld] is attained", trial,
                      (long long)alone->lo, (long long)alone->hi, (long long)want->alone_lo,
                      (long long)want->alone_hi);
        ck_assert(0 <= alone->lo && alone->lo <= alone->estimate);
        ck_assert(alone->estimate <= alone->hi && alone->hi <= direct);
        tally->alone++;
        tally->alone_width += alone->hi - alone->lo;
        tally->alone_want += want->alone_hi - want->alone_lo;
    }
    if (together->kind != CSY_RANGE_UNKNOWN) {
        ck_assert_int_le(together->lo, direct - want->alone_hi);
        ck_assert_int_ge(together->hi, direct - want->alone_lo);
        ck_assert(0 <= together->lo && together->hi <= direct);
    }
    if (most->kind != CSY_RANGE_UNKNOWN) {
        ck_assert_int_le(most->lo, want->most_lo);
        ck_assert_int_ge(most->hi, want->most_hi);
        tally->narrow += most->lo == most->hi;
    }
}

static void compare(const csy_analysis *analysis, const struct attained *want, int trial,
                    struct tally *tally)
{
    const csy_value *row = csy_analysis_sheet(analysis, 1)->values;
    const csy_range *direct = &row[1].range, *inside = &row[2].range, *overlap = &row[3].range;
    const csy_range *cumulative = &csy_analysis_sheet(analysis, 0)->values[8].range;
    const csy_range *both[] = {direct, inside};
    for (size_t i = 0; i < 2; i++) {
        if (both[i]->kind == CSY_RANGE_UNKNOWN)
            continue;
        ck_assert_msg(both[i]->lo <= want->lo && want->hi <= both[i]->hi,
                      "trial %d: elapsed %zu in [%lld, %lld], but [%lld, %lld] is attained", trial,
                      i, (long long)both[i]->lo, (long long)both[i]->hi, (long long)want->lo,
                      (long long)want->hi);
        ck_assert(both[i]->lo <= both[i]->estimate && both[i]->estimate <= both[i]->hi);
    }
    if (inside->kind == CSY_RANGE_UNKNOWN)
        return;
    compare_alone(row, csy_analysis_sheet(analysis, 0)->values[7].range.estimate, want, trial,
                  tally);
    ck_assert_int_ge(overlap->lo, 0);
    ck_assert_int_le(inside->hi, cumulative->estimate);
    ck_assert_int_le(overlap->lo, cumulative->estimate - want->hi);
    ck_assert_int_ge(overlap->hi, cumulative->estimate - want->lo);
    tally->ranges++;
    tally->attained += inside->lo == want->lo && inside->hi == want->hi;
    tally->shared += inside->kind == CSY_RANGE_PROVEN;
    tally->width += inside->hi - inside->lo;
    tally->want += want->hi - want->lo;
}

static csy_meaning *make_meaning(void)
{
    return acting_meaning("<events version=\"1\"><recordType name=\"BARRIER\" role=\"call\" "
                          "routine=\"work\"/></events>");
}

START_TEST(every_move)
{
    struct tally tally = {0};
    csy_error error;
    csy_meaning *meaning = make_meaning();
    int tried = 0;
    for (int trial = 0; trial < trials_of(TRIALS); trial++) {
        struct random r = random_trial((uint64_t)trial);
        struct acting a;
        struct attained want = {0};
        csy_trace *trace;
        csy_sync *sync;
        csy_analysis *analysis;
        int64_t x[ACTING_THREADS];
        bool calls = false;
        acting_draw(&r, trial % 4 ? 3 : 2, 5, 4, true, &a);
        if (trial % 2)
            acting_draw_messages(&a, &r);
        for (size_t i = 0; i < a.n; i++)
            calls |= a.events[i].kind == ACTING_WAIT;
        acting_solve(&a, &trace, &sync);
        int64_t most = csy_sync_nthreads(sync) == a.nthreads ? acting_furthest(sync) : INT64_MAX;
        if (calls && most <= MOVES_MAX) {
            ck_ok(csy_sync_profile(sync, meaning, NULL, &analysis, &error), error);
            for (bool more = acting_first_move(&a, most, x); more;
                 more = acting_next_move(&a, most, x))
                look(&a, x, &want);
            ck_assert(want.any);
            compare(analysis, &want, trial, &tally);
            tried++;
            tally.partial += a.nmessages > 0;
            csy_analysis_free(analysis);
        }
        csy_sync_free(sync);
        csy_trace_free(trace);
    }
    printf("%d of %d ranges are known, %d of several, %d attained, %lld ticks for %lld\n",
           tally.ranges, tried, tally.shared, tally.attained, (long long)tally.width,
           (long long)tally.want);
    printf("%d of these of one alone, %lld ticks for %lld; how many at most is known of %d\n",
           tally.alone, (long long)tally.alone_width, (long long)tally.alone_want, tally.narrow);
    ck_assert_int_gt(tally.ranges * 10, tried * 9);
    ck_assert_int_gt(tally.alone * 10, tally.ranges * 9);
    ck_assert_int_le(tally.alone_width, 4 * tally.alone_want);
    ck_assert_int_gt(tally.narrow * 10, tried);
    ck_assert_int_gt(tally.shared, tried / 3);
    ck_assert_int_gt(tally.partial, trials_of(TRIALS) / 60);
    ck_assert_int_le(tally.width, 4 * tally.want); /* of use, too */
    csy_meaning_free(meaning);
}
END_TEST

int main(void)
{
    TCase *tests = unit_begin("elapsed");
    tcase_set_timeout(tests, 120);
    tcase_add_test(tests, every_move);
    return unit_run();
}
