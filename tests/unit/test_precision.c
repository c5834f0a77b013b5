/* Bounds of pairs over time, against each pair in each bin by itself; and where there are too
 * many.  Every record falls into a bin.  What scouts tell, against each record by each. */
#include "drawn.h"
#include "output/page/precision.h"

#include <stdlib.h>

/* What each bin should have. */
struct wanted {
    struct precision_pairs bins[PRECISION_BINS];
};

static void want_pair(struct wanted *want, const struct precision *course,
                      const struct spans *lives, size_t s, size_t t, int64_t error_ticks)
{
    const struct span *a = &lives->items[s], *b = &lives->items[t];
    int64_t begin = a->begin > b->begin ? a->begin : b->begin;
    int64_t end = a->end < b->end ? a->end : b->end;
    end = end < begin ? begin : end; /* stamps that step back */
    for (size_t i = 0; i < course->nbins; i++) {
        struct precision_pairs *bin = &want->bins[i];
        if (i < spans_part(lives, begin, course->nbins) ||
            i > spans_part(lives, end, course->nbins))
            continue;
        bin->pairs++;
        bin->bounded += error_ticks >= 0;
        bin->sum_ticks += error_ticks >= 0 ? error_ticks : 0;
        bin->most_ticks = error_ticks > bin->most_ticks ? error_ticks : bin->most_ticks;
    }
}

static void want_all(struct wanted *want, const struct precision *course, const struct spans *lives,
                     const struct drawn *d, csy_sync *sync)
{
    for (size_t i = 0; i < PRECISION_BINS; i++)
        want->bins[i] = (struct precision_pairs){0, 0, 0, -1};
    for (size_t s = 0; s < d->nthreads; s++) {
        for (size_t t = s + 1; t < d->nthreads; t++) {
            int64_t lower, upper, error_ticks;
            csy_error error;
            ck_ok(csy_sync_bounds(sync, s, t, &lower, &upper, &error_ticks, &error), error);
            if (d->threads[t].first <= d->threads[s].last)
                want_pair(want, course, lives, s, t, csy_sync_event_error(sync, error_ticks));
        }
    }
}

static void compare(const struct precision *course, const struct wanted *want)
{
    int64_t most = 0;
    for (size_t i = 0; i < course->nbins; i++) {
        const struct precision_pairs *got = &course->bins[i].together, *bin = &want->bins[i];
        if (got->pairs != bin->pairs || got->bounded != bin->bounded ||
            got->sum_ticks != bin->sum_ticks || got->most_ticks != bin->most_ticks)
            ck_abort_msg("bin %zu", i);
        most = bin->most_ticks > most ? bin->most_ticks : most;
    }
    ck_assert_int_eq(course->pairs_most, most);
}

/* Those whose stamps stand outside of all lives, as stamps that step back may, too. */
static void count_records(struct precision *course, const struct spans *lives, csy_trace *trace,
                          csy_sync *sync)
{
    uint64_t records = 0, reference_records = 0;
    csy_error error;
    struct members members;
    ck_ok(precision_pass(course, lives, &members, trace, sync, &error), error);
    free(members.items);
    for (size_t i = 0; i < course->nbins; i++) {
        records += course->bins[i].records;
        reference_records += course->bins[i].reference_records;
    }
    ck_assert_uint_eq(records, csy_sync_records(sync));
    ck_assert_uint_eq(reference_records, csy_sync_thread(sync, csy_sync_reference(sync))->records);
}

/* All global times, and whose. */
struct spoken {
    size_t n, thread[DRAWN_RECORDS];
    int64_t global[DRAWN_RECORDS];
};

static struct spoken listen(const csy_sync *sync)
{
    struct spoken spoken = {0};
    csy_events *events;
    csy_event event;
    csy_error error;
    bool more;
    ck_ok(csy_events_open(sync, &events, &error), error);
    while (csy_events_next(events, &event, &more, &error) == CSY_OK && more) {
        spoken.thread[spoken.n] = event.thread;
        spoken.global[spoken.n++] = event.global_ticks;
    }
    csy_events_free(events);
    ck_assert_uint_eq(spoken.n, csy_sync_records(sync));
    return spoken;
}

/* The least time from a record of one thread to a later one of another. */
static int64_t least_between(const struct spoken *spoken, size_t from, size_t to)
{
    int64_t least = BOUND_NONE;
    for (size_t i = 0; i < spoken->n; i++)
        for (size_t j = i + 1; spoken->thread[i] == from && j < spoken->n; j++)
            if (spoken->thread[j] == to && spoken->global[j] - spoken->global[i] < least)
                least = spoken->global[j] - spoken->global[i];
    return least;
}

/* The records of one thread between the first and the last of another. */
static uint64_t count_amid(const struct spoken *spoken, size_t of, size_t between)
{
    size_t first = spoken->n, last = 0;
    uint64_t amid = 0;
    for (size_t i = 0; i < spoken->n; i++) {
        if (spoken->thread[i] != between)
            continue;
        first = first < i ? first : i;
        last = i;
    }
    for (size_t i = first; i < last; i++)
        amid += spoken->thread[i] == of;
    return amid;
}

/* As many as there may be, from the last thread on; one too many is not sent. */
static void send_scouts(struct precision *course, size_t nthreads, size_t reference)
{
    for (size_t t = nthreads; t-- > 0;)
        if (t != reference)
            precision_send(course, t);
    ck_assert_uint_eq(course->nscouts,
                      nthreads - 1 < PRECISION_SCOUTS ? nthreads - 1 : PRECISION_SCOUTS);
}

static void compare_scouts(const struct precision *course, const csy_sync *sync)
{
    struct spoken spoken = listen(sync);
    size_t tau = csy_sync_reference(sync);
    for (size_t i = 0; i < course->nscouts; i++) {
        const struct precision_scout *scout = &course->scouts[i];
        ck_assert_int_eq(scout->behind, least_between(&spoken, tau, scout->thread));
        ck_assert_int_eq(scout->ahead, least_between(&spoken, scout->thread, tau));
        ck_assert_uint_eq(scout->amid, count_amid(&spoken, tau, scout->thread));
    }
}

/* How many pairs were compared. */
static uint64_t try_trace(const struct drawn *d, csy_trace *trace, csy_sync *sync)
{
    static struct precision course, none;
    static struct wanted want;
    struct spans lives;
    csy_error error;
    uint64_t pairs = csy_sync_summary(sync)->live.pairs;
    ck_ok(spans_init(&lives, sync, &error), error);
    precision_init(&course, &lives, sync->reference);
    none = course;
    if (pairs > 0) {
        ck_ok(precision_take_pairs(&none, &lives, sync, pairs - 1, &error), error);
        ck_assert(!none.has_pairs && none.bins[0].together.pairs == 0);
    }
    ck_ok(precision_take_pairs(&course, &lives, sync, pairs, &error), error);
    ck_assert(course.has_pairs);
    want_all(&want, &course, &lives, d, sync);
    compare(&course, &want);
    send_scouts(&course, d->nthreads, sync->reference);
    count_records(&course, &lives, trace, sync);
    compare_scouts(&course, sync);
    spans_fini(&lives);
    return pairs;
}

START_TEST(bins_have_the_pairs_that_cover_them)
{
    static struct drawn d;
    uint64_t pairs = 0;
    for (uint64_t trial = 0; trial < (uint64_t)trials_of(200); trial++) {
        struct random r = random_trial(trial);
        csy_options options;
        csy_trace *trace;
        csy_sync *sync;
        csy_error error;
        drawn_trace(&r, trial % 3 ? 0 : 9, &d);
        options = options_default;
        if (!drawn_solve(&d, &options, &trace, &sync, &error)) {
            pairs += try_trace(&d, trace, sync);
            csy_sync_free(sync);
            csy_trace_free(trace);
        }
        buffer_free(&d.file);
    }
    ck_assert_of_trials(pairs > (size_t)trials_of(5000));
}
END_TEST

/* Of an even number, the upper one of the two in the middle; what has no bound does not count. */
START_TEST(the_bound_in_the_middle)
{
    struct span items[] = {{0, 9, 50}, {0, 9, BOUND_NONE}, {0, 9, 0},
                           {0, 9, 20}, {0, 9, 30},         {0, 9, 10}};
    size_t order[] = {2, 5, 3, 4, 0, 1};
    static const int64_t want[][2] = {{0, 0}, {0, 0}, {10, 10}, {10, 20}, {20, 30}, {20, 50}};
    for (size_t n = 0; n < sizeof want / sizeof *want; n++) {
        const struct spans lives = {.items = items, .order = order, .n = 6, .nbounded = n};
        ck_assert_int_eq(spans_median(&lives), want[n][0]);
        ck_assert_int_eq(spans_most(&lives), want[n][1]);
    }
}
END_TEST

int main(void)
{
    TCase *tests = unit_begin("precision");
    tcase_add_test(tests, the_bound_in_the_middle);
    tcase_add_test(tests, bins_have_the_pairs_that_cover_them);
    return unit_run();
}
