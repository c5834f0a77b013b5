/*
 * Constraints: the least difference of stamps over every pair that the definition names, against a
 * brute search over all pairs of events; and the true offsets satisfy what true clocks give.
 */
#include "graph/constraints.h"
#include "graphs.h"

/* min(x(e2) - x(e1)) over the pairs, [BHH08] eq. (6) or (12), for every two threads. */
static void brute_weights(const struct events *e, enum line_pairs pairs,
                          int64_t weights[THREADS_MAX][THREADS_MAX])
{
    for (size_t s = 0; s < e->nthreads; s++)
        for (size_t t = 0; t < e->nthreads; t++)
            weights[s][t] = WALK_INF;
    for (size_t j = 1; j < e->n; j++) {
        for (size_t i = pairs == LINE_ALL ? 0 : j - 1; i < j; i++) {
            int64_t *least = &weights[e->thread[i]][e->thread[j]];
            *least = e->x[j] - e->x[i] < *least ? e->x[j] - e->x[i] : *least;
        }
    }
}

static void compare(const struct events *e, enum line_pairs pairs, int trial)
{
    int64_t want[THREADS_MAX][THREADS_MAX];
    struct constraints c = graph_of(e, pairs);
    ck_assert_uint_eq(c.count, e->nthreads);
    brute_weights(e, pairs, want);
    for (size_t s = 0; s < c.count; s++) {
        for (size_t t = 0; t < c.count; t++) {
            int64_t got = constraints_weight(&c, s, t);
            if (s == t && pairs == LINE_ALL && got == WALK_INF && want[s][t] >= 0)
                continue; /* a loop that says nothing */
            if (got != want[s][t])
                ck_abort_msg("trial %d: w(%zu,%zu) = %lld, want %lld", trial, s, t, (long long)got,
                             (long long)want[s][t]);
        }
    }
    constraints_fini(&c);
}

START_TEST(weights_follow_the_definition)
{
    for (int trial = 0; trial < 600; trial++) {
        struct random r = random_trial((uint64_t)trial);
        struct events e;
        events_draw(&r, &e, random_chance(&r, 30) ? 0 : random_between(&r, 1, 60));
        compare(&e, LINE_NEIGHBOURS, trial);
        compare(&e, LINE_ALL, trial);
    }
}
END_TEST

/* g[s] - g[t] <= w(s,t) for exact clocks, and <= w + 2 jitter for imprecise ones. */
START_TEST(true_offsets_satisfy_them)
{
    for (int trial = 0; trial < 300; trial++) {
        struct random r = random_trial(1000 + (uint64_t)trial);
        struct events e;
        int64_t jitter = random_between(&r, 0, 40);
        events_draw(&r, &e, jitter);
        struct constraints c = graph_of(&e, trial % 2 ? LINE_ALL : LINE_NEIGHBOURS);
        for (size_t s = 0; s < c.count; s++) {
            for (size_t t = 0; t < c.count; t++) {
                int64_t w = constraints_weight(&c, s, t);
                int64_t apart = (e.offset[s] - e.rough[s]) - (e.offset[t] - e.rough[t]);
                if (w != WALK_INF && apart > w + 2 * jitter)
                    ck_abort_msg("trial %d: threads %zu and %zu", trial, s, t);
            }
        }
        constraints_fini(&c);
    }
}
END_TEST

/* T1@0 T2@0 T3@3 T1@10 T1@16 T3@10 T2@10; the rough offset of T3 is -3. */
START_TEST(the_known_answer)
{
    struct events e = {
        .n = 7, .nthreads = 3, .thread = {0, 1, 2, 0, 0, 2, 1}, .local = {0, 0, 3, 10, 16, 10, 10}};
    static const int64_t want[3][3] = {{6, 0, -6}, {WALK_INF, WALK_INF, 3}, {7, 0, WALK_INF}};
    events_place(&e);
    struct constraints c = graph_of(&e, LINE_NEIGHBOURS);
    for (size_t s = 0; s < 3; s++) {
        for (size_t t = 0; t < 3; t++) {
            int64_t w = constraints_weight(&c, s, t);
            ck_assert_int_eq(w == WALK_INF ? w : w + e.rough[s] - e.rough[t], want[s][t]);
        }
    }
    constraints_fini(&c);
}
END_TEST

START_TEST(the_largest_weight_is_found)
{
    struct constraints c = graph_new(4);
    ck_assert_int_eq(constraints_largest(&c), 0);
    graph_set(&c, 0, 2, 7);
    ck_assert_int_eq(constraints_largest(&c), 7);
    graph_set(&c, 3, 1, -9);
    ck_assert_int_eq(constraints_largest(&c), 9);
    constraints_fini(&c);
}
END_TEST

START_TEST(steps_back_are_loops)
{
    struct events e = {.n = 8,
                       .nthreads = 2,
                       .thread = {0, 0, 0, 1, 0, 0, 1, 1},
                       .local = {5, 4, 4, 9, 3, 3, 8, 7}};
    events_place(&e);
    struct constraints c = graph_of(&e, LINE_NEIGHBOURS);
    ck_assert_int_eq(constraints_weight(&c, 0, 0), -1);
    ck_assert_int_eq(constraints_weight(&c, 1, 1), -1);
    constraints_fini(&c);
    c = graph_of(&e, LINE_ALL);
    ck_assert_int_eq(constraints_weight(&c, 0, 0), -2);
    ck_assert_int_eq(constraints_weight(&c, 1, 1), -2);
    constraints_fini(&c);
}
END_TEST

START_TEST(threads_beyond_the_limit_are_counted)
{
    struct constraints c;
    csy_error error;
    struct line line;
    constraints_init(&c, 5);
    struct sink sink = constraints_sink(&c);
    line_init(&line, &sink, LINE_ALL, 0);
    for (uint32_t i = 0; i < 50; i++) {
        ck_assert(c.beyond_limit == (i > 5));
        for (uint32_t k = 0; k < 2; k++) {
            struct point point = {.thread = k == 0 ? i : 0, .x = 7 * i};
            ck_ok(line_event(&line, &point, &error), error);
        }
    }
    ck_assert(c.beyond_limit);
    ck_assert_uint_eq(c.count, 50);
    line_fini(&line);
    constraints_fini(&c);
}
END_TEST

/* Negative cycles: one is found exactly where a search of all simple cycles finds one, and what is
 * found is a simple cycle and negative. */

/* The weight of an edge times den, `added` included. */
static int128 edge(const struct constraints *c, csy_fraction added, size_t s, size_t t)
{
    return (int128)constraints_weight(c, s, t) * added.den + added.num;
}

static bool has_edge(const struct constraints *c, bool with_itself, size_t s, size_t t)
{
    return (s != t || with_itself) && constraints_weight(c, s, t) != WALK_INF;
}

/* Whether a simple cycle from `start` through threads above it, now at `at`, can end below 0. */
static bool closes_negative(const struct constraints *c, csy_fraction added, bool with_itself,
                            size_t start, size_t at, unsigned seen, int128 sum)
{
    if (has_edge(c, with_itself || at != start, at, start) && sum + edge(c, added, at, start) < 0)
        return true;
    for (size_t next = start + 1; next < c->count; next++)
        if (!(seen & 1u << next) && has_edge(c, false, at, next) &&
            closes_negative(c, added, with_itself, start, next, seen | 1u << next,
                            sum + edge(c, added, at, next)))
            return true;
    return false;
}

static bool has_negative(const struct constraints *c, csy_fraction added, bool with_itself)
{
    for (size_t start = 0; start < c->count; start++)
        if (closes_negative(c, added, with_itself, start, start, 1u << start, 0))
            return true;
    return false;
}

/* What cycle_find found is there, simple and negative. */
static bool is_proof(const struct constraints *c, csy_fraction added, bool with_itself,
                     const struct cycle *cycle)
{
    unsigned seen = 0;
    int128 sum = 0;
    for (size_t i = 0; i < cycle->length; i++) {
        size_t s = cycle->threads[i], t = cycle->threads[(i + 1) % cycle->length];
        if (s >= c->count || seen & 1u << s || !has_edge(c, with_itself, s, t))
            return false;
        seen |= 1u << s;
        sum += edge(c, added, s, t);
    }
    return sum < 0;
}

/* Whether one was found. */
static bool find(const struct constraints *c, csy_fraction added, bool with_itself)
{
    struct cycle cycle;
    csy_error error;
    ck_ok(cycle_find(c, added, with_itself, &cycle, &error), error);
    bool found = cycle.length > 0;
    ck_assert(!found || is_proof(c, added, with_itself, &cycle));
    cycle_fini(&cycle);
    return found;
}

START_TEST(cycles_are_found_where_they_are)
{
    int found = 0;
    for (int trial = 0; trial < trials_of(6000); trial++) {
        struct random r = random_trial((uint64_t)trial);
        csy_fraction added;
        bool with_itself = random_chance(&r, 50);
        struct constraints c = graph_draw(&r, 6, (int)random_between(&r, 10, 80), -9, 20);
        ck_assert(fraction_make(random_between(&r, 0, 12), random_between(&r, 1, 5), &added));
        for (size_t t = 0; t < c.count; t++)
            if (random_chance(&r, 20))
                graph_set(&c, t, t, random_between(&r, -3, 9));
        bool want = has_negative(&c, added, with_itself);
        if (find(&c, added, with_itself) != want)
            ck_abort_msg("trial %d: expected a cycle: %d", trial, want);
        found += want;
        constraints_fini(&c);
    }
    ck_assert_of_trials(found > trials_of(1000) && found < trials_of(5000));
}
END_TEST

/* A cycle of 7 edges that sums to -10: 10/7 an edge makes it good, a little less does not. */
START_TEST(fractions_are_exact)
{
    struct constraints c = graph_new(7);
    for (size_t t = 0; t < 7; t++)
        graph_set(&c, t, (t + 1) % 7, t == 3 ? -4 : -1);
    ck_assert(find(&c, (csy_fraction){0, 1}, false));
    ck_assert(!find(&c, (csy_fraction){10, 7}, false));
    ck_assert(find(&c, (csy_fraction){9999999, 7000000}, false));
    ck_assert(!find(&c, (csy_fraction){10000001, 7000000}, false));
    ck_assert(find(&c, (csy_fraction){1, 1}, false));
    ck_assert(!find(&c, (csy_fraction){2, 1}, false));
    constraints_fini(&c);
}
END_TEST

START_TEST(loops_count_where_they_are_asked_for)
{
    struct cycle cycle;
    csy_error error;
    struct constraints c = graph_new(3);
    graph_set(&c, 0, 1, -5);
    graph_set(&c, 1, 2, -5);
    graph_set(&c, 2, 2, -1);
    ck_assert(!find(&c, (csy_fraction){0, 1}, false));
    ck_ok(cycle_find(&c, (csy_fraction){0, 1}, true, &cycle, &error), error);
    ck_assert_uint_eq(cycle.length, 1);
    ck_assert_uint_eq(cycle.threads[0], 2);
    cycle_fini(&cycle);
    cycle_fini(&cycle);
    ck_assert(find(&c, (csy_fraction){999, 1000}, true));
    ck_assert(!find(&c, (csy_fraction){1, 1}, true));
    constraints_fini(&c);
}
END_TEST

/* The same graph gives the same cycle. */
START_TEST(searches_repeat)
{
    struct random r = random_trial(9999);
    struct cycle a, b;
    csy_error error;
    struct constraints c = graph_draw(&r, THREADS_MAX, 90, -9, 9);
    ck_ok(cycle_find(&c, (csy_fraction){0, 1}, false, &a, &error), error);
    ck_ok(cycle_find(&c, (csy_fraction){0, 1}, false, &b, &error), error);
    ck_assert_uint_gt(a.length, 0);
    ck_assert_uint_eq(a.length, b.length);
    ck_assert_mem_eq(a.threads, b.threads, a.length * sizeof *a.threads);
    cycle_fini(&a);
    cycle_fini(&b);
    constraints_fini(&c);
}
END_TEST

/* The paper's relaxation: by hand, against a plain transcription of its text, and between the
 * bounds that the model gives for it. */

static csy_fraction relax(const struct constraints *c)
{
    csy_fraction added;
    csy_error error;
    ck_ok(paper_relax(c, &added, &error), error);
    return added;
}

START_TEST(feasible_graphs_are_left_alone)
{
    struct constraints c = graph_new(3);
    graph_set(&c, 0, 1, -5);
    graph_set(&c, 1, 0, 5);
    graph_set(&c, 1, 2, -100);
    graph_set(&c, 2, 2, -7); /* a step back is no edge of the paper's graph */
    csy_fraction added = relax(&c);
    ck_assert(added.num == 0 && added.den == 1);
    constraints_fini(&c);
}
END_TEST

/* A step of the procedure, in units of 2^-UNIT_BITS ticks: the lowest negative diagonal entry after
 * the first phase that has one, or 0. */
enum { UNIT_BITS = 40 };

static int128 first_negative(const struct constraints *c, int128 added)
{
    const int128 far = (int128)1 << 110;
    int128 w[THREADS_MAX][THREADS_MAX];
    size_t n = c->count;
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++) {
            int64_t weight = constraints_weight(c, i, j);
            w[i][j] = weight == WALK_INF ? far : weight * ((int128)1 << UNIT_BITS) + added;
            w[i][j] = i == j ? 0 : w[i][j];
        }
    for (size_t k = 0; k < n; k++) {
        for (size_t i = 0; i < n; i++)
            for (size_t j = 0; j < n; j++)
                if (w[i][k] < far / 2 && w[k][j] < far / 2 && w[i][k] + w[k][j] < w[i][j])
                    w[i][j] = w[i][k] + w[k][j];
        for (size_t i = 0; i < n; i++)
            if (w[i][i] < 0)
                return w[i][i];
    }
    return 0;
}

/*
 * Threads 0, 1, 2 with
 *
 *   w(0,1) = -1, w(1,0) = -2, w(1,2) = 1, w(2,1) = -1, w(2,0) = -6
 *
 * k = 0: w(1,1) = w(1,0) + w(0,1) = -3: the lowest negative diagonal entry.  Add 3/2 to every edge:
 *
 *   w(0,1) = 1/2, w(1,0) = -1/2, w(1,2) = 5/2, w(2,1) = 1/2, w(2,0) = -9/2
 *
 * k = 0: w(1,1) = 0; w(2,1) = w(2,0) + w(0,1) = -4.
 * k = 1: w(0,2) = 1/2 + 5/2 = 3; w(2,0) = min(-9/2, -4 - 1/2) = -9/2; w(2,2) = -4 + 5/2 = -3/2.
 *        w(0,0) = 1/2 - 1/2 = 0.  The lowest is i = 2 with d = 3/2: add 3/4, 9/4 in all.
 *
 *   w(0,1) = 5/4, w(1,0) = 1/4, w(1,2) = 13/4, w(2,1) = 5/4, w(2,0) = -15/4
 *
 * k = 0: w(2,1) = min(5/4, -15/4 + 5/4) = -10/4.
 * k = 1: w(2,2) = -10/4 + 13/4 = 3/4 is not below 0; w(0,2) = 5/4 + 13/4 = 18/4.
 * k = 2: w(0,0) = min(0, 18/4 - 15/4) = 0.  No diagonal entry is negative: done, 9/4 was added.
 *
 * The cycle 0 -> 1 -> 2 -> 0, of weight -6 and length 3, needs only 2.
 */
START_TEST(an_example_by_hand)
{
    struct constraints c = graph_new(3);
    csy_fraction mean;
    graph_set(&c, 0, 1, -1);
    graph_set(&c, 1, 0, -2);
    graph_set(&c, 1, 2, 1);
    graph_set(&c, 2, 1, -1);
    graph_set(&c, 2, 0, -6);
    const int128 quarter = (int128)1 << (UNIT_BITS - 2);
    ck_assert(first_negative(&c, 0) == -12 * quarter);
    ck_assert(first_negative(&c, 6 * quarter) == -6 * quarter);
    ck_assert(first_negative(&c, 9 * quarter) == 0);
    csy_fraction added = relax(&c);
    ck_assert_int_eq(added.num, 9);
    ck_assert_int_eq(added.den, 4);
    ck_assert(least_cycle_mean(&c, false, &mean));
    ck_assert(fraction_make(mean.num, mean.den, &mean));
    ck_assert(mean.num == -2 && mean.den == 1);
    constraints_fini(&c);
}
END_TEST

/* The procedure again; false where the units are too coarse. */
static bool transcribe(const struct constraints *c, csy_fraction *added)
{
    int128 sum = 0, negative;
    while ((negative = first_negative(c, sum)) < 0) {
        if (negative % 2 != 0)
            return false;
        sum += -negative / 2;
    }
    return fraction_make(sum, (int128)1 << UNIT_BITS, added);
}

/* Feasible with what was added; with no more than T/2 times what is needed ([BHH08] adds half of a
 * whole cycle's contradiction to each of its edges, of which there are at least two). */
static void assert_bounds(const struct constraints *c, csy_fraction added, int trial)
{
    struct cycle cycle;
    csy_error error;
    csy_fraction mean = {0, 1};
    if (!least_cycle_mean(c, false, &mean) || mean.num > 0)
        mean = (csy_fraction){0, 1};
    int128 needed = -(int128)mean.num * added.den, got = (int128)added.num * mean.den;
    if (got < needed || 2 * got > (int128)c->count * needed)
        ck_abort_msg("trial %d: added %lld/%lld, needed %lld/%lld", trial, (long long)added.num,
                     (long long)added.den, (long long)-mean.num, (long long)mean.den);
    ck_ok(cycle_find(c, added, false, &cycle, &error), error);
    ck_assert_uint_eq(cycle.length, 0);
    cycle_fini(&cycle);
}

START_TEST(random_graphs)
{
    int relaxed = 0, compared = 0;
    for (int trial = 0; trial < 3000; trial++) {
        struct random r = random_trial((uint64_t)trial);
        struct constraints c = graph_draw(&r, 9, (int)random_between(&r, 10, 90), -8, 12);
        csy_fraction want, added = relax(&c);
        assert_bounds(&c, added, trial);
        relaxed += added.num > 0;
        if (transcribe(&c, &want)) {
            compared++;
            if (added.num != want.num || added.den != want.den)
                ck_abort_msg("trial %d: added %lld/%lld, want %lld/%lld", trial,
                             (long long)added.num, (long long)added.den, (long long)want.num,
                             (long long)want.den);
        }
        constraints_fini(&c);
    }
    printf("%d graphs relaxed between the needed and T/2 times that, %d of 3000 equal a plain "
           "transcription\n",
           relaxed, compared);
    fflush(stdout);
    ck_assert_int_gt(relaxed, 1000);
    ck_assert_int_gt(compared, 2900);
}
END_TEST

/* What it adds is known to be enough: the stamps of random traces with jitter. */
START_TEST(random_traces)
{
    for (int trial = 0; trial < 150; trial++) {
        struct random r = random_trial(5000 + (uint64_t)trial);
        struct events e;
        events_draw(&r, &e, random_between(&r, 1, 40));
        struct constraints c = graph_of(&e, LINE_NEIGHBOURS);
        assert_bounds(&c, relax(&c), trial);
        constraints_fini(&c);
    }
}
END_TEST

/* Cycles 0 -> 1 -> i -> 0 for i = 2, 3, ..., met in this order.  With a added so far, the i-th
 * misses d = -w(i,0) - 3 a, at most one tick, and d/2 has one bit more than a.  Returns what is
 * added in all, in units of 2^-64 ticks. */
static int128 fan(struct constraints *c, size_t ncycles)
{
    const int128 tick = (int128)1 << 64;
    int128 added = 0;
    graph_set(c, 0, 1, 0);
    for (size_t i = 2; i < ncycles + 2; i++) {
        int64_t weight = -(int64_t)(floor_div(3 * added, tick) + 1);
        graph_set(c, 1, i, 0);
        graph_set(c, i, 0, weight);
        added += (-weight * tick - 3 * added) / 2;
    }
    return added;
}

START_TEST(fractions_may_grow_too_fine)
{
    csy_fraction added;
    csy_error error;
    struct constraints c = graph_new(42);
    int128 want = fan(&c, 40);
    ck_ok(paper_relax(&c, &added, &error), error);
    ck_assert_int_eq(added.den, (int64_t)1 << 40);
    ck_assert(added.num * ((int128)1 << 24) == want);
    constraints_fini(&c);
    c = graph_new(64);
    fan(&c, 62);
    ck_refused(paper_relax(&c, &added, &error), CSY_INPUT, error,
               "--relax=paper needs a finer fraction than 64 bits hold");
    constraints_fini(&c);
}
END_TEST

/* The dense bounds graph against every simple path, and against Bellman and Ford. */

/* The least weight of a simple path from `at` to `to` that avoids the threads marked in `seen`. */
static int64_t best_path(const struct constraints *c, int64_t added, size_t at, size_t to,
                         unsigned seen)
{
    int64_t best = at == to ? 0 : WALK_INF;
    seen |= 1u << at;
    for (size_t next = 0; at != to && next < c->count; next++) {
        int64_t weight = constraints_weight(c, at, next);
        if (seen & (1u << next) || weight == WALK_INF)
            continue;
        int64_t rest = best_path(c, added, next, to, seen);
        if (rest != WALK_INF && weight + added + rest < best)
            best = weight + added + rest;
    }
    return best;
}

static void compare_paths(const struct constraints *c, int64_t added, int trial)
{
    struct dense d;
    csy_error error;
    ck_ok(dense_close(c, added, 1, &d, &error), error);
    ck_assert_uint_eq(d.n, c->count);
    for (size_t s = 0; s < d.n; s++)
        for (size_t t = 0; t < d.n; t++)
            if (dense_bound(&d, s, t) != best_path(c, added, s, t, 0))
                ck_abort_msg("trial %d: %zu -> %zu", trial, s, t);
    dense_fini(&d);
}

/* Graphs of up to 7 threads, where each closed walk is worth 0 or more. */
START_TEST(bounds_are_the_best_paths)
{
    int compared = 0;
    for (int trial = 0; trial < trials_of(4000); trial++) {
        struct random r = random_trial((uint64_t)trial);
        int64_t least = random_chance(&r, 50) ? 0 : -6, added = random_between(&r, 0, 4);
        int64_t walks[7 * 7];
        struct constraints c = graph_draw(&r, 7, (int)random_between(&r, 10, 90), least, 20);
        if (shortest_walks(&c, added, walks)) {
            compare_paths(&c, added, trial);
            compared++;
        }
        constraints_fini(&c);
    }
    ck_assert_int_gt(compared, trials_of(1000));
}
END_TEST

START_TEST(bounds_are_those_of_bellman_and_ford)
{
    for (int trial = 0; trial < trials_of(300); trial++) {
        struct random r = random_trial(5000 + (uint64_t)trial);
        struct events e;
        struct dense d;
        csy_error error;
        int64_t jitter = random_chance(&r, 50) ? 0 : random_between(&r, 1, 50);
        int64_t walks[THREADS_MAX * THREADS_MAX];
        events_draw(&r, &e, jitter);
        struct constraints c = graph_of(&e, jitter ? LINE_ALL : LINE_NEIGHBOURS);
        ck_assert(shortest_walks(&c, 2 * jitter, walks));
        ck_ok(dense_close(&c, 2 * jitter, 1, &d, &error), error);
        for (size_t i = 0; i < d.n * d.n; i++)
            if (d.closure[i] != walks[i])
                ck_abort_msg("trial %d: %zu -> %zu", trial, i / d.n, i % d.n);
        dense_fini(&d);
        constraints_fini(&c);
    }
}
END_TEST

/* The bounds of the true offsets hold, both ways ([BHH08] eq. (7)). */
START_TEST(true_offsets_lie_inside)
{
    for (int trial = 0; trial < trials_of(300); trial++) {
        struct random r = random_trial(6000 + (uint64_t)trial);
        struct events e;
        struct dense d;
        csy_error error;
        int64_t jitter = random_between(&r, 0, 50);
        events_draw(&r, &e, jitter);
        struct constraints c = graph_of(&e, LINE_ALL);
        ck_ok(dense_close(&c, 2 * jitter, 1, &d, &error), error);
        for (size_t s = 0; s < d.n; s++) {
            for (size_t t = 0; t < d.n; t++) {
                int64_t apart = (e.offset[s] - e.rough[s]) - (e.offset[t] - e.rough[t]);
                if (dense_bound(&d, s, t) != WALK_INF && apart > dense_bound(&d, s, t))
                    ck_abort_msg("trial %d: %zu -> %zu", trial, s, t);
            }
        }
        dense_fini(&d);
        constraints_fini(&c);
    }
}
END_TEST

/* w(1,2) = 0, w(1,3) = -6, w(2,3) = 3, w(3,1) = 7, w(3,2) = 0; by hand. */
START_TEST(dense_the_known_answer)
{
    static const int64_t want[3][3] = {{0, -6, -6}, {10, 0, 3}, {7, 0, 0}};
    struct constraints c = graph_new(3);
    struct dense d;
    csy_error error;
    graph_set(&c, 0, 1, 0);
    graph_set(&c, 0, 2, -6);
    graph_set(&c, 1, 2, 3);
    graph_set(&c, 2, 0, 7);
    graph_set(&c, 2, 1, 0);
    ck_ok(dense_close(&c, 0, 1, &d, &error), error);
    for (size_t s = 0; s < 3; s++)
        for (size_t t = 0; t < 3; t++)
            ck_assert_int_eq(dense_bound(&d, s, t), want[s][t]);
    dense_fini(&d);
    constraints_fini(&c);
}
END_TEST

START_TEST(sums_have_room)
{
    static const char text[] = "the differences between clocks are too large for 64-bit arithmetic";
    struct constraints c = graph_new(3);
    struct dense d;
    csy_error error;
    int64_t edge = WALK_FAR / 4 - 1;
    graph_set(&c, 0, 1, edge);
    graph_set(&c, 1, 2, edge);
    graph_set(&c, 2, 1, -edge);
    ck_ok(dense_close(&c, 0, 1, &d, &error), error);
    ck_assert_int_eq(dense_bound(&d, 0, 2), 2 * edge);
    ck_assert_int_eq(dense_bound(&d, 2, 1), -edge);
    ck_assert_int_eq(dense_bound(&d, 2, 0), WALK_INF);
    dense_fini(&d);
    ck_refused(dense_close(&c, 1, 1, &d, &error), CSY_INPUT, error, text);
    ck_refused(dense_check_range(&c, INT64_MAX, &error), CSY_INPUT, error, text);
    graph_set(&c, 2, 1, -edge - 1);
    ck_refused(dense_close(&c, 0, 1, &d, &error), CSY_INPUT, error, text);
    constraints_fini(&c);
}
END_TEST

int main(void)
{
    TCase *tests = unit_begin("constraints");
    tcase_add_test(tests, weights_follow_the_definition);
    tcase_add_test(tests, true_offsets_satisfy_them);
    tcase_add_test(tests, the_known_answer);
    tcase_add_test(tests, the_largest_weight_is_found);
    tcase_add_test(tests, steps_back_are_loops);
    tcase_add_test(tests, threads_beyond_the_limit_are_counted);
    tcase_add_test(tests, cycles_are_found_where_they_are);
    tcase_add_test(tests, fractions_are_exact);
    tcase_add_test(tests, loops_count_where_they_are_asked_for);
    tcase_add_test(tests, searches_repeat);
    tcase_add_test(tests, feasible_graphs_are_left_alone);
    tcase_add_test(tests, an_example_by_hand);
    tcase_add_test(tests, random_graphs);
    tcase_add_test(tests, random_traces);
    tcase_add_test(tests, fractions_may_grow_too_fine);
    tcase_add_test(tests, bounds_are_the_best_paths);
    tcase_add_test(tests, bounds_are_those_of_bellman_and_ford);
    tcase_add_test(tests, true_offsets_lie_inside);
    tcase_add_test(tests, dense_the_known_answer);
    tcase_add_test(tests, sums_have_room);
    return unit_run();
}
