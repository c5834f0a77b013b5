/*
 * The sweep, and rows out of its records, against Bellman and Ford on the whole graph: with and
 * without imprecision, threads that die early or late, threads bounded on one side only, any
 * reference.
 */
#include "swept.h"

#include <string.h>

/* Every thread is eliminated once, tau last, with those that are live. */
static void assert_eliminations(const struct eliminations *graph, const struct events *e,
                                const struct lasts *lasts)
{
    uint64_t gone = 0;
    size_t most = 0;
    ck_assert_uint_eq(graph->nthreads, e->nthreads);
    ck_assert_uint_eq(graph->count, e->nthreads);
    ck_assert_uint_eq(graph->items[graph->count - 1].thread, lasts->tau);
    for (size_t k = 0; k < graph->count; k++) {
        const struct elimination *d = &graph->items[k];
        ck_assert_uint_eq(d->ids[d->live - 1], d->thread);
        for (uint32_t i = 0; i < d->live; i++)
            ck_assert(!(gone & (uint64_t)1 << d->ids[i]));
        gone |= (uint64_t)1 << d->thread;
        most = d->live > most ? d->live : most;
    }
    ck_assert_uint_eq(graph->live_most, most);
}

static void compare_walk(int64_t found, int64_t want, size_t s, size_t t, int trial)
{
    if (found != want)
        ck_abort_msg("trial %d: from %zu to %zu: %lld, want %lld", trial, s, t, (long long)found,
                     (long long)want);
}

/* Rows and columns of all threads, one by one. */
static void compare_rows(const struct eliminations *graph, const int64_t *walks, int trial)
{
    size_t n = graph->nthreads;
    int64_t from[THREADS_MAX], to[THREADS_MAX];
    for (size_t s = 0; s < n; s++) {
        for (size_t t = 0; t < n; t++)
            from[t] = to[t] = t == s ? 0 : WALK_INF;
        ck_assert(rows_from(graph, from));
        ck_assert(rows_to(graph, to));
        for (size_t t = 0; t < n; t++) {
            compare_walk(from[t], walks[s * n + t], s, t, trial);
            compare_walk(to[t], walks[t * n + s], t, s, trial);
        }
    }
}

/* And in blocks. */
static void compare_blocks(const struct eliminations *graph, const int64_t *walks, int trial)
{
    size_t n = graph->nthreads;
    static int64_t from[THREADS_MAX * ROWS_LANES], to[THREADS_MAX * ROWS_LANES];
    struct row_blocks blocks;
    csy_error error;
    bool fits;
    ck_ok(row_blocks_init(&blocks, graph, &fits, &error), error);
    ck_assert(fits);
    for (size_t first = 0; first < n; first += ROWS_LANES) {
        ck_assert(row_blocks_from(&blocks, (uint32_t)first, from));
        ck_assert(row_blocks_to(&blocks, (uint32_t)first, to));
        for (size_t i = 0; i < n * ROWS_LANES; i++) {
            size_t t = i / ROWS_LANES, s = first + i % ROWS_LANES;
            compare_walk(from[i], s < n ? walks[s * n + t] : WALK_INF, s, t, trial);
            compare_walk(to[i], s < n ? walks[t * n + s] : WALK_INF, t, s, trial);
        }
    }
    row_blocks_fini(&blocks);
}

/* Values at several threads at once: the least of all that reach. */
static void compare_values(struct random *r, const struct eliminations *graph, const int64_t *walks,
                           int trial)
{
    size_t n = graph->nthreads;
    int64_t start[THREADS_MAX], from[THREADS_MAX], to[THREADS_MAX];
    for (size_t t = 0; t < n; t++)
        from[t] = to[t] = start[t] = random_chance(r, 50) ? WALK_INF : random_between(r, -99, 99);
    ck_assert(rows_from(graph, from));
    ck_assert(rows_to(graph, to));
    for (size_t t = 0; t < n; t++) {
        int64_t want_from = WALK_INF, want_to = WALK_INF;
        for (size_t s = 0; s < n; s++) {
            walk_lower(&want_from, walk_add(start[s], walks[s * n + t]));
            walk_lower(&want_to, walk_add(start[s], walks[t * n + s]));
        }
        if (from[t] != want_from || to[t] != want_to)
            ck_abort_msg("trial %d: values at %zu", trial, t);
    }
}

/* One trace through the sweep; returns whether it was feasible. */
static bool compare(struct random *r, int64_t jitter, int64_t added, int trial)
{
    static int64_t walks[THREADS_MAX * THREADS_MAX];
    struct events e;
    struct eliminations graph;
    csy_error error;
    bool feasible;
    events_draw(r, &e, jitter);
    struct lasts lasts = lasts_draw(r, &e);
    struct constraints c = graph_of(&e, added > 0 ? LINE_ALL : LINE_NEIGHBOURS);
    bool want = is_feasible(&c, (csy_fraction){added, 1});
    ck_ok(sweep_events(&e, &lasts, added, &graph, &feasible, &error), error);
    if (feasible != want)
        ck_abort_msg("trial %d: feasible: %d, want %d", trial, feasible, want);
    if (feasible) {
        ck_assert(shortest_walks(&c, added, walks));
        assert_eliminations(&graph, &e, &lasts);
        compare_rows(&graph, walks, trial);
        compare_blocks(&graph, walks, trial);
        compare_values(r, &graph, walks, trial);
        eliminations_fini(&graph);
    }
    constraints_fini(&c);
    return feasible;
}

START_TEST(exact_clocks)
{
    for (int trial = 0; trial < trials_of(400); trial++) {
        struct random r = random_trial((uint64_t)trial);
        ck_assert(compare(&r, 0, 0, trial));
    }
}
END_TEST

START_TEST(exact_clocks_with_room)
{
    for (int trial = 0; trial < trials_of(400); trial++) {
        struct random r = random_trial(1000 + (uint64_t)trial);
        ck_assert(compare(&r, 0, random_between(&r, 1, 30), trial));
    }
}
END_TEST

START_TEST(imprecise_clocks)
{
    int feasible = 0;
    for (int trial = 0; trial < trials_of(800); trial++) {
        struct random r = random_trial(2000 + (uint64_t)trial);
        int64_t jitter = random_between(&r, 1, 12);
        feasible += compare(&r, jitter, random_between(&r, 0, 2 * jitter + 1), trial);
    }
    ck_assert(feasible > trials_of(200) && feasible < trials_of(700));
}
END_TEST

enum { LONG_THREADS = 1500, LONG_LIVE = 4 };

/* Many threads, few at a time; thread 0, the hub, speaks in hub_percent of the cases and may come
 * late. */
static void draw_long(struct random *r, int hub_percent, struct eliminations *graph)
{
    struct sweep *sweep;
    csy_error error;
    bool feasible = true;
    uint32_t live[LONG_LIVE], next = 1;
    int64_t now = 0, behind[LONG_LIVE];
    ck_ok(sweep_new(0, LONG_LIVE + 2, &sweep, &error), error);
    ck_ok(sweep_event(sweep, 0, now, &feasible, &error), error);
    for (size_t i = 0; i < LONG_LIVE; i++)
        live[i] = UINT32_MAX;
    while (next < LONG_THREADS) {
        size_t i = (size_t)random_between(r, 0, LONG_LIVE - 1);
        now += random_between(r, 0, 50);
        if (random_chance(r, hub_percent)) {
            ck_ok(sweep_event(sweep, 0, now, &feasible, &error), error);
        } else if (live[i] == UINT32_MAX) {
            live[i] = next++;
            behind[i] = random_between(r, -99, 99);
            ck_ok(sweep_event(sweep, live[i], now - behind[i], &feasible, &error), error);
        } else if (random_chance(r, 30)) {
            ck_ok(sweep_ended(sweep, live[i], &feasible, &error), error);
            live[i] = UINT32_MAX;
        } else {
            ck_ok(sweep_event(sweep, live[i], now - behind[i], &feasible, &error), error);
        }
    }
    ck_ok(sweep_finish(sweep, 0, graph, &feasible, &error), error);
    ck_assert(feasible);
    sweep_free(sweep);
}

static void compare_block(const struct eliminations *graph, const struct row_blocks *blocks,
                          uint32_t first, int trial)
{
    static int64_t block[2][LONG_THREADS * ROWS_LANES], row[LONG_THREADS];
    ck_assert(row_blocks_from(blocks, first, block[0]));
    ck_assert(row_blocks_to(blocks, first, block[1]));
    for (size_t lane = 0; lane < ROWS_LANES && first + lane < LONG_THREADS; lane++) {
        for (int to = 0; to < 2; to++) {
            for (size_t t = 0; t < LONG_THREADS; t++)
                row[t] = t == first + lane ? 0 : WALK_INF;
            ck_assert(to ? rows_to(graph, row) : rows_from(graph, row));
            for (size_t t = 0; t < LONG_THREADS; t++)
                compare_walk(block[to][t * ROWS_LANES + lane], row[t], first + lane, t, trial);
        }
    }
}

/* Blocks search near their threads and sum beyond: against rows, which search everywhere. */
START_TEST(blocks_of_long_traces)
{
    static const int hub_percent[] = {30, 10, 3, 0};
    for (int trial = 0; trial < 8; trial++) {
        struct random r = random_trial((uint64_t)trial);
        struct eliminations graph;
        struct row_blocks blocks;
        csy_error error;
        bool fits;
        draw_long(&r, hub_percent[trial % 4], &graph);
        ck_assert_uint_eq(graph.nthreads, LONG_THREADS);
        ck_ok(row_blocks_init(&blocks, &graph, &fits, &error), error);
        for (uint32_t first = 0; first < LONG_THREADS; first += 10 * ROWS_LANES)
            compare_block(&graph, &blocks, first, trial);
        compare_block(&graph, &blocks, LONG_THREADS - 1, trial);
        row_blocks_fini(&blocks);
        eliminations_fini(&graph);
    }
}
END_TEST

START_TEST(live_threads_have_a_limit)
{
    struct sweep *sweep;
    bool feasible = true;
    csy_error error;
    ck_ok(sweep_new(0, 3, &sweep, &error), error);
    for (uint32_t t = 0; t < 3; t++)
        ck_ok(sweep_event(sweep, t, 0, &feasible, &error), error);
    ck_assert_uint_eq(sweep_live(sweep), 3);
    ck_ok(sweep_ended(sweep, 1, &feasible, &error), error);
    ck_assert_uint_eq(sweep_live(sweep), 2);
    ck_ok(sweep_event(sweep, 3, 0, &feasible, &error), error);
    ck_refused(sweep_event(sweep, 4, 0, &feasible, &error), CSY_MEMORY, error,
               "more than 3 threads are active at once");
    sweep_free(sweep);
    sweep_free(NULL);
}
END_TEST

/* Thread t reads 0, thread t + 1 reads 0, t reads `leap`, t + 1 still reads 0: wbar(t,t+1) = -leap,
 * wbar(t+1,t) = leap, and so on for everyone, so that bounds sum up along the chain. */
static void chain(struct events *e, size_t nthreads, int64_t leap)
{
    *e = (struct events){.nthreads = nthreads};
    for (uint32_t t = 0; t + 1 < nthreads; t++) {
        const uint32_t threads[] = {t, t + 1, t, t + 1};
        const int64_t locals[] = {0, 0, leap, 0};
        memcpy(e->thread + e->n, threads, sizeof threads);
        memcpy(e->local + e->n, locals, sizeof locals);
        e->n += 4;
    }
    events_place(e);
}

/* Bounds that would leave the arithmetic are refused, whenever the threads die; none is ever
 * wrong. */
START_TEST(sums_out_of_range)
{
    for (int trial = 0; trial < 60; trial++) {
        struct random r = random_trial(4000 + (uint64_t)trial);
        struct events e;
        struct eliminations graph;
        csy_error error;
        bool feasible;
        size_t n = (size_t)random_between(&r, 3, THREADS_MAX);
        int64_t leap = ((int64_t)1 << random_between(&r, 52, 58)) - 1;
        int64_t from[THREADS_MAX], to[THREADS_MAX];
        chain(&e, n, leap);
        struct lasts lasts = lasts_draw(&r, &e);
        csy_status status = sweep_events(&e, &lasts, 0, &graph, &feasible, &error);
        if (status) {
            ck_assert_int_eq(status, CSY_INPUT);
            ck_assert((int128)leap * (int128)n > WALK_MAX);
            continue;
        }
        ck_assert(feasible);
        for (size_t t = 0; t < n; t++)
            from[t] = to[t] = t == 0 ? 0 : WALK_INF;
        bool fits = rows_from(&graph, from);
        fits = rows_to(&graph, to) && fits;
        ck_assert(fits || (int128)leap * (int128)n > WALK_MAX);
        for (size_t t = 0; fits && t < n; t++)
            if (from[t] != -(int128)leap * (int128)t || to[t] != (int128)leap * (int128)t)
                ck_abort_msg("trial %d: %zu threads, leap %lld: from %lld to %lld", trial, n,
                             (long long)leap, (long long)from[t], (long long)to[t]);
        eliminations_fini(&graph);
    }
}
END_TEST

int main(void)
{
    TCase *tests = unit_begin("sweep");
    tcase_add_test(tests, exact_clocks);
    tcase_add_test(tests, exact_clocks_with_room);
    tcase_add_test(tests, imprecise_clocks);
    tcase_add_test(tests, blocks_of_long_traces);
    tcase_add_test(tests, live_threads_have_a_limit);
    tcase_add_test(tests, sums_out_of_range);
    return unit_run();
}
