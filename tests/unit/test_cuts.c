/* What calls of a routine come to in a window, against every way to move a few clocks by whole
 * ticks, and against every history that stamps which are off may be of: ranges contain what is
 * attained. */
#include "acting.h"

#include <cellsync/analysis.h>

#include <stdlib.h>
#include <string.h>

enum { TRIALS = 3000, STAMPED = 20000, STAMPS_MAX = 7, MOVES_MAX = 12, CALLS_MAX = ACTING_EVENTS };

/* Figures by their columns; of the last ones no more is known of ends that meet than that a value
 * is in between. */
enum {
    CALLS,
    RECURSIVE,
    DIRECT,
    MEAN,
    LEAST,
    GREATEST,
    P50,
    DESCENDANT_TIME,
    ELAPSED,
    OVERLAP,
    ALONE,
    TOGETHER,
    APART_CALLS,
    MET_CALLS,
    AT_ONCE,
    FIGURES
};

static const struct {
    size_t sheet;
    const char *column;
} columns[FIGURES] = {{0, "calls"},
                      {0, "recursive"},
                      {0, "direct"},
                      {0, "mean"},
                      {0, "least"},
                      {0, "greatest"},
                      {0, "p50"},
                      {0, "descendant_time"},
                      {1, "elapsed_direct"},
                      {1, "overlap"},
                      {1, "sequential"},
                      {1, "concurrent"},
                      {1, "sequential_calls"},
                      {1, "concurrent_calls"},
                      {1, "greatest_concurrency"}};

struct call {
    size_t thread;
    int64_t begin, end;
    bool recursive;
};

struct calls {
    size_t n;
    struct call items[CALLS_MAX];
};

struct attained {
    bool any[FIGURES];
    int64_t lo[FIGURES], hi[FIGURES]; /* of what it is at least, and at most */
};

struct tally {
    int tried, ranges[FIGURES], exact[FIGURES];
    int64_t width[FIGURES], attained[FIGURES];
};

/* --- Calls ----------------------------------------------------------------------------------- */

/* Intervals are calls; BLOCK enters the routine and RUNNING exits it, also where the thread was in
 * it from its first record on. */
static void find_calls(const struct acting *a, struct calls *out)
{
    out->n = 0;
    for (size_t t = 0; t < a->nthreads; t++) {
        int64_t first, last;
        size_t open[CALLS_MAX], depth = 0, before = 0;
        acting_span(a, t, &first, &last);
        for (size_t i = 0; i < a->n; i++) {
            const struct acting_event *e = &a->events[i];
            if (e->thread != t)
                continue;
            if (e->kind == ACTING_WAIT)
                out->items[out->n++] = (struct call){t, e->begin, e->time, false};
            if (e->kind == ACTING_BLOCK) {
                open[depth++] = out->n;
                out->items[out->n++] = (struct call){t, e->time, last, false};
            }
            if (e->kind == ACTING_RUN && depth > 0)
                out->items[open[--depth]].end = e->time;
            else if (e->kind == ACTING_RUN && ++before > 0)
                out->items[out->n++] = (struct call){t, first, e->time, false};
        }
    }
    for (size_t i = 0; i < out->n; i++)
        for (size_t k = 0; k < out->n; k++) {
            struct call *c = &out->items[i];
            const struct call *d = &out->items[k];
            bool same = c->begin == d->begin && c->end == d->end;
            c->recursive |= c->thread == d->thread && d->begin <= c->begin && d->end >= c->end &&
                            (same ? k > i : true) && k != i;
        }
}

static int compare_lengths(const void *x, const void *y)
{
    int64_t a = *(const int64_t *)x, b = *(const int64_t *)y;
    return (a > b) - (a < b);
}

static void set(struct attained *out, size_t figure, int64_t lo, int64_t hi)
{
    out->lo[figure] = !out->any[figure] || lo < out->lo[figure] ? lo : out->lo[figure];
    out->hi[figure] = !out->any[figure] || hi > out->hi[figure] ? hi : out->hi[figure];
    out->any[figure] = true;
}

/* Calls in the window, and how much of them is there. */
static void look_at_calls(const struct calls *calls, int64_t from, int64_t until, const int64_t *x,
                          struct attained *out)
{
    int64_t lengths[CALLS_MAX], n = 0, recursive = 0, all = 0, met = 0, touched = 0;
    for (size_t i = 0; i < calls->n; i++) {
        const struct call *c = &calls->items[i];
        int64_t begin = c->begin + x[c->thread], end = c->end + x[c->thread];
        bool meets = false, touches = false;
        if (begin >= until || end <= from || from >= until)
            continue;
        begin = begin < from ? from : begin;
        end = end > until ? until : end;
        for (size_t k = 0; k < calls->n; k++) {
            const struct call *d = &calls->items[k];
            int64_t first = d->begin + x[d->thread], last = d->end + x[d->thread];
            first = first < from ? from : first;
            last = last > until ? until : last;
            meets |= d->thread != c->thread && first < end && last > begin && last > first &&
                     end > begin;
            touches |= d->thread != c->thread && first <= end && last >= begin;
        }
        met += meets;
        touched += touches;
        recursive += c->recursive;
        all += end - begin;
        lengths[n++] = end - begin;
    }
    set(out, CALLS, n, n);
    set(out, RECURSIVE, recursive, recursive);
    set(out, MET_CALLS, touched, met);
    set(out, APART_CALLS, n - met, n - touched);
    if (n == 0)
        return;
    qsort(lengths, (size_t)n, sizeof *lengths, compare_lengths);
    set(out, MEAN, all / n, all / n);
    set(out, LEAST, lengths[0], lengths[0]);
    set(out, GREATEST, lengths[n - 1], lengths[n - 1]);
    set(out, P50, lengths[(n + 1) / 2 - 1], lengths[(n + 1) / 2 - 1]);
}

static bool is_in(const struct calls *calls, const int64_t *x, size_t thread, int64_t now,
                  bool closed)
{
    for (size_t i = 0; i < calls->n; i++) {
        const struct call *c = &calls->items[i];
        if (c->thread == thread && c->begin + x[thread] <= now && now < c->end + x[thread] + closed)
            return true;
    }
    return false;
}

/* Threads in the routine; all but the first are units, which are active from their first records to
 * their last. */
static void look_at_threads(const struct acting *a, const struct calls *calls, int64_t from,
                            int64_t until, const int64_t *x, struct attained *out)
{
    int64_t elapsed = 0, direct = 0, alone = 0, most = 0, touching = 0;
    for (int64_t now = from; now <= until && from < until; now++) {
        int64_t inside = 0, touch = 0, there = 0;
        for (size_t t = 0; t < a->nthreads; t++) {
            int64_t first, last;
            acting_span(a, t, &first, &last);
            there += t > 0 && first + x[t] <= now && now < last + x[t];
            inside += is_in(calls, x, t, now, false);
            touch += is_in(calls, x, t, now, true);
        }
        touching = touch > touching ? touch : touching;
        if (now == until)
            break;
        most = inside > most ? inside : most;
        elapsed += inside > 0;
        direct += inside;
        alone += there == 1 ? inside : 0;
    }
    set(out, DIRECT, direct, direct);
    set(out, DESCENDANT_TIME, 0, 0);
    set(out, ELAPSED, elapsed, elapsed);
    set(out, OVERLAP, direct - elapsed, direct - elapsed);
    set(out, ALONE, alone, alone);
    set(out, TOGETHER, direct - alone, direct - alone);
    set(out, AT_ONCE, touching, most);
}

/* --- Windows --------------------------------------------------------------------------------- */

/* Without an end all begins and all records are in the window. */
static int64_t time_of(const struct acting *a, const struct acting_end *end, const int64_t *x,
                       bool last)
{
    int64_t out = acting_end_time(a, end, x, last);
    for (size_t i = 0; i < a->n && end->kind == ACTING_END_NONE; i++) {
        int64_t begin = a->events[i].begin + x[a->events[i].thread] - 1;
        int64_t at = a->events[i].time + x[a->events[i].thread] + 1;
        out = i == 0 || (last ? at > out : begin < out) ? (last ? at : begin) : out;
    }
    return out;
}

static void look(const struct acting *a, const struct calls *calls, const struct acting_end *ends,
                 const int64_t *x, struct attained *out)
{
    int64_t from = time_of(a, &ends[0], x, false), until = time_of(a, &ends[1], x, true);
    look_at_calls(calls, from, until, x, out);
    look_at_threads(a, calls, from, until, x, out);
}

struct watched {
    const struct acting_end *ends;
    const struct calls *drawn; /* which calls are within others does not depend on their stamps */
    struct attained *out;
};

static void look_at_history(void *user, const struct acting *was)
{
    static const int64_t nothing[ACTING_THREADS];
    const struct watched *w = user;
    struct calls calls;
    find_calls(was, &calls);
    for (size_t i = 0; i < calls.n; i++)
        calls.items[i].recursive = w->drawn->items[i].recursive;
    look(was, &calls, w->ends, nothing, w->out);
}

static const csy_value *find(const csy_analysis *analysis, size_t figure)
{
    const csy_sheet *sheet = csy_analysis_sheet(analysis, columns[figure].sheet);
    for (size_t c = 0; c < sheet->ncolumns; c++)
        if (strcmp(sheet->columns[c].name, columns[figure].column) == 0)
            return &sheet->values[c];
    ck_abort_msg("no column %s", columns[figure].column);
}

static void compare(const csy_analysis *analysis, const struct attained *want, int trial,
                    struct tally *tally)
{
    if (csy_analysis_sheet(analysis, 0)->nrows == 0) {
        ck_assert_int_eq(want->hi[CALLS], 0);
        return;
    }
    tally->tried++;
    for (size_t i = 0; i < FIGURES; i++) {
        const csy_value *value = find(analysis, i);
        const csy_range *range = &value->range;
        int64_t lo = want->lo[i], hi = want->hi[i];
        if (value->none || range->kind == CSY_RANGE_UNKNOWN || !want->any[i])
            continue;
        ck_assert_msg(range->lo <= lo && hi <= range->hi,
                      "trial %d: %s in [%lld, %lld], but [%lld, %lld] is attained", trial,
                      columns[i].column, (long long)range->lo, (long long)range->hi, (long long)lo,
                      (long long)hi);
        ck_assert(range->lo <= range->estimate && range->estimate <= range->hi);
        ck_assert_msg(range->lo >= 0 || range->estimate < 0, "trial %d: %s is %lld, from %lld on",
                      trial, columns[i].column, (long long)range->estimate, (long long)range->lo);
        tally->ranges[i]++;
        tally->exact[i] += range->lo == lo && range->hi == hi;
        tally->width[i] += range->hi - range->lo;
        tally->attained[i] += hi > lo ? hi - lo : 0;
    }
}

static csy_meaning *make_meaning(void)
{
    return acting_meaning("<events version=\"1\"><recordType name=\"BARRIER\" role=\"call\" "
                          "routine=\"work\"/><recordType name=\"BLOCK\" role=\"enter\" "
                          "routine=\"work\"/><recordType name=\"RUNNING\" role=\"exit\" "
                          "routine=\"work\"/></events>");
}

/* delta 0: of all moves; else of what has stamps that are off, and was drawn so. */
static void try_one(const struct acting *a, const struct acting *drawn,
                    const struct acting_end ends[2], int64_t delta, const csy_meaning *meaning,
                    csy_sync *sync, int trial, struct tally *tally)
{
    struct calls calls;
    struct attained want = {0};
    struct watched watched = {ends, &calls, &want};
    csy_analysis *analysis;
    csy_error error;
    char from[32], until[32], window[80];
    int64_t x[ACTING_THREADS], most = acting_furthest(sync);
    acting_write_end(&ends[0], from);
    acting_write_end(&ends[1], until);
    snprintf(window, sizeof window, "%s..%s", from, until);
    const csy_profile_options asked = {.window = window};
    csy_status status = csy_sync_profile(sync, meaning, &asked, &analysis, &error);
    if (status == CSY_USAGE) /* by the estimate it ends before it begins */
        return;
    ck_ok(status, error);
    find_calls(drawn, &calls);
    if (delta > 0)
        acting_histories(a, delta, most, look_at_history, &watched);
    else
        for (bool more = acting_first_move(a, most, x); more; more = acting_next_move(a, most, x))
            look(a, &calls, ends, x, &want);
    compare(analysis, &want, trial, tally);
    csy_analysis_free(analysis);
}

static bool has_calls(const struct acting *a)
{
    bool calls = false;
    for (size_t i = 0; i < a->n; i++)
        calls |= a->events[i].kind == ACTING_WAIT || a->events[i].kind == ACTING_BLOCK;
    return calls;
}

/* Records of partial order have their numbers in another one. */
static bool can_try(const struct acting *a, csy_sync *sync, const struct acting_end ends[2])
{
    bool records = ends[0].kind >= ACTING_END_RECORD || ends[1].kind >= ACTING_END_RECORD;
    bool reversed = ends[0].kind != ACTING_END_NONE && ends[1].kind != ACTING_END_NONE &&
                    ends[0].time > ends[1].time;
    return csy_sync_nthreads(sync) == a->nthreads && acting_furthest(sync) <= MOVES_MAX &&
           !reversed && !(records && a->nmessages > 0);
}

static void print(const struct tally *tally)
{
    for (size_t i = 0; i < FIGURES; i++)
        printf("%s: %d ranges of %d, %d attained, %lld ticks for %lld\n", columns[i].column,
               tally->ranges[i], tally->tried, tally->exact[i], (long long)tally->width[i],
               (long long)tally->attained[i]);
}

START_TEST(every_move)
{
    struct tally tally = {0};
    csy_meaning *meaning = make_meaning();
    for (int trial = 0; trial < trials_of(TRIALS); trial++) {
        struct random r = random_trial((uint64_t)trial);
        struct acting a;
        struct acting_end ends[2];
        csy_trace *trace;
        csy_sync *sync;
        acting_draw(&r, trial % 4 ? 3 : 2, 6, 4, trial % 3 == 0, &a);
        if (trial % 5 == 0)
            acting_draw_messages(&a, &r);
        acting_solve(&a, &trace, &sync);
        acting_draw_end(&a, &r, &ends[0]);
        acting_draw_end(&a, &r, &ends[1]);
        if (has_calls(&a) && can_try(&a, sync, ends))
            try_one(&a, &a, ends, 0, meaning, sync, trial, &tally);
        csy_sync_free(sync);
        csy_trace_free(trace);
    }
    print(&tally);
    ck_assert_of_trials(tally.tried * 4 > trials_of(TRIALS));
    ck_assert_of_trials(tally.exact[DIRECT] * 2 > tally.tried);
    for (size_t i = 0; i <= TOGETHER; i++) { /* of use, too */
        ck_assert_of_trials(tally.ranges[i] * 10 > tally.tried * 8);
        ck_assert_of_trials(tally.width[i] <= 6 * tally.attained[i]);
    }
    csy_meaning_free(meaning);
}
END_TEST

START_TEST(every_stamp)
{
    struct tally tally = {0};
    csy_meaning *meaning = make_meaning();
    for (int trial = 0; trial < trials_of(STAMPED); trial++) {
        struct random r = random_trial((uint64_t)trial);
        struct acting a, told;
        struct acting_end ends[2];
        csy_trace *trace;
        csy_sync *sync;
        int64_t delta = trial % 4 ? 1 : 2;
        acting_draw_flat(&r, 2, 4, 3 * delta, trial % 3 == 0, &a);
        if (trial % 5 == 0)
            acting_draw_messages(&a, &r);
        acting_err(&a, &r, delta, &told);
        if (!has_calls(&a) || acting_stamps(&a) + 2 * (size_t)(delta - 1) > STAMPS_MAX)
            continue;
        acting_solve_off(&told, NULL, delta, &trace, &sync);
        acting_draw_end(&told, &r, &ends[0]);
        acting_draw_end(&told, &r, &ends[1]);
        if (can_try(&told, sync, ends))
            try_one(&told, &a, ends, delta, meaning, sync, trial, &tally);
        csy_sync_free(sync);
        csy_trace_free(trace);
    }
    print(&tally);
    ck_assert_of_trials(tally.tried * 20 > trials_of(STAMPED));
    ck_assert_of_trials(tally.width[DIRECT] <= 6 * tally.attained[DIRECT]); /* of use, too */
    csy_meaning_free(meaning);
}
END_TEST

int main(void)
{
    TCase *tests = unit_begin("cuts");
    tcase_set_timeout(tests, 120);
    tcase_add_test(tests, every_move);
    tcase_add_test(tests, every_stamp);
    return unit_run();
}
