/*
 * From bytes to offsets: random traces of which the truth is known.  Contexts are switched in and
 * out, decrementers wrap, everything sleeps for many wraps now and then; the bounds contain the
 * truth and, where nothing had to be assumed, every record stands where it really was.
 */
#include "base/error.h"
#include "base/memory.h"
#include "graph/kernels.h"
#include "swept.h"
#include "sync/pipeline/pipeline.h"
#include "truth.h"

#define WRAP ((int64_t)1 << 32)

enum { CONTEXTS = 5 };

/* Where contexts are while a truth is drawn. */
struct world {
    struct random *r;
    int64_t now, jitter;
    int64_t zero[CONTEXTS]; /* when the decrementer reads 0 */
    int stay[CONTEXTS], stays;
    bool in[CONTEXTS];
    bool mute; /* without PPE records, and so without switches */
};

static int64_t read_clock(struct world *world)
{
    return world->now + random_between(world->r, -world->jitter, world->jitter);
}

static void speak(struct truth *truth, struct world *world, uint32_t c)
{
    bool switches = !world->in[c] || random_chance(world->r, world->mute ? 0 : 4);
    if (switches) {
        world->in[c] = !world->in[c];
        world->stay[c] = world->stays++;
        world->zero[c] = world->now + (int64_t)(random_bits(world->r) >> 32);
    }
    int64_t stamp = read_clock(world);
    if (switches && !world->mute)
        truth_switched(truth, world->in[c], c, stamp);
    else
        truth_spe(truth, c, stamp, world->zero[c], world->stay[c]);
}

static void speak_ppe(struct truth *truth, struct world *world)
{
    if (!world->mute)
        truth_ppe(truth, read_clock(world));
}

/* sleeps: in per cent of the records; silence: how often the PPE says nothing around them. */
static void draw_truth(struct random *r, struct truth *truth, int64_t jitter, int sleeps,
                       int silence, bool mute)
{
    struct world world = {
        .r = r, .now = random_between(r, 1, 9) * WRAP, .jitter = jitter, .mute = mute};
    size_t n = (size_t)random_between(r, 10, TRUTH_RECORDS - 5);
    int ppe = (int)random_between(r, 5, 40);
    truth_begin(truth);
    while (truth->n < n) {
        world.now += random_between(r, 0, 40);
        if (random_chance(r, sleeps)) {
            if (!random_chance(r, silence))
                speak_ppe(truth, &world);
            world.now += random_between(r, 0, 20 * WRAP);
            if (!random_chance(r, silence))
                speak_ppe(truth, &world);
        } else if (random_chance(r, ppe)) {
            speak_ppe(truth, &world);
        } else {
            speak(truth, &world, (uint32_t)random_between(r, 0, CONTEXTS - 1));
        }
    }
    speak_ppe(truth, &world);
}

/* Solve a truth and compare; returns whether it is known to be exact. */
static bool compare(const struct truth *truth, const csy_options *options, int trial)
{
    struct solved solved = truth_solve(truth, options);
    const csy_clock_report *clock = csy_sync_clock_report(solved.sync);
    bool exact = clock->assumed == 0;
    ck_assert_uint_eq(csy_sync_records(solved.sync), truth->n);
    ck_assert_uint_eq(clock->lost_ins + clock->lost_outs + clock->stragglers, 0);
    if (exact) {
        truth_assert_places(truth, &solved, false, trial);
        truth_assert_bounds(truth, &solved, trial);
    }
    solved_free(&solved);
    return exact;
}

START_TEST(exact_clocks_that_sleep)
{
    csy_options options;
    int exact = 0;
    options = options_default;
    for (int trial = 0; trial < trials_of(200); trial++) {
        struct random r = random_trial((uint64_t)trial);
        struct truth truth;
        int sleeps = (int)random_between(&r, 0, 10), silence = (int)random_between(&r, 0, 3) * 10;
        draw_truth(&r, &truth, 0, sleeps, silence, false);
        options.relax = random_chance(&r, 50) ? CSY_RELAX_NONE : CSY_RELAX_EXACT;
        exact += compare(&truth, &options, trial);
        buffer_free(&truth.file);
    }
    ck_assert_int_gt(exact, trials_of(60));
}
END_TEST

/* Strict unwrapping is right even where the PPE was silent through whole wraps. */
START_TEST(strict_answers_are_sound)
{
    csy_options options;
    options = options_default;
    options.unwrap = CSY_UNWRAP_STRICT;
    options.relax = CSY_RELAX_NONE;
    for (int trial = 0; trial < trials_of(200); trial++) {
        struct random r = random_trial(1000 + (uint64_t)trial);
        struct truth truth;
        draw_truth(&r, &truth, 0, (int)random_between(&r, 0, 15), (int)random_between(&r, 0, 100),
                   random_chance(&r, 10));
        ck_assert(compare(&truth, &options, trial));
        buffer_free(&truth.file);
    }
}
END_TEST

/* Stamps good to +-J: with delta = J the truth lies inside the bounds. */
START_TEST(imprecise_clocks)
{
    csy_options options;
    int exact = 0;
    options = options_default;
    options.relax = CSY_RELAX_GIVEN;
    for (int trial = 0; trial < trials_of(200); trial++) {
        struct random r = random_trial(2000 + (uint64_t)trial);
        struct truth truth;
        int64_t jitter = random_between(&r, 1, 200);
        draw_truth(&r, &truth, jitter, (int)random_between(&r, 0, 5), 0, false);
        options.delta = (csy_fraction){jitter, 1};
        options.engine = random_chance(&r, 50) ? CSY_ENGINE_SWEEP : CSY_ENGINE_DENSE;
        options.unwrap = random_chance(&r, 50) ? CSY_UNWRAP_STRICT : CSY_UNWRAP_ASSUME;
        exact += compare(&truth, &options, trial);
        buffer_free(&truth.file);
    }
    ck_assert_int_gt(exact, trials_of(60));
}
END_TEST

/* What the engines cost, as it is predicted from first and last records, against a sweep. */

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
    TCase *tests = unit_begin("pipeline");
    tcase_add_test(tests, exact_clocks_that_sleep);
    tcase_add_test(tests, strict_answers_are_sound);
    tcase_add_test(tests, imprecise_clocks);
    tcase_add_test(tests, the_sweep_does_as_predicted);
    tcase_add_test(tests, dense_where_all_are_live);
    tcase_add_test(tests, the_limit_is_said);
    return unit_run();
}
