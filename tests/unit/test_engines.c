/*
 * Both engines against brute force, from bytes to figures: traces of every kind that
 * tests/unit/drawn.h knows; bounds of every pair of threads in both directions, offsets of both
 * estimates and their ends, statistics.  So the sweep is the dense engine's equal.
 */
#include "brute.h"

#include <string.h>

enum { TRIALS = 2400 };

/* What was met; too few of a kind, and the test tests nothing. */
struct met {
    int compared, refused, pex, csv, one_record, ppe_only, no_ppe, equal, extreme, relaxed;
    int one_sided, late_tau, crowd, pairs;
    int live[DRAWN_LIVE + 1]; /* traces by W */
};

static void count_kinds(struct met *met, const struct drawn *d, const struct brute *b)
{
    bool ppe = false;
    for (size_t t = 0; t < d->nthreads; t++)
        ppe |= d->threads[t].ppe;
    bool late = false;
    for (size_t t = 0; t < d->nthreads; t++)
        late |= d->threads[t].last < d->threads[b->tau].first;
    met->compared++;
    met->pex += !d->csv;
    met->csv += d->csv;
    met->one_record += d->n == 1;
    met->ppe_only += ppe && d->nthreads == 1 && d->n > 1;
    met->no_ppe += !ppe;
    met->equal += d->equal && d->nthreads > 1;
    met->extreme += d->extreme;
    met->live[d->live_most]++;
    met->one_sided += b->unbounded > 0;
    met->late_tau += late;
    met->crowd += d->nthreads > 128;
    met->pairs += (int)(b->n * b->n);
}

static void print_met(const struct met *met)
{
    printf("%d traces (%d .pex, %d CSV), %d ordered pairs, each by both engines: %d of one record, "
           "%d of the PPE only, %d without it, %d with equal stamps, %d at the ends of 64 bits, "
           "%d with threads that die before tau begins, %d one-sided, "
           "%d of more than 128 threads, %d with delta > 0; %d refused by both\n",
           met->compared, met->pex, met->csv, met->pairs, met->one_record, met->ppe_only,
           met->no_ppe, met->equal, met->extreme, met->late_tau, met->one_sided, met->crowd,
           met->relaxed, met->refused);
    for (size_t w = 1; w <= DRAWN_LIVE; w++)
        printf("%sW = %zu: %d", w == 1 ? "" : ", ", w, met->live[w]);
    printf("\n");
    fflush(stdout);
}

static size_t default_reference(const struct drawn *d)
{
    size_t most = 0;
    for (size_t t = 0; t < d->nthreads; t++) {
        if (d->threads[t].ppe)
            return t;
        if (d->threads[t].records > d->threads[most].records)
            most = t;
    }
    return most;
}

/* Any thread, often the last to begin; *options names it unless it is the default. */
static size_t draw_reference(struct random *r, const struct drawn *d, csy_options *options,
                             char name[DRAWN_NAME_MAX])
{
    if (random_chance(r, 40))
        return default_reference(d);
    size_t last = d->nthreads - 1;
    size_t tau = random_chance(r, 40) ? last : (size_t)random_between(r, 0, (int64_t)last);
    options->reference = drawn_name(d, tau, name);
    return tau;
}

static csy_fraction draw_alpha(struct random *r)
{
    csy_fraction alpha = {1, 2};
    if (random_chance(r, 60))
        ck_assert(fraction_make(random_between(r, 0, 7), 7, &alpha));
    return alpha;
}

/* A relaxation under which the trace is feasible; returns what it adds to a constraint. */
static int64_t draw_relaxation(struct random *r, const struct drawn *d, struct brute *b,
                               csy_options *options)
{
    csy_fraction twice = brute_least_twice(b);
    if (random_chance(r, 40)) {
        options->relax = CSY_RELAX_GIVEN;
        options->delta = (csy_fraction){d->jitter_ticks, 1};
        return 2 * d->jitter_ticks;
    }
    options->relax = twice.num == 0 && random_chance(r, 50) ? CSY_RELAX_NONE : CSY_RELAX_EXACT;
    return (int64_t)ceil_div(twice.num, twice.den);
}

/* Solve by one engine and compare; false where it is refused, for good reason. */
static bool compare(const struct brute *b, csy_options *options, csy_engine engine, int trial,
                    char text[1024])
{
    csy_trace *trace;
    csy_sync *sync;
    csy_error error;
    char what[64];
    options->engine = engine;
    snprintf(what, sizeof what, "trial %d, %s", trial,
             engine == CSY_ENGINE_DENSE ? "dense" : "sweep");
    csy_status status = drawn_solve(b->d, options, &trace, &sync, &error);
    if (status) {
        if (status != CSY_INPUT || brute_fits(b))
            ck_abort_msg("%s: %s", what, error.text);
        strcpy(text, strrchr(error.text, ':'));
        return false;
    }
    brute_compare(b, sync, what);
    ck_assert_uint_eq(csy_sync_clock_report(sync)->splits, 0);
    csy_sync_free(sync);
    csy_trace_free(trace);
    return true;
}

START_TEST(sweep_dense_and_brute_force)
{
    static struct drawn d;
    static struct brute b;
    struct met met = {0};
    for (int trial = 0; trial < trials_of(TRIALS); trial++) {
        struct random r = random_trial((uint64_t)trial);
        char name[DRAWN_NAME_MAX], texts[2][1024] = {"", ""};
        csy_options options;
        options = options_default;
        drawn_trace(&r, random_chance(&r, 50) ? 0 : random_between(&r, 1, 60), &d);
        brute_constrain(&b, &d);
        int64_t added = draw_relaxation(&r, &d, &b, &options);
        options.alpha = draw_alpha(&r);
        options.center = trial % 2 ? CSY_CENTER_LOCAL : CSY_CENTER_REFERENCE;
        brute_solve(&b, added, draw_reference(&r, &d, &options, name), options.alpha,
                    options.center);
        bool solved = compare(&b, &options, CSY_ENGINE_SWEEP, trial, texts[0]);
        ck_assert(compare(&b, &options, CSY_ENGINE_DENSE, trial, texts[1]) == solved);
        ck_assert_str_eq(texts[0], texts[1]);
        met.refused += !solved;
        met.relaxed += solved && added > 0;
        if (solved)
            count_kinds(&met, &d, &b);
        buffer_free(&d.file);
    }
    print_met(&met);
    ck_assert_int_ge(met.compared, trials_of(2000));
    ck_assert_int_lt(met.refused, trials_of(TRIALS / 20));
    ck_assert(met.pex >= trials_of(500) && met.csv >= trials_of(500));
    ck_assert(met.one_record >= trials_of(20) && met.ppe_only >= trials_of(20));
    ck_assert(met.no_ppe >= trials_of(100) && met.equal >= trials_of(10));
    ck_assert(met.extreme >= trials_of(50) && met.late_tau >= trials_of(200));
    ck_assert(met.one_sided >= trials_of(100) && met.crowd >= trials_of(10));
    ck_assert_int_ge(met.relaxed, trials_of(500));
    for (size_t w = 1; w <= DRAWN_LIVE; w++)
        ck_assert_int_gt(met.live[w], 0);
}
END_TEST

int main(void)
{
    TCase *tests = unit_begin("engines");
    tcase_add_test(tests, sweep_dense_and_brute_force);
    return unit_run();
}
