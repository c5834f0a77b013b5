/*
 * Stamps that are off by up to J, from bytes to figures.  The least delta is that of all ordered
 * pairs of records, by Karp; it is at most J; its witness is a simple cycle of records, in their
 * order, that asks for exactly that; no inversion is larger than ceil(2 delta).  With --delta=J the
 * truth lies inside every bound; just below the least delta the trace is refused, by a witness that
 * says why.
 */
#include "brute.h"

#include <string.h>

enum { TRIALS = 1200 };

struct solved {
    csy_trace *trace;
    csy_sync *sync;
};

static struct solved solve(const struct drawn *d, const csy_options *options, csy_status want)
{
    struct solved solved;
    csy_error error;
    csy_status status = drawn_solve(d, options, &solved.trace, &solved.sync, &error);
    ck_assert_msg(status == want, "%s", status ? error.text : "feasible");
    return solved;
}

static void solved_free(struct solved *solved)
{
    csy_sync_free(solved->sync);
    csy_trace_free(solved->trace);
}

static bool is_less(csy_fraction a, csy_fraction b)
{
    return (int128)a.num * b.den < (int128)b.num * a.den;
}

static csy_fraction half(csy_fraction twice)
{
    ck_assert(fraction_make(twice.num, (int128)2 * twice.den, &twice));
    return twice;
}

/* Real records in their order, and what they say. */
static int64_t assert_edge(const struct drawn *d, const csy_witness_edge *edge)
{
    size_t i = (size_t)edge->record_s, j = (size_t)edge->record_t;
    ck_assert(i < j && j < d->n);
    ck_assert(edge->s == d->thread[i] && edge->t == d->thread[j]);
    ck_assert(edge->time_s == d->local[i] && edge->time_t == d->local[j]);
    ck_assert_int_eq(edge->weight_ticks, d->local[j] - d->local[i]);
    return edge->weight_ticks;
}

/* It closes, is simple, and sums to what it claims; returns the delta that it needs. */
static csy_fraction assert_witness(const struct drawn *d, const csy_witness *witness)
{
    bool seen[DRAWN_THREADS] = {false};
    csy_fraction needs;
    int128 sum = 0;
    ck_assert_ptr_nonnull(witness);
    ck_assert_uint_gt(witness->length, 0);
    for (size_t i = 0; i < witness->length; i++) {
        const csy_witness_edge *edge = &witness->edges[i];
        ck_assert_uint_eq(edge->t, witness->edges[(i + 1) % witness->length].s);
        ck_assert(!seen[edge->s]);
        seen[edge->s] = true;
        sum += assert_edge(d, edge);
    }
    ck_assert(sum == witness->weight_ticks);
    ck_assert(fraction_make(-sum, 2 * (int128)witness->length, &needs));
    ck_assert(needs.num == witness->least_delta.num && needs.den == witness->least_delta.den);
    return needs;
}

/* The default: the least delta. */
static void assert_exact(struct brute *b, csy_fraction least, csy_options *options, int trial)
{
    char what[32];
    struct solved solved = solve(b->d, options, CSY_OK);
    const csy_imprecision *imprecision = csy_sync_imprecision(solved.sync);
    snprintf(what, sizeof what, "trial %d", trial);
    if (imprecision->delta.num != least.num || imprecision->delta.den != least.den)
        ck_abort_msg("%s: delta = %lld/%lld, want %lld/%lld", what,
                     (long long)imprecision->delta.num, (long long)imprecision->delta.den,
                     (long long)least.num, (long long)least.den);
    ck_assert(!is_less((csy_fraction){b->d->jitter_ticks, 1}, least));
    ck_assert_int_eq(imprecision->added_ticks, (int64_t)ceil_div(2 * (int128)least.num, least.den));
    brute_solve(b, imprecision->added_ticks, csy_sync_reference(solved.sync), (csy_fraction){1, 2},
                CSY_CENTER_REFERENCE);
    brute_compare(b, solved.sync, what);
    ck_assert(b->largest_inversion <= imprecision->added_ticks);
    ck_assert((csy_sync_witness(solved.sync) != NULL) == (least.num > 0));
    if (least.num > 0) {
        csy_fraction needs = assert_witness(b->d, csy_sync_witness(solved.sync));
        ck_assert(needs.num == least.num && needs.den == least.den);
    }
    solved_free(&solved);
}

/* --delta=J: the true difference of any two offsets is inside its bounds, and inversions are
 * small. */
static void assert_truth(const struct drawn *d, csy_options *options, int trial)
{
    csy_error error;
    int64_t lower, upper;
    options->relax = CSY_RELAX_GIVEN;
    options->delta = (csy_fraction){d->jitter_ticks, 1};
    struct solved solved = solve(d, options, CSY_OK);
    ck_assert_int_le(csy_sync_imprecision(solved.sync)->largest_inversion_ticks,
                     2 * d->jitter_ticks);
    for (size_t s = 0; s < d->nthreads; s++) {
        for (size_t t = 0; t < d->nthreads; t++) {
            int128 apart = d->threads[s].offset - d->threads[t].offset;
            ck_ok(csy_sync_bounds(solved.sync, s, t, &lower, &upper, NULL, &error), error);
            if ((lower != INT64_MIN && apart < lower) || (upper != INT64_MAX && apart > upper))
                ck_abort_msg("trial %d: the truth of %zu and %zu is outside", trial, s, t);
        }
    }
    solved_free(&solved);
}

/* A little less than the least delta, or none. */
static void assert_refused(const struct drawn *d, csy_fraction least, csy_options *options)
{
    csy_fraction below = {0, 1};
    options->relax = CSY_RELAX_NONE;
    if (d->n % 2) {
        options->relax = CSY_RELAX_GIVEN;
        ck_assert(fraction_make((int128)least.num * 1000 - 1, (int128)least.den * 1000, &below));
        options->delta = below;
    }
    struct solved solved = solve(d, options, CSY_INFEASIBLE);
    ck_assert(is_less(below, assert_witness(d, csy_sync_witness(solved.sync))));
    solved_free(&solved);
}

START_TEST(jitter)
{
    static struct drawn d;
    static struct brute b;
    int infeasible = 0, fractions = 0, inverted = 0;
    for (int trial = 0; trial < trials_of(TRIALS); trial++) {
        struct random r = random_trial((uint64_t)trial);
        csy_options options;
        options = options_default;
        int64_t engine = random_between(&r, CSY_ENGINE_AUTO, CSY_ENGINE_DENSE);
        options.engine = (csy_engine)engine;
        do {
            buffer_free(&d.file);
            drawn_trace(&r, random_between(&r, 1, random_chance(&r, 50) ? 4 : 100), &d);
        } while (d.extreme); /* test_engines */
        brute_constrain(&b, &d);
        csy_fraction least = half(brute_least_twice(&b));
        assert_exact(&b, least, &options, trial);
        assert_truth(&d, &options, trial);
        if (least.num > 0)
            assert_refused(&d, least, &options);
        infeasible += least.num > 0;
        fractions += least.den > 2;
        inverted += b.inversions > 0;
    }
    buffer_free(&d.file);
    printf(
        "%d traces with jitter: %d infeasible as they are, %d with a delta of thirds or finer, %d "
        "with inversions\n",
        trials_of(TRIALS), infeasible, fractions, inverted);
    fflush(stdout);
    ck_assert_int_ge(infeasible, trials_of(500));
    ck_assert_of_trials(fractions >= trials_of(10));
    ck_assert_int_gt(inverted, trials_of(200));
}
END_TEST

/* The PPE steps back by 10: delta is 5, and 4 delta may be as much as unwrapping takes for
 * imprecision, but not more.  Nothing is unwrapped in a CSV. */
START_TEST(what_unwrapping_takes_for_imprecision)
{
    static struct drawn d;
    csy_options options;
    options = options_default;
    buffer_text(&d.file, "<pdt_trace version='1'><machine timebase_hz='1'/><trace_file/>"
                         "</pdt_trace>");
    buffer_add(&d.file, "", 1);
    add_header(&d.file, 0, 2);
    add_ppe(&d.file, 100);
    add_ppe(&d.file, 90);
    for (int csv = 0; csv < 2; csv++) {
        for (int64_t ticks = 19; ticks <= 20; ticks++) {
            options.max_imprecision_ticks = ticks;
            struct solved solved = solve(&d, &options, CSY_OK);
            ck_assert_int_eq(csy_sync_imprecision(solved.sync)->added_ticks, 10);
            ck_assert(csy_sync_imprecision(solved.sync)->beyond_unwrapping == (!csv && ticks < 20));
            solved_free(&solved);
        }
        d.csv = true;
        buffer_free(&d.file);
        buffer_text(&d.file, "thread,time,core\nA,100,ppe\nA,90,ppe\n");
    }
    buffer_free(&d.file);
}
END_TEST

int main(void)
{
    TCase *tests = unit_begin("imprecise");
    tcase_add_test(tests, what_unwrapping_takes_for_imprecision);
    tcase_add_test(tests, jitter);
    return unit_run();
}
