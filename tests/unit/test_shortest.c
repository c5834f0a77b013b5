/* One row and one column of the bounds graph, against walks from every thread; infeasible is
 * seen. */
#include "graph/shortest.h"
#include "graphs.h"

static void compare(const struct constraints *c, int64_t added, bool feasible, const int64_t *walks,
                    int trial)
{
    int64_t from[THREADS_MAX], to[THREADS_MAX];
    bool got;
    for (size_t tau = 0; tau < c->count; tau++) {
        shortest_from_and_to(c, added, tau, from, to, &got);
        if (feasible && !got)
            ck_abort_msg("trial %d: feasible, but not from %zu", trial, tau);
        for (size_t t = 0; feasible && t < c->count; t++)
            if (from[t] != walks[tau * c->count + t] || to[t] != walks[t * c->count + tau])
                ck_abort_msg("trial %d: tau %zu, thread %zu", trial, tau, t);
    }
}

START_TEST(rows_and_columns)
{
    int64_t walks[THREADS_MAX * THREADS_MAX];
    int feasible = 0;
    for (int trial = 0; trial < 3000; trial++) {
        struct random r = random_trial((uint64_t)trial);
        int64_t added = random_between(&r, 0, 3), least = random_between(&r, -7, 0);
        struct constraints c = graph_draw(&r, 12, (int)random_between(&r, 5, 90), least, 15);
        bool good = shortest_walks(&c, added, walks);
        compare(&c, added, good, walks, trial);
        feasible += good;
        constraints_fini(&c);
    }
    ck_assert(feasible > 300 && feasible < 2900);
}
END_TEST

/* A negative cycle that tau reaches, or that reaches tau; one apart from tau is not looked for. */
START_TEST(negative_cycles_are_met)
{
    static const struct {
        size_t s, t;
        bool feasible;
    } links[] = {{0, 1, false}, {1, 0, false}, {0, 3, true}};
    for (size_t i = 0; i < 3; i++) {
        struct constraints c = graph_new(4);
        int64_t from[4], to[4];
        bool feasible;
        graph_set(&c, 1, 2, -3);
        graph_set(&c, 2, 1, 2);
        graph_set(&c, links[i].s, links[i].t, 9);
        shortest_from_and_to(&c, 0, 0, from, to, &feasible);
        ck_assert(feasible == links[i].feasible);
        graph_set(&c, 2, 2, -9); /* loops do not count */
        shortest_from_and_to(&c, 1, 0, from, to, &feasible);
        ck_assert(feasible);
        constraints_fini(&c);
    }
}
END_TEST

int main(void)
{
    TCase *tests = unit_begin("shortest");
    tcase_add_test(tests, rows_and_columns);
    tcase_add_test(tests, negative_cycles_are_met);
    return unit_run();
}
