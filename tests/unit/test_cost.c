/* What the engines cost, as it is predicted from first and last records, against a sweep. */
#include "base/error.h"
#include "base/memory.h"
#include "graph/kernels.h"
#include "swept.h"
#include "sync/pipeline/pipeline.h"

/* Each thread is eliminated when its last event has passed, tau never. */
static void draw(struct random *r, struct events *e, struct lasts *lasts, struct thread *threads)
{
    events_draw(r, e, 0);
    lasts->tau = (uint32_t)random_between(r, 0, (int64_t)e->nthreads - 1);
    for (size_t i = e->n; i-- > 0;) {
        struct thread *thread = &threads[e->thread[i]];
        if (thread->records++ == 0) {
            thread->last_record = i;
            lasts->before[e->thread[i]] = i + 1;
        }
        thread->first_record = i;
    }
    lasts->before[lasts->tau] = e->n;
}

START_TEST(the_sweep_does_as_predicted)
{
    for (int trial = 0; trial < 300; trial++) {
        struct random r = random_trial((uint64_t)trial);
        static struct events e;
        struct thread items[THREADS_MAX] = {{0}};
        struct lasts lasts;
        struct eliminations graph;
        struct sweep_cost cost;
        csy_error error;
        bool feasible;
        draw(&r, &e, &lasts, items);
        ck_ok(sweep_events(&e, &lasts, 1, &graph, &feasible, &error), error);
        ck_assert(feasible);
        struct threads threads = {.items = items, .count = e.nthreads};
        ck_ok(cost_of_sweep(&threads, lasts.tau, &cost, &error), error);
        uint64_t rows = 0, early = 0, steps = 0;
        for (size_t d = 0; d < graph.count; d++) {
            uint32_t thread = graph.items[d].thread;
            bool births = thread != lasts.tau &&
                          items[e.nthreads - 1].first_record > items[thread].last_record;
            early += births ? graph.items[d].live : 0;
            rows += graph.items[d].live;
            steps += (uint64_t)graph.items[d].live * graph.items[d].live;
        }
        ck_assert_uint_eq(cost.live_most, graph.live_most);
        ck_assert(cost.rows == rows && cost.early_rows == early && cost.steps == steps);
        eliminations_fini(&graph);
    }
}
END_TEST

START_TEST(dense_where_all_are_live)
{
    struct sweep_cost crowd = {2000, 2001000, 0, (uint128)2000 * 2001 * 4001 / 6};
    struct sweep_cost relay = {200, 200 * 20000, 0, (uint128)200 * 200 * 20000};
    bool vectors = kernel_fastest() != kernel_of(KERNEL_PORTABLE);
    ck_assert(cost_prefers_dense(&crowd, 2000) == vectors);
    ck_assert(!cost_prefers_dense(&relay, 20000));
    ck_assert(!cost_prefers_dense(&crowd, CSY_DENSE_THREADS_MAX + 1));
    csy_set_max_memory(60000000);
    ck_assert(!cost_prefers_dense(&crowd, 2000));
    csy_set_max_memory(0);
}
END_TEST

START_TEST(the_limit_is_said)
{
    csy_error error;
    csy_set_max_memory((uint64_t)100 << 20);
    ck_assert_int_eq(error_check_memory((uint128)100 << 20, "x", "it", &error), CSY_OK);
    ck_assert_int_eq(error_check_memory(((uint128)100 << 20) + 1, "x", "it", &error), CSY_MEMORY);
    ck_assert_str_eq(error.text,
                     "x: it would need 101 MiB of memory; the limit is 100 MiB (--max-memory)");
    ck_assert_int_eq(error_memory(&error), CSY_MEMORY);
    ck_assert_str_eq(
        error.text,
        "no memory: more than available, or more than the limit of 100 MiB (--max-memory)");
    csy_set_max_memory(0);
    ck_assert(memory_allows((uint128)1 << 100));
    ck_assert_int_eq(error_memory(&error), CSY_MEMORY);
    ck_assert_str_eq(error.text, "no memory");
}
END_TEST

int main(void)
{
    TCase *tests = unit_begin("cost");
    tcase_add_test(tests, the_sweep_does_as_predicted);
    tcase_add_test(tests, dense_where_all_are_live);
    tcase_add_test(tests, the_limit_is_said);
    return unit_run();
}
