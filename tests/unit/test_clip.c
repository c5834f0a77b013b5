/* What of states, waits and messages is in a window, against each move of clocks that the records
 * allow. */
#include "acting.h"

#include <cellsync/analysis.h>

#include <stdlib.h>
#include <string.h>

enum { TRIALS = 1500, MOVES_MAX = 12 };
enum what { USER, BLOCKED, ABSENT, FIGURES };

static const char *const columns[FIGURES] = {"user", "blocked", "absent"};

/* Of waits; and arrivals at each instance of the barrier. */
enum { COUNT, TIME, MEAN, GREATEST, ARRIVALS, WAIT_FIGURES = ARRIVALS + ACTING_EVENTS };

static const char *const wait_columns[ARRIVALS] = {"count", "time", "mean", "greatest"};

/* Of messages; the sum comes last. */
enum { MESSAGES, SHORTEST, MEAN_TIME, MEDIAN, LATE, MESSAGE_FIGURES };

static const char *const message_columns[MESSAGE_FIGURES] = {"messages", "least", "mean", "median",
                                                             "late_sender"};

struct attained {
    bool any;
    int64_t lo[ACTING_THREADS + 1][FIGURES], hi[ACTING_THREADS + 1][FIGURES];
    int64_t least[WAIT_FIGURES], most[WAIT_FIGURES];
    bool waits; /* there are some in the window */
    bool told[MESSAGE_FIGURES];
    int64_t low[MESSAGE_FIGURES], high[MESSAGE_FIGURES];
};

struct tally {
    int ranges, exact;
    int64_t width, attained;
};

static int64_t time_of(const struct acting *a, const struct acting_end *end, const int64_t *x,
                       bool last)
{
    const struct acting_event *e = &a->events[end->record];
    int64_t out = end->kind == ACTING_END_TIME ? end->time : e->time + x[e->thread];
    for (size_t i = 0; i < a->n && end->kind == ACTING_END_NONE; i++) {
        int64_t at = a->events[i].time + x[a->events[i].thread];
        out = i == 0 || (last ? at > out : at < out) ? at : out;
    }
    return out;
}

static void widen(struct attained *out, size_t row, const int64_t *times)
{
    for (size_t i = 0; i < FIGURES; i++) {
        int64_t *lo = &out->lo[row][i], *hi = &out->hi[row][i];
        *lo = !out->any || times[i] < *lo ? times[i] : *lo;
        *hi = !out->any || times[i] > *hi ? times[i] : *hi;
    }
}

static void widen_figure(struct attained *out, size_t figure, int64_t value, bool first)
{
    out->least[figure] = first || value < out->least[figure] ? value : out->least[figure];
    out->most[figure] = first || value > out->most[figure] ? value : out->most[figure];
}

/* Nothing is in a window that ends before it begins. */
static bool is_reversed(const struct acting_end *ends, int64_t from, int64_t until)
{
    return ends[0].kind != ACTING_END_NONE && ends[1].kind != ACTING_END_NONE && from > until;
}

/* Waits that are in the window for some time, and when they began. */
static void look_at_waits(const struct acting *a, const struct acting_end *ends, const int64_t *x,
                          int64_t from, int64_t until, struct attained *out)
{
    int64_t figures[WAIT_FIGURES] = {0};
    size_t turns[ACTING_THREADS] = {0};
    for (size_t i = 0; i < a->n; i++) {
        const struct acting_event *e = &a->events[i];
        if (e->kind != ACTING_WAIT)
            continue;
        int64_t begin = e->begin + x[e->thread], end = e->time + x[e->thread];
        size_t instance = turns[e->thread]++;
        bool before = ends[1].kind == ACTING_END_NONE || begin < until;
        bool after = ends[0].kind == ACTING_END_NONE || end > from;
        if (is_reversed(ends, from, until))
            continue;
        figures[ARRIVALS + instance] +=
            before && (ends[0].kind == ACTING_END_NONE || begin >= from) ? 1 : 0;
        if (!before || !after)
            continue;
        begin = ends[0].kind != ACTING_END_NONE && begin < from ? from : begin;
        end = ends[1].kind != ACTING_END_NONE && end > until ? until : end;
        figures[COUNT]++;
        figures[TIME] += end - begin;
        figures[GREATEST] = end - begin > figures[GREATEST] ? end - begin : figures[GREATEST];
    }
    for (size_t i = 0; i < WAIT_FIGURES; i++)
        if (i != MEAN)
            widen_figure(out, i, figures[i], !out->any);
    if (figures[COUNT] > 0) {
        int64_t mean = figures[TIME] * 1000000 / figures[COUNT]; /* as it is rounded */
        widen_figure(out, MEAN, mean, !out->waits);
        out->waits = true;
    }
}

static int compare_times(const void *x, const void *y)
{
    int64_t a = *(const int64_t *)x, b = *(const int64_t *)y;
    return (a > b) - (a < b);
}

static void tell_message(struct attained *out, size_t figure, int64_t value)
{
    bool first = !out->told[figure];
    out->low[figure] = first || value < out->low[figure] ? value : out->low[figure];
    out->high[figure] = first || value > out->high[figure] ? value : out->high[figure];
    out->told[figure] = true;
}

/* Messages that were under way in the window for some time. */
static void look_at_messages(const struct acting *a, const struct acting_end *ends,
                             const int64_t *x, int64_t from, int64_t until, struct attained *out)
{
    int64_t times[ACTING_MESSAGES], all = 0, late = 0, n = 0;
    for (size_t i = 0; i < a->nmessages; i++) {
        const struct acting_event *s = &a->events[a->senders[i]];
        const struct acting_event *t = &a->events[a->receivers[i]];
        int64_t sent = s->time + x[s->thread], received = t->time + x[t->thread];
        int64_t posted = t->begin + x[t->thread];
        if (is_reversed(ends, from, until) || (ends[1].kind != ACTING_END_NONE && sent >= until) ||
            (ends[0].kind != ACTING_END_NONE && received <= from))
            continue;
        late += sent > posted ? sent - posted : 0;
        all += received - sent;
        times[n++] = received - sent;
    }
    tell_message(out, MESSAGES, n);
    tell_message(out, LATE, late);
    if (n == 0)
        return;
    qsort(times, (size_t)n, sizeof *times, compare_times);
    tell_message(out, SHORTEST, times[0]);
    tell_message(out, MEDIAN, times[(n - 1) / 2]);
    tell_message(out, MEAN_TIME, all * 1000000 / n);
}

/* All moves of the clocks from thread on, against the first. */
static void move(const struct acting *a, const struct acting_end *ends, int64_t *x, size_t thread,
                 int64_t most, struct attained *out)
{
    if (thread < a->nthreads) {
        for (x[thread] = -most; x[thread] <= most; x[thread]++)
            move(a, ends, x, thread + 1, most, out);
        return;
    }
    if (!acting_is_possible(a, x))
        return;
    int64_t from = time_of(a, &ends[0], x, false), until = time_of(a, &ends[1], x, true);
    int64_t all[FIGURES] = {0};
    for (size_t i = 0; i < a->nthreads; i++) {
        int64_t here = acting_here_in(a, i, from - x[i], until - x[i]);
        int64_t active = acting_active_in(a, i, from - x[i], until - x[i]);
        int64_t whole = until > from ? until - from : 0;
        const int64_t times[FIGURES] = {active, here - active, whole - here};
        for (size_t k = 0; k < FIGURES; k++)
            all[k] += times[k];
        widen(out, i, times);
    }
    widen(out, a->nthreads, all);
    look_at_waits(a, ends, x, from, until, out);
    look_at_messages(a, ends, x, from, until, out);
    out->any = true;
}

static const csy_range *find(const csy_sheet *sheet, const char *name, const char *column)
{
    for (size_t c = 0; c < sheet->ncolumns; c++)
        for (size_t r = 0; r < sheet->nrows && strcmp(sheet->columns[c].name, column) == 0; r++)
            if (strcmp(sheet->values[r * sheet->ncolumns + 1].text, name) == 0)
                return &sheet->values[r * sheet->ncolumns + c].range;
    ck_abort_msg("no %s of %s", column, name);
}

static void compare(const struct acting *a, const csy_analysis *analysis,
                    const struct attained *want, int trial, struct tally *tally)
{
    const csy_sheet *sheet = csy_analysis_sheet(analysis, 0);
    bool early = false; /* who waits before its first record is there already */
    for (size_t i = 0; i < a->nthreads; i++)
        early |= acting_is_early(a, i);
    for (size_t i = 0; i <= a->nthreads; i++) {
        char name[] = {(char)('a' + i), 0};
        const char *row = i == a->nthreads ? "all" : i ? name : "ppe";
        for (size_t k = 0; k < (early ? 1 : FIGURES); k++) {
            const csy_range *range = find(sheet, row, columns[k]);
            int64_t lo = want->lo[i][k], hi = want->hi[i][k];
            if (range->kind == CSY_RANGE_UNKNOWN) {
                ck_assert_uint_gt(a->nmessages, 0);
                continue;
            }
            ck_assert_msg(range->lo <= lo && hi <= range->hi,
                          "trial %d: %s of %s in [%lld, %lld], but [%lld, %lld] is attained", trial,
                          columns[k], row, (long long)range->lo, (long long)range->hi,
                          (long long)lo, (long long)hi);
            ck_assert(range->lo <= range->estimate && range->estimate <= range->hi);
            ck_assert_int_ge(range->lo, 0);
            tally->ranges++;
            tally->exact += range->lo == lo && range->hi == hi;
            tally->width += range->hi - range->lo;
            tally->attained += hi - lo;
        }
    }
}

static void hold(const csy_range *range, int64_t lo, int64_t hi, const char *name, int trial,
                 struct tally *tally)
{
    if (range->kind == CSY_RANGE_UNKNOWN)
        return;
    ck_assert_msg(range->lo <= lo && hi <= range->hi,
                  "trial %d: %s in [%lld, %lld], but [%lld, %lld] is attained", trial, name,
                  (long long)range->lo, (long long)range->hi, (long long)lo, (long long)hi);
    ck_assert(range->lo <= range->estimate && range->estimate <= range->hi);
    tally->ranges++;
    tally->exact += range->lo == lo && range->hi == hi;
    tally->width += range->hi - range->lo;
    tally->attained += hi - lo;
}

/* In the row of a sheet, NULL: none. */
static const csy_range *find_in(const csy_sheet *sheet, size_t row, const char *column)
{
    for (size_t c = 0; c < sheet->ncolumns; c++)
        if (strcmp(sheet->columns[c].name, column) == 0) {
            const csy_value *value = &sheet->values[row * sheet->ncolumns + c];
            return value->none ? NULL : &value->range;
        }
    ck_abort_msg("no column %s", column);
}

static void compare_waits(const csy_analysis *analysis, const struct attained *want, int trial,
                          struct tally *tally)
{
    const csy_sheet *waits = csy_analysis_sheet(analysis, 0);
    const csy_sheet *barriers = csy_analysis_sheet(analysis, 2);
    bool told[ACTING_EVENTS] = {false};
    ck_assert_uint_le(waits->nrows, 1);
    ck_assert(waits->nrows == 1 || want->most[COUNT] == 0);
    for (size_t i = 0; waits->nrows == 1 && i < ARRIVALS; i++) {
        const csy_range *range = find_in(waits, 0, wait_columns[i]);
        bool whole = i != MEAN; /* of none there is no mean */
        if (whole || (want->waits && range))
            hold(range, want->least[i], want->most[i], wait_columns[i], trial, tally);
    }
    for (size_t row = 0; row < barriers->nrows; row++) {
        size_t instance = (size_t)find_in(barriers, row, "instance")->estimate;
        told[instance] = true;
        hold(find_in(barriers, row, "arrivals"), want->least[ARRIVALS + instance],
             want->most[ARRIVALS + instance], "arrivals", trial, tally);
    }
    for (size_t i = 0; i < ACTING_EVENTS; i++)
        ck_assert(told[i] || want->most[ARRIVALS + i] == 0);
}

static void compare_messages(const csy_analysis *analysis, const struct attained *want, int trial,
                             struct tally *tally)
{
    const csy_sheet *sheet = csy_analysis_sheet(analysis, 0);
    ck_assert_uint_le(sheet->nrows, 1);
    ck_assert(sheet->nrows == 1 || want->high[MESSAGES] == 0);
    for (size_t i = 0; sheet->nrows == 1 && i < MESSAGE_FIGURES; i++) {
        const csy_range *range = find_in(sheet, 0, message_columns[i]);
        if (range && want->told[i])
            hold(range, want->low[i], want->high[i], message_columns[i], trial, tally);
    }
}

START_TEST(every_move)
{
    struct tally tally = {0}, waits = {0}, messages = {0};
    csy_error error;
    csy_meaning *meaning;
    ck_ok(csy_meaning_new(&meaning, &error), error);
    for (int trial = 0; trial < trials_of(TRIALS); trial++) {
        struct random r = random_trial((uint64_t)trial);
        struct acting a;
        struct attained want = {0};
        struct acting_end ends[2];
        csy_trace *trace;
        csy_sync *sync;
        csy_analysis *analysis;
        char from[32], until[32], window[80];
        int64_t x[ACTING_THREADS] = {0};
        acting_draw(&r, trial % 4 ? 3 : 2, 6, 5, trial % 2, &a);
        if (trial % 5 == 0)
            acting_draw_messages(&a, &r);
        acting_solve(&a, &trace, &sync);
        int64_t most = acting_furthest(sync);
        acting_draw_end(&a, &r, &ends[0]);
        acting_draw_end(&a, &r, &ends[1]);
        bool reversed = ends[0].kind != ACTING_END_NONE && ends[1].kind != ACTING_END_NONE &&
                        ends[0].time > ends[1].time;
        /* records of partial order have their numbers in another one */
        bool records = ends[0].kind == ACTING_END_RECORD || ends[1].kind == ACTING_END_RECORD;
        if (most <= MOVES_MAX && csy_sync_nthreads(sync) == a.nthreads && !reversed &&
            !(records && a.nmessages > 0)) {
            acting_write_end(&ends[0], from);
            acting_write_end(&ends[1], until);
            snprintf(window, sizeof window, "%s..%s", from, until);
            const csy_states asked = {.window = window};
            csy_status status = csy_sync_states(sync, meaning, &asked, &analysis, &error);
            if (status == CSY_USAGE) { /* by the estimate it ends before it begins */
                ck_assert(records);
            } else {
                ck_ok(status, error);
                move(&a, ends, x, 1, most, &want);
                compare(&a, analysis, &want, trial, &tally);
                csy_analysis_free(analysis);
                ck_ok(csy_sync_waits(sync, meaning, window, &analysis, &error), error);
                compare_waits(analysis, &want, trial, &waits);
                csy_analysis_free(analysis);
                if (a.nmessages > 0) {
                    ck_ok(csy_sync_latency(sync, meaning, window, &analysis, &error), error);
                    compare_messages(analysis, &want, trial, &messages);
                    csy_analysis_free(analysis);
                }
            }
        }
        csy_sync_free(sync);
        csy_trace_free(trace);
    }
    printf("%d ranges, %d attained, %lld ticks for %lld\n", tally.ranges, tally.exact,
           (long long)tally.width, (long long)tally.attained);
    printf("of waits %d, %d attained, %lld ticks for %lld\n", waits.ranges, waits.exact,
           (long long)waits.width, (long long)waits.attained);
    printf("of messages %d, %d attained, %lld ticks for %lld\n", messages.ranges, messages.exact,
           (long long)messages.width, (long long)messages.attained);
    ck_assert_of_trials(messages.ranges * 20 > trials_of(TRIALS));
    ck_assert_int_gt(tally.ranges, trials_of(TRIALS));
    ck_assert_of_trials(waits.ranges > trials_of(TRIALS));
    ck_assert_int_gt(tally.exact * 2, tally.ranges);
    ck_assert_int_lt(tally.width, 3 * tally.attained);
    csy_meaning_free(meaning);
}
END_TEST

int main(void)
{
    TCase *tests = unit_begin("clip");
    tcase_add_test(tests, every_move);
    return unit_run();
}
