/* What of states, waits and messages is in a window, against each move of clocks that the records
 * allow; and against every history that stamps which are off may be of. */
#include "acting.h"

#include <cellsync/analysis.h>

#include <stdlib.h>
#include <string.h>

enum { TRIALS = 1500, STAMPED = 20000, MOVES_MAX = 12, STAMPS_MAX = 7, BINS = 2 };
enum what { USER, BLOCKED, ABSENT, FIGURES };

static const char *const columns[FIGURES] = {"user", "blocked", "absent"};

/* Of waits; and arrivals at each instance of the barrier. */
enum { COUNT, TIME, MEAN, GREATEST, ARRIVALS, WAIT_FIGURES = ARRIVALS + ACTING_EVENTS };

static const char *const wait_columns[ARRIVALS] = {"count", "time", "mean", "greatest"};

/* Of messages; the sum comes last. */
enum { MESSAGES, SHORTEST, MEAN_TIME, MEDIAN, LATE, MESSAGE_FIGURES };

static const char *const message_columns[MESSAGE_FIGURES] = {"messages", "least", "mean", "median",
                                                             "late_sender"};

/* Of messages from one thread to another. */
enum { PAIR_COUNT, PAIR_TIME, PAIR_FIGURES, PAIRS = ACTING_THREADS * ACTING_THREADS };

static const char *const pair_columns[PAIR_FIGURES] = {"count", "time"};

/* Of a part of a timeline. */
enum { BIN_ACTIVE, BIN_WAITING, BIN_FIGURES };

static const char *const bin_columns[BIN_FIGURES] = {"active", "waiting"};

struct attained {
    char actors[2 * ACTING_THREADS + 8]; /* that are meant, with commas */
    bool meant[ACTING_THREADS];
    bool any;
    int64_t at_least[ACTING_THREADS + 1][2]; /* how long so many of them were active */
    int64_t means[BINS][2];                  /* of a timeline: all of them together */
    int64_t lo[ACTING_THREADS + 1][FIGURES], hi[ACTING_THREADS + 1][FIGURES];
    int64_t least[WAIT_FIGURES], most[WAIT_FIGURES];
    bool waits; /* there are some in the window */
    bool told[MESSAGE_FIGURES];
    int64_t low[MESSAGE_FIGURES], high[MESSAGE_FIGURES];
    int64_t pairs_least[PAIRS][PAIR_FIGURES], pairs_most[PAIRS][PAIR_FIGURES];
    int64_t first, edges[BINS + 1]; /* of a timeline, by the first thread */
    int64_t bins_least[ACTING_THREADS][BINS][BIN_FIGURES];
    int64_t bins_most[ACTING_THREADS][BINS][BIN_FIGURES];
};

struct tally {
    int ranges, exact;
    int64_t width, attained;
};

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

/* Nothing is in a window that ends where it begins, or before. */
static bool is_empty(const struct acting_end *ends, int64_t from, int64_t until)
{
    return ends[0].kind != ACTING_END_NONE && ends[1].kind != ACTING_END_NONE && from >= until;
}

/* Whether one of those that are meant arrives at an instance. */
static bool is_told(const struct acting *a, const struct attained *want, size_t instance)
{
    bool told = false;
    for (size_t i = 0; i < a->nthreads; i++) {
        size_t arrivals = 0;
        for (size_t k = 0; k < a->n; k++)
            arrivals += a->events[k].thread == i && a->events[k].kind == ACTING_WAIT;
        told |= want->meant[i] && arrivals > instance;
    }
    return told;
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
        if (is_empty(ends, from, until))
            continue;
        figures[ARRIVALS + instance] +=
            before && (ends[0].kind == ACTING_END_NONE || begin >= from) ? 1 : 0;
        if (!before || !after || !out->meant[e->thread])
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
        if (!out->meant[s->thread] && !out->meant[t->thread])
            continue;
        if (is_empty(ends, from, until) || (ends[1].kind != ACTING_END_NONE && sent >= until) ||
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

static void widen_one(bool any, int64_t value, int64_t *least, int64_t *most)
{
    *least = !any || value < *least ? value : *least;
    *most = !any || value > *most ? value : *most;
}

/* The same by who sent them to whom; their times there. */
static void look_at_pairs(const struct acting *a, const struct acting_end *ends, const int64_t *x,
                          int64_t from, int64_t until, struct attained *out)
{
    int64_t figures[PAIRS][PAIR_FIGURES] = {{0}};
    for (size_t i = 0; i < a->nmessages; i++) {
        const struct acting_event *s = &a->events[a->senders[i]];
        const struct acting_event *t = &a->events[a->receivers[i]];
        int64_t sent = s->time + x[s->thread], received = t->time + x[t->thread];
        bool cut[2] = {ends[0].kind != ACTING_END_NONE, ends[1].kind != ACTING_END_NONE};
        int64_t *pair = figures[s->thread * ACTING_THREADS + t->thread];
        if (!out->meant[s->thread] && !out->meant[t->thread])
            continue;
        if (is_empty(ends, from, until) || (cut[1] && sent >= until) ||
            (cut[0] && received <= from))
            continue;
        pair[PAIR_COUNT]++;
        sent = cut[0] && sent < from ? from : sent;
        received = cut[1] && received > until ? until : received;
        pair[PAIR_TIME] += received - sent;
    }
    for (size_t i = 0; i < PAIRS; i++)
        for (size_t k = 0; k < PAIR_FIGURES; k++)
            widen_one(out->any, figures[i][k], &out->pairs_least[i][k], &out->pairs_most[i][k]);
}

/* Parts of a timeline are where they are estimated. */
static void look_at_bins(const struct acting *a, const int64_t *x, struct attained *out)
{
    int64_t sums[BINS] = {0};
    for (size_t i = 0; i < a->nthreads; i++)
        for (size_t bin = 0; bin < BINS; bin++) {
            int64_t from = out->edges[bin] - x[i], until = out->edges[bin + 1] - x[i];
            int64_t active = acting_active_in(a, i, from, until);
            int64_t here = acting_here_in(a, i, from, until);
            int64_t *least = out->bins_least[i][bin], *most = out->bins_most[i][bin];
            sums[bin] += out->meant[i] ? active : 0;
            widen_one(out->any, active, &least[BIN_ACTIVE], &most[BIN_ACTIVE]);
            widen_one(out->any, here - active, &least[BIN_WAITING], &most[BIN_WAITING]);
        }
    for (size_t bin = 0; bin < BINS; bin++)
        widen_one(out->any, sums[bin], &out->means[bin][0], &out->means[bin][1]);
}

/* How long at least so many of those that are meant are active. */
static void look_at_levels(const struct acting *a, const int64_t *x, int64_t from, int64_t until,
                           struct attained *out)
{
    int64_t times[ACTING_THREADS + 1] = {until > from ? until - from : 0};
    for (int64_t now = from; now < until; now++) {
        size_t n = 0;
        for (size_t i = 0; i < a->nthreads; i++)
            n += out->meant[i] && acting_active_in(a, i, now - x[i], now - x[i] + 1) > 0;
        for (size_t i = 1; i <= n; i++)
            times[i]++;
    }
    for (size_t i = 0; i <= a->nthreads; i++)
        widen_one(out->any, times[i], &out->at_least[i][0], &out->at_least[i][1]);
}

/* Where clocks are off by x. */
static void look(const struct acting *a, const struct acting_end *ends, const int64_t *x,
                 struct attained *out)
{
    int64_t from = acting_end_time(a, &ends[0], x, false);
    int64_t until = acting_end_time(a, &ends[1], x, true);
    int64_t all[FIGURES] = {0};
    for (size_t i = 0; i < a->nthreads; i++) {
        int64_t here = acting_here_in(a, i, from - x[i], until - x[i]);
        int64_t active = acting_active_in(a, i, from - x[i], until - x[i]);
        int64_t whole = until > from ? until - from : 0;
        const int64_t times[FIGURES] = {active, here - active, whole - here};
        for (size_t k = 0; k < FIGURES; k++)
            all[k] += out->meant[i] ? times[k] : 0;
        widen(out, i, times);
    }
    widen(out, a->nthreads, all);
    look_at_levels(a, x, from, until, out);
    look_at_waits(a, ends, x, from, until, out);
    look_at_messages(a, ends, x, from, until, out);
    look_at_pairs(a, ends, x, from, until, out);
    look_at_bins(a, x, out);
    out->any = true;
}

struct watched {
    const struct acting_end *ends;
    struct attained *out;
};

static void look_at_history(void *user, const struct acting *was)
{
    static const int64_t nothing[ACTING_THREADS];
    const struct watched *w = user;
    look(was, w->ends, nothing, w->out);
}

static const csy_range *find(const csy_sheet *sheet, const char *name, const char *column)
{
    for (size_t c = 0; c < sheet->ncolumns; c++)
        for (size_t r = 0; r < sheet->nrows && strcmp(sheet->columns[c].name, column) == 0; r++)
            if (strcmp(sheet->values[r * sheet->ncolumns + 1].text, name) == 0)
                return &sheet->values[r * sheet->ncolumns + c].range;
    return NULL;
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
        if (i < a->nthreads && !want->meant[i]) {
            ck_assert_ptr_null(find(sheet, row, columns[USER]));
            continue;
        }
        for (size_t k = 0; k < (early ? 1 : FIGURES); k++) {
            const csy_range *range = find(sheet, row, columns[k]);
            ck_assert_ptr_nonnull(range);
            int64_t lo = want->lo[i][k], hi = want->hi[i][k];
            ck_assert_int_ne(range->kind, CSY_RANGE_UNKNOWN);
            ck_assert_msg(range->lo <= lo && hi <= range->hi,
                          "trial %d: %s of %s in [%lld, %lld], but [%lld, %lld] is attained", trial,
                          columns[k], row, (long long)range->lo, (long long)range->hi,
                          (long long)lo, (long long)hi);
            ck_assert_msg(range->lo <= range->estimate && range->estimate <= range->hi,
                          "trial %d: %s of %s is %lld, in [%lld, %lld]", trial, columns[k], row,
                          (long long)range->estimate, (long long)range->lo, (long long)range->hi);
            ck_assert(range->lo >= 0 || range->estimate < 0); /* stamps may step back */
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
    ck_assert_msg((range->lo <= range->estimate && range->estimate <= range->hi) ||
                      range->estimate < 0, /* stamps may step back */
                  "trial %d: %s is %lld, in [%lld, %lld]", trial, name, (long long)range->estimate,
                  (long long)range->lo, (long long)range->hi);
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

/* How many executed at once, and at least one. */
static void compare_levels(const struct acting *a, const csy_analysis *analysis,
                           const struct attained *want, int trial, struct tally *tally)
{
    const csy_range *together = find(csy_analysis_sheet(analysis, 0), "all", "virtual");
    hold(together, want->at_least[1][0], want->at_least[1][1], "virtual", trial, tally);
    if (csy_analysis_nsheets(analysis) == 1)
        return;
    const csy_sheet *sheet = csy_analysis_sheet(analysis, 1);
    const csy_range *whole = find_in(sheet, 0, "at_least");
    if (whole->kind != CSY_RANGE_CLOCK) /* else it is as stamped */
        hold(whole, want->at_least[0][0], want->at_least[0][1], "span", trial, tally);
    for (size_t i = 1; i <= a->nthreads; i++)
        if (i < sheet->nrows)
            hold(find_in(sheet, i, "at_least"), want->at_least[i][0], want->at_least[i][1],
                 "at_least", trial, tally);
        else
            ck_assert_int_eq(want->at_least[i][1], 0);
}

static void compare_waits(const struct acting *a, const csy_analysis *analysis,
                          const struct attained *want, int trial, struct tally *tally)
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
    for (size_t i = 0; i < ACTING_EVENTS; i++) {
        ck_assert(told[i] || want->most[ARRIVALS + i] == 0 || !is_told(a, want, i));
        ck_assert(!told[i] || is_told(a, want, i));
    }
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

static void compare_comm(const csy_analysis *analysis, const struct attained *want, int trial,
                         struct tally *tally)
{
    const csy_sheet *sheet = csy_analysis_sheet(analysis, 0);
    bool told[PAIRS] = {false};
    for (size_t row = 0; row < sheet->nrows; row++) {
        const csy_value *values = sheet->values + row * sheet->ncolumns;
        size_t ends[2];
        for (size_t i = 0; i < 2; i++)
            ends[i] = strcmp(values[i].text, "ppe") == 0 ? 0 : (size_t)(values[i].text[0] - 'a');
        size_t pair = ends[0] * ACTING_THREADS + ends[1];
        told[pair] = true;
        for (size_t i = 0; i < PAIR_FIGURES; i++)
            hold(find_in(sheet, row, pair_columns[i]), want->pairs_least[pair][i],
                 want->pairs_most[pair][i], pair_columns[i], trial, tally);
    }
    for (size_t i = 0; i < PAIRS; i++)
        ck_assert(told[i] || want->pairs_most[i][PAIR_COUNT] == 0);
}

/* The mean number of those that are meant that are active, of parts that have some length. */
static void compare_means(const struct acting *a, const csy_sheet *sheet,
                          const struct attained *want, int trial, struct tally *tally)
{
    bool early = false;
    for (size_t i = 0; i < a->nthreads; i++)
        early |= want->meant[i] && acting_is_early(a, i);
    for (size_t row = 0, bin = 0; row < sheet->nrows && !early; row++, bin++) {
        while (want->edges[bin] == want->edges[bin + 1])
            bin++;
        int64_t width = want->edges[bin + 1] - want->edges[bin];
        hold(find_in(sheet, row, "concurrency"), want->means[bin][0] * 1000000 / width,
             (want->means[bin][1] * 1000000 + width - 1) / width, "concurrency", trial, tally);
    }
}

/* Of parts that are not told an actor is not there. */
static void compare_bins(const struct acting *a, const csy_analysis *analysis,
                         const struct attained *want, int trial, struct tally *tally)
{
    const csy_sheet *sheet = csy_analysis_sheet(analysis, 1);
    bool told[ACTING_THREADS][BINS] = {{false}};
    for (size_t row = 0; row < sheet->nrows; row++) {
        const char *name = sheet->values[row * sheet->ncolumns].text;
        size_t thread = strcmp(name, "ppe") == 0 ? 0 : (size_t)(name[0] - 'a');
        int64_t end = find_in(sheet, row, "end")->estimate;
        size_t bin = 0;
        while (bin + 1 < BINS && end != want->edges[bin + 1] - want->first)
            bin++;
        told[thread][bin] = true;
        ck_assert(want->meant[thread]);
        for (size_t i = 0; i < BIN_FIGURES && !acting_is_early(a, thread); i++)
            hold(find_in(sheet, row, bin_columns[i]), want->bins_least[thread][bin][i],
                 want->bins_most[thread][bin][i], bin_columns[i], trial, tally);
    }
    for (size_t i = 0; i < a->nthreads; i++)
        for (size_t bin = 0; bin < BINS; bin++)
            ck_assert(told[i][bin] || want->bins_most[i][bin][BIN_ACTIVE] == 0 || !want->meant[i]);
    compare_means(a, csy_analysis_sheet(analysis, 0), want, trial, tally);
}

struct tallies {
    struct tally states, levels, waits, messages, pairs, bins;
};

/* Where the first record and the parts of a timeline of the window are, by the first thread. */
static void find_edges(const struct acting *a, csy_sync *sync, const csy_analysis *timeline,
                       struct attained *want)
{
    const csy_sheet *sheet = csy_analysis_sheet(timeline, 0);
    int64_t first = INT64_MAX;
    for (size_t i = 0; i < (a->nmessages > 0 ? a->n : 1); i++) {
        const struct acting_event *e = &a->events[i];
        const char name[] = {(char)('a' + e->thread), 0};
        size_t clock;
        csy_error error;
        ck_ok(
            csy_sync_find_thread(sync, e->thread ? name : "ppe", e->thread ? 1 : 3, &clock, &error),
            error);
        int64_t offset = csy_sync_thread(sync, clock)->offset_ticks;
        int64_t at = e->time - a->offsets[e->thread] + offset;
        first = at < first ? at : first;
    }
    want->first = first;
    for (size_t bin = 0; bin <= BINS; bin++)
        want->edges[bin] = first;
    for (size_t bin = 0; bin < sheet->nrows; bin++) { /* parts of no length are not told */
        want->edges[bin] = first + find_in(sheet, bin, "begin")->estimate;
        for (size_t next = bin + 1; next <= BINS; next++)
            want->edges[next] = first + find_in(sheet, bin, "end")->estimate;
    }
}

/* Clocks are as threads are; records of partial order have their numbers in another one. */
static bool can_try(const struct acting *a, csy_sync *sync, const struct acting_end ends[2])
{
    bool records = ends[0].kind >= ACTING_END_RECORD || ends[1].kind >= ACTING_END_RECORD;
    bool reversed = ends[0].kind != ACTING_END_NONE && ends[1].kind != ACTING_END_NONE &&
                    ends[0].time > ends[1].time;
    return acting_furthest(sync) <= MOVES_MAX && csy_sync_nthreads(sync) == a->nthreads &&
           !reversed && !(records && a->nmessages > 0);
}

/* One or more of the threads. */
static void draw_actors(const struct acting *a, struct random *r, struct attained *out)
{
    bool some = false;
    while (!some)
        for (size_t i = 0; i < a->nthreads; i++) {
            const char name[] = {(char)('a' + i), 0};
            out->meant[i] = random_chance(r, 50);
            if (out->meant[i] && some)
                strcat(out->actors, ",");
            if (out->meant[i])
                strcat(out->actors, i ? name : "pp?");
            some |= out->meant[i];
        }
}

/* Each verb of that window, and of some actors, or all; delta 0: of all moves. */
static void try_window(const struct acting *a, struct random *r, const struct acting_end ends[2],
                       int64_t delta, csy_sync *sync, const csy_meaning *meaning, int trial,
                       struct tallies *t)
{
    struct attained want = {0};
    struct watched watched = {ends, &want};
    csy_error error;
    csy_analysis *states, *analysis;
    csy_comm_options comm;
    const char *actors = NULL;
    char from[32], until[32], window[80];
    int64_t x[ACTING_THREADS], most = acting_furthest(sync);
    acting_write_end(&ends[0], from);
    acting_write_end(&ends[1], until);
    snprintf(window, sizeof window, "%s..%s", from, until);
    for (size_t i = 0; i < a->nthreads; i++)
        want.meant[i] = true;
    if (random_chance(r, 40)) {
        draw_actors(a, r, &want);
        actors = want.actors;
    }
    const csy_states asked = {.window = window, .actors = actors, .levels = random_chance(r, 50)};
    csy_status status = csy_sync_states(sync, meaning, &asked, &states, &error);
    if (status == CSY_USAGE) { /* by the estimate it ends before it begins, or has nothing */
        ck_assert(delta > 0 || ends[0].kind >= ACTING_END_RECORD ||
                  ends[1].kind >= ACTING_END_RECORD);
        return;
    }
    ck_ok(status, error);
    ck_ok(
        csy_sync_timeline(sync, meaning, CSY_UNITS_ACTORS, BINS, actors, window, &analysis, &error),
        error);
    find_edges(a, sync, analysis, &want);
    if (delta > 0)
        acting_histories(a, delta, most, look_at_history, &watched);
    else
        for (bool more = acting_first_move(a, most, x); more; more = acting_next_move(a, most, x))
            look(a, ends, x, &want);
    ck_assert(want.any);
    compare_bins(a, analysis, &want, trial, &t->bins);
    csy_analysis_free(analysis);
    compare(a, states, &want, trial, &t->states);
    compare_levels(a, states, &want, trial, &t->levels);
    csy_analysis_free(states);
    for (int levels = 0; levels < 2 && !*from && !*until; levels++) { /* of all the time */
        const csy_states all = {.levels = levels, .actors = actors};
        ck_ok(csy_sync_states(sync, meaning, &all, &states, &error), error);
        compare_levels(a, states, &want, trial, &t->levels);
        if (delta == 0)
            compare(a, states, &want, trial, &t->states);
        csy_analysis_free(states);
    }
    ck_ok(csy_sync_waits(sync, meaning, actors, window, &analysis, &error), error);
    compare_waits(a, analysis, &want, trial, &t->waits);
    csy_analysis_free(analysis);
    if (a->nmessages == 0)
        return;
    ck_ok(csy_sync_latency(sync, meaning, actors, window, &analysis, &error), error);
    compare_messages(analysis, &want, trial, &t->messages);
    csy_analysis_free(analysis);
    csy_comm_options_init(&comm);
    comm.window = window;
    comm.actors = actors;
    ck_ok(csy_sync_comm(sync, meaning, &comm, &analysis, &error), error);
    compare_comm(analysis, &want, trial, &t->pairs);
    csy_analysis_free(analysis);
}

static void print(const char *what, const struct tally *tally)
{
    printf("of %s %d ranges, %d attained, %lld ticks for %lld\n", what, tally->ranges, tally->exact,
           (long long)tally->width, (long long)tally->attained);
}

static void print_all(const struct tallies *t)
{
    print("states", &t->states);
    print("levels", &t->levels);
    print("waits", &t->waits);
    print("messages", &t->messages);
    print("pairs", &t->pairs);
    print("parts of time", &t->bins);
}

START_TEST(every_move)
{
    struct tallies t = {.states.ranges = 0};
    csy_error error;
    csy_meaning *meaning;
    ck_ok(csy_meaning_new(&meaning, &error), error);
    for (int trial = 0; trial < trials_of(TRIALS); trial++) {
        struct random r = random_trial((uint64_t)trial);
        struct acting a;
        struct acting_end ends[2];
        csy_trace *trace;
        csy_sync *sync;
        acting_draw(&r, trial % 4 ? 3 : 2, 6, 5, trial % 2, &a);
        if (trial % 5 == 0)
            acting_draw_messages(&a, &r);
        acting_solve(&a, &trace, &sync);
        acting_draw_end(&a, &r, &ends[0]);
        acting_draw_end(&a, &r, &ends[1]);
        if (can_try(&a, sync, ends))
            try_window(&a, &r, ends, 0, sync, meaning, trial, &t);
        csy_sync_free(sync);
        csy_trace_free(trace);
    }
    print_all(&t);
    ck_assert_of_trials(t.messages.ranges * 20 > trials_of(TRIALS));
    ck_assert_of_trials(t.pairs.ranges * 20 > trials_of(TRIALS));
    ck_assert_int_gt(t.states.ranges, trials_of(TRIALS));
    ck_assert_int_gt(t.bins.ranges, trials_of(TRIALS));
    ck_assert_of_trials(t.waits.ranges > trials_of(TRIALS));
    ck_assert_of_trials(t.levels.ranges * 3 > trials_of(TRIALS));
    ck_assert_int_gt(t.states.exact * 2, t.states.ranges);
    ck_assert_int_lt(t.states.width, 3 * t.states.attained);
    csy_meaning_free(meaning);
}
END_TEST

START_TEST(every_stamp)
{
    struct tallies t = {.states.ranges = 0};
    csy_error error;
    csy_meaning *meaning;
    ck_ok(csy_meaning_new(&meaning, &error), error);
    for (int trial = 0; trial < trials_of(STAMPED); trial++) {
        struct random r = random_trial((uint64_t)trial);
        struct acting a, told;
        struct acting_end ends[2];
        csy_trace *trace;
        csy_sync *sync;
        int64_t delta = trial % 4 ? 1 : 2;
        acting_draw_flat(&r, trial % 8 ? 2 : 3, 3, trial % 3 ? 4 * delta : 2 * delta, trial % 2,
                         &a);
        if (trial % 3 == 0)
            acting_draw_messages(&a, &r);
        acting_err(&a, &r, delta, &told);
        if (acting_stamps(&a) + 2 * (size_t)(delta + (int64_t)a.nthreads - 3) > STAMPS_MAX)
            continue;
        acting_solve_off(&told, NULL, delta, &trace, &sync);
        acting_draw_end(&told, &r, &ends[0]);
        acting_draw_end(&told, &r, &ends[1]);
        if (can_try(&told, sync, ends))
            try_window(&told, &r, ends, delta, sync, meaning, trial, &t);
        csy_sync_free(sync);
        csy_trace_free(trace);
    }
    print_all(&t);
    ck_assert_of_trials(t.levels.ranges * 4 > trials_of(STAMPED));
    ck_assert_of_trials(t.states.ranges * 3 > 2 * trials_of(STAMPED));
    ck_assert_of_trials(t.waits.ranges * 4 > trials_of(STAMPED));
    ck_assert_of_trials(t.messages.ranges * 12 > trials_of(STAMPED));
    ck_assert_of_trials(t.pairs.ranges * 12 > trials_of(STAMPED));
    ck_assert_of_trials(t.bins.ranges * 3 > trials_of(STAMPED));
    ck_assert_of_trials(t.states.width < 4 * t.states.attained); /* of use, too */
    ck_assert_of_trials(t.pairs.width < 4 * t.pairs.attained);
    csy_meaning_free(meaning);
}
END_TEST

int main(void)
{
    TCase *tests = unit_begin("clip");
    tcase_set_timeout(tests, 120);
    tcase_add_test(tests, every_move);
    tcase_add_test(tests, every_stamp);
    return unit_run();
}
