/*
 * Eliminations in any order of elimination: rows, blocks of rows, statistics, pairs and
 * components, against shortest walks by Bellman and Ford over the whole graph.
 */
#include "graph/eliminations.h"

#include "bounds/concurrent.h"
#include "bounds/pair_stats.h"
#include "bounds/rows.h"
#include "bounds/statistics.h"
#include "graphs.h"

#include <stdlib.h>

enum { N = THREADS_MAX };

/* A graph without a negative cycle: weights are above 0 between clocks that are apart. */
static struct constraints draw_graph(struct random *r)
{
    int64_t apart[N];
    int percent = (int)random_between(r, 1, random_chance(r, 50) ? 12 : 60);
    struct constraints c = graph_draw(r, N, percent, 0, random_chance(r, 20) ? 3 : 1000);
    for (size_t t = 0; t < c.count; t++)
        apart[t] = random_between(r, -100000, 100000);
    for (size_t s = 0; s < c.count; s++)
        for (size_t t = 0; t < c.count; t++) {
            int64_t weight = constraints_weight(&c, s, t);
            if (s != t && weight < WALK_FAR)
                graph_set(&c, s, t, weight + apart[s] - apart[t]);
        }
    return c;
}

static void draw_order(struct random *r, uint32_t *order, size_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        size_t at = (size_t)random_between(r, 0, i);
        order[i] = order[at];
        order[at] = i;
    }
}

/* Eliminate the threads of the graph in this order, by the definition. */
static struct eliminations eliminate(const struct constraints *c, const uint32_t *order)
{
    static int64_t d[N][N];
    struct eliminations records = {.nthreads = c->count, .any_order = true};
    bool gone[N] = {false};
    for (size_t s = 0; s < c->count; s++)
        for (size_t t = 0; t < c->count; t++)
            d[s][t] = s == t ? 0 : constraints_weight(c, s, t);
    for (size_t k = 0; k < c->count; k++) {
        uint32_t v = order[k], ids[N];
        size_t live = 0;
        struct elimination_room room;
        csy_error error;
        gone[v] = true;
        for (uint32_t t = 0; t < c->count; t++)
            if (!gone[t] && (d[v][t] < WALK_FAR || d[t][v] < WALK_FAR))
                ids[live++] = t;
        ids[live++] = v;
        ck_ok(eliminations_add(&records, v, live, &room, &error), error);
        for (size_t i = 0; i < live; i++) {
            room.ids[i] = ids[i];
            room.row[i] = d[v][ids[i]];
            room.column[i] = d[ids[i]][v];
        }
        for (size_t a = 0; a < live - 1; a++)
            for (size_t b = 0; b < live - 1; b++)
                walk_lower(&d[ids[a]][ids[b]], walk_add(d[ids[a]][v], d[v][ids[b]]));
    }
    return records;
}

/* What a test has. */
struct scene {
    struct constraints c;
    struct eliminations records;
    size_t n;
    int64_t walks[N * N];
    struct pair_tally_thread threads[N];
};

static void make_records(struct random *r, struct scene *s)
{
    uint32_t order[N];
    int hubs = random_chance(r, 50) ? 20 : 0;
    s->n = s->c.count;
    ck_assert(shortest_walks(&s->c, 0, s->walks));
    draw_order(r, order, s->n);
    s->records = eliminate(&s->c, order);
    for (size_t t = 0; t < s->n; t++)
        s->threads[t] = (struct pair_tally_thread){.first_record = t,
                                                   .last_record = s->n + t,
                                                   .records = (uint64_t)random_between(r, 1, 9),
                                                   .next = NO_THREAD,
                                                   .spe = random_chance(r, 70),
                                                   .hub = random_chance(r, hubs)};
}

static void scene_fini(struct scene *s)
{
    eliminations_fini(&s->records);
    constraints_fini(&s->c);
}

START_TEST(rows_are_shortest_walks)
{
    for (int trial = 0; trial < trials_of(300); trial++) {
        static struct scene s;
        struct random r = random_trial((uint64_t)trial);
        struct row_blocks blocks;
        static int64_t rows[N * ROWS_LANES], columns[N * ROWS_LANES];
        csy_error error;
        bool fits;
        s.c = draw_graph(&r);
        make_records(&r, &s);
        for (size_t one = 0; one < s.n; one++) {
            int64_t from[N], to[N];
            for (size_t t = 0; t < s.n; t++)
                from[t] = to[t] = t == one ? 0 : WALK_INF;
            ck_assert(rows_from(&s.records, from) && rows_to(&s.records, to));
            for (size_t t = 0; t < s.n; t++)
                ck_assert(from[t] == s.walks[one * s.n + t] && to[t] == s.walks[t * s.n + one]);
        }
        ck_ok(row_blocks_init(&blocks, &s.records, &fits, &error), error);
        for (uint32_t first = 0; first < s.n; first += ROWS_LANES) {
            ck_assert(row_blocks_from(&blocks, first, rows));
            ck_assert(row_blocks_to(&blocks, first, columns));
            for (size_t t = 0; t < s.n; t++)
                for (size_t i = 0; i < ROWS_LANES && first + i < s.n; i++)
                    ck_assert(rows[t * ROWS_LANES + i] == s.walks[(first + i) * s.n + t] &&
                              columns[t * ROWS_LANES + i] == s.walks[t * s.n + first + i]);
        }
        row_blocks_fini(&blocks);
        scene_fini(&s);
    }
}
END_TEST

static bool reaches(const struct scene *s, size_t a, size_t b)
{
    return s->walks[a * s->n + b] < WALK_FAR;
}

START_TEST(components_reach_one_another)
{
    size_t several = 0, small = 0;
    for (int trial = 0; trial < trials_of(500); trial++) {
        static struct scene s;
        struct random r = random_trial(1000 + (uint64_t)trial);
        uint32_t component[N];
        size_t count;
        csy_error error;
        s.c = draw_graph(&r);
        make_records(&r, &s);
        ck_ok(elimination_components(&s.records, component, &count, &error), error);
        for (size_t a = 0; a < s.n; a++) {
            ck_assert_uint_lt(component[a], count);
            for (size_t b = 0; b < s.n; b++)
                ck_assert((component[a] == component[b]) ==
                          (reaches(&s, a, b) && reaches(&s, b, a)));
        }
        several += count > 1;
        small += count < s.n;
        scene_fini(&s);
    }
    ck_assert(several > (size_t)trials_of(100) && small > (size_t)trials_of(100));
}
END_TEST

static void check_tally(const struct pair_tally *got, const struct pair_tally *want)
{
    ck_assert_uint_eq(got->bounded, want->bounded);
    ck_assert(got->sum_ticks == want->sum_ticks);
    ck_assert_int_eq(got->most_ticks, want->most_ticks);
}

START_TEST(statistics_are_over_all_pairs)
{
    size_t pairs = 0;
    const struct pair_effort effort = {.bytes_max = SIZE_MAX / 2, .workers = 3};
    for (int trial = 0; trial < trials_of(1000); trial++) {
        static struct scene s;
        struct random r = random_trial(2000 + (uint64_t)trial);
        struct tallies got, want = tallies_none();
        csy_error error;
        s.c = draw_graph(&r);
        make_records(&r, &s);
        ck_ok(pair_stats_gather(&s.records, s.threads, &effort, &got, &error), error);
        for (size_t a = 0; a < s.n; a++)
            for (size_t b = 0; b < a; b++) {
                struct pair_tally *tally =
                    s.threads[a].spe && s.threads[b].spe ? &want.spe : &want.other;
                if (reaches(&s, a, b) && reaches(&s, b, a) && !s.threads[a].hub &&
                    !s.threads[b].hub)
                    pair_tally_take(tally, s.walks[a * s.n + b] + s.walks[b * s.n + a]);
            }
        check_tally(&got.spe, &want.spe);
        check_tally(&got.other, &want.other);
        pairs += want.spe.bounded + want.other.bounded;
        scene_fini(&s);
    }
    ck_assert_uint_gt(pairs, (size_t)trials_of(10000));
}
END_TEST

/* The k-th of hubs that follow one another beside two clocks, 0 and 1: it is eliminated while these
 * and the next one are there, and is much nearer to that than to any clock. */
static void add_hub(struct eliminations *records, uint32_t k, uint32_t hubs, int64_t far)
{
    struct elimination_room room;
    csy_error error;
    size_t live = k + 1 < hubs ? 4 : 3;
    ck_ok(eliminations_add(records, 2 + k, live, &room, &error), error);
    for (uint32_t i = 0; i < live; i++) {
        bool next = live == 4 && i == 2;
        room.ids[i] = i < 2 ? i : next ? 3 + k : 2 + k;
        room.row[i] = i < 2 ? far : 0;
        room.column[i] = i < 2 ? far : next ? 2 : 0;
    }
}

/* All hubs save on the way to all others, but no pair of them is asked for: steps grow with hubs,
 * not with pairs of hubs.  Rows of the two clocks say the same. */
START_TEST(hubs_cost_as_many_steps_as_there_are)
{
    enum { HUBS = 4000, FAR = 1000000000 };
    struct eliminations records = {.nthreads = HUBS + 2, .any_order = true};
    struct pair_tally_thread *threads = calloc(HUBS + 2, sizeof *threads);
    const struct pair_effort effort = {
        .bytes_max = SIZE_MAX / 2, .workers = 1, .steps_max = 200 * HUBS};
    struct tallies got;
    csy_error error;
    ck_assert(threads != NULL);
    for (uint32_t k = 0; k < HUBS; k++)
        add_hub(&records, k, HUBS, FAR);
    for (uint32_t live = 2; live > 0; live--) {
        struct elimination_room room;
        ck_ok(eliminations_add(&records, live - 1, live, &room, &error), error);
        for (uint32_t i = 0; i < live; i++) {
            room.ids[i] = i;
            room.row[i] = room.column[i] = i == live - 1 ? 0 : FAR;
        }
    }
    for (size_t t = 0; t < HUBS + 2; t++)
        threads[t] = (struct pair_tally_thread){
            .records = t < 2 ? HUBS : 0, .next = NO_THREAD, .spe = true, .hub = t >= 2};
    ck_ok(pair_stats_gather(&records, threads, &effort, &got, &error), error);
    ck_assert_uint_eq(got.spe.pairs, 1);
    ck_assert_uint_eq(got.spe.bounded, 1);
    ck_assert_int_eq(got.spe.most_ticks, 2 * (int64_t)FAR);
    const struct bounds b = {.n = 2, .sweep = records};
    const struct statistics_effort any = {NULL, 1, UINT64_MAX};
    csy_summary summary;
    ck_ok(statistics_gather(&b, threads, &any, &summary, &error), error);
    ck_assert_uint_eq(summary.bounded, 1);
    ck_assert_int_eq(summary.max_error_spe_ticks, 2 * (int64_t)FAR);
    free(threads);
    eliminations_fini(&records);
}
END_TEST

/* Threads that begin one after another, each live together with the next few, and so constrained by
 * these; and by any others. */
START_TEST(pairs_have_their_walks)
{
    for (int trial = 0; trial < trials_of(400); trial++) {
        static struct scene s;
        struct random r = random_trial(4000 + (uint64_t)trial);
        struct concurrent together;
        csy_error error;
        s.c = draw_graph(&r);
        size_t reach = (size_t)random_between(&r, 0, 4);
        for (size_t a = 0; a < s.c.count; a++)
            for (size_t b = a + 1; b < s.c.count && b <= a + reach; b++)
                graph_set(&s.c, a, b, 300000);
        make_records(&r, &s);
        for (size_t t = 0; t < s.n; t++)
            s.threads[t].last_record = t + reach;
        struct bounds bounds = {.n = s.n, .sweep = s.records};
        ck_ok(concurrent_gather(&bounds, s.threads, &together, &error), error);
        for (size_t a = 0; a < s.n; a++)
            for (size_t b = a + 1; b <= a + concurrent_count(&together, a); b++) {
                struct walks_between got = concurrent_walks(&together, a, b);
                ck_assert(got.there == s.walks[a * s.n + b] && got.back == s.walks[b * s.n + a]);
            }
        ck_assert(together.first[s.n] > 0 || reach == 0 || s.n == 1);
        concurrent_fini(&together);
        scene_fini(&s);
    }
}
END_TEST

int main(void)
{
    TCase *tests = unit_begin("eliminations");
    tcase_add_test(tests, rows_are_shortest_walks);
    tcase_add_test(tests, components_reach_one_another);
    tcase_add_test(tests, statistics_are_over_all_pairs);
    tcase_add_test(tests, hubs_cost_as_many_steps_as_there_are);
    tcase_add_test(tests, pairs_have_their_walks);
    return unit_run();
}
