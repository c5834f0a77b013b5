/*
 * Unwrapping in one or two passes of constant space, against rule 1 read off the whole trace:
 * for each record look up the PPE stamps on both sides of it and of the record before.  And random
 * truths: where nothing was assumed, every record stands where it really was.
 */
#include "steps.h"
#include "support.h"

#define WRAP ((int64_t)1 << 32)

enum { CONTEXTS = 4, NAIVE_TRIALS = 6000, TRUE_TRIALS = 3000 };

/* --------------------------------------------------------- the definition, on the whole trace */

/* Time of the PPE record next to position i, before (-1) or after (+1) it. */
static bool ppe_next_to(const struct step *steps, size_t n, size_t i, int direction, int64_t *time)
{
    for (i += (size_t)direction; i < n; i += (size_t)direction) {
        if (steps[i].kind == STEP_SPE)
            continue;
        *time = steps[i].time;
        return true;
    }
    return false;
}

/* How many candidates r + m 2^32 lie in [L - B, U + B] (no more than two are counted), and the
 * least. */
static int candidates(const struct step *steps, size_t n, size_t a, size_t b, int64_t imprecision,
                      int64_t *least)
{
    int64_t before_a = 0, after_a = 0, before_b = 0, after_b = 0;
    bool has_before_a = ppe_next_to(steps, n, a, -1, &before_a);
    bool has_after_a = ppe_next_to(steps, n, a, 1, &after_a);
    bool has_before_b = ppe_next_to(steps, n, b, -1, &before_b);
    bool has_after_b = ppe_next_to(steps, n, b, 1, &after_b);
    int64_t lower = has_before_b && has_after_a && before_b > after_a ? before_b - after_a : 0;
    int64_t upper = has_after_b && has_before_a ? after_b - before_a : INT64_MAX / 2;
    int64_t r = (int64_t)steps[a].decr - steps[b].decr;
    int found = 0;
    for (int64_t m = r < 0 ? 0 : -1; found < 2 && r + m * WRAP <= upper + imprecision; m++) {
        if (r + m * WRAP < lower - imprecision)
            continue;
        if (found++ == 0)
            *least = r + m * WRAP;
    }
    return found;
}

/* A residency under way. */
struct stay {
    enum { BEFORE_ANY, INSIDE, OUTSIDE } where;
    long last; /* its last record, or -1 */
};

struct definition {
    uint32_t thread[STEPS_MAX];
    int64_t local[STEPS_MAX];
    int64_t decr_first[STEPS_MAX]; /* of each thread */
    size_t nthreads;
    csy_clock_report report;
};

/* Where step i of a context leaves its stay; for a record, the one before it in the same stay or
 * -1. */
static long move_on(struct stay *stay, const struct step *step, size_t i, csy_clock_report *report)
{
    long previous = stay->last;
    if (step->kind == STEP_IN) {
        report->lost_outs += stay->where == INSIDE || stay->last >= 0;
        *stay = (struct stay){INSIDE, -1};
    } else if (step->kind == STEP_OUT) {
        report->lost_ins += stay->where == OUTSIDE;
        *stay = (struct stay){OUTSIDE, -1};
    } else {
        report->stragglers += stay->where == OUTSIDE;
        stay->last = stay->where == OUTSIDE ? -1 : (long)i;
    }
    return previous;
}

/* The passes through zero of every interval, from its first and last record. */
static int64_t count_wraps(const struct definition *d, const struct step *steps, size_t n)
{
    int64_t wraps = 0;
    for (uint32_t t = 0; t < d->nthreads; t++) {
        size_t last = n;
        for (size_t i = 0; i < n; i++)
            if (steps[i].kind == STEP_SPE && d->thread[i] == t)
                last = i;
        if (last < n)
            wraps += (d->local[last] - (d->decr_first[t] - (int64_t)steps[last].decr)) / WRAP;
    }
    return wraps;
}

static void place_spe(struct definition *d, const struct step *steps, size_t n, size_t i, long a,
                      int64_t imprecision, bool strict)
{
    int64_t elapsed = 0;
    int found = a < 0 ? 0 : candidates(steps, n, (size_t)a, i, imprecision, &elapsed);
    if (found == 0 || (strict && found > 1)) {
        d->report.splits += a >= 0;
        d->decr_first[d->nthreads] = steps[i].decr;
        d->thread[i] = (uint32_t)d->nthreads++;
        d->local[i] = 0;
        return;
    }
    d->report.assumed += found > 1;
    d->thread[i] = d->thread[a];
    d->local[i] = d->local[a] + elapsed;
}

static void define(struct definition *d, const struct step *steps, size_t n, int64_t imprecision,
                   bool strict)
{
    struct stay stays[CONTEXTS] = {
        {BEFORE_ANY, -1}, {BEFORE_ANY, -1}, {BEFORE_ANY, -1}, {BEFORE_ANY, -1}};
    bool seen[CONTEXTS] = {false};
    int64_t ppe = -1;
    *d = (struct definition){.nthreads = 0};
    for (size_t i = 0; i < n; i++) {
        const struct step *step = &steps[i];
        long a = step->kind == STEP_PPE ? -1 : move_on(&stays[step->context], step, i, &d->report);
        if (step->kind == STEP_SPE) {
            d->report.contexts += !seen[step->context];
            seen[step->context] = true;
            place_spe(d, steps, n, i, a, imprecision, strict);
            continue;
        }
        if (ppe < 0)
            ppe = (int64_t)d->nthreads++;
        d->thread[i] = (uint32_t)ppe;
        d->local[i] = step->time;
    }
    d->report.wraps = count_wraps(d, steps, n);
}

/* ----------------------------------------------------------------------------- the comparison */

static bool same_report(const csy_clock_report *a, const csy_clock_report *b)
{
    return a->wraps == b->wraps && a->splits == b->splits && a->assumed == b->assumed &&
           a->lost_outs == b->lost_outs && a->lost_ins == b->lost_ins &&
           a->stragglers == b->stragglers && a->contexts == b->contexts;
}

static void print_steps(const struct step *steps, size_t n, const struct outcome *got,
                        const struct definition *want)
{
    static const char *const names[] = {"PPE", "IN ", "OUT", "SPE"};
    for (size_t i = 0; i < n; i++)
        printf("%3zu %s time %lld context %u decr %u: thread %u local %lld, want %u %lld\n", i,
               names[steps[i].kind], (long long)steps[i].time, steps[i].context, steps[i].decr,
               got->thread[i], (long long)got->local[i], want->thread[i],
               (long long)want->local[i]);
}

static void compare(const struct step *steps, size_t n, const struct outcome *got,
                    const struct definition *want, int trial)
{
    bool same = got->threads.count == want->nthreads && same_report(&got->report, &want->report);
    for (size_t i = 0; same && i < n; i++)
        same = got->thread[i] == want->thread[i] && got->local[i] == want->local[i];
    if (same)
        return;
    print_steps(steps, n, got, want);
    ck_abort_msg("trial %d: wraps %lld splits %d assumed %d, want %lld %d %d", trial,
                 (long long)got->report.wraps, (int)got->report.splits, (int)got->report.assumed,
                 (long long)want->report.wraps, (int)want->report.splits,
                 (int)want->report.assumed);
}

/* How far a clock goes from one record to the next: mostly little, sometimes by wraps, or back. */
static int64_t draw_gap(struct random *r, int64_t imprecision, int unruly)
{
    if (random_chance(r, 100 - unruly))
        return random_between(r, 0, 300);
    switch (random_between(r, 0, 4)) {
    case 0:
        return random_between(r, -2 * imprecision - 5, 0);
    case 1:
        return random_between(r, 1, 3) * WRAP +
               random_between(r, -2 * imprecision, 2 * imprecision);
    case 2:
        return random_between(r, -3, 5) * WRAP;
    case 3:
        return random_between(r, -WRAP, 3 * WRAP);
    default:
        return random_between(r, 0, 5) * imprecision;
    }
}

/* A trace without sense: clocks that jump, wrap, are written and run back, switches at any time. */
static size_t draw_nonsense(struct random *r, struct step *steps, int64_t imprecision)
{
    size_t n = (size_t)random_between(r, 1, 60);
    int64_t ppe = random_between(r, 0, 1) * 100 * WRAP + 50 * WRAP;
    uint32_t decr[CONTEXTS];
    int unruly = (int)random_between(r, 0, 60), often = (int)random_between(r, 1, 70);
    for (size_t c = 0; c < CONTEXTS; c++)
        decr[c] = (uint32_t)random_bits(r);
    for (size_t i = 0; i < n; i++) {
        uint32_t c =
            (uint32_t)random_between(r, 0, CONTEXTS - 1) & (uint32_t)random_between(r, 0, 3);
        ppe += random_chance(r, 30) ? 0 : draw_gap(r, imprecision, unruly);
        if (ppe < 0)
            ppe = 0;
        decr[c] -= (uint32_t)draw_gap(r, imprecision, unruly);
        int64_t kind = random_between(r, 0, 99);
        steps[i] = (struct step){kind >= often ? STEP_SPE
                                 : kind > 20   ? STEP_PPE
                                 : kind % 2    ? STEP_IN
                                               : STEP_OUT,
                                 ppe, c, decr[c], 0};
    }
    return n;
}

/* Every trace in which each kind of trouble occurred counts; too few, and the test tests
 * nothing. */
struct troubles {
    int twice, splits, assumed, wraps;
};

static void count_troubles(struct troubles *t, const struct outcome *got)
{
    t->twice += got->twice;
    t->splits += got->report.splits > 0;
    t->assumed += got->report.assumed > 0;
    t->wraps += got->report.wraps != 0;
}

START_TEST(passes_follow_the_definition)
{
    struct troubles troubles = {0};
    for (int trial = 0; trial < trials_of(NAIVE_TRIALS); trial++) {
        struct random r = random_trial((uint64_t)trial);
        struct step steps[STEPS_MAX];
        struct outcome got;
        struct definition want;
        csy_error error;
        int64_t imprecision =
            random_between(&r, 0, 1) ? random_between(&r, 0, 200) : (int64_t)1 << 30;
        bool strict = random_chance(&r, 20);
        size_t n = draw_nonsense(&r, steps, imprecision);
        ck_ok(steps_run(steps, n, imprecision, strict, &got, &error), error);
        define(&want, steps, n, imprecision, strict);
        compare(steps, n, &got, &want, trial);
        count_troubles(&troubles, &got);
        threads_fini(&got.threads);
    }
    ck_assert_int_gt(troubles.twice, trials_of(NAIVE_TRIALS / 20));
    ck_assert_int_gt(troubles.splits, trials_of(NAIVE_TRIALS / 20));
    ck_assert_int_gt(troubles.assumed, trials_of(NAIVE_TRIALS / 20));
    ck_assert_int_gt(troubles.wraps, trials_of(NAIVE_TRIALS / 20));
}
END_TEST

/* ------------------------------------------------------------------------------------ the truth */

/* What really happened: every step's time on one perfect clock. */
struct truth {
    struct step steps[STEPS_MAX];
    int64_t time[STEPS_MAX];
    int stay[STEPS_MAX]; /* of SPE records: which of all stays they belong to */
    size_t n;
};

static void add_step(struct truth *truth, enum step_kind kind, int64_t now, uint32_t context,
                     int64_t decr_zero, int stay)
{
    truth->steps[truth->n] =
        (struct step){kind, now, context, (uint32_t)(decr_zero - now), context};
    truth->time[truth->n] = now;
    truth->stay[truth->n++] = stay;
}

/* Contexts are switched in with a decrementer of any value and run down at the PPE's rate.  Now and
 * then everything sleeps for up to 20 wraps; what the PPE says before and after may be lost. */
static void draw_truth(struct random *r, struct truth *truth)
{
    int64_t now = random_between(r, 0, 9) * WRAP, zero[CONTEXTS] = {0};
    int stay[CONTEXTS] = {0}, stays = 0, lost = random_chance(r, 50) ? 30 : 0;
    bool in[CONTEXTS] = {false};
    truth->n = 0;
    while (truth->n < STEPS_MAX - 3) {
        uint32_t c = (uint32_t)random_between(r, 0, CONTEXTS - 1);
        now += random_between(r, 0, 1000000);
        if (random_chance(r, 10)) {
            if (!random_chance(r, lost))
                add_step(truth, STEP_PPE, now, c, 0, 0);
            now += random_between(r, 0, 20 * WRAP);
            if (!random_chance(r, lost))
                add_step(truth, STEP_PPE, now, c, 0, 0);
        } else if (!in[c] || random_chance(r, 5)) {
            in[c] = !in[c];
            zero[c] = now + (int64_t)(random_bits(r) >> 32);
            stay[c] = stays++;
            add_step(truth, in[c] ? STEP_IN : STEP_OUT, now, c, 0, 0);
        } else {
            add_step(truth, STEP_SPE, now, c, zero[c], stay[c]);
        }
    }
    add_step(truth, STEP_PPE, now, 0, 0, 0);
}

/* Within a stay, differences of local times are differences of true times. */
static void assert_recovered(const struct truth *truth, const struct outcome *got, int trial)
{
    for (size_t i = 0; i < truth->n; i++) {
        for (size_t j = i + 1; truth->steps[i].kind == STEP_SPE && j < truth->n; j++) {
            if (truth->steps[j].kind != STEP_SPE || truth->stay[i] != truth->stay[j])
                continue;
            if (got->thread[i] != got->thread[j] ||
                got->local[j] - got->local[i] != truth->time[j] - truth->time[i])
                ck_abort_msg("trial %d: steps %zu and %zu", trial, i, j);
        }
    }
}

START_TEST(truth_is_recovered)
{
    int recovered = 0;
    for (int trial = 0; trial < trials_of(TRUE_TRIALS); trial++) {
        struct random r = random_trial(NAIVE_TRIALS + (uint64_t)trial);
        struct truth truth;
        struct outcome got;
        csy_error error;
        draw_truth(&r, &truth);
        ck_ok(steps_run(truth.steps, truth.n, 143180, false, &got, &error), error);
        ck_assert_uint_eq(got.report.splits, 0);
        ck_assert_uint_eq(got.report.stragglers + got.report.lost_ins + got.report.lost_outs, 0);
        if (got.report.assumed == 0) {
            assert_recovered(&truth, &got, trial);
            recovered += got.report.wraps > 0;
        }
        threads_fini(&got.threads);
    }
    ck_assert_int_gt(recovered, trials_of(TRUE_TRIALS / 20));
}
END_TEST

int main(void)
{
    TCase *tests = unit_begin("unwrap");
    tcase_add_test(tests, passes_follow_the_definition);
    tcase_add_test(tests, truth_is_recovered);
    return unit_run();
}
