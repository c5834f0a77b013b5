/* Which routines call which in a window, against every way to move a few clocks by whole ticks, and
 * against every history that stamps which are off may be of: ranges contain what is attained. */
#include "acting.h"

#include <cellsync/analysis.h>

#include <string.h>

enum {
    TRIALS = 10000,
    STAMPED = 20000,
    STAMPS_MAX = 7,
    MOVES_MAX = 12,
    CALLS_MAX = ACTING_EVENTS,
    DEPTH_MAX = 12
};

/* What is told: of a path of so many calls of the one routine; of pairs. */
enum { PATH_CALLS, PATH_DIRECT, PATH_CUMULATIVE, PAIR_CALLS, PAIR_TIME, KINDS };
enum { PAIRS = 6, FIGURES = 3 * DEPTH_MAX + 2 * PAIRS };
static const char *const kinds[KINDS] = {"calls of paths", "direct", "cumulative", "calls of pairs",
                                         "time of pairs"};

/* Pairs: the routine is called by none, or by itself; marks and waits are done in it, or not. */
enum { FROM_NONE, FROM_ITSELF, MARK, MARK_WITHIN, WAIT, WAIT_WITHIN };

struct call {
    size_t thread, depth; /* depth: calls that it is in, and itself */
    int64_t begin, end;
    int figure; /* pair of a leaf; -1: it is a call */
};

struct calls {
    size_t n;
    struct call items[CALLS_MAX];
};

struct attained {
    int64_t values[FIGURES], lo[FIGURES], hi[FIGURES];
    bool any;
};

struct tally {
    int tried, ranges[KINDS], exact[KINDS];
    int64_t width[KINDS], attained[KINDS];
};

static size_t of_path(int kind, size_t depth)
{
    return (size_t)kind * DEPTH_MAX + depth - 1;
}

static size_t of_pair(int kind, int pair)
{
    return 3 * DEPTH_MAX + (size_t)(kind - PAIR_CALLS) * PAIRS + (size_t)pair;
}

/* --- Calls and leaves ------------------------------------------------------------------------ */

static void add(struct calls *out, struct call call)
{
    out->items[out->n++] = call;
}

/* Calls that are records: BLOCK enters, RUNNING exits, also what began before the first record. */
static void find_records(const struct acting *a, size_t t, struct calls *out)
{
    int64_t first, last;
    size_t open[CALLS_MAX], depth = 0, missed = 0;
    acting_span(a, t, &first, &last);
    for (size_t i = 0; i < a->n; i++) {
        const struct acting_event *e = &a->events[i];
        if (e->thread == t && e->kind == ACTING_BLOCK)
            depth++;
        if (e->thread == t && e->kind == ACTING_RUN && depth > 0)
            depth--;
        else if (e->thread == t && e->kind == ACTING_RUN)
            missed++;
    }
    for (depth = 0; depth < missed;) {
        open[depth++] = out->n;
        add(out, (struct call){t, depth, first, last, -1});
    }
    for (size_t i = 0; i < a->n; i++) {
        const struct acting_event *e = &a->events[i];
        if (e->thread == t && e->kind == ACTING_RUN)
            out->items[open[--depth]].end = e->time;
        if (e->thread == t && e->kind == ACTING_BLOCK) {
            open[depth++] = out->n;
            add(out, (struct call){t, depth, e->time, last, -1});
        }
        if (e->thread == t && e->kind == ACTING_MARK)
            add(out, (struct call){t, depth, e->time, e->time, depth ? MARK_WITHIN : MARK});
        if (e->thread == t && e->kind == ACTING_WAIT)
            add(out, (struct call){t, depth, e->begin, e->time, depth ? WAIT_WITHIN : WAIT});
    }
}

/* Whether an interval, the i-th event, is within the k-th. */
static bool is_within(const struct acting *a, size_t i, size_t k)
{
    const struct acting_event *e = &a->events[i], *f = &a->events[k];
    return f->kind == ACTING_WAIT && e->thread == f->thread && f->begin <= e->begin &&
           e->time <= f->time && i < k;
}

/* Calls that are intervals, and marks within them. */
static void find_intervals(const struct acting *a, struct calls *out)
{
    for (size_t i = 0; i < a->n; i++) {
        const struct acting_event *e = &a->events[i];
        size_t depth = e->kind == ACTING_WAIT;
        for (size_t k = i + 1; k < a->n; k++)
            depth += is_within(a, i, k);
        add(out, (struct call){e->thread, depth, e->begin, e->time,
                               e->kind == ACTING_WAIT ? -1
                               : depth > 0            ? MARK_WITHIN
                                                      : MARK});
    }
}

/* --- Windows --------------------------------------------------------------------------------- */

static int64_t clipped(const struct call *c, int64_t from, int64_t until, int64_t x)
{
    int64_t begin = c->begin + x, end = c->end + x;
    begin = begin < from ? from : begin;
    end = end > until ? until : end;
    return end > begin ? end - begin : 0;
}

static void count(const struct calls *calls, int64_t from, int64_t until, const int64_t *x,
                  int64_t values[FIGURES])
{
    memset(values, 0, FIGURES * sizeof *values);
    for (size_t i = 0; i < calls->n && from < until; i++) {
        const struct call *c = &calls->items[i];
        int64_t begin = c->begin + x[c->thread], end = c->end + x[c->thread];
        int64_t time = clipped(c, from, until, x[c->thread]);
        bool there = begin < until && end > from;
        int pair = c->figure >= 0 ? c->figure : c->depth > 1 ? FROM_ITSELF : FROM_NONE;
        if (c->figure >= 0 && begin == end)
            there = begin >= from && begin < until;
        values[of_pair(PAIR_CALLS, pair)] += there;
        values[of_pair(PAIR_TIME, pair)] += c->figure >= 0 || c->depth <= 2 ? time : 0;
        if (c->figure >= 0)
            continue;
        values[of_path(PATH_CALLS, c->depth)] += there;
        values[of_path(PATH_CUMULATIVE, c->depth)] += time;
        values[of_path(PATH_DIRECT, c->depth)] += time;
        if (c->depth > 1)
            values[of_path(PATH_DIRECT, c->depth - 1)] -= time;
    }
}

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
    count(calls, time_of(a, &ends[0], x, false), time_of(a, &ends[1], x, true), x, out->values);
    for (size_t i = 0; i < FIGURES; i++) {
        int64_t value = out->values[i];
        out->lo[i] = !out->any || value < out->lo[i] ? value : out->lo[i];
        out->hi[i] = !out->any || value > out->hi[i] ? value : out->hi[i];
    }
    out->any = true;
}

static void find_calls(const struct acting *a, bool intervals, struct calls *out)
{
    out->n = 0;
    if (intervals)
        find_intervals(a, out);
    for (size_t t = 0; !intervals && t < a->nthreads; t++)
        find_records(a, t, out);
}

struct watched {
    const struct acting_end *ends;
    bool intervals;
    const struct calls *drawn; /* what is within what does not depend on stamps */
    struct attained *out;
};

static void look_at_history(void *user, const struct acting *was)
{
    static const int64_t nothing[ACTING_THREADS];
    const struct watched *w = user;
    struct calls calls;
    find_calls(was, w->intervals, &calls);
    for (size_t i = 0; i < calls.n; i++) {
        calls.items[i].depth = w->drawn->items[i].depth;
        calls.items[i].figure = w->drawn->items[i].figure;
    }
    look(was, &calls, w->ends, nothing, w->out);
}

/* --- Against what is told --------------------------------------------------------------------- */

static void compare_one(const csy_range *range, const struct attained *want, size_t figure,
                        int kind, int trial, struct tally *tally)
{
    long long lo = want->lo[figure], hi = want->hi[figure];
    if (range->kind == CSY_RANGE_UNKNOWN)
        return;
    ck_assert_msg(range->lo <= lo && hi <= range->hi,
                  "trial %d: figure %zu of %s in [%lld, %lld], but [%lld, %lld] is attained", trial,
                  figure, kinds[kind], (long long)range->lo, (long long)range->hi, lo, hi);
    ck_assert(range->lo <= range->estimate && range->estimate <= range->hi);
    ck_assert(range->lo >= 0 || range->estimate < 0);
    tally->ranges[kind]++;
    tally->exact[kind] += range->lo == lo && range->hi == hi;
    tally->width[kind] += range->hi - range->lo;
    tally->attained[kind] += hi - lo;
}

static int pair_of(const csy_value *row)
{
    bool within = !row[0].none;
    if (strcmp(row[2].text, "routine") == 0)
        return within ? FROM_ITSELF : FROM_NONE;
    if (strncmp(row[1].text, "mark", 4) == 0)
        return within ? MARK_WITHIN : MARK;
    ck_assert(strncmp(row[1].text, "BARRIER", 7) == 0);
    return within ? WAIT_WITHIN : WAIT;
}

/* Each figure is told, but what there is none of at any offsets may have no row. */
static void compare(const csy_analysis *analysis, const struct attained *want, int trial,
                    struct tally *tally)
{
    const csy_sheet *calls = csy_analysis_sheet(analysis, 0);
    const csy_sheet *paths = csy_analysis_sheet(analysis, 1);
    bool told[FIGURES] = {false};
    for (size_t i = 0; i < paths->nrows; i++) {
        const csy_value *row = paths->values + i * paths->ncolumns;
        size_t depth = 1;
        for (const char *at = row[0].text; *at; at++)
            depth += *at == ';';
        for (int kind = PATH_CALLS; kind <= PATH_CUMULATIVE; kind++) {
            compare_one(&row[1 + kind].range, want, of_path(kind, depth), kind, trial, tally);
            told[of_path(kind, depth)] = true;
        }
    }
    for (size_t i = 0; i < calls->nrows; i++) {
        const csy_value *row = calls->values + i * calls->ncolumns;
        for (int kind = PAIR_CALLS; kind <= PAIR_TIME; kind++) {
            size_t figure = of_pair(kind, pair_of(row));
            compare_one(&row[5 + kind - PAIR_CALLS].range, want, figure, kind, trial, tally);
            ck_assert(!told[figure]);
            told[figure] = true;
        }
    }
    for (size_t i = 0; i < FIGURES; i++)
        ck_assert_msg(told[i] || want->hi[i] == 0, "trial %d: figure %zu is not told", trial, i);
    tally->tried++;
}

static csy_meaning *make_meaning(bool intervals)
{
    return acting_meaning(
        intervals ? "<events version=\"1\"><recordType name=\"BARRIER\" role=\"call\" "
                    "routine=\"work\"/><recordType name=\"mark\" role=\"post\"/></events>"
                  : "<events version=\"1\"><recordType name=\"BARRIER\" role=\"wait\"/>"
                    "<recordType name=\"mark\" role=\"post\"/><recordType name=\"BLOCK\" "
                    "role=\"enter\" routine=\"work\"/><recordType name=\"RUNNING\" role=\"exit\" "
                    "routine=\"work\"/></events>");
}

/* delta 0: of all moves; else of what has stamps that are off, and was drawn so. */
static void try_one(const struct acting *a, const struct acting *drawn,
                    const struct acting_end ends[2], int64_t delta, bool intervals,
                    const csy_meaning *meaning, csy_sync *sync, int trial, struct tally *tally)
{
    struct calls calls;
    struct attained want = {.any = false};
    struct watched watched = {ends, intervals, &calls, &want};
    csy_analysis *analysis;
    csy_error error;
    char from[32], until[32], window[80];
    int64_t x[ACTING_THREADS], most = acting_furthest(sync);
    acting_write_end(&ends[0], from);
    acting_write_end(&ends[1], until);
    snprintf(window, sizeof window, "%s..%s", from, until);
    const csy_calls_options asked = {.leaves = 10, .window = window};
    csy_status status = csy_sync_calls(sync, meaning, &asked, &analysis, &error);
    if (status == CSY_USAGE) /* by the estimate it ends before it begins */
        return;
    ck_ok(status, error);
    find_calls(drawn, intervals, &calls);
    if (delta > 0)
        acting_histories(a, delta, most, look_at_history, &watched);
    else
        for (bool more = acting_first_move(a, most, x); more; more = acting_next_move(a, most, x))
            look(a, &calls, ends, x, &want);
    compare(analysis, &want, trial, tally);
    csy_analysis_free(analysis);
}

/* Some of the marks enter and exit instead; and whether something does. */
static bool draw(struct acting *a, struct random *r, bool intervals)
{
    bool calls = false;
    for (size_t i = 0; i < a->n; i++) {
        struct acting_event *e = &a->events[i];
        if (!intervals && e->kind == ACTING_MARK && random_chance(r, 60))
            e->kind = random_chance(r, 60) ? ACTING_BLOCK : ACTING_RUN;
        calls |= e->kind == (intervals ? ACTING_WAIT : ACTING_BLOCK);
    }
    for (size_t t = 0; t < a->nthreads && !intervals; t++)
        calls &= !acting_is_early(a, t); /* when a wait began is not followed there */
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
    for (size_t i = 0; i < KINDS; i++)
        printf("%s: %d ranges of %d, %d attained, %lld ticks for %lld\n", kinds[i],
               tally->ranges[i], tally->tried, tally->exact[i], (long long)tally->width[i],
               (long long)tally->attained[i]);
}

START_TEST(every_move)
{
    struct tally tally = {0};
    csy_meaning *meanings[] = {make_meaning(false), make_meaning(true)};
    for (int trial = 0; trial < trials_of(TRIALS); trial++) {
        struct random r = random_trial((uint64_t)trial);
        struct acting a;
        struct acting_end ends[2];
        csy_trace *trace;
        csy_sync *sync;
        bool intervals = trial % 3 == 0;
        acting_draw(&r, trial % 4 ? 3 : 2, 8, 4, true, &a);
        if (trial % 5 == 0)
            acting_draw_messages(&a, &r);
        bool calls = draw(&a, &r, intervals);
        acting_solve(&a, &trace, &sync);
        acting_draw_end(&a, &r, &ends[0]);
        acting_draw_end(&a, &r, &ends[1]);
        if (calls && can_try(&a, sync, ends))
            try_one(&a, &a, ends, 0, intervals, meanings[intervals], sync, trial, &tally);
        csy_sync_free(sync);
        csy_trace_free(trace);
    }
    print(&tally);
    ck_assert_of_trials(tally.tried * 20 > trials_of(TRIALS));
    for (size_t i = 0; i < KINDS; i++) { /* of use, too */
        ck_assert_of_trials(tally.exact[i] * 2 > tally.ranges[i]);
        ck_assert_of_trials(tally.width[i] <= 3 * tally.attained[i]);
    }
    csy_meaning_free(meanings[0]);
    csy_meaning_free(meanings[1]);
}
END_TEST

START_TEST(every_stamp)
{
    struct tally tally = {0};
    csy_meaning *meanings[] = {make_meaning(false), make_meaning(true)};
    for (int trial = 0; trial < trials_of(STAMPED); trial++) {
        struct random r = random_trial((uint64_t)trial);
        struct acting a, told;
        struct acting_end ends[2];
        csy_trace *trace;
        csy_sync *sync;
        bool intervals = trial % 3 == 0;
        int64_t delta = trial % 4 ? 1 : 2;
        acting_draw_flat(&r, 2, 4, 3 * delta, true, &a);
        if (trial % 5 == 0)
            acting_draw_messages(&a, &r);
        bool calls = draw(&a, &r, intervals);
        acting_err(&a, &r, delta, &told);
        for (size_t t = 0; t < told.nthreads && !intervals; t++)
            calls &= !acting_is_early(&told, t);
        if (!calls || acting_stamps(&a) + 2 * (size_t)(delta - 1) > STAMPS_MAX)
            continue;
        acting_solve_off(&told, NULL, delta, &trace, &sync);
        acting_draw_end(&told, &r, &ends[0]);
        acting_draw_end(&told, &r, &ends[1]);
        if (can_try(&told, sync, ends))
            try_one(&told, &a, ends, delta, intervals, meanings[intervals], sync, trial, &tally);
        csy_sync_free(sync);
        csy_trace_free(trace);
    }
    print(&tally);
    ck_assert_of_trials(tally.tried * 40 > trials_of(STAMPED));
    for (size_t i = 0; i < KINDS; i++) /* of use, too */
        ck_assert_of_trials(tally.width[i] <= 6 * tally.attained[i]);
    csy_meaning_free(meanings[0]);
    csy_meaning_free(meanings[1]);
}
END_TEST

int main(void)
{
    TCase *tests = unit_begin("cut_calls");
    tcase_set_timeout(tests, 120);
    tcase_add_test(tests, every_move);
    tcase_add_test(tests, every_stamp);
    return unit_run();
}
