/* Ranges of concurrency, against every way to move a few clocks by whole ticks: those that the
 * order decides are attained, others contain what is; and against every history that stamps which
 * are off may be of. */
#include "acting.h"

#include "analysis/ranges/levels.h"

#include <cellsync/analysis.h>

#include <string.h>

enum {
    RATIOS = 3,
    TRIALS = 3000,
    TRUTHS = 2000,
    STAMPED = 1500,
    WINDOWS = 4000,
    MOVES_MAX = 40,
    STAMPS_MAX = 8
};

/* What was attained. */
struct attained {
    bool any, windowed;
    int64_t from, until;                       /* the window, in true time of the first thread */
    double ratio_lo[RATIOS], ratio_hi[RATIOS]; /* average, efficiency and limit, in millionths */
    int64_t active_lo, active_hi;              /* the time of all */
    int64_t lo[ACTING_THREADS + 2], hi[ACTING_THREADS + 2]; /* at least i */
    int64_t exactly_lo[ACTING_THREADS + 2], exactly_hi[ACTING_THREADS + 2];
    double share_lo[ACTING_THREADS + 2], share_hi[ACTING_THREADS + 2]; /* millionths */
};

static void widen(struct attained *out, size_t i, int64_t time, int64_t exactly, double share)
{
    out->lo[i] = !out->any || time < out->lo[i] ? time : out->lo[i];
    out->hi[i] = !out->any || time > out->hi[i] ? time : out->hi[i];
    out->exactly_lo[i] = !out->any || exactly < out->exactly_lo[i] ? exactly : out->exactly_lo[i];
    out->exactly_hi[i] = !out->any || exactly > out->exactly_hi[i] ? exactly : out->exactly_hi[i];
    out->share_lo[i] = !out->any || share < out->share_lo[i] ? share : out->share_lo[i];
    out->share_hi[i] = !out->any || share > out->share_hi[i] ? share : out->share_hi[i];
}

/* What the totals say beside times. */
static void widen_ratios(const struct acting *a, const int64_t *times, struct attained *out)
{
    int64_t active = 0, once = times[1] - times[2];
    for (size_t i = 1; i <= a->nthreads; i++)
        active += times[i];
    double average = times[1] > 0 ? 1e6 * (double)active / (double)times[1] : 0;
    const double ratios[RATIOS] = {average, average / (double)a->nthreads,
                                   once > 0 ? 1e6 * (double)times[1] / (double)once : 0};
    for (size_t i = 0; i < RATIOS; i++) {
        if (ratios[i] == 0) /* there is none */
            continue;
        out->ratio_lo[i] =
            !(out->ratio_lo[i] > 0) || ratios[i] < out->ratio_lo[i] ? ratios[i] : out->ratio_lo[i];
        out->ratio_hi[i] = ratios[i] > out->ratio_hi[i] ? ratios[i] : out->ratio_hi[i];
    }
}

static void compare_ratios(const csy_analysis *analysis, const struct attained *want, int trial)
{
    for (size_t i = 0; i < RATIOS; i++) {
        const csy_value *value = &csy_analysis_sheet(analysis, 1)->values[4 + i];
        if (value->none || !(want->ratio_lo[i] > 0))
            continue;
        ck_assert_msg((double)value->range.lo <= want->ratio_lo[i] &&
                          want->ratio_hi[i] <= (double)value->range.hi,
                      "trial %d: ratio %zu in [%lld, %lld], but [%f, %f] is attained", trial, i,
                      (long long)value->range.lo, (long long)value->range.hi, want->ratio_lo[i],
                      want->ratio_hi[i]);
    }
}

static void look(const struct acting *a, const int64_t *x, struct attained *out)
{
    int64_t times[ACTING_THREADS + 2] = {0};
    if (out->windowed) {
        int64_t active;
        acting_levels_in(a, x, out->from, out->until, times, &active);
        out->active_lo = !out->any || active < out->active_lo ? active : out->active_lo;
        out->active_hi = !out->any || active > out->active_hi ? active : out->active_hi;
    } else {
        acting_levels(a, x, times);
    }
    widen_ratios(a, times, out);
    for (size_t i = 0; i <= a->nthreads; i++) {
        int64_t exactly = times[i] - times[i + 1];
        widen(out, i, times[i], exactly,
              times[1] > 0 ? 1e6 * (double)exactly / (double)times[1] : 0);
    }
    out->any = true;
}

/* Whether all moves can be tried: clocks have one thread each, and none is further than most. */
static bool are_few(csy_sync *sync, const struct acting *a, int64_t most)
{
    return most <= MOVES_MAX && csy_sync_nthreads(sync) == a->nthreads;
}

struct tally {
    int ordered, unordered, exact, partial, windows, tight, met, met_all;
    int64_t width, attained, outer_width, outer_attained, partial_width, partial_attained;
    int64_t together_width, together_want; /* of states, without levels */
};

static const csy_range *cell(const csy_analysis *analysis, size_t level, size_t column)
{
    static const csy_range nothing = {0, 0, 0, CSY_RANGE_CLOCK};
    const csy_sheet *sheet = csy_analysis_sheet(analysis, 0);
    return level < sheet->nrows ? &sheet->values[level * sheet->ncolumns + column].range : &nothing;
}

/* What is said to be attained is: where the order decides, all of a range. */
static void compare_attained(const csy_analysis *analysis, const struct attained *want, size_t i,
                             bool ordered, int trial, struct tally *tally)
{
    const csy_sheet *sheet = csy_analysis_sheet(analysis, 0);
    if (i >= sheet->nrows || sheet->values[i * sheet->ncolumns + 4].none)
        return;
    const int64_t time[] = {cell(analysis, i, 4)->estimate, cell(analysis, i, 5)->estimate};
    const int64_t at_least[] = {cell(analysis, i, 6)->estimate, cell(analysis, i, 7)->estimate};
    ck_assert_msg(want->lo[i] <= at_least[0] && at_least[1] <= want->hi[i],
                  "trial %d: at least %zu met in [%lld, %lld], but is in [%lld, %lld]", trial, i,
                  (long long)at_least[0], (long long)at_least[1], (long long)want->lo[i],
                  (long long)want->hi[i]);
    ck_assert_msg(want->exactly_lo[i] <= time[0] && time[1] <= want->exactly_hi[i],
                  "trial %d: exactly %zu met in [%lld, %lld], but is in [%lld, %lld]", trial, i,
                  (long long)time[0], (long long)time[1], (long long)want->exactly_lo[i],
                  (long long)want->exactly_hi[i]);
    int64_t estimate = cell(analysis, i, 3)->estimate;
    ck_assert_msg(at_least[0] <= estimate && estimate <= at_least[1],
                  "trial %d: at least %zu met in [%lld, %lld], but not as estimated, %lld", trial,
                  i, (long long)at_least[0], (long long)at_least[1], (long long)estimate);
    bool all = at_least[0] == want->lo[i] && at_least[1] == want->hi[i];
    ck_assert_msg(!ordered ||
                      (all && time[0] == want->exactly_lo[i] && time[1] == want->exactly_hi[i]),
                  "trial %d: level %zu is ordered, but not all of it is met", trial, i);
    tally->met += !ordered;
    tally->met_all += !ordered && all;
}

static void compare(const struct acting *a, const csy_analysis *analysis,
                    const struct attained *want, bool waits, bool attained, int trial,
                    struct tally *tally)
{
    for (size_t i = 0; i <= a->nthreads; i++) {
        const csy_range *time = cell(analysis, i, 1), *share = cell(analysis, i, 2);
        const csy_range *at_least = cell(analysis, i, 3);
        bool ordered = i > 0 && at_least->kind != CSY_RANGE_PROVEN;
        if (i == 0 && at_least->kind == CSY_RANGE_UNKNOWN)
            return;
        ck_assert_msg(waits || ordered || i == 0, "trial %d: ordered, but proven only", trial);
        ck_assert_msg(at_least->lo <= want->lo[i] && want->hi[i] <= at_least->hi,
                      "trial %d: at least %zu in [%lld, %lld], but [%lld, %lld] is attained", trial,
                      i, (long long)at_least->lo, (long long)at_least->hi, (long long)want->lo[i],
                      (long long)want->hi[i]);
        ck_assert_msg(time->lo <= want->exactly_lo[i] && want->exactly_hi[i] <= time->hi,
                      "trial %d: exactly %zu in [%lld, %lld], but [%lld, %lld] is attained", trial,
                      i, (long long)time->lo, (long long)time->hi, (long long)want->exactly_lo[i],
                      (long long)want->exactly_hi[i]);
        ck_assert_int_le(at_least->lo, at_least->estimate);
        ck_assert_int_le(at_least->estimate, at_least->hi);
        if (i > 0 && share != time && want->hi[1] > 0 && cell(analysis, 1, 3)->estimate > 0)
            ck_assert_msg(
                (double)share->lo <= want->share_lo[i] && want->share_hi[i] <= (double)share->hi,
                "trial %d: share of %zu in [%lld, %lld], but [%f, %f] is attained", trial, i,
                (long long)share->lo, (long long)share->hi, want->share_lo[i], want->share_hi[i]);
        if (attained)
            compare_attained(analysis, want, i, ordered, trial, tally);
        tally->ordered += ordered;
        tally->unordered += !ordered;
        tally->exact += !ordered && at_least->lo == want->lo[i] && at_least->hi == want->hi[i];
        tally->width += ordered ? 0 : at_least->hi - at_least->lo;
        tally->attained += ordered ? 0 : want->hi[i] - want->lo[i];
        if (!ordered || i == 0)
            continue;
        ck_assert_msg(at_least->lo == want->lo[i] && at_least->hi == want->hi[i],
                      "trial %d: at least %zu in [%lld, %lld], want [%lld, %lld]", trial, i,
                      (long long)at_least->lo, (long long)at_least->hi, (long long)want->lo[i],
                      (long long)want->hi[i]);
        ck_assert_int_eq(time->lo, want->exactly_lo[i]);
        ck_assert_int_eq(time->hi, want->exactly_hi[i]);
    }
}

/* The time of all actors together in a window. */
static void compare_active(const csy_analysis *analysis, const struct attained *want, int trial,
                           struct tally *tally)
{
    const csy_range *active = &csy_analysis_sheet(analysis, 1)->values[2].range;
    ck_assert_msg(active->lo <= want->active_lo && want->active_hi <= active->hi,
                  "trial %d: active in [%lld, %lld], but [%lld, %lld] is attained", trial,
                  (long long)active->lo, (long long)active->hi, (long long)want->active_lo,
                  (long long)want->active_hi);
    tally->windows++;
    tally->tight += active->lo == want->active_lo && active->hi == want->active_hi;
}

/* What is known without a look at pairs of changes contains what is attained, too; and what is said
 * is no wider. */
static void compare_outer(const struct acting *a, csy_sync *sync, const csy_meaning *meaning,
                          const csy_analysis *said, const struct attained *want, int trial,
                          struct tally *tally)
{
    csy_error error;
    struct instants in;
    struct levels_run run;
    csy_range at_least[ACTING_THREADS + 1], exactly[ACTING_THREADS + 1], active;
    uint32_t tau = (uint32_t)csy_sync_reference(sync);
    int64_t offset = csy_sync_thread(sync, tau)->offset_ticks;
    const struct block window = {
        {.at = {want->from, want->from + offset, tau}, .record = CSY_NO_RECORD},
        {.at = {want->until, want->until + offset, tau}, .record = CSY_NO_RECORD}};
    ck_ok(instants_open(&in, sync, meaning, INSTANTS_AHEAD, 0, &error), error);
    ck_ok(levels_begin(&run, &in, &(csy_concurrency){.units = CSY_UNITS_ACTORS}, &window,
                       want->windowed, NULL, 0, &error),
          error);
    run.outer_only = true;
    ck_ok(instants_merge(&in, levels_take, NULL, &run, &error), error);
    ck_ok(levels_end(&run, &error), error);
    ck_assert(run.blocks[0].given_up && run.blocks[0].ranged);
    ck_ok(levels_ranges(&run.blocks[0], at_least, exactly, &error), error);
    ck_ok(levels_active(&run.blocks[0], &active, &error), error);
    for (size_t i = 1; i <= a->nthreads; i++) {
        ck_assert_msg(at_least[i].lo <= want->lo[i] && want->hi[i] <= at_least[i].hi,
                      "trial %d: at least %zu in [%lld, %lld], but [%lld, %lld] is attained", trial,
                      i, (long long)at_least[i].lo, (long long)at_least[i].hi,
                      (long long)want->lo[i], (long long)want->hi[i]);
        ck_assert(exactly[i].lo <= want->exactly_lo[i] && want->exactly_hi[i] <= exactly[i].hi);
        ck_assert(at_least[i].lo <= at_least[i].estimate);
        ck_assert(at_least[i].estimate <= at_least[i].hi);
        ck_assert_int_eq(at_least[i].kind, CSY_RANGE_PROVEN);
        tally->outer_width += at_least[i].hi - at_least[i].lo;
        tally->outer_attained += want->hi[i] - want->lo[i];
        const csy_range *range = cell(said, i, 3);
        ck_assert_msg(at_least[i].lo <= range->lo && range->hi <= at_least[i].hi,
                      "trial %d: at least %zu in [%lld, %lld] without pairs, but [%lld, %lld] said",
                      trial, i, (long long)at_least[i].lo, (long long)at_least[i].hi,
                      (long long)range->lo, (long long)range->hi);
        tally->partial_width += range->hi - range->lo;
        tally->partial_attained += want->hi[i] - want->lo[i];
    }
    if (want->windowed)
        ck_assert(active.lo <= want->active_lo && want->active_hi <= active.hi);
    levels_fini(&run);
    instants_fini(&in);
}

static const csy_range *find_together(const csy_analysis *analysis)
{
    const csy_sheet *sheet = csy_analysis_sheet(analysis, 0);
    const csy_value *row = sheet->values + (sheet->nrows - 1) * sheet->ncolumns;
    ck_assert_str_eq(row[0].text, "all");
    ck_assert(!row[sheet->ncolumns - 2].none);
    return &row[sheet->ncolumns - 2].range;
}

/* How long at least one is active, as states say it without levels: exact where all is ordered. */
static void compare_together(csy_sync *sync, const csy_meaning *meaning,
                             const struct attained *want, bool waits, int trial,
                             struct tally *tally)
{
    csy_error error;
    csy_analysis *analysis;
    ck_ok(csy_sync_states(sync, meaning, NULL, &analysis, &error), error);
    const csy_range *range = find_together(analysis);
    ck_assert_int_ne(range->kind, CSY_RANGE_UNKNOWN);
    ck_assert_msg(range->lo <= want->lo[1] && want->hi[1] <= range->hi,
                  "trial %d: together in [%lld, %lld], but [%lld, %lld] is attained", trial,
                  (long long)range->lo, (long long)range->hi, (long long)want->lo[1],
                  (long long)want->hi[1]);
    ck_assert(range->lo <= range->estimate && range->estimate <= range->hi);
    ck_assert_msg(waits || (range->lo == want->lo[1] && range->hi == want->hi[1]),
                  "trial %d: together in [%lld, %lld], want [%lld, %lld]", trial,
                  (long long)range->lo, (long long)range->hi, (long long)want->lo[1],
                  (long long)want->hi[1]);
    tally->together_width += range->hi - range->lo;
    tally->together_want += want->hi[1] - want->lo[1];
    csy_analysis_free(analysis);
}

START_TEST(every_move)
{
    struct tally tally = {0};
    csy_error error;
    csy_meaning *meaning;
    ck_ok(csy_meaning_new(&meaning, &error), error);
    for (int trial = 0; trial < trials_of(TRIALS); trial++) {
        struct random r = random_trial((uint64_t)trial);
        struct acting a;
        struct attained want = {0};
        csy_trace *trace;
        csy_sync *sync;
        csy_analysis *analysis;
        csy_concurrency asked = {.units = CSY_UNITS_ACTORS};
        char window[64];
        int64_t x[ACTING_THREADS];
        bool waits = trial % 3 > 0;
        acting_draw(&r, trial % 4 ? 3 : 2, 5, 4, waits, &a);
        if (trial % 5 == 0) {
            acting_draw_messages(&a, &r);
            waits |= a.nmessages > 0; /* nothing is ordered */
        }
        acting_solve(&a, &trace, &sync);
        int64_t most = acting_furthest(sync);
        if (trial % 4 == 1) {
            int64_t first, last; /* elsewhere its ends would be records of others */
            acting_span(&a, 0, &first, &last);
            want.windowed = true;
            want.from = random_between(&r, first, last);
            want.until = random_between(&r, want.from, last);
            snprintf(window, sizeof window, "%lld..%lld", (long long)want.from,
                     (long long)want.until);
            asked.window = window;
        }
        asked.attained = true;
        if (are_few(sync, &a, most)) {
            tally.partial += a.nmessages > 0;
            ck_ok(csy_sync_concurrency(sync, meaning, &asked, &analysis, &error), error);
            for (bool more = acting_first_move(&a, most, x); more;
                 more = acting_next_move(&a, most, x))
                look(&a, x, &want);
            ck_assert(want.any);
            compare_ratios(analysis, &want, trial);
            if (want.windowed)
                compare_active(analysis, &want, trial, &tally);
            else
                compare_together(sync, meaning, &want, waits, trial, &tally);
            if (a.nmessages > 0)
                compare_outer(&a, sync, meaning, analysis, &want, trial, &tally);
            compare(&a, analysis, &want, waits || want.windowed, asked.attained, trial, &tally);
            csy_analysis_free(analysis);
        }
        csy_sync_free(sync);
        csy_trace_free(trace);
    }
    printf("%d ordered ranges, %d others, of which %d are attained, %lld ticks for %lld\n",
           tally.ordered, tally.unordered, tally.exact, (long long)tally.width,
           (long long)tally.attained);
    ck_assert_int_gt(tally.ordered, trials_of(TRIALS) / 3);
    ck_assert_int_gt(tally.unordered, trials_of(TRIALS) / 3);
    ck_assert_int_gt(tally.exact * 3, tally.unordered); /* ranges are of use */
    printf("without pairs: %lld ticks for %lld\n", (long long)tally.outer_width,
           (long long)tally.outer_attained);
    ck_assert_int_le(tally.outer_width, 4 * tally.outer_attained); /* of use, too */
    printf("in partial order: %lld ticks for %lld\n", (long long)tally.partial_width,
           (long long)tally.partial_attained);
    printf("%d others met, %d of them all\n", tally.met, tally.met_all);
    ck_assert_int_gt(tally.met * 2, tally.unordered);
    ck_assert_int_gt(tally.met_all * 4, tally.met * 3);
    printf("together: %lld ticks for %lld\n", (long long)tally.together_width,
           (long long)tally.together_want);
    ck_assert_int_le(tally.together_width, 4 * tally.together_want); /* of use, too */
    printf("%d windows, %d with attained times of all\n", tally.windows, tally.tight);
    ck_assert_int_gt(tally.windows, trials_of(TRIALS) / 20);
    ck_assert_int_gt(tally.tight * 2, tally.windows);
    ck_assert_of_trials(tally.partial > trials_of(TRIALS) / 60);
    csy_meaning_free(meaning);
}
END_TEST

/* Stamps that are off: what was is in the ranges. */
START_TEST(truth)
{
    csy_error error;
    csy_meaning *meaning;
    ck_ok(csy_meaning_new(&meaning, &error), error);
    for (int trial = 0; trial < trials_of(TRUTHS); trial++) {
        struct random r = random_trial((uint64_t)trial);
        const int64_t x[ACTING_THREADS] = {0};
        int64_t times[ACTING_THREADS + 2];
        struct acting a;
        csy_trace *trace;
        csy_sync *sync;
        csy_analysis *analysis;
        acting_draw_flat(&r, ACTING_THREADS, 12, trial % 2 ? 5 : 20, trial % 4 > 0, &a);
        acting_solve_off(&a, &r, trial % 3, &trace, &sync);
        ck_ok(csy_sync_concurrency(sync, meaning, &(csy_concurrency){.units = CSY_UNITS_ACTORS},
                                   &analysis, &error),
              error);
        acting_levels(&a, x, times);
        for (size_t i = 1; i <= a.nthreads; i++) {
            const csy_range *time = cell(analysis, i, 1), *at_least = cell(analysis, i, 3);
            int64_t exactly = times[i] - times[i + 1];
            ck_assert_msg(at_least->lo <= times[i] && times[i] <= at_least->hi,
                          "trial %d: at least %zu in [%lld, %lld], was %lld", trial, i,
                          (long long)at_least->lo, (long long)at_least->hi, (long long)times[i]);
            ck_assert_msg(time->lo <= exactly && exactly <= time->hi,
                          "trial %d: exactly %zu in [%lld, %lld], was %lld", trial, i,
                          (long long)time->lo, (long long)time->hi, (long long)exactly);
        }
        csy_analysis_free(analysis);
        csy_sync_free(sync);
        csy_trace_free(trace);
    }
    csy_meaning_free(meaning);
}
END_TEST

/* What may have been, where stamps are off by so much at most; in a window, if there are ends. */
struct histories {
    const struct acting_end *ends;
    struct attained found;
};

static void widen_history(void *user, const struct acting *was)
{
    static const int64_t nothing[ACTING_THREADS];
    struct histories *h = user;
    struct attained *found = &h->found;
    int64_t times[ACTING_THREADS + 2], active = 0;
    if (h->ends)
        acting_levels_in(was, nothing, acting_end_time(was, &h->ends[0], nothing, false),
                         acting_end_time(was, &h->ends[1], nothing, true), times, &active);
    else
        acting_levels(was, nothing, times);
    for (size_t i = 0; i <= was->nthreads; i++) {
        int64_t exactly = times[i] - times[i + 1];
        widen(found, i, times[i], exactly,
              times[1] > 0 ? 1e6 * (double)exactly / (double)times[1] : 0);
    }
    found->active_lo = !found->any || active < found->active_lo ? active : found->active_lo;
    found->active_hi = !found->any || active > found->active_hi ? active : found->active_hi;
    widen_ratios(was, times, found);
    found->any = true;
}

/* Whose clock says when an end is. */
static size_t thread_of(const struct acting *a, const struct acting_end *end, bool last)
{
    return end->kind == ACTING_END_TIME   ? 0
           : end->kind != ACTING_END_NONE ? a->events[end->record].thread
                                          : a->events[last ? a->n - 1 : 0].thread;
}

/* The length of the window, all actors together, and shares. */
static void compare_within(const struct acting *a, const struct acting_end *ends,
                           const csy_analysis *analysis, const struct attained *want, int trial)
{
    bool one = thread_of(a, &ends[0], false) == thread_of(a, &ends[1], true);
    const csy_range *whole = cell(analysis, 0, 3);
    const csy_sheet *sheet = csy_analysis_sheet(analysis, 0);
    struct tally tally = {0};
    compare_active(analysis, want, trial, &tally);
    ck_assert_int_eq(whole->kind == CSY_RANGE_CLOCK, one);
    ck_assert_msg(one || /* it is as stamped */
                      (whole->lo <= want->lo[0] && want->hi[0] <= whole->hi),
                  "trial %d: the window in [%lld, %lld], may have been [%lld, %lld]", trial,
                  (long long)whole->lo, (long long)whole->hi, (long long)want->lo[0],
                  (long long)want->hi[0]);
    for (size_t i = 1; i <= a->nthreads && i < sheet->nrows && want->lo[1] > 0; i++) {
        const csy_value *share = &sheet->values[i * sheet->ncolumns + 2];
        ck_assert_msg(share->none || ((double)share->range.lo <= want->share_lo[i] &&
                                      want->share_hi[i] <= (double)share->range.hi),
                      "trial %d: share of %zu in [%lld, %lld], may have been [%f, %f]", trial, i,
                      (long long)share->range.lo, (long long)share->range.hi, want->share_lo[i],
                      want->share_hi[i]);
    }
}

/* Every history whose stamps these may be is in the ranges; how many there are. */
static int check_histories(const struct acting *a, const struct acting_end *ends, int64_t delta,
                           int trial, int *attained)
{
    csy_error error;
    csy_meaning *meaning;
    csy_trace *trace;
    csy_sync *sync;
    csy_analysis *analysis;
    struct histories h = {.ends = ends};
    csy_concurrency asked = {.units = CSY_UNITS_ACTORS};
    char from[32], until[32], window[80];
    int tried = 0;
    acting_solve_off(a, NULL, delta, &trace, &sync);
    int64_t most = acting_furthest(sync);
    bool few = are_few(sync, a, most);
    ck_ok(csy_meaning_new(&meaning, &error), error);
    if (ends) {
        acting_write_end(&ends[0], from);
        acting_write_end(&ends[1], until);
        snprintf(window, sizeof window, "%s..%s", from, until);
        asked.window = window;
    }
    csy_status status = csy_sync_concurrency(sync, meaning, &asked, &analysis, &error);
    if (ends && status == CSY_USAGE) { /* by the estimate it ends before it begins */
        csy_sync_free(sync);
        csy_trace_free(trace);
        csy_meaning_free(meaning);
        return 0;
    }
    ck_ok(status, error);
    if (few) {
        acting_histories(a, delta, most, widen_history, &h);
        compare_ratios(analysis, &h.found, trial);
    }
    if (few && ends)
        compare_within(a, ends, analysis, &h.found, trial);
    for (size_t i = 1; few && i <= a->nthreads; i++, tried++) {
        const csy_range *time = cell(analysis, i, 1), *at_least = cell(analysis, i, 3);
        ck_assert(h.found.any);
        ck_assert_msg(at_least->lo <= h.found.lo[i] && h.found.hi[i] <= at_least->hi,
                      "trial %d: at least %zu in [%lld, %lld], may have been [%lld, %lld]", trial,
                      i, (long long)at_least->lo, (long long)at_least->hi, (long long)h.found.lo[i],
                      (long long)h.found.hi[i]);
        ck_assert_msg(time->lo <= h.found.exactly_lo[i] && h.found.exactly_hi[i] <= time->hi,
                      "trial %d: exactly %zu in [%lld, %lld], may have been [%lld, %lld]", trial, i,
                      (long long)time->lo, (long long)time->hi, (long long)h.found.exactly_lo[i],
                      (long long)h.found.exactly_hi[i]);
        *attained += at_least->hi == h.found.hi[i];
    }
    csy_analysis_free(analysis);
    const csy_states states = {.window = asked.window};
    ck_ok(csy_sync_states(sync, meaning, &states, &analysis, &error), error);
    const csy_range *together = find_together(analysis);
    if (few)
        ck_assert_msg(together->lo <= h.found.lo[1] && h.found.hi[1] <= together->hi,
                      "trial %d: together in [%lld, %lld], may have been [%lld, %lld]", trial,
                      (long long)together->lo, (long long)together->hi, (long long)h.found.lo[1],
                      (long long)h.found.hi[1]);
    csy_analysis_free(analysis);
    csy_sync_free(sync);
    csy_trace_free(trace);
    csy_meaning_free(meaning);
    return tried;
}

START_TEST(every_stamp)
{
    int tried = 0, attained = 0;
    for (int trial = 0; trial < trials_of(STAMPED); trial++) {
        struct random r = random_trial((uint64_t)trial);
        struct acting a;
        int64_t delta = trial % 2 + 1;
        acting_draw_flat(&r, 2, 3, 2 * delta + 1, true, &a);
        if (acting_stamps(&a) <= (size_t)(STAMPS_MAX - 2 * (delta - 1)))
            tried += check_histories(&a, NULL, delta, trial, &attained);
    }
    printf("%d ranges of stamps that are off, %d upper ends attained\n", tried, attained);
    ck_assert_int_gt(tried, trials_of(STAMPED) / 3);
    ck_assert_int_gt(attained, 0);
}
END_TEST

START_TEST(every_window)
{
    int tried = 0, attained = 0;
    for (int trial = 0; trial < trials_of(WINDOWS); trial++) {
        struct random r = random_trial((uint64_t)trial);
        struct acting a, told;
        struct acting_end ends[2];
        int64_t delta = trial % 4 ? 1 : 2;
        acting_draw_flat(&r, 2, 3, trial % 3 ? 4 * delta : 2 * delta, trial % 2, &a);
        acting_err(&a, &r, delta, &told);
        acting_draw_end(&told, &r, &ends[0]);
        acting_draw_end(&told, &r, &ends[1]);
        bool reversed = ends[0].kind != ACTING_END_NONE && ends[1].kind != ACTING_END_NONE &&
                        ends[0].time > ends[1].time;
        if (!reversed && acting_stamps(&a) <= (size_t)(STAMPS_MAX - 1 - 2 * (delta - 1)))
            tried += check_histories(&told, ends, delta, trial, &attained);
    }
    printf("%d ranges of windows of stamps that are off, %d upper ends attained\n", tried,
           attained);
    ck_assert_of_trials(tried * 3 > trials_of(WINDOWS));
    ck_assert_of_trials(attained > 0);
}
END_TEST

/* One waits before the other begins, by the stamps; but these may be off such that both were active
 * for 8 ticks, while the base order never has two active, so that all comes from one pair. */
START_TEST(one_pair)
{
    const struct acting a = {.n = 4,
                             .nthreads = 2,
                             .events = {{1, 0, ACTING_MARK, 0, 0},
                                        {0, 1, ACTING_MARK, 6, 6},
                                        {1, 2, ACTING_WAIT, 9, 5},
                                        {0, 3, ACTING_MARK, 10, 10}}};
    int attained = 0;
    ck_assert_int_eq(check_histories(&a, NULL, 2, -1, &attained), 2);
}
END_TEST

int main(void)
{
    TCase *tests = unit_begin("levels");
    tcase_set_timeout(tests, 120);
    tcase_add_test(tests, every_move);
    tcase_add_test(tests, truth);
    tcase_add_test(tests, every_stamp);
    tcase_add_test(tests, every_window);
    tcase_add_test(tests, one_pair);
    return unit_run();
}
