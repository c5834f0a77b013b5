/* Advice: its figures, and that a run with the records that it asks for has the bounds that it
 * promises, whatever the true offset is. */
#include "support.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { RECORDS_MAX = 200, EVENTS_MAX = 20 };

/* A record of one of two threads, P and Q, at its true instant, which P's clock shows. */
struct made {
    int64_t instant_ticks;
    bool q;
};

struct run {
    struct made records[RECORDS_MAX];
    size_t count;
    int64_t offset_ticks; /* Q's clock shows so much less */
};

static int by_instant(const void *a, const void *b)
{
    const struct made *x = a, *y = b;
    return (x->instant_ticks > y->instant_ticks) - (x->instant_ticks < y->instant_ticks);
}

static void add(struct run *run, int64_t instant_ticks, bool q)
{
    ck_assert_uint_lt(run->count, RECORDS_MAX);
    run->records[run->count++] = (struct made){instant_ticks, q};
}

/* The run in the order of its buffer, solved. */
static csy_sync *solve(struct run *run, uint64_t events, csy_trace **trace)
{
    struct buffer text = {0};
    char row[64], path[32];
    csy_error error;
    csy_sync *sync;
    csy_options options = options_default;
    options.reference = "P";
    options.advise = events;
    qsort(run->records, run->count, sizeof *run->records, by_instant);
    buffer_text(&text, "thread,time\n");
    for (size_t i = 0; i < run->count; i++) {
        const struct made *made = &run->records[i];
        snprintf(row, sizeof row, "%s,%" PRId64 "\n", made->q ? "Q" : "P",
                 made->instant_ticks - (made->q ? run->offset_ticks : 0));
        buffer_text(&text, row);
    }
    int fd = file_of(text.bytes, text.size);
    snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    ck_ok(csy_trace_open(path, NULL, trace, &error), error);
    close(fd);
    ck_ok(csy_trace_synchronize(*trace, &options, &sync, &error), error);
    buffer_free(&text);
    return sync;
}

static int64_t error_of(csy_sync *sync)
{
    csy_error error;
    int64_t lower, upper, width;
    size_t p = csy_sync_reference(sync);
    ck_assert_uint_eq(csy_sync_nthreads(sync), 2);
    ck_ok(csy_sync_bounds(sync, p, 1 - p, &lower, &upper, &width, &error), error);
    return upper - lower;
}

/* Records of both, a thousand apart and more. */
static struct run draw(struct random *r)
{
    struct run run = {.offset_ticks = random_between(r, -1000000, 1000000)};
    int64_t now = 0;
    size_t n = (size_t)random_between(r, 4, 40);
    add(&run, now, false);
    for (size_t i = 0; i < n; i++)
        add(&run, now += random_between(r, 1000, 100000), random_chance(r, 50));
    add(&run, now += random_between(r, 1000, 100000), true);
    add(&run, now + random_between(r, 1000, 100000), false);
    return run;
}

/* The records that were asked for, at the same instants of this run. */
static void follow(struct run *run, const csy_advised *plan, uint64_t events)
{
    for (uint64_t i = 0; i < events; i++) {
        add(run, plan->thread_ticks + (int64_t)i * plan->fine_ticks + run->offset_ticks, true);
        add(run, plan->reference_ticks + (int64_t)i * plan->coarse_ticks, false);
    }
}

START_TEST(promises_are_kept)
{
    int planned = 0;
    for (int trial = 0; trial < trials_of(200); trial++) {
        struct random r = random_trial((uint64_t)trial);
        struct run run = draw(&r);
        csy_error error;
        csy_trace *trace;
        const csy_advice *advice;
        uint64_t events = (uint64_t)random_between(&r, 1, EVENTS_MAX);
        csy_sync *sync = solve(&run, events, &trace);
        ck_ok(csy_sync_advise(sync, &advice, &error), error);
        const csy_advised plan = advice->threads[0];
        int64_t before = error_of(sync), squares = (int64_t)(events * events) + 1;
        ck_assert_uint_eq(advice->events, events);
        ck_assert_uint_eq(advice->count, 1);
        ck_assert_str_eq(csy_sync_thread(sync, plan.thread)->name, "Q");
        ck_assert_int_eq(plan.error_ticks, before);
        ck_assert_int_eq(plan.fine_ticks, (before + squares - 1) / squares);
        ck_assert_int_eq(plan.coarse_ticks, (int64_t)events * plan.fine_ticks);
        ck_assert_int_eq(plan.then_ticks, plan.room ? plan.fine_ticks : before);
        csy_sync_free(sync);
        csy_trace_free(trace);
        if (!plan.room)
            continue;
        planned++;
        follow(&run, &plan, events);
        sync = solve(&run, 0, &trace);
        ck_assert_int_le(error_of(sync), plan.then_ticks);
        ck_refused(csy_sync_advise(sync, &advice, &error), CSY_USAGE, error,
                   "no advice was requested");
        csy_sync_free(sync);
        csy_trace_free(trace);
    }
    ck_assert_int_gt(planned, 0);
}
END_TEST

int main(void)
{
    TCase *tests = unit_begin("advice");
    tcase_add_test(tests, promises_are_kept);
    return unit_run();
}
