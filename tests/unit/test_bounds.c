/* The bounds graph gives the same rows, columns and values whichever engine made it. */
#include "swept.h"

/* The same events through both engines. */
struct both {
    struct bounds dense, sweep;
    int64_t walks[THREADS_MAX * THREADS_MAX];
};

static void both_make(struct both *both, const struct events *e, const struct lasts *lasts,
                      int64_t added)
{
    struct constraints c = graph_of(e, added > 0 ? LINE_ALL : LINE_NEIGHBOURS);
    csy_error error;
    bool feasible;
    *both = (struct both){.dense = {.n = c.count}, .sweep = {.n = c.count}};
    ck_ok(dense_close(&c, added, 1, &both->dense.dense, &error), error);
    ck_ok(sweep_events(e, lasts, added, &both->sweep.sweep, &feasible, &error), error);
    ck_assert(feasible && shortest_walks(&c, added, both->walks));
    constraints_fini(&c);
}

static void both_free(struct both *both)
{
    bounds_fini(&both->dense);
    bounds_fini(&both->sweep);
}

/* Threads in any order, as a caller may ask for them. */
static void compare_rows(struct random *r, const struct bounds *b, const int64_t *walks,
                         bool narrow)
{
    struct bound_rows rows;
    csy_error error;
    ck_ok(bound_rows_init(&rows, b, &error), error);
    if (narrow && rows.lanes)
        rows.lanes = 1; /* as where a block would take too much memory */
    for (size_t i = 0; i < 3 * b->n; i++) {
        size_t s = i < b->n ? i : (size_t)random_between(r, 0, (int64_t)b->n - 1);
        struct bound_row row;
        ck_ok(bound_rows_get(&rows, s, &row, &error), error);
        for (size_t t = 0; t < b->n; t++) {
            int64_t there = walks[s * b->n + t], back = walks[t * b->n + s];
            int64_t want = there == WALK_INF || back == WALK_INF ? -1 : there + back;
            if (bound_from(&row, t) != there || bound_to(&row, t) != back ||
                bound_error(&row, t) != want)
                ck_abort_msg("threads %zu and %zu", s, t);
        }
    }
    bound_rows_fini(&rows);
}

static void compare_errors(const struct bounds *b, const int64_t *walks)
{
    int64_t room[THREADS_MAX], errors[THREADS_MAX];
    csy_error error;
    for (size_t s = 0; s < b->n; s++) {
        ck_ok(bounds_errors(b, s, room, errors, &error), error);
        for (size_t t = 0; t < b->n; t++) {
            int64_t there = walks[s * b->n + t], back = walks[t * b->n + s];
            int64_t want = there == WALK_INF || back == WALK_INF ? -1 : there + back;
            if (errors[t] != want)
                ck_abort_msg("error of threads %zu and %zu", s, t);
        }
    }
}

static void compare_values(struct random *r, const struct both *both)
{
    size_t n = both->dense.n;
    int64_t from[3][THREADS_MAX], to[3][THREADS_MAX];
    csy_error error;
    for (size_t t = 0; t < n; t++)
        from[0][t] = from[1][t] = from[2][t] = to[0][t] = to[1][t] = to[2][t] =
            random_chance(r, 40) ? WALK_INF : random_between(r, -1000, 1000);
    ck_ok(bounds_from(&both->dense, from[0], &error), error);
    ck_ok(bounds_from(&both->sweep, from[1], &error), error);
    ck_ok(bounds_to(&both->dense, to[0], &error), error);
    ck_ok(bounds_to(&both->sweep, to[1], &error), error);
    ck_ok(bounds_around(&both->sweep, from[2], to[2], 1, &error), error);
    for (size_t t = 0; t < n; t++)
        if (from[0][t] != from[1][t] || to[0][t] != to[1][t] || from[0][t] != from[2][t] ||
            to[0][t] != to[2][t])
            ck_abort_msg("values of thread %zu", t);
}

START_TEST(engines_agree)
{
    for (int trial = 0; trial < trials_of(200); trial++) {
        static struct both both;
        struct random r = random_trial((uint64_t)trial);
        struct events e;
        int64_t jitter = random_chance(&r, 50) ? 0 : random_between(&r, 1, 20);
        events_draw(&r, &e, jitter);
        struct lasts lasts = lasts_draw(&r, &e);
        both_make(&both, &e, &lasts, 2 * jitter);
        compare_rows(&r, &both.dense, both.walks, false);
        compare_rows(&r, &both.sweep, both.walks, false);
        compare_rows(&r, &both.sweep, both.walks, true);
        compare_errors(&both.dense, both.walks);
        compare_errors(&both.sweep, both.walks);
        compare_values(&r, &both);
        both_free(&both);
    }
}
END_TEST

/* So many threads that another worker comes; each hands over to the next. */
static void relay_make(struct random *r, uint32_t n, struct eliminations *out)
{
    struct sweep *sweep;
    csy_error error;
    bool feasible = true;
    int64_t x = 0;
    ck_ok(sweep_new(0, 3, &sweep, &error), error);
    for (uint32_t t = 1; t < n; t++) {
        const uint32_t threads[] = {t - 1, t, t - 1};
        for (size_t i = 0; i < 3; i++) {
            x += random_between(r, 0, 9);
            ck_ok(sweep_event(sweep, threads[i], x, &feasible, &error), error);
        }
        ck_ok(sweep_ended(sweep, t - 1, &feasible, &error), error);
    }
    ck_ok(sweep_event(sweep, n - 1, x, &feasible, &error), error);
    ck_ok(sweep_finish(sweep, n - 1, out, &feasible, &error), error);
    ck_assert(feasible);
    sweep_free(sweep);
}

START_TEST(two_workers_agree_with_one)
{
    enum { RELAY = 5000, TAU = 3000 };
    static int64_t from[3][RELAY], to[3][RELAY];
    struct bounds bounds = {.n = RELAY};
    struct random r = random_trial(0);
    csy_error error;
    relay_make(&r, RELAY, &bounds.sweep);
    for (size_t i = 0; i < 3; i++)
        for (size_t t = 0; t < RELAY; t++)
            from[i][t] = to[i][t] = t == TAU ? 0 : WALK_INF;
    ck_ok(bounds_from(&bounds, from[0], &error), error);
    ck_ok(bounds_to(&bounds, to[0], &error), error);
    ck_assert(from[0][0] < WALK_FAR && from[0][RELAY - 1] < WALK_FAR && from[0][TAU] == 0);
    for (unsigned workers = 1; workers <= 2; workers++) {
        ck_ok(bounds_around(&bounds, from[workers], to[workers], workers, &error), error);
        ck_assert_mem_eq(from[workers], from[0], sizeof from[0]);
        ck_assert_mem_eq(to[workers], to[0], sizeof to[0]);
    }
    from[1][TAU] = WALK_MAX; /* beyond the range, one way */
    from[1][0] = 3 * WALK_MAX;
    ck_refused(bounds_around(&bounds, from[1], to[1], 2, &error), CSY_INPUT, error,
               "the differences between clocks are too large for 64-bit arithmetic");
    bounds_fini(&bounds);
}
END_TEST

enum { SPOKES = 48 };

/* Threads that were live with none but the last to be eliminated, their walks to it and from it. */
struct wheel {
    struct elimination items[SPOKES + 1];
    uint32_t ids[SPOKES + 1][2];
    int64_t to[SPOKES + 1][2], from[SPOKES + 1][2];
    struct eliminations graph;
};

static void wheel_make(struct wheel *w)
{
    *w = (struct wheel){.graph = {.nthreads = SPOKES + 1, .count = SPOKES + 1, .live_most = 2}};
    w->graph.items = w->items;
    for (uint32_t t = 0; t <= SPOKES; t++) {
        w->ids[t][0] = SPOKES;
        w->ids[t][1] = t;
        w->items[t] =
            (struct elimination){t, t < SPOKES ? 2 : 1, w->ids[t], w->to[t], w->from[t], NULL};
    }
}

/* From the first thread to the last, which is so far away that the way there is summed. */
START_TEST(sums_have_room)
{
    static const struct {
        int64_t to, from;
        bool fits;
    } cases[] = {{WALK_MAX, WALK_MAX - 1, true},
                 {WALK_MAX, WALK_MAX, false},
                 {-WALK_MAX, 1 - WALK_MAX, true},
                 {-WALK_MAX, -WALK_MAX, false}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        static struct wheel w;
        static int64_t values[(SPOKES + 1) * ROWS_LANES];
        struct row_blocks blocks;
        csy_error error;
        bool fits;
        wheel_make(&w);
        w.to[0][0] = cases[i].to;
        w.from[0][0] = -cases[i].to;
        w.from[SPOKES - 1][0] = cases[i].from;
        w.to[SPOKES - 1][0] = -cases[i].from;
        ck_ok(row_blocks_init(&blocks, &w.graph, &fits, &error), error);
        ck_assert(fits && row_blocks_from(&blocks, 0, values) == cases[i].fits);
        if (cases[i].fits)
            ck_assert_int_eq(values[(SPOKES - 1) * ROWS_LANES], cases[i].to + cases[i].from);
        row_blocks_fini(&blocks);
    }
}
END_TEST

int main(void)
{
    TCase *tests = unit_begin("bounds");
    tcase_add_test(tests, engines_agree);
    tcase_add_test(tests, two_workers_agree_with_one);
    tcase_add_test(tests, sums_have_room);
    return unit_run();
}
