/* Rows out of the eliminations of pairs are shortest walks, by Floyd and Warshall. */
#include "pairings.h"

#include "bounds/rows.h"
#include "graph/eliminate.h"

#include <stdlib.h>

static struct eliminations eliminate(const struct pairs *pairs, uint32_t tau)
{
    struct mindegree m;
    struct eliminations records;
    csy_error error;
    int64_t *weight = malloc((pairs->count + 1) * sizeof *weight);
    ck_assert(weight != NULL);
    for (size_t i = 0; i < pairs->count; i++)
        weight[i] = pairs->items[i].weight;
    ck_ok(mindegree_find(pairs, tau, UINT64_MAX, UINT64_MAX, &m, &error), error);
    ck_ok(eliminate_pairs(pairs, weight, &m, &records, &error), error);
    ck_assert_uint_eq(records.count, pairs->nvertices);
    mindegree_fini(&m);
    free(weight);
    return records;
}

static void check_rows(const struct pairs *pairs, const struct eliminations *records)
{
    size_t n = pairs->nvertices;
    int64_t *walks = pairs_close(pairs), *from = malloc(2 * n * sizeof *from), *to = from + n;
    ck_assert(from != NULL);
    for (size_t s = 0; s < n; s++) {
        for (size_t t = 0; t < n; t++)
            from[t] = to[t] = s == t ? 0 : WALK_INF;
        ck_assert(rows_from(records, from));
        ck_assert(rows_to(records, to));
        for (size_t t = 0; t < n; t++) {
            ck_assert_int_eq(from[t], walks[s * n + t]);
            ck_assert_int_eq(to[t], walks[t * n + s]);
        }
    }
    free(from);
    free(walks);
}

START_TEST(rows_are_shortest_walks)
{
    for (int trial = 0; trial < trials_of(600); trial++) {
        struct random r = random_trial((uint64_t)trial);
        struct pairs pairs;
        pairs_draw(&r, &pairs, trial % 20 == 0 ? 150 : 30);
        uint32_t tau = (uint32_t)random_between(&r, 0, (int64_t)pairs.nvertices - 1);
        struct eliminations records = eliminate(&pairs, tau);
        check_rows(&pairs, &records);
        eliminations_fini(&records);
        pairs_fini(&pairs);
    }
}
END_TEST

START_TEST(shapes_with_dense_vertices)
{
    struct pairs pairs;
    pairs_star(&pairs, 300, 4);
    struct eliminations records = eliminate(&pairs, 17);
    check_rows(&pairs, &records);
    ck_assert_uint_le(records.live_most, 7);
    eliminations_fini(&records);
    pairs_fini(&pairs);
    pairs_grid(&pairs, 15, 14);
    records = eliminate(&pairs, 17);
    check_rows(&pairs, &records);
    eliminations_fini(&records);
    pairs_fini(&pairs);
}
END_TEST

/* In a ring of four, whichever goes first, its neighbours get a walk of both its edges. */
START_TEST(walks_out_of_range_are_refused)
{
    const int64_t weight[] = {WALK_MAX, WALK_MAX, WALK_MAX, WALK_MAX,
                              WALK_MAX, WALK_MAX, WALK_MAX, WALK_MAX};
    struct pairs pairs;
    struct mindegree m;
    struct eliminations records;
    csy_error error;
    pairs_grid(&pairs, 2, 2);
    ck_assert_uint_eq(pairs.count, 8);
    ck_ok(mindegree_find(&pairs, 0, UINT64_MAX, UINT64_MAX, &m, &error), error);
    ck_refused(eliminate_pairs(&pairs, weight, &m, &records, &error), CSY_INPUT, error,
               "the differences between clocks are too large for 64-bit arithmetic");
    mindegree_fini(&m);
    pairs_fini(&pairs);
}
END_TEST

int main(void)
{
    TCase *tests = unit_begin("eliminate");
    tcase_add_test(tests, rows_are_shortest_walks);
    tcase_add_test(tests, shapes_with_dense_vertices);
    tcase_add_test(tests, walks_out_of_range_are_refused);
    return unit_run();
}
