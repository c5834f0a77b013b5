/* Dijkstra's rows are shortest walks, by Floyd and Warshall. */
#include "pairings.h"

#include "graph/search.h"

#include <stdlib.h>

START_TEST(rows_are_shortest_walks)
{
    for (int trial = 0; trial < trials_of(400); trial++) {
        struct random r = random_trial((uint64_t)trial);
        struct pairs pairs;
        struct search_graph graph;
        csy_error error;
        pairs_draw(&r, &pairs, 40);
        size_t n = pairs.nvertices;
        int64_t *walks = pairs_close(&pairs), *begin = malloc(3 * n * sizeof *begin);
        int64_t *weight = malloc((pairs.count + 1) * sizeof *weight);
        ck_assert(begin && weight);
        int64_t *from = begin + n, *to = from + n;
        for (size_t i = 0; i < pairs.count; i++)
            weight[i] = pairs.items[i].weight;
        ck_ok(search_init(&graph, &pairs, weight, &error), error);
        for (size_t v = 0; v < n; v++)
            from[v] = to[v] = begin[v] =
                random_chance(&r, 20) ? random_between(&r, -500, 500) : WALK_INF;
        ck_ok(search_from(&graph, NULL, from, &error), error);
        ck_ok(search_to(&graph, NULL, to, &error), error);
        for (size_t t = 0; t < n; t++) {
            int64_t want_from = WALK_INF, want_to = WALK_INF;
            for (size_t s = 0; s < n; s++) {
                walk_lower(&want_from, walk_add(begin[s], walks[s * n + t]));
                walk_lower(&want_to, walk_add(walks[t * n + s], begin[s]));
            }
            ck_assert_int_eq(from[t], want_from);
            ck_assert_int_eq(to[t], want_to);
        }
        search_fini(&graph);
        free(weight);
        free(begin);
        free(walks);
        pairs_fini(&pairs);
    }
}
END_TEST

START_TEST(walks_out_of_range_are_refused)
{
    const int64_t weight[] = {WALK_MAX, WALK_MAX, WALK_MAX, WALK_MAX, WALK_MAX, WALK_MAX};
    int64_t from[] = {0, WALK_INF, WALK_INF, WALK_INF};
    struct pairs pairs;
    struct search_graph graph;
    csy_error error;
    pairs_grid(&pairs, 1, 4);
    ck_ok(search_init(&graph, &pairs, weight, &error), error);
    ck_refused(search_from(&graph, NULL, from, &error), CSY_INPUT, error,
               "the differences between clocks are too large for 64-bit arithmetic");
    search_fini(&graph);
    pairs_fini(&pairs);
}
END_TEST

int main(void)
{
    TCase *tests = unit_begin("search");
    tcase_add_test(tests, rows_are_shortest_walks);
    tcase_add_test(tests, walks_out_of_range_are_refused);
    return unit_run();
}
