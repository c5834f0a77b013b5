/* The simulator's parts: event queue, memory, truth, trace buffer, workloads. */
#include "simulator/cluster/seconds.h"
#include "simulator/cluster/wires.h"
#include "simulator/memory.h"
#include "simulator/queue.h"
#include "simulator/slots.h"
#include "simulator/workloads.h"
#include "support.h"

#include <float.h>
#include <stdlib.h>
#include <unistd.h>

enum { ACTORS = 40, TRIALS = 200, STEPS = 400 };

/* The actor that a queue of those moments must give next: the least, and of equals the first
 * set. */
static size_t expected(const int64_t *times, const uint64_t *turns)
{
    size_t best = ACTORS;
    for (size_t i = 0; i < ACTORS; i++)
        if (times[i] != NEVER && (best == ACTORS || times[i] < times[best] ||
                                  (times[i] == times[best] && turns[i] < turns[best])))
            best = i;
    return best;
}

START_TEST(the_queue_gives_the_earliest)
{
    struct random r = random_trial((uint64_t)_i);
    int64_t times[ACTORS];
    uint64_t turns[ACTORS] = {0};
    struct queue queue;
    ck_assert(queue_init(&queue, ACTORS));
    for (size_t i = 0; i < ACTORS; i++)
        times[i] = NEVER;
    for (uint64_t step = 1; step < STEPS; step++) {
        size_t actor = (size_t)random_between(&r, 0, ACTORS - 1), next = expected(times, turns);
        ck_assert_int_eq(queue_least(&queue), next == ACTORS ? NEVER : times[next]);
        if (random_chance(&r, 60)) {
            times[actor] = random_between(&r, 0, 50);
            turns[actor] = step;
            queue_set(&queue, actor, times[actor]);
        } else if (random_chance(&r, 40)) {
            ck_assert_int_eq(queue_cancel(&queue, actor), times[actor]);
            times[actor] = NEVER;
        } else if (next != ACTORS) {
            ck_assert_uint_eq(queue_pop(&queue), next);
            times[next] = NEVER;
        }
    }
    queue_fini(&queue);
}
END_TEST

START_TEST(memory_moves_eight_bytes_a_cycle)
{
    struct memory memory = {.ncells = 2};
    struct mfc mfc = {0};
    for (unsigned i = 0; i < MFC_COMMANDS; i++) {
        ck_assert_int_eq(mfc_room_at(&mfc, 1000), 1000);
        mfc_issue(&mfc, &memory, 0, 16384, i % 2, 1000);
    }
    /* One port behind two memories: 16 times 2048 cycles; the last page is the other Cell's. */
    ck_assert_int_eq(mfc.tag_done_at[0], 1000 + 15 * 2048 + DMA_LATENCY);
    ck_assert_int_eq(mfc.tag_done_at[1],
                     1000 + 16 * 2048 + DMA_LATENCY + LINE_OTHER_CELL - LINE_SAME_CELL);
    ck_assert_int_eq(mfc_room_at(&mfc, 1000), 1000 + 2048 + DMA_LATENCY);
    ck_assert_int_eq(mfc_room_at(&mfc, 1 << 20), 1 << 20);
}
END_TEST

START_TEST(mailboxes_are_as_deep_as_they_are)
{
    struct mailbox in = {0, IN_MAILBOX_DEPTH}, out = {0, 1};
    for (int i = 0; i < 4; i++)
        ck_assert(mailbox_put(&in));
    ck_assert(!mailbox_put(&in));
    ck_assert(mailbox_put(&out));
    ck_assert(!mailbox_put(&out));
    ck_assert(mailbox_take(&out));
    ck_assert(!mailbox_take(&out));
}
END_TEST

/* pex(5), Live intervals: `IN r r OUT r r IN r OUT r r` is six intervals. */
START_TEST(truth_cuts_live_intervals)
{
    static const char script[] = "IrrOrrIrOrr";
    static const uint64_t firsts[] = {1, 4, 5, 7, 9, 10}, counts[] = {2, 1, 1, 1, 1, 1};
    struct truth truth;
    ck_assert(truth_init(&truth, 2));
    for (uint32_t i = 0; script[i]; i++) {
        if (script[i] == 'r')
            truth_record(&truth, 2, 5, i, 100 - i, NULL, 1000 + i);
        else
            truth_switch(&truth, 2, script[i] == 'I');
    }
    ck_assert_uint_eq(truth.count, 6);
    for (uint32_t i = 0; i < 6; i++) {
        ck_assert_uint_eq(truth.rows[i].ordinal, i + 1);
        ck_assert_uint_eq(truth.rows[i].first_record, firsts[i]);
        ck_assert_uint_eq(truth.rows[i].records, counts[i]);
        ck_assert_int_eq(truth.rows[i].first_ticks, 1000 + (int64_t)firsts[i]);
        ck_assert_uint_eq(truth.rows[i].decr_first, 100 - firsts[i]);
    }
    truth_fini(&truth);
}
END_TEST

/* pex(5), Live intervals: what comes before the first IN belongs with what follows it. */
START_TEST(truth_keeps_a_late_first_in)
{
    struct truth truth;
    ck_assert(truth_init(&truth, 1));
    truth_record(&truth, 1, 0, 0, 7, NULL, 1);
    truth_switch(&truth, 1, true);
    truth_record(&truth, 1, 0, 2, 6, NULL, 2);
    ck_assert_uint_eq(truth.count, 1);
    ck_assert_uint_eq(truth.rows[0].records, 2);
    truth_fini(&truth);
}
END_TEST

/* The nearest double, as a processor that rounds once divides. */
START_TEST(seconds_are_the_nearest_doubles)
{
    struct random r = random_trial((uint64_t)_i);
    for (int step = 0; step < STEPS; step++) {
        int64_t hz = step % 2 ? machines[step % MACHINES].timebase_hz
                              : random_between(&r, 1, INT64_C(1) << random_between(&r, 0, 52));
        int64_t ticks = random_between(&r, 0, INT64_C(1) << random_between(&r, 0, 53));
        uint64_t bits = seconds_bits(ticks, hz);
        double found;
        memcpy(&found, &bits, sizeof found);
        volatile double want = (double)ticks / (double)hz; /* where it is rounded once: */
        if (FLT_EVAL_METHOD == 0)
            ck_assert_double_eq(found, want);
        ck_assert(found >= want - want * 0x1p-52 && found <= want + want * 0x1p-52);
    }
    ck_assert_uint_eq(seconds_bits(0, 7), 0);
    ck_assert_uint_eq(seconds_bits(1, 1), UINT64_C(0x3ff0000000000000));
    ck_assert_uint_eq(seconds_bits(INT64_MAX, 1), UINT64_C(0x43e0000000000000));
    ck_assert_uint_eq(seconds_bits(1, 3), UINT64_C(0x3fd5555555555555));
}
END_TEST

/* [DBK09], Table 2, at 3.2 GHz; a node of QS22s is a tri-blade. */
START_TEST(wires_are_those_of_the_paper)
{
    const struct machine *qs22 = &machines[MACHINE_QS22];
    ck_assert_int_eq(wire_latency(qs22, SAME_CELL), 870);
    ck_assert_int_eq(wire_latency(qs22, SAME_NODE), 2640);
    ck_assert_int_eq(wire_latency(qs22, OTHER_NODE), 37667);
    ck_assert_int_eq(wire_transfer(qs22, SAME_CELL, 229942), 32000);
    ck_assert_int_eq(wire_transfer(qs22, SAME_NODE, 42813), 32000);
    ck_assert_int_eq(wire_transfer(qs22, OTHER_NODE, 1612), 32000);
    ck_assert_uint_eq(places_node_spes(qs22), 32);
    ck_assert_uint_eq(places_node_spes(&machines[MACHINE_PS3]), 6);
    struct places places = places_make(8, 32), odd = places_make(2, 11);
    ck_assert_uint_eq(places.ranks, 256);
    ck_assert_int_eq(places_distance(&places, 0, 7), SAME_CELL);
    ck_assert_int_eq(places_distance(&places, 7, 8), SAME_NODE);
    ck_assert_int_eq(places_distance(&places, 31, 32), OTHER_NODE);
    ck_assert_uint_eq(places_cell(&places, 255), 31);
    ck_assert_int_eq(places_distance(&odd, 8, 10), SAME_CELL);
    ck_assert_int_eq(places_distance(&odd, 10, 11), OTHER_NODE);
    ck_assert_uint_eq(places_cell(&odd, 11), 2);
}
END_TEST

static const struct clock_range ranges[] = {
    {0, 0}, {50000, 0}, {100000, 20000}, {3000, 900000}, {CLOCK_DRIFT_MAX_PPB - 1, 399999999}};

/* A clock shows x from its true time of x on, until that of x + 1; and gains what it says. */
START_TEST(clocks_show_what_is_true)
{
    struct random r = random_trial((uint64_t)_i);
    struct rng rng = {(uint64_t)_i};
    const struct machine *machine = &machines[_i % MACHINES];
    struct clock_range range = ranges[(size_t)_i % (sizeof ranges / sizeof *ranges)];
    struct clock clock = clock_draw(&rng, range, random_between(&r, -5, INT64_C(1) << 44));
    for (int step = 0; step < STEPS; step++) {
        int64_t cycles = random_between(&r, 0, INT64_C(1) << random_between(&r, 1, 56));
        int64_t shown = clock_read(&clock, machine, cycles);
        int128 now = (int128)cycles * machine->timebase_hz * CLOCK_NANO;
        ck_assert(clock_true_nano(&clock, shown) * machine->cpu_hz <= now);
        ck_assert(clock_true_nano(&clock, shown + 1) * machine->cpu_hz > now);
        int64_t rate = clock_rate_ppb(&clock, shown), kink = clock_next_kink(&clock, shown);
        ck_assert_int_le(llabs(rate), range.drift_ppb);
        ck_assert_int_le(llabs(rate - clock.rate_ppb), range.wander_ppb);
        ck_assert_int_gt(kink, shown);
        int64_t ticks = kink == INT64_MAX ? 1000000 : kink - shown;
        ck_assert(clock_true_nano(&clock, shown + ticks) - clock_true_nano(&clock, shown) ==
                  (int128)ticks * (CLOCK_NANO + rate));
    }
}
END_TEST

static const char written[] = "test_pdtsim.trace";

static struct slots slots_of(struct sink *sink, struct truth *truth)
{
    static const struct tracing tracing;
    return (struct slots){.machine = &machines[0],
                          .tracing = &tracing,
                          .sink = sink,
                          .truth = truth,
                          .level = LEVEL_STALLS,
                          .timebase = 1000,
                          .holder = -1};
}

static struct writer spe_writer(uint32_t context, uint32_t spe)
{
    return (struct writer){context, context, spe, 5000, (int)(spe / CELL_SPES), NULL, 0, 0, 1, 0};
}

START_TEST(slots_are_taken_in_turn)
{
    struct sink *sink;
    struct truth truth;
    csy_error error;
    ck_ok(sink_open(written, false, &sink, &error), error);
    ck_assert(truth_init(&truth, 3));
    struct slots slots = slots_of(sink, &truth);
    struct writer a = spe_writer(1, 0), b = spe_writer(2, 1), c = spe_writer(3, 8);
    static const uint64_t tag[] = {1};
    int64_t update = LINE_UPDATE + SPE_STAMP, at = 160000 + LINE_SAME_CELL + update;
    ck_assert_int_eq(slots_record(&slots, &a, EVENT_GET, 160000, 160000, tag),
                     160000); /* untraced */
    ck_assert_int_eq(slots_record(&slots, &a, EVENT_TAG_WAIT, 0, 160000, tag), at + SPE_RECORD);
    at += LINE_SAME_CELL + update;
    ck_assert_int_eq(slots_record(&slots, &b, EVENT_TAG_WAIT, 0, 160000, tag), at + SPE_RECORD);
    at += LINE_OTHER_CELL + update;
    ck_assert_int_eq(slots_record(&slots, &c, EVENT_TAG_WAIT, 0, 160001, tag), at + SPE_RECORD);
    at += LINE_OWN + update;
    ck_assert_int_eq(slots_record(&slots, &c, EVENT_TAG_WAIT, 0, 160002, tag), at + SPE_RECORD);
    ck_assert_uint_eq(slots.count, 4);
    ck_assert_int_eq(truth.rows[0].first_ticks, 1000 + 719);
    sink_close(sink);
    ck_assert_int_ne(access(written, F_OK), 0);
    truth_fini(&truth);
}
END_TEST

/* A record of an SPE, byte by byte: begin at tick 0, stamped at tick 719, on a decrementer that
 * showed 5000 when the timebase was 0. */
START_TEST(slots_write_the_format)
{
    static const uint8_t want[] = {0,    32,   1, 1,    3,    2, 0, 1,    0,    0, 0,
                                   9,    0,    0, 0x13, 0x80, 0, 0, 0x0c, 0xd1, 0, 0,
                                   0x0f, 0xa0, 0, 0,    0,    0, 0, 0,    0,    6};
    static const uint64_t tag[] = {6};
    uint8_t found[sizeof want + 1];
    struct sink *sink;
    struct truth truth;
    csy_error error;
    ck_ok(sink_open(written, false, &sink, &error), error);
    ck_assert(truth_init(&truth, 9));
    struct slots slots = slots_of(sink, &truth);
    struct writer writer = spe_writer(9, 0);
    slots_record(&slots, &writer, EVENT_TAG_WAIT, 0, 160000, tag);
    ck_ok(sink_finish(sink, &error), error);
    ck_ok(sink_publish(sink, &error), error);
    sink_close(sink);
    FILE *file = fopen(written, "rb");
    ck_assert_ptr_nonnull(file);
    ck_assert_uint_eq(fread(found, 1, sizeof found, file), sizeof want);
    fclose(file);
    unlink(written);
    ck_assert_mem_eq(found, want, sizeof want);
    truth_fini(&truth);
}
END_TEST

START_TEST(stamps_are_as_imprecise_as_is_said)
{
    struct sink *sink;
    struct truth truth;
    csy_error error;
    ck_ok(sink_open(written, false, &sink, &error), error);
    ck_assert(truth_init(&truth, 16));
    struct slots slots = slots_of(sink, &truth);
    slots.jitter_ticks = 3;
    slots.late_percent = 100;
    static const uint64_t none[PAYLOAD_MAX] = {0};
    for (uint32_t i = 1; i <= 16; i++) { /* all at once: the last waits longest */
        struct writer writer = spe_writer(i, i - 1);
        slots_record(&slots, &writer, EVENT_SPE_ENTRY, 0, 160000, none);
        ck_assert_int_le(llabs(truth.rows[i - 1].first_ticks - 1715), 3);
    }
    int64_t last = 160000 + 15 * LINE_SAME_CELL + LINE_OTHER_CELL + 16 * (LINE_UPDATE + SPE_STAMP);
    ck_assert_int_eq(slots_imprecision_twice(&slots),
                     6 + machine_ticks(slots.machine, last) - machine_ticks(slots.machine, 160000));
    sink_close(sink);
    truth_fini(&truth);
}
END_TEST

START_TEST(workloads_are_named)
{
    static const char *const refused[][2] = {
        {"fft", "--workload: 'fft': expected one of fft16m, blackscholes, juliaset, matrix_mul, "
                "oversubscribed, halo, synthetic, sweep3d, md, lb, pingpong; did you mean fft16m?"},
        {"mandelbrot:blocks=1",
         "--workload: 'mandelbrot:blocks=1': expected one of fft16m, blackscholes, "
         "juliaset, matrix_mul, oversubscribed, halo, synthetic, sweep3d, md, lb, pingpong"},
        {"juliaset:blocks=1", "--workload: juliaset accepts no parameters; only halo, synthetic, "
                              "and workloads of clusters do"},
        {"synthetic:block=1",
         "--workload: 'block=1': expected one of blocks, bytes, compute, spread, "
         "hold; did you mean blocks?"},
        {"synthetic:=1", "--workload: '=1': expected one of blocks, bytes, compute, spread, hold"},
        {"synthetic:bytes=8", "--workload: bytes must be a whole number from 16 to 16384, not '8'"},
        {"synthetic:hold", "--workload: hold must be a whole number from 0 to 4294967296, not ''"},
    };
    struct workload workload;
    csy_error error;
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++)
        ck_refused(workload_parse(refused[i][0], &workload, &error), CSY_USAGE, error,
                   refused[i][1]);
    ck_ok(workload_parse("synthetic:bytes=128,spread=7,blocks=9", &workload, &error), error);
    ck_assert_int_eq(workload.spe[4].a, 9);
    ck_assert_int_eq(workload.spe[6].a, 128);
    ck_assert_int_eq(workload.spe[8].b, 7);
    ck_assert_int_eq(workload.spe[9].a, 128);
}
END_TEST

int main(void)
{
    TCase *tests = unit_begin("pdtsim");
    tcase_add_loop_test(tests, the_queue_gives_the_earliest, 0, trials_of(TRIALS));
    tcase_add_test(tests, memory_moves_eight_bytes_a_cycle);
    tcase_add_test(tests, mailboxes_are_as_deep_as_they_are);
    tcase_add_test(tests, truth_cuts_live_intervals);
    tcase_add_test(tests, truth_keeps_a_late_first_in);
    tcase_add_loop_test(tests, clocks_show_what_is_true, 0, trials_of(TRIALS));
    tcase_add_loop_test(tests, seconds_are_the_nearest_doubles, 0, 10);
    tcase_add_test(tests, wires_are_those_of_the_paper);
    tcase_add_test(tests, slots_are_taken_in_turn);
    tcase_add_test(tests, slots_write_the_format);
    tcase_add_test(tests, stamps_are_as_imprecise_as_is_said);
    tcase_add_test(tests, workloads_are_named);
    return unit_run();
}
