/* Pairs of clocks say all that points say: as the network of all instants does. */
#include "partial.h"

#include "graph/minplus.h"
#include "graph/reduce.h"
#include "order/visit.h"

#include <stdlib.h>

/* Floyd and Warshall on pairs, in units of 1 / (2 den). */
static bool close_pairs(const struct pairs *pairs, int64_t twice_num, int64_t den,
                        int128 m[PARTIAL_VERTICES][PARTIAL_VERTICES])
{
    size_t n = pairs->nvertices;
    int128 unit = 2 * (int128)den, added = 2 * (int128)twice_num;
    for (size_t a = 0; a < n; a++)
        for (size_t b = 0; b < n; b++)
            m[a][b] = a == b ? 0 : PARTIAL_FAR;
    for (size_t i = 0; i < pairs->count; i++) {
        const struct clock_pair *pair = &pairs->items[i];
        int128 weight = unit * pair->weight + (pair_counts(pairs, pair) ? added : 0);
        if (weight < m[pair->s][pair->t])
            m[pair->s][pair->t] = weight;
    }
    for (size_t k = 0; k < n; k++)
        for (size_t a = 0; a < n; a++)
            for (size_t b = 0; b < n; b++)
                if (m[a][k] < PARTIAL_FAR / 2 && m[k][b] < PARTIAL_FAR / 2 &&
                    m[a][k] + m[k][b] < m[a][b])
                    m[a][b] = m[a][k] + m[k][b];
    for (size_t a = 0; a < n; a++)
        if (m[a][a] < 0)
            return false;
    return true;
}

static void check_pairs(const struct partial *p, const struct pairs *pairs)
{
    ck_assert_uint_eq(pairs->first[0], 0);
    ck_assert_uint_eq(pairs->first[pairs->nvertices], pairs->count);
    for (size_t i = 0; i < pairs->count; i++) {
        const struct clock_pair *pair = &pairs->items[i];
        const struct instant *from = &p->points.items[pair->from];
        ck_assert(i == 0 || pairs->items[i - 1].s < pair->s || pairs->items[i - 1].t < pair->t);
        ck_assert(i >= pairs->first[pair->s] && i < pairs->first[pair->s + 1]);
        if (!instant_is_hub(from))
            ck_assert_uint_eq(pair->s, from->clock);
    }
}

/* At a delta that the window covers, and in any window; whether that is feasible. */
static bool check_network(struct random *r, const struct partial *p)
{
    static int128 got[PARTIAL_VERTICES][PARTIAL_VERTICES], want[PARTIAL_CLOCKS][PARTIAL_CLOCKS];
    struct visit_cycle cycle;
    struct pairs pairs;
    uint32_t *order;
    csy_error error;
    int64_t window = random_chance(r, 30) ? 0 : random_between(r, 0, 60);
    int64_t twice = random_chance(r, 50) ? window : random_between(r, 0, window);
    ck_ok(visit_order(&p->points, &order, &cycle, &error), error);
    const struct reduce_window how = {window, NULL, random_chance(r, 50)};
    ck_ok(reduce_points(&p->points, order, p->nclocks, &how, &pairs, &error), error);
    ck_assert(pairs.nvertices == p->nclocks || !how.passes_hubs);
    check_pairs(p, &pairs);
    bool can = partial_answer(p, twice, 1, want);
    ck_assert_int_eq(close_pairs(&pairs, twice, 1, got), can);
    for (size_t s = 0; s < p->nclocks && can; s++)
        for (size_t t = 0; t < p->nclocks; t++)
            ck_assert(want[s][t] == PARTIAL_FAR ? got[s][t] >= PARTIAL_FAR
                                                : got[s][t] == want[s][t]);
    pairs_fini(&pairs);
    free(order);
    return can;
}

START_TEST(pairs_are_the_network)
{
    size_t feasible = 0, trials = (size_t)trials_of(4000);
    for (size_t trial = 0; trial < trials; trial++) {
        struct random r = random_trial(trial);
        struct partial p;
        partial_draw(&r, &p);
        feasible += check_network(&r, &p);
        partial_discard(&p);
    }
    ck_assert(feasible > trials / 10 && feasible < trials);
}
END_TEST

START_TEST(barriers_are_the_network)
{
    size_t feasible = 0, trials = (size_t)trials_of(2000);
    for (size_t trial = 0; trial < trials; trial++) {
        struct random r = random_trial(10000 + trial);
        struct partial p;
        partial_draw_barriers(&r, &p);
        feasible += check_network(&r, &p);
        partial_discard(&p);
    }
    ck_assert(feasible > trials / 10 && feasible < trials);
}
END_TEST

/* In a window that has all of them, a barrier has pairs with the one before it only, at any rates
 * of clocks. */
START_TEST(pairs_grow_with_barriers)
{
    enum { BARRIERS = 1000, CLOCKS = 3 };
    struct points points = {0};
    struct visit_cycle cycle;
    struct pairs pairs;
    uint32_t before[CLOCKS], after[CLOCKS], hub, *order, rates[CLOCKS + BARRIERS] = {0};
    csy_error error;
    for (int64_t k = 0; k < BARRIERS; k++) {
        const int64_t x[CLOCKS] = {20 * k, 20 * k + 3, 20 * k + 7},
                      y[CLOCKS] = {20 * k + 10, 20 * k + 11, 20 * k + 15};
        partial_add_records(&points, CLOCKS, x, before);
        ck_ok(points_hub(&points, before[0], &hub, &error), error);
        partial_add_records(&points, CLOCKS, y, after);
        for (uint32_t i = 0; i < 2 * CLOCKS; i++) {
            const struct order_edge edge = {i < CLOCKS ? before[i] : hub,
                                            i < CLOCKS ? hub : after[i - CLOCKS], 0, NO_KEY,
                                            i < CLOCKS ? EDGE_ENTER : EDGE_LEAVE};
            ck_ok(points_edge(&points, &edge, &error), error);
        }
    }
    ck_ok(points_finish(&points, &error), error);
    ck_ok(visit_order(&points, &order, &cycle, &error), error);
    for (uint32_t i = 0; i < CLOCKS; i++)
        rates[i] = i * 50000; /* ppb; hubs have none */
    for (int drift = 0; drift < 2; drift++) {
        const struct reduce_window window = {.ticks = (int64_t)20 * BARRIERS,
                                             .rate_ppb = drift ? rates : NULL};
        ck_ok(reduce_points(&points, order, CLOCKS, &window, &pairs, &error), error);
        ck_assert_uint_gt(pairs.count, (size_t)2 * CLOCKS * BARRIERS - CLOCKS);
        ck_assert_uint_lt(pairs.count, (size_t)6 * CLOCKS * BARRIERS);
        pairs_fini(&pairs);
    }
    free(order);
    points_fini(&points);
}
END_TEST

/* Messages between two clocks, both ways: the closest of each direction is kept, with its points.
 * */
START_TEST(the_closest_message_is_kept)
{
    static const struct point_record records[] = {
        {0, 2, 0, 0, NO_BUFFER, 0, true, false, false, 0},
        {1, 3, 1, 1, NO_BUFFER, 105, true, false, false, 0},
        {2, 4, 1, 1, NO_BUFFER, 110, true, false, false, 0},
        {3, 5, 0, 0, NO_BUFFER, 20, true, false, false, 0},
    };
    for (int64_t latency = 0; latency <= 5; latency += 5) {
        struct points points = {0};
        struct pairs pairs;
        uint32_t begin, end[4], order[4] = {0, 1, 2, 3};
        csy_error error;
        for (size_t i = 0; i < 4; i++)
            ck_ok(points_record(&points, &records[i], &begin, &end[i], &error), error);
        struct order_edge there = {0, 1, latency, NO_KEY, EDGE_MESSAGE};
        struct order_edge back = {2, 3, latency, NO_KEY, EDGE_MESSAGE};
        ck_ok(points_edge(&points, &there, &error), error);
        ck_ok(points_edge(&points, &back, &error), error);
        ck_ok(points_finish(&points, &error), error);
        ck_ok(reduce_points(&points, order, 2, &(struct reduce_window){0}, &pairs, &error), error);
        ck_assert_uint_eq(pairs.count, 2);
        ck_assert_int_eq(pairs.items[0].weight, 105 - latency); /* g[A] - g[B] <= 105 */
        ck_assert_int_eq(pairs.items[1].weight, -90 - latency); /* g[B] - g[A] <= -90 */
        ck_assert_uint_eq(pairs.items[1].from, 2);
        ck_assert_uint_eq(pairs.items[1].to, 3);
        pairs_fini(&pairs);
        points_fini(&points);
    }
}
END_TEST

START_TEST(latencies_out_of_range_are_refused)
{
    struct points points = {0};
    struct pairs pairs;
    uint32_t begin, end, order[2] = {0, 1};
    csy_error error;
    for (uint32_t i = 0; i < 2; i++) {
        struct point_record record = {
            .clock = i, .location = i, .buffer = NO_BUFFER, .keyed = true};
        ck_ok(points_record(&points, &record, &begin, &end, &error), error);
    }
    struct order_edge edge = {0, 1, INT64_MAX, NO_KEY, EDGE_MESSAGE};
    ck_ok(points_edge(&points, &edge, &error), error);
    ck_ok(points_finish(&points, &error), error);
    ck_refused(reduce_points(&points, order, 2, &(struct reduce_window){0}, &pairs, &error),
               CSY_INPUT, error,
               "times and latencies of one clock, or of clocks against each other, are 2^58 ticks "
               "or more apart");
    points_fini(&points);
}
END_TEST

int main(void)
{
    TCase *tests = unit_begin("reduce");
    tcase_add_test(tests, pairs_are_the_network);
    tcase_add_test(tests, barriers_are_the_network);
    tcase_add_test(tests, pairs_grow_with_barriers);
    tcase_add_test(tests, the_closest_message_is_kept);
    tcase_add_test(tests, latencies_out_of_range_are_refused);
    return unit_run();
}
