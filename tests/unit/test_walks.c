/* Walks: their weights, and the cycle that asks for most. */
#include "graph/exact.h"
#include "support.h"

#include <stdlib.h>
#include <string.h>

/* The k-th record on a walk: of a thread, at this x. */
static struct point point(uint64_t k, uint32_t thread, int64_t x)
{
    return (struct point){.position = k, .place = 100 * k, .thread = thread, .x = x};
}

START_TEST(weights_are_summed)
{
    enum { EDGES = 40 };
    const int64_t far = ((int64_t)1 << 58) - 1;
    struct edge edges[EDGES] = {{.from = point(0, 0, 5), .to = point(1, 1, 9)}};
    for (uint64_t i = 1; i < EDGES; i++)
        edges[i] = (struct edge){.from = point(2 * i, 1, far), .to = point(2 * i + 1, 1, -far)};
    ck_assert(walk_weight(edges, 0) == 0);
    ck_assert(walk_weight(edges, 1) == 4);
    ck_assert(walk_weight(edges, EDGES) == 4 - (EDGES - 1) * 2 * (int128)far);
}
END_TEST

static bool in_walk(const struct edge *edges, size_t n, const struct edge *edge)
{
    for (size_t i = 0; i < n; i++)
        if (edges[i].from.position == edge->from.position)
            return edges[i].to.x == edge->to.x && edges[i].to.thread == edge->to.thread;
    return false;
}

/* The cycle is part of the walk, closes, visits no thread twice, and asks for no less a tick an
 * edge than the whole walk does. */
static void assert_worst(const struct edge *all, size_t n, const struct edge *cycle, size_t length,
                         int trial)
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
        struct edge all[EDGES_MAX], cut[EDGES_MAX];
        csy_error error;
        size_t n = (size_t)random_between(&r, 1, EDGES_MAX), length;
        uint32_t threads = (uint32_t)random_between(&r, 1, 20), at = 0;
        for (size_t i = 0; i < n; i++) {
            uint32_t to = i == n - 1 ? 0 : (uint32_t)random_between(&r, 0, threads - 1);
            all[i] = (struct edge){.from = point(2 * i, at, random_between(&r, -50, 50)),
                                   .to = point(2 * i + 1, to, random_between(&r, -50, 50))};
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
    tcase_add_test(tests, weights_are_summed);
    tcase_add_test(tests, worst_cycles_are_cut_out);
    return unit_run();
}
