/* Walks that remember where they went: edges in order, shared parts, and the cycle that asks for
 * most. */
#include "graph/walks.h"
#include "support.h"

#include <stdlib.h>
#include <string.h>

/* The k-th record on a walk: of a thread, at this x. */
static struct walk_point point(uint64_t k, uint32_t thread, int64_t x)
{
    return (struct walk_point){.position = k, .place = 100 * k, .thread = thread, .x = x};
}

/* An edge as a walk of its own. */
static struct walk_node *edge_node(uint64_t k, uint32_t from, uint32_t to)
{
    struct walk_point start = point(k, from, 0), end = point(k + 1, to, 0);
    struct walk_node *open = walk_start(&start);
    ck_assert_ptr_nonnull(open);
    struct walk_node *closed = walk_end(open, &end);
    ck_assert_ptr_nonnull(closed);
    walk_drop(open);
    return closed;
}

static struct walk_node *join(struct walk_node *first, struct walk_node *next)
{
    struct walk_node *joined = walk_join(first, next);
    ck_assert_ptr_nonnull(joined);
    walk_drop(first);
    walk_drop(next);
    return joined;
}

static void assert_edges(const struct walk_node *node, size_t want)
{
    struct walk_edge *edges;
    csy_error error;
    size_t n;
    ck_ok(walk_edges(node, &edges, &n, &error), error);
    ck_assert_uint_eq(n, want);
    for (size_t i = 0; i < n; i++)
        if (edges[i].from.position != 2 * i || edges[i].to.position != 2 * i + 1 ||
            edges[i].to.place != 200 * i + 100)
            ck_abort_msg("edge %zu", i);
    free(edges);
}

START_TEST(edges_come_in_order)
{
    struct walk_node *ab = edge_node(0, 0, 1), *bc = edge_node(2, 1, 2), *cd = edge_node(4, 2, 3);
    struct walk_node *abc = walk_join(ab, bc);
    struct walk_node *abcd = join(walk_keep(abc), cd);
    assert_edges(ab, 1);
    assert_edges(abcd, 3);
    walk_drop(ab);
    walk_drop(bc);
    assert_edges(abc, 2);
    walk_drop(abc);
    assert_edges(abcd, 3);
    walk_drop(abcd);
    walk_drop(NULL);
}
END_TEST

/* Any shape of joins gives the edges in order. */
static struct walk_node *random_joins(struct random *r, uint64_t from, uint64_t to)
{
    if (to - from == 1)
        return edge_node(2 * from, 0, 0);
    uint64_t middle = (uint64_t)random_between(r, (int64_t)from + 1, (int64_t)to - 1);
    struct walk_node *first = random_joins(r, from, middle);
    return join(first, random_joins(r, middle, to));
}

START_TEST(joins_of_any_shape)
{
    for (uint64_t trial = 0; trial < 300; trial++) {
        struct random r = random_trial(trial);
        size_t n = (size_t)random_between(&r, 1, 60);
        struct walk_node *node = random_joins(&r, 0, n);
        assert_edges(node, n);
        walk_drop(node);
    }
}
END_TEST

/* An open walk ends in the start of an edge, and is closed later. */
START_TEST(open_walks_are_joined)
{
    struct walk_point start = point(2, 1, 0), end = point(3, 0, 0);
    struct walk_node *open = join(edge_node(0, 0, 1), walk_start(&start));
    struct walk_node *closed = walk_end(open, &end);
    walk_drop(open);
    assert_edges(closed, 2);
    walk_drop(closed);
}
END_TEST

/* Long chains, to the left and to the right. */
START_TEST(deep_walks)
{
    enum { EDGES = 50000 };
    struct walk_node *left = edge_node(0, 0, 0);
    for (uint64_t i = 1; i < EDGES; i++)
        left = join(left, edge_node(2 * i, 0, 0));
    assert_edges(left, EDGES);
    walk_drop(left);
    struct walk_node *right = edge_node(2 * (EDGES - 1), 0, 0);
    for (uint64_t i = EDGES - 1; i-- > 0;)
        right = join(edge_node(2 * i, 0, 0), right);
    assert_edges(right, EDGES);
    walk_drop(right);
}
END_TEST

START_TEST(weights_are_summed)
{
    enum { EDGES = 40 };
    const int64_t far = ((int64_t)1 << 58) - 1;
    struct walk_edge edges[EDGES] = {{point(0, 0, 5), point(1, 1, 9)}};
    for (uint64_t i = 1; i < EDGES; i++)
        edges[i] = (struct walk_edge){point(2 * i, 1, far), point(2 * i + 1, 1, -far)};
    ck_assert(walk_weight(edges, 0) == 0);
    ck_assert(walk_weight(edges, 1) == 4);
    ck_assert(walk_weight(edges, EDGES) == 4 - (EDGES - 1) * 2 * (int128)far);
}
END_TEST

static bool in_walk(const struct walk_edge *edges, size_t n, const struct walk_edge *edge)
{
    for (size_t i = 0; i < n; i++)
        if (edges[i].from.position == edge->from.position)
            return edges[i].to.x == edge->to.x && edges[i].to.thread == edge->to.thread;
    return false;
}

/* The cycle is part of the walk, closes, visits no thread twice, and asks for no less a tick an
 * edge than the whole walk does. */
static void assert_worst(const struct walk_edge *all, size_t n, const struct walk_edge *cycle,
                         size_t length, int trial)
{
    uint64_t seen = 0;
    bool good = length > 0 && length <= n;
    for (size_t i = 0; good && i < length; i++) {
        uint64_t bit = (uint64_t)1 << cycle[i].from.thread;
        good = in_walk(all, n, &cycle[i]) && !(seen & bit) &&
               cycle[i].to.thread == cycle[(i + 1) % length].from.thread;
        seen |= bit;
    }
    if (!good || walk_weight(cycle, length) * (int128)n > walk_weight(all, n) * (int128)length)
        ck_abort_msg("trial %d: %zu edges of %zu", trial, length, n);
}

START_TEST(worst_cycles_are_cut_out)
{
    enum { EDGES_MAX = 60 };
    for (int trial = 0; trial < 3000; trial++) {
        struct random r = random_trial(1000 + (uint64_t)trial);
        struct walk_edge all[EDGES_MAX], cut[EDGES_MAX];
        csy_error error;
        size_t n = (size_t)random_between(&r, 1, EDGES_MAX), length;
        uint32_t threads = (uint32_t)random_between(&r, 1, 20), at = 0;
        for (size_t i = 0; i < n; i++) {
            uint32_t to = i == n - 1 ? 0 : (uint32_t)random_between(&r, 0, threads - 1);
            all[i] = (struct walk_edge){point(2 * i, at, random_between(&r, -50, 50)),
                                        point(2 * i + 1, to, random_between(&r, -50, 50))};
            at = to;
        }
        memcpy(cut, all, sizeof all);
        ck_ok(walk_worst_cycle(cut, n, &length, &error), error);
        assert_worst(all, n, cut, length, trial);
    }
}
END_TEST

int main(void)
{
    TCase *tests = unit_begin("walks");
    tcase_add_test(tests, edges_come_in_order);
    tcase_add_test(tests, joins_of_any_shape);
    tcase_add_test(tests, open_walks_are_joined);
    tcase_add_test(tests, deep_walks);
    tcase_add_test(tests, weights_are_summed);
    tcase_add_test(tests, worst_cycles_are_cut_out);
    return unit_run();
}
