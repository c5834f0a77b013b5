/*
 * Negative cycles: one is found exactly where a search of all simple cycles finds one, and what is
 * found is a simple cycle and negative.
 */
#include "graph/constraints.h"
#include "graphs.h"

/* The weight of an edge times den, `added` included. */
static int128 edge(const struct constraints *c, csy_fraction added, size_t s, size_t t)
{
    return (int128)constraints_weight(c, s, t) * added.den + added.num;
}

static bool has_edge(const struct constraints *c, bool with_itself, size_t s, size_t t)
{
    return (s != t || with_itself) && constraints_weight(c, s, t) != WALK_INF;
}

/* Whether a simple cycle from `start` through threads above it, now at `at`, can end below 0. */
static bool closes_negative(const struct constraints *c, csy_fraction added, bool with_itself,
                            size_t start, size_t at, unsigned seen, int128 sum)
{
    if (has_edge(c, with_itself || at != start, at, start) && sum + edge(c, added, at, start) < 0)
        return true;
    for (size_t next = start + 1; next < c->count; next++)
        if (!(seen & 1u << next) && has_edge(c, false, at, next) &&
            closes_negative(c, added, with_itself, start, next, seen | 1u << next,
                            sum + edge(c, added, at, next)))
            return true;
    return false;
}

static bool has_negative(const struct constraints *c, csy_fraction added, bool with_itself)
{
    for (size_t start = 0; start < c->count; start++)
        if (closes_negative(c, added, with_itself, start, start, 1u << start, 0))
            return true;
    return false;
}

/* What cycle_find found is there, simple and negative. */
static bool is_proof(const struct constraints *c, csy_fraction added, bool with_itself,
                     const struct cycle *cycle)
{
    unsigned seen = 0;
    int128 sum = 0;
    for (size_t i = 0; i < cycle->length; i++) {
        size_t s = cycle->threads[i], t = cycle->threads[(i + 1) % cycle->length];
        if (s >= c->count || seen & 1u << s || !has_edge(c, with_itself, s, t))
            return false;
        seen |= 1u << s;
        sum += edge(c, added, s, t);
    }
    return sum < 0;
}

/* Whether one was found. */
static bool find(const struct constraints *c, csy_fraction added, bool with_itself)
{
    struct cycle cycle;
    csy_error error;
    ck_ok(cycle_find(c, added, with_itself, &cycle, &error), error);
    bool found = cycle.length > 0;
    ck_assert(!found || is_proof(c, added, with_itself, &cycle));
    cycle_fini(&cycle);
    return found;
}

START_TEST(cycles_are_found_where_they_are)
{
    int found = 0;
    for (int trial = 0; trial < trials_of(6000); trial++) {
        struct random r = random_trial((uint64_t)trial);
        csy_fraction added;
        bool with_itself = random_chance(&r, 50);
        struct constraints c = graph_draw(&r, 6, (int)random_between(&r, 10, 80), -9, 20);
        ck_assert(fraction_make(random_between(&r, 0, 12), random_between(&r, 1, 5), &added));
        for (size_t t = 0; t < c.count; t++)
            if (random_chance(&r, 20))
                graph_set(&c, t, t, random_between(&r, -3, 9));
        bool want = has_negative(&c, added, with_itself);
        if (find(&c, added, with_itself) != want)
            ck_abort_msg("trial %d: expected a cycle: %d", trial, want);
        found += want;
        constraints_fini(&c);
    }
    ck_assert_of_trials(found > trials_of(1000) && found < trials_of(5000));
}
END_TEST

/* A cycle of 7 edges that sums to -10: 10/7 an edge makes it good, a little less does not. */
START_TEST(fractions_are_exact)
{
    struct constraints c = graph_new(7);
    for (size_t t = 0; t < 7; t++)
        graph_set(&c, t, (t + 1) % 7, t == 3 ? -4 : -1);
    ck_assert(find(&c, (csy_fraction){0, 1}, false));
    ck_assert(!find(&c, (csy_fraction){10, 7}, false));
    ck_assert(find(&c, (csy_fraction){9999999, 7000000}, false));
    ck_assert(!find(&c, (csy_fraction){10000001, 7000000}, false));
    ck_assert(find(&c, (csy_fraction){1, 1}, false));
    ck_assert(!find(&c, (csy_fraction){2, 1}, false));
    constraints_fini(&c);
}
END_TEST

START_TEST(loops_count_where_they_are_asked_for)
{
    struct cycle cycle;
    csy_error error;
    struct constraints c = graph_new(3);
    graph_set(&c, 0, 1, -5);
    graph_set(&c, 1, 2, -5);
    graph_set(&c, 2, 2, -1);
    ck_assert(!find(&c, (csy_fraction){0, 1}, false));
    ck_ok(cycle_find(&c, (csy_fraction){0, 1}, true, &cycle, &error), error);
    ck_assert_uint_eq(cycle.length, 1);
    ck_assert_uint_eq(cycle.threads[0], 2);
    cycle_fini(&cycle);
    cycle_fini(&cycle);
    ck_assert(find(&c, (csy_fraction){999, 1000}, true));
    ck_assert(!find(&c, (csy_fraction){1, 1}, true));
    constraints_fini(&c);
}
END_TEST

/* The same graph gives the same cycle. */
START_TEST(searches_repeat)
{
    struct random r = random_trial(9999);
    struct cycle a, b;
    csy_error error;
    struct constraints c = graph_draw(&r, THREADS_MAX, 90, -9, 9);
    ck_ok(cycle_find(&c, (csy_fraction){0, 1}, false, &a, &error), error);
    ck_ok(cycle_find(&c, (csy_fraction){0, 1}, false, &b, &error), error);
    ck_assert_uint_gt(a.length, 0);
    ck_assert_uint_eq(a.length, b.length);
    ck_assert_mem_eq(a.threads, b.threads, a.length * sizeof *a.threads);
    cycle_fini(&a);
    cycle_fini(&b);
    constraints_fini(&c);
}
END_TEST

int main(void)
{
    TCase *tests = unit_begin("cycle");
    tcase_add_test(tests, cycles_are_found_where_they_are);
    tcase_add_test(tests, fractions_are_exact);
    tcase_add_test(tests, loops_count_where_they_are_asked_for);
    tcase_add_test(tests, searches_repeat);
    return unit_run();
}
