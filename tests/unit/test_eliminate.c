/* Rows out of the eliminations of pairs are shortest walks, by Floyd and Warshall. */
#include "bounds/rows.h"
#include "graph/eliminate.h"
#include "pairings.h"

#include <stdlib.h>
#include <string.h>

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

/* Orders of elimination: fronts are those that eliminating by the definition gives, or more. */

/* Eliminate in this order by the definition: each time what is left of v's neighbours become
 * neighbours.  Fronts have all of them. */
static void check_fronts(const struct pairs *pairs, const struct mindegree *m)
{
    size_t n = m->n;
    bool *near = calloc(n * n, sizeof *near);
    uint64_t entries = 0, work = 0;
    ck_assert(near != NULL);
    for (size_t i = 0; i < pairs->count; i++) {
        size_t s = m->at[pairs->items[i].s], t = m->at[pairs->items[i].t];
        near[s * n + t] = near[t * n + s] = true;
    }
    for (size_t k = 0; k < n; k++) {
        const uint32_t *front = m->fronts + m->first[k];
        size_t d = m->first[k + 1] - m->first[k], found = 0;
        ck_assert_uint_eq(m->at[m->order[k]], k);
        for (size_t i = 0; i < d; i++) {
            ck_assert(front[i] > k && front[i] < n && (i == 0 || front[i] < front[i - 1]));
            found += near[k * n + front[i]];
        }
        for (size_t t = k + 1; t < n; t++)
            found -= near[k * n + t];
        ck_assert_uint_eq(found, 0);
        for (size_t i = 0; i < d; i++)
            for (size_t j = 0; j < d; j++)
                near[front[i] * n + front[j]] = true;
        entries += d;
        work += d * d;
    }
    ck_assert_uint_eq(m->entries, entries);
    ck_assert_uint_eq(m->work, work);
    free(near);
}

/* What comes between a vertex and the one that it hands on to hands on to none beyond that. */
static void check_postorder(const struct mindegree *m)
{
    for (size_t k = 0; k < m->n; k++) {
        if (m->first[k] == m->first[k + 1])
            continue;
        size_t up = m->fronts[m->first[k + 1] - 1];
        for (size_t j = k + 1; j < up; j++)
            ck_assert(m->first[j] < m->first[j + 1] && m->fronts[m->first[j + 1] - 1] <= up);
    }
}

START_TEST(fronts_hold_all_neighbours)
{
    for (int trial = 0; trial < trials_of(600); trial++) {
        struct random r = random_trial((uint64_t)trial);
        struct pairs pairs;
        struct mindegree m;
        csy_error error;
        pairs_draw(&r, &pairs, 60);
        uint32_t tau = (uint32_t)random_between(&r, 0, (int64_t)pairs.nvertices - 1);
        ck_ok(mindegree_find(&pairs, tau, UINT64_MAX, UINT64_MAX, &m, &error), error);
        ck_assert_uint_eq(m.order[m.n - 1], tau);
        ck_assert(!m.cut_short);
        check_fronts(&pairs, &m);
        check_postorder(&m);
        mindegree_fini(&m);
        pairs_fini(&pairs);
    }
}
END_TEST

/* Grids, in which it is known how well it does, and hubs, that go last. */
START_TEST(fronts_are_small)
{
    struct pairs pairs;
    struct mindegree m;
    csy_error error;
    pairs_grid(&pairs, 64, 64);
    ck_ok(mindegree_find(&pairs, 0, UINT64_MAX, UINT64_MAX, &m, &error), error);
    ck_assert_uint_lt(m.entries, 90000); /* nested dissection has some 31 n log2 n / 4 */
    ck_assert_uint_lt(m.work, 6000000);
    ck_assert_uint_lt(m.cells_most, 200000);
    mindegree_fini(&m);
    ck_ok(mindegree_find(&pairs, 0, 1000, UINT64_MAX, &m, &error), error);
    ck_assert(m.cut_short && !m.order);
    mindegree_fini(&m);
    pairs_fini(&pairs);
    pairs_star(&pairs, 2000, 5);
    ck_ok(mindegree_find(&pairs, 0, UINT64_MAX, UINT64_MAX, &m, &error), error);
    ck_assert_uint_lt(m.entries, 2100 * 6);
    check_fronts(&pairs, &m);
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
    tcase_add_test(tests, fronts_hold_all_neighbours);
    tcase_add_test(tests, fronts_are_small);
    return unit_run();
}
