/*
 * Offsets: every bound is satisfied by them, at any alpha, also by threads that are bounded on one
 * side only; inside their bounds they lie where alpha puts them, floored.
 */
#include "swept.h"
#include "sync/line/offsets.h"

/* Bounds with what offsets_place makes of them. */
struct placed {
    struct bounds bounds;
    int64_t walks[THREADS_MAX * THREADS_MAX];
    int64_t g[THREADS_MAX], from[THREADS_MAX], to[THREADS_MAX];
    size_t unbounded;
};

static void place(struct placed *p, size_t tau, csy_fraction alpha)
{
    csy_error error;
    struct offsets_rule rule = {tau, alpha, NULL, 1};
    ck_ok(offsets_place(&p->bounds, &rule, p->g, p->from, p->to, &p->unbounded, &error), error);
}

/* g[s] - g[t] <= wbar(s,t), all of them ([BHH08] eq. (7)). */
static void assert_satisfied(const struct placed *p, int trial)
{
    size_t n = p->bounds.n;
    for (size_t s = 0; s < n; s++)
        for (size_t t = 0; t < n; t++)
            if (p->walks[s * n + t] != WALK_INF && p->g[s] - p->g[t] > p->walks[s * n + t])
                ck_abort_msg("trial %d: threads %zu and %zu", trial, s, t);
}

/* Rows, the count of the unbounded, and eq. (9) where both bounds are finite. */
static void assert_inside(const struct placed *p, size_t tau, csy_fraction alpha, int trial)
{
    size_t n = p->bounds.n, unbounded = 0;
    ck_assert_int_eq(p->g[tau], 0);
    for (size_t t = 0; t < n; t++) {
        int64_t from = p->walks[tau * n + t], to = p->walks[t * n + tau];
        if (p->from[t] != from || p->to[t] != to)
            ck_abort_msg("trial %d: the row of tau at %zu", trial, t);
        unbounded += from == WALK_INF || to == WALK_INF;
        if (from == WALK_INF || to == WALK_INF)
            continue;
        int128 scaled = (int128)alpha.num * to - (int128)(alpha.den - alpha.num) * from;
        int128 low = (int128)p->g[t] * alpha.den;
        if (low > scaled || scaled - low >= alpha.den)
            ck_abort_msg("trial %d: thread %zu lies elsewhere", trial, t);
    }
    ck_assert_uint_eq(p->unbounded, unbounded);
}

/* Threads after tau's component stand as early, those before as late, as the others let them. */
static void assert_outside(const struct placed *p, size_t tau, int trial)
{
    size_t n = p->bounds.n;
    for (size_t t = 0; t < n; t++) {
        bool after = p->walks[t * n + tau] == WALK_INF, before = p->walks[tau * n + t] == WALK_INF;
        bool touches = false;
        for (size_t i = 0; i < n; i++) {
            int64_t walk = after ? p->walks[i * n + t] : p->walks[t * n + i];
            int64_t apart = after ? p->g[i] - p->g[t] : p->g[t] - p->g[i];
            touches |= i != t && walk != WALK_INF && apart == walk;
        }
        if ((after || before) && !touches)
            ck_abort_msg("trial %d: thread %zu could stand nearer", trial, t);
    }
}

static csy_fraction draw_alpha(struct random *r)
{
    csy_fraction alpha = {1, 3};
    if (random_chance(r, 60))
        return (csy_fraction){random_between(r, 0, 1), 1};
    if (random_chance(r, 70))
        ck_assert(fraction_make(random_between(r, 0, 1000), 1000, &alpha));
    return alpha;
}

START_TEST(offsets_satisfy_their_bounds)
{
    static struct placed p;
    int one_sided = 0;
    for (int trial = 0; trial < trials_of(400); trial++) {
        struct random r = random_trial((uint64_t)trial);
        struct events e;
        csy_error error;
        bool feasible;
        int64_t jitter = random_chance(&r, 50) ? 0 : random_between(&r, 1, 20);
        events_draw(&r, &e, jitter);
        struct lasts lasts = lasts_draw(&r, &e);
        struct constraints c = graph_of(&e, jitter ? LINE_ALL : LINE_NEIGHBOURS);
        csy_fraction alpha = draw_alpha(&r);
        p.bounds = (struct bounds){.n = c.count};
        if (trial % 2)
            ck_ok(dense_close(&c, 2 * jitter, 1, &p.bounds.dense, &error), error);
        else
            ck_ok(sweep_events(&e, &lasts, 2 * jitter, &p.bounds.sweep, &feasible, &error), error);
        ck_assert(shortest_walks(&c, 2 * jitter, p.walks));
        place(&p, lasts.tau, alpha);
        assert_satisfied(&p, trial);
        assert_inside(&p, lasts.tau, alpha, trial);
        assert_outside(&p, lasts.tau, trial);
        one_sided += p.unbounded > 0;
        bounds_fini(&p.bounds);
        constraints_fini(&c);
    }
    ck_assert_of_trials(one_sided > trials_of(50));
}
END_TEST

/* T1@0 T2@0 T3@3 T1@10 T1@16 T3@10 T2@10: wbar(2,1) = 10, wbar(1,2) = -6, so g[2] = 8. */
START_TEST(the_known_answer)
{
    static const struct {
        csy_fraction alpha;
        int64_t g2, g3;
    } answers[] = {{{1, 2}, 8, 6}, {{0, 1}, 6, 6}, {{1, 1}, 10, 7}, {{1, 3}, 7, 6}, {{2, 3}, 8, 6}};
    struct events e = {
        .n = 7, .nthreads = 3, .thread = {0, 1, 2, 0, 0, 2, 1}, .local = {0, 0, 3, 10, 16, 10, 10}};
    struct placed p = {.bounds = {.n = 3}};
    csy_error error;
    events_place(&e);
    struct constraints c = graph_of(&e, LINE_NEIGHBOURS);
    ck_ok(dense_close(&c, 0, 1, &p.bounds.dense, &error), error);
    for (size_t i = 0; i < sizeof answers / sizeof *answers; i++) {
        place(&p, 0, answers[i].alpha);
        ck_assert_int_eq(p.g[1] + e.rough[1] - e.rough[0], answers[i].g2);
        ck_assert_int_eq(p.g[2] + e.rough[2] - e.rough[0], answers[i].g3);
        ck_assert_int_eq(p.from[1], -6);
        ck_assert_int_eq(p.to[1], 10);
    }
    bounds_fini(&p.bounds);
    constraints_fini(&c);
}
END_TEST

START_TEST(threads_unbounded_both_ways_are_refused)
{
    struct placed p = {.bounds = {.n = 3}};
    csy_error error;
    struct offsets_rule rule = {0, {1, 2}, NULL, 1};
    struct constraints c = graph_new(3);
    graph_set(&c, 0, 1, 5);
    graph_set(&c, 2, 1, 5);
    ck_ok(dense_close(&c, 0, 1, &p.bounds.dense, &error), error);
    ck_refused(offsets_place(&p.bounds, &rule, p.g, p.from, p.to, &p.unbounded, &error), CSY_INPUT,
               error, "a thread is unbounded both ways");
    place(&p, 1, (csy_fraction){1, 2});
    ck_assert_uint_eq(p.unbounded, 2);
    ck_assert_int_eq(p.g[0], 5);
    ck_assert_int_eq(p.g[2], 5);
    bounds_fini(&p.bounds);
    constraints_fini(&c);
}
END_TEST

int main(void)
{
    TCase *tests = unit_begin("offsets");
    tcase_add_test(tests, offsets_satisfy_their_bounds);
    tcase_add_test(tests, the_known_answer);
    tcase_add_test(tests, threads_unbounded_both_ways_are_refused);
    return unit_run();
}
