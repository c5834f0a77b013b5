/* Flows of least cost: against every way to place a few clocks, and against shortest paths that are
 * filled one after another. */
#include "graph/flow.h"
#include "support.h"

#include <string.h>

enum { VERTICES = 6, ARCS = 20, FAR = 1 << 20 };

/* A network without cycles that cost less than 0: costs are what potentials leave. */
struct network {
    size_t n, narcs;
    struct flow_arc arcs[ARCS];
    int64_t supply[VERTICES];
};

static struct network draw(uint64_t trial, bool limited)
{
    struct random r = random_trial(trial);
    struct network w = {.n = (size_t)random_between(&r, 1, VERTICES)};
    int64_t potential[VERTICES];
    for (size_t v = 0; v < w.n; v++)
        potential[v] = random_between(&r, -5, 5);
    size_t narcs = w.n < 2 ? 0 : (size_t)random_between(&r, 0, ARCS);
    while (w.narcs < narcs) {
        uint32_t s = (uint32_t)random_between(&r, 0, (int64_t)w.n - 1);
        uint32_t t = (uint32_t)random_between(&r, 0, (int64_t)w.n - 1);
        if (s == t)
            continue;
        int64_t capacity = limited ? random_between(&r, 0, 4) : FLOW_ENDLESS;
        w.arcs[w.narcs++] =
            (struct flow_arc){s, t, potential[s] - potential[t] + random_between(&r, 0, 6),
                              random_chance(&r, 30) ? FLOW_ENDLESS : capacity};
    }
    for (int i = 0; i < 6 && w.n > 1; i++) {
        int64_t amount = random_between(&r, 0, 3);
        w.supply[random_between(&r, 0, (int64_t)w.n - 1)] += amount;
        w.supply[random_between(&r, 0, (int64_t)w.n - 1)] -= amount;
    }
    return w;
}

/* What is left of an arc, forth or back. */
struct residual {
    size_t from, to;
    int64_t cost, room;
};

/* Units one by one from where there are too many, by the path of least cost (R. Bellman, L. Ford),
 * to where some lack. */
static bool fill(const struct network *w, int64_t *cost)
{
    struct residual left[2 * ARCS];
    int64_t supply[VERTICES];
    memcpy(supply, w->supply, sizeof supply);
    for (size_t i = 0; i < w->narcs; i++) {
        const struct flow_arc *a = &w->arcs[i];
        left[2 * i] = (struct residual){a->from, a->to, a->cost, a->capacity};
        left[2 * i + 1] = (struct residual){a->to, a->from, -a->cost, 0};
    }
    for (*cost = 0;;) {
        int64_t distance[VERTICES];
        size_t last[VERTICES], sink = SIZE_MAX;
        bool any = false;
        for (size_t v = 0; v < w->n; v++) {
            distance[v] = supply[v] > 0 ? 0 : FAR;
            last[v] = SIZE_MAX;
            any |= supply[v] != 0;
        }
        if (!any)
            return true;
        for (size_t round = 0; round < w->n; round++)
            for (size_t i = 0; i < 2 * w->narcs; i++) {
                const struct residual *e = &left[i];
                if (e->room > 0 && distance[e->from] < FAR &&
                    distance[e->from] + e->cost < distance[e->to]) {
                    distance[e->to] = distance[e->from] + e->cost;
                    last[e->to] = i;
                }
            }
        for (size_t v = 0; v < w->n; v++)
            if (supply[v] < 0 && distance[v] < FAR &&
                (sink == SIZE_MAX || distance[v] < distance[sink]))
                sink = v;
        if (sink == SIZE_MAX)
            return false;
        size_t v = sink;
        for (; last[v] != SIZE_MAX; v = left[last[v]].from) {
            size_t i = last[v];
            left[i].room -= left[i].room != FLOW_ENDLESS;
            left[i ^ 1].room += left[i ^ 1].room != FLOW_ENDLESS;
        }
        *cost += distance[sink];
        supply[v]--;
        supply[sink]++;
    }
}

/* What the sum is with clocks at x, where endless arcs must not be broken. */
static int64_t sum_at(const struct network *w, const int64_t *x)
{
    int64_t sum = 0;
    for (size_t v = 0; v < w->n; v++)
        sum += w->supply[v] * x[v];
    for (size_t i = 0; i < w->narcs; i++) {
        const struct flow_arc *a = &w->arcs[i];
        int64_t above = x[a->from] - x[a->to] - a->cost;
        ck_assert(a->capacity < FLOW_ENDLESS || above <= 0);
        sum -= above > 0 ? a->capacity * above : 0;
    }
    return sum;
}

START_TEST(they_cost_what_shortest_paths_cost)
{
    int possible = 0, trials = trials_of(20000);
    for (int trial = 0; trial < trials; trial++) {
        struct network w = draw((uint64_t)trial, trial % 2);
        struct flow found;
        csy_error error;
        int64_t cost, at[VERTICES];
        bool filled = fill(&w, &cost);
        ck_ok(flow_find(w.supply, w.n, w.arcs, w.narcs, &found, at, &error), error);
        ck_assert_int_eq(found.possible, filled);
        ck_assert(!filled || found.cost == cost);
        ck_assert(!filled || sum_at(&w, at) == cost);
        possible += filled;
    }
    ck_assert_int_gt(possible, trials / 4);
    ck_assert_int_lt(possible, trials);
}
END_TEST

/* All places of up to four clocks, the first of which stays. */
START_TEST(they_are_what_a_sum_of_offsets_comes_to)
{
    enum { REACH = 28, CLOCKS = 4 };
    int bounded = 0;
    for (int trial = 0; trial < trials_of(300); trial++) {
        struct network w = draw((uint64_t)trial, false);
        if (w.n > CLOCKS)
            continue;
        int64_t most = INT64_MIN, x[CLOCKS] = {0};
        size_t places = 1;
        for (size_t v = 1; v < w.n; v++)
            places *= 2 * REACH + 1;
        for (size_t place = 0; place < places; place++) {
            size_t rest = place;
            bool good = true;
            int64_t sum = 0;
            for (size_t v = 1; v < w.n; v++, rest /= 2 * REACH + 1)
                x[v] = (int64_t)(rest % (2 * REACH + 1)) - REACH;
            for (size_t i = 0; i < w.narcs && good; i++)
                good = x[w.arcs[i].from] - x[w.arcs[i].to] <= w.arcs[i].cost;
            for (size_t v = 0; v < w.n; v++)
                sum += w.supply[v] * x[v];
            if (good && sum > most)
                most = sum;
        }
        struct flow found;
        csy_error error;
        int64_t at[CLOCKS];
        ck_ok(flow_find(w.supply, w.n, w.arcs, w.narcs, &found, at, &error), error);
        /* Where nothing limits the sum, it is greater than it could be if something did. */
        ck_assert(!found.possible || (found.cost <= most && found.cost >= most));
        bounded += found.possible;
    }
    ck_assert_int_gt(bounded, 0);
}
END_TEST

START_TEST(out_of_range)
{
    struct flow found;
    csy_error error;
    struct flow_arc arcs[] = {{0, 1, INT64_C(1) << 59, FLOW_ENDLESS}, {1, 0, 3, FLOW_ENDLESS}};
    int64_t supply[] = {1, -1}, much[] = {INT64_MAX, -INT64_MAX};
    ck_refused(flow_find(supply, 2, arcs, 2, &found, NULL, &error), CSY_INPUT, error,
               "a sum of bounds is out of range");
    arcs[0].cost = INT64_MIN;
    ck_refused(flow_find(supply, 2, arcs, 2, &found, NULL, &error), CSY_INPUT, error,
               "a sum of bounds is out of range");
    arcs[0].cost = -2;
    ck_refused(flow_find(much, 2, arcs, 2, &found, NULL, &error), CSY_INPUT, error,
               "a sum of bounds is out of range");
    ck_ok(flow_find(supply, 2, arcs, 2, &found, NULL, &error), error);
    ck_assert(found.possible && found.cost == -2);
    arcs[0].cost = -4;
    ck_refused(flow_find(supply, 2, arcs, 2, &found, NULL, &error), CSY_INPUT, error,
               "a cycle of constraints sums to less than 0");
}
END_TEST

int main(void)
{
    TCase *tests = unit_begin("flow");
    tcase_add_test(tests, they_cost_what_shortest_paths_cost);
    tcase_add_test(tests, they_are_what_a_sum_of_offsets_comes_to);
    tcase_add_test(tests, out_of_range);
    return unit_run();
}
