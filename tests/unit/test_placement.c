/* sync/placement and clock/global: where events and the begins of intervals are in global time,
 * held against sums without an end of 64 bits, and against the times of whole solutions. */
#include "sync/placement.h"

#include "clock/timeline.h"
#include "support.h"

#include <string.h>

enum { THREADS = 4, EVENTS = 300 };

/* What fits below 2^60 either side, so that no sum here leaves 64 bits. */
static int64_t draw_ticks(struct random *r)
{
    int64_t most = (int64_t)1 << random_between(r, 1, 60);
    return random_between(r, -most, most);
}

START_TEST(there_and_back)
{
    for (int trial = 0; trial < trials_of(2000); trial++) {
        struct random r = random_trial((uint64_t)trial);
        int64_t offset = (int64_t)random_bits(&r), local = (int64_t)random_bits(&r);
        int128 global = placement_global(offset, local);
        ck_assert(global == (int128)offset + local);
        if (fits_int64(global))
            ck_assert(placement_local(offset, (int64_t)global) == local);
    }
}
END_TEST

static struct record draw_record(struct random *r, int64_t local)
{
    struct record record = {.spe = random_chance(r, 50), .interval = random_chance(r, 70)};
    record.stamp = record.spe ? (uint32_t)random_bits(r) : (uint64_t)local;
    record.begin = record.spe ? (uint32_t)random_bits(r) : (uint64_t)draw_ticks(r);
    return record;
}

/* An interval is as long in global time as by its clock; what is none begins where it is. */
START_TEST(begins_of_records)
{
    for (int trial = 0; trial < trials_of(2000); trial++) {
        struct random r = random_trial((uint64_t)trial);
        int64_t local = draw_ticks(&r), global = draw_ticks(&r), begin, global_begin;
        struct record record = draw_record(&r, local);
        placement_begins(&record, false, local, global, &begin, &global_begin);
        ck_assert((int128)global - global_begin == (int128)local - begin);
        if (!record.interval)
            ck_assert(begin == local && global_begin == global);
        else if (!record.spe)
            ck_assert(begin == (int64_t)record.begin);
        else
            ck_assert(begin == local - record_interval_ticks(&record));
        ck_assert(!record.interval ||
                  global_begin == (int64_t)placement_begin(&record, global, local));
    }
}
END_TEST

/* Stamps of a synchronized trace are global ones already. */
START_TEST(begins_of_records_with_global_stamps)
{
    for (int trial = 0; trial < trials_of(500); trial++) {
        struct random r = random_trial((uint64_t)trial);
        int64_t local = draw_ticks(&r), global = draw_ticks(&r), begin, global_begin;
        struct record record = {.spe = random_chance(&r, 50),
                                .interval = true,
                                .stamp = (uint64_t)global,
                                .begin = (uint64_t)draw_ticks(&r)};
        placement_begins(&record, true, local, global, &begin, &global_begin);
        ck_assert(global_begin == (int64_t)record.begin);
        ck_assert((int128)global - global_begin == (int128)local - begin);
    }
}
END_TEST

START_TEST(garbage_wraps)
{
    int64_t begin, global_begin;
    struct record record = {.interval = true, .stamp = 5, .begin = UINT64_MAX};
    placement_begins(&record, false, 5, INT64_MAX, &begin, &global_begin);
    ck_assert_int_eq(begin, -1);
    ck_assert_int_eq(global_begin, INT64_MAX - 6);
}
END_TEST

/* A trace of a few threads in a random order, their clocks far apart. */
static csy_trace *draw_trace(struct random *r)
{
    static const char *const names[THREADS] = {"a", "b", "c", "d"};
    csy_error error;
    csy_trace *trace;
    int64_t ahead[THREADS], now = 0;
    size_t threads[THREADS];
    ck_ok(csy_trace_new("drawn", 1000000, &trace, &error), error);
    for (size_t t = 0; t < THREADS; t++) {
        ahead[t] = random_between(r, -1000000, 1000000);
        ck_ok(csy_trace_add_thread(trace, names[t], NULL, &threads[t], &error), error);
    }
    for (size_t i = 0; i < EVENTS; i++) {
        size_t t = (size_t)random_between(r, 0, THREADS - 1);
        now += random_between(r, 0, 20);
        csy_new_event event = {.thread = threads[t],
                               .time_ticks = now + ahead[t] + random_between(r, -30, 30)};
        ck_ok(csy_trace_add(trace, &event, 1, &error), error);
    }
    return trace;
}

/* Every event of the trace by placement_next, against offsets alone. */
static void compare(csy_trace *trace, const csy_sync *sync)
{
    csy_error error;
    struct timeline timeline;
    struct placement placement;
    struct event event;
    bool more;
    int64_t greatest = INT64_MIN, global;
    struct timeline_rules rules = timeline_default_rules(trace);
    ck_ok(timeline_init(&timeline, trace, &rules, NULL, &error), error);
    placement_init(&placement, sync);
    for (;;) {
        ck_ok(timeline_next(&timeline, &event, &more, &error), error);
        if (!more)
            break;
        ck_ok(placement_next(&placement, &event, &global, &error), error);
        if (placement_moves_threads(sync)) {
            int128 alone = placement_of(sync, event.thread, event.local_ticks);
            ck_assert(global == (sync->monotonic && alone < greatest ? greatest : alone));
        } else {
            ck_assert(global >= greatest);
        }
        greatest = global > greatest ? global : greatest;
    }
    placement_fini(&placement);
    timeline_fini(&timeline);
}

START_TEST(every_event)
{
    static const csy_method methods[] = {CSY_METHOD_BHH, CSY_METHOD_BHH, CSY_METHOD_LSQ,
                                         CSY_METHOD_LAMPORT, CSY_METHOD_LAMPORT_CLOCK};
    for (int trial = 0; trial < trials_of(100); trial++) {
        struct random r = random_trial((uint64_t)trial);
        csy_trace *trace = draw_trace(&r);
        for (size_t i = 0; i < sizeof methods / sizeof *methods; i++) {
            csy_error error;
            csy_sync *sync;
            csy_options options = options_default;
            options.method = methods[i];
            options.monotonic = i == 1;
            ck_ok(csy_trace_synchronize(trace, &options, &sync, &error), error);
            ck_assert(placement_moves_threads(sync) == (i < 3));
            compare(trace, sync);
            csy_sync_free(sync);
        }
        csy_trace_free(trace);
    }
}
END_TEST

/* A thread that the solution does not know; a begin that leaves 64 bits. */
START_TEST(what_is_refused)
{
    struct random r = random_trial(1);
    csy_error error;
    csy_sync *sync;
    struct placement placement;
    int64_t ticks = 7;
    csy_trace *trace = draw_trace(&r);
    ck_ok(csy_trace_synchronize(trace, NULL, &sync, &error), error);
    placement_init(&placement, sync);
    struct event event = {.thread = THREADS, .place = 3};
    ck_assert_int_eq(placement_next(&placement, &event, &ticks, &error), CSY_IO);
    csy_event placed = {.global_ticks = INT64_MIN + 10};
    bool interval;
    event.stamp = (struct named_stamp){.time_ticks = 10, .begin_ticks = 0, .interval = true};
    ck_ok(placement_event_begin(sync, &event, &placed, &interval, &ticks, &error), error);
    ck_assert(interval && ticks == INT64_MIN);
    placed.global_ticks--;
    ck_refused(placement_event_begin(sync, &event, &placed, &interval, &ticks, &error), CSY_INPUT,
               error, "drawn: event 3: the global time of the begin does not fit 64 bits");
    placement_fini(&placement);
    csy_sync_free(sync);
    csy_trace_free(trace);
}
END_TEST

/* Lamport's clocks: counters, and clocks that local time advances. */

static int64_t next(struct lamport *l, uint32_t thread, int64_t local)
{
    int64_t global;
    csy_error error;
    ck_ok(lamport_next(l, thread, local, &global, &error), error);
    return global;
}

START_TEST(counters_count)
{
    struct lamport l;
    lamport_init(&l, true, 0);
    ck_assert_int_eq(next(&l, 1, 500), 0);
    ck_assert_int_eq(next(&l, 0, -3), 1);
    ck_assert_int_eq(next(&l, 1, 900), 2);
    ck_assert_int_eq(next(&l, 1, 100), 3);
    lamport_fini(&l);
}
END_TEST

START_TEST(clocks_advance_and_are_pushed)
{
    struct lamport l;
    lamport_init(&l, false, 1000);
    ck_assert_int_eq(next(&l, 0, 70), 1000);
    ck_assert_int_eq(next(&l, 1, -9), 1001); /* whatever its clock says */
    ck_assert_int_eq(next(&l, 0, 90), 1020); /* its own clock */
    ck_assert_int_eq(next(&l, 1, 0), 1021);  /* pushed, by 11 */
    ck_assert_int_eq(next(&l, 1, 5), 1026);  /* and stays so */
    ck_assert_int_eq(next(&l, 0, 80), 1027); /* a step back is pushed, too */
    ck_assert_int_eq(next(&l, 0, 80), 1028);
    ck_assert(l.threads[0].offset == 930 && l.threads[1].offset == 1010);
    lamport_fini(&l);
}
END_TEST

START_TEST(sums_do_not_wrap)
{
    struct lamport l;
    int64_t global = 5;
    csy_error error;
    lamport_init(&l, false, INT64_MAX - 1);
    ck_assert_int_eq(next(&l, 0, 0), INT64_MAX - 1);
    ck_assert_int_eq(next(&l, 0, 0), INT64_MAX);
    ck_refused(lamport_next(&l, 1, 0, &global, &error), CSY_INPUT, error,
               "global times do not fit 64 bits");
    lamport_fini(&l);
    lamport_init(&l, false, 1);
    ck_assert_int_eq(next(&l, 0, INT64_MIN), 1);
    ck_refused(lamport_next(&l, 0, INT64_MAX, &global, &error), CSY_INPUT, error,
               "global times do not fit 64 bits");
    ck_assert_int_eq(global, 5);
    lamport_fini(&l);
}
END_TEST

int main(void)
{
    TCase *tests = unit_begin("placement");
    tcase_add_test(tests, there_and_back);
    tcase_add_test(tests, begins_of_records);
    tcase_add_test(tests, begins_of_records_with_global_stamps);
    tcase_add_test(tests, garbage_wraps);
    tcase_add_test(tests, every_event);
    tcase_add_test(tests, what_is_refused);
    tcase_add_test(tests, counters_count);
    tcase_add_test(tests, clocks_advance_and_are_pushed);
    tcase_add_test(tests, sums_do_not_wrap);
    return unit_run();
}
