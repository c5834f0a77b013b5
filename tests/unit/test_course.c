/* Bounds of pairs over time, against each pair in each bin by itself; and where there are too
 * many.  Every record falls into a bin. */
#include "drawn.h"
#include "output/course.h"

/* What each bin should have. */
struct wanted {
    struct course_pairs bins[COURSE_BINS];
};

static void want_pair(struct wanted *want, const struct course *course, const struct lives *lives,
                      size_t s, size_t t, int64_t error_ticks)
{
    const struct life *a = &lives->items[s], *b = &lives->items[t];
    int64_t begin = a->begin > b->begin ? a->begin : b->begin;
    int64_t end = a->end < b->end ? a->end : b->end;
    end = end < begin ? begin : end; /* stamps that step back */
    for (size_t i = 0; i < course->nbins; i++) {
        struct course_pairs *bin = &want->bins[i];
        if (i < lives_part(lives, begin, course->nbins) ||
            i > lives_part(lives, end, course->nbins))
            continue;
        bin->pairs++;
        bin->bounded += error_ticks >= 0;
        bin->sum_ticks += error_ticks >= 0 ? error_ticks : 0;
        bin->most_ticks = error_ticks > bin->most_ticks ? error_ticks : bin->most_ticks;
    }
}

static void want_all(struct wanted *want, const struct course *course, const struct lives *lives,
                     const struct drawn *d, csy_sync *sync)
{
    for (size_t i = 0; i < COURSE_BINS; i++)
        want->bins[i] = (struct course_pairs){0, 0, 0, -1};
    for (size_t s = 0; s < d->nthreads; s++) {
        for (size_t t = s + 1; t < d->nthreads; t++) {
            int64_t lower, upper, error_ticks;
            csy_error error;
            ck_ok(csy_bounds(sync, s, t, &lower, &upper, &error_ticks, &error), error);
            if (d->threads[t].first <= d->threads[s].last)
                want_pair(want, course, lives, s, t, error_ticks);
        }
    }
}

static void compare(const struct course *course, const struct wanted *want)
{
    int64_t most = 0;
    for (size_t i = 0; i < course->nbins; i++) {
        const struct course_pairs *got = &course->bins[i].together, *bin = &want->bins[i];
        if (got->pairs != bin->pairs || got->bounded != bin->bounded ||
            got->sum_ticks != bin->sum_ticks || got->most_ticks != bin->most_ticks)
            ck_abort_msg("bin %zu", i);
        most = bin->most_ticks > most ? bin->most_ticks : most;
    }
    ck_assert_int_eq(course->pairs_most, most);
}

/* Those whose stamps stand outside of all lives, as stamps that step back may, too. */
static void count_records(struct course *course, const struct lives *lives, csy_trace *trace,
                          csy_sync *sync)
{
    uint64_t records = 0, reference_records = 0;
    csy_error error;
    ck_ok(course_pass(course, lives, trace, sync, &error), error);
    for (size_t i = 0; i < course->nbins; i++) {
        records += course->bins[i].records;
        reference_records += course->bins[i].reference_records;
    }
    ck_assert_uint_eq(records, csy_records(sync));
    ck_assert_uint_eq(reference_records, csy_get_thread(sync, csy_reference(sync))->records);
}

/* How many pairs were compared. */
static uint64_t try_trace(const struct drawn *d, csy_trace *trace, csy_sync *sync)
{
    static struct course course, none;
    static struct wanted want;
    struct lives lives;
    csy_error error;
    uint64_t pairs = csy_get_summary(sync)->live.pairs;
    ck_ok(lives_init(&lives, sync, &error), error);
    course_init(&course, &lives, sync->reference);
    none = course;
    if (pairs > 0) {
        ck_ok(course_take_pairs(&none, &lives, sync, pairs - 1, &error), error);
        ck_assert(!none.has_pairs && none.bins[0].together.pairs == 0);
    }
    ck_ok(course_take_pairs(&course, &lives, sync, pairs, &error), error);
    ck_assert(course.has_pairs);
    want_all(&want, &course, &lives, d, sync);
    compare(&course, &want);
    count_records(&course, &lives, trace, sync);
    lives_fini(&lives);
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
        csy_options_init(&options);
        if (!drawn_solve(&d, &options, &trace, &sync, &error)) {
            pairs += try_trace(&d, trace, sync);
            csy_sync_free(sync);
            csy_trace_free(trace);
        }
        buffer_free(&d.file);
    }
    ck_assert_uint_gt(pairs, (size_t)trials_of(5000));
}
END_TEST

int main(void)
{
    TCase *tests = unit_begin("course");
    tcase_add_test(tests, bins_have_the_pairs_that_cover_them);
    return unit_run();
}
