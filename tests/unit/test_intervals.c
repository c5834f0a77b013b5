/* Live intervals and unwrapping, case by case.  Times are chosen so that each can be done by
 * hand. */
#include "steps.h"
#include "support.h"

#include <string.h>

#define WRAP ((int64_t)1 << 32)
#define COUNT(steps) (sizeof(steps) / sizeof *(steps))

static struct outcome run(const struct step *steps, size_t n, int64_t imprecision_ticks)
{
    struct outcome out;
    csy_error error;
    ck_ok(steps_run(steps, n, imprecision_ticks, false, &out, &error), error);
    return out;
}

static void assert_threads(const struct outcome *out, const uint32_t *want, size_t n)
{
    for (size_t i = 0; i < n; i++)
        ck_assert_msg(out->thread[i] == want[i], "step %zu: thread %u, want %u", i, out->thread[i],
                      want[i]);
}

static void assert_locals(const struct outcome *out, const int64_t *want, size_t n)
{
    for (size_t i = 0; i < n; i++)
        ck_assert_msg(out->local[i] == want[i], "step %zu: local time %lld, want %lld", i,
                      (long long)out->local[i], (long long)want[i]);
}

/* pex(5): IN r r OUT r r IN r OUT r r is six intervals, {r r} {r} {r} {r} {r} {r}. */
START_TEST(switches_make_intervals)
{
    const struct step steps[] = {IN(0, 7, 3),   SPE(7, 900), SPE(7, 890),  OUT(20, 7, 3),
                                 SPE(7, 880),   SPE(7, 870), IN(50, 7, 4), SPE(7, 860),
                                 OUT(60, 7, 4), SPE(7, 850), SPE(7, 840),  PPE(90)};
    static const uint32_t want[] = {0, 1, 1, 0, 2, 3, 0, 4, 0, 5, 6, 0};
    struct outcome out = run(steps, COUNT(steps), 100);
    ck_assert_uint_eq(out.threads.count, 7);
    assert_threads(&out, want, COUNT(want));
    ck_assert_uint_eq(out.report.stragglers, 4);
    ck_assert_uint_eq(out.report.lost_ins, 0);
    ck_assert_uint_eq(out.report.lost_outs, 0);
    ck_assert_uint_eq(out.report.contexts, 1);
    static const uint64_t spes[] = {CSY_NO_SPE, 3,          CSY_NO_SPE, CSY_NO_SPE,
                                    4,          CSY_NO_SPE, CSY_NO_SPE};
    for (size_t t = 0; t < 7; t++)
        ck_assert_uint_eq(out.threads.items[t].spe, spes[t]);
    threads_fini(&out.threads);
}
END_TEST

START_TEST(a_straggler_is_alone)
{
    const struct step steps[] = {OUT(0, 7, 3),  SPE(7, 900), IN(10, 7, 4),  SPE(7, 890),
                                 OUT(20, 7, 4), SPE(7, 880), OUT(30, 7, 4), PPE(40)};
    static const uint32_t want[] = {0, 1, 0, 2, 0, 3, 0, 0};
    static const uint64_t spes[] = {CSY_NO_SPE, CSY_NO_SPE, 4, CSY_NO_SPE};
    struct outcome out = run(steps, COUNT(steps), 100);
    ck_assert_uint_eq(out.threads.count, 4);
    assert_threads(&out, want, COUNT(want));
    ck_assert_uint_eq(out.report.stragglers, 2);
    ck_assert_uint_eq(out.report.lost_ins, 1);
    for (size_t t = 0; t < 4; t++)
        ck_assert_uint_eq(out.threads.items[t].spe, spes[t]);
    threads_fini(&out.threads);
}
END_TEST

START_TEST(intervals_are_described)
{
    const struct step steps[] = {SPE(9, 500),   PPE(0),       IN(5, 9, 2), SPE(9, 480), SPE(9, 485),
                                 OUT(30, 9, 2), IN(40, 9, 1), SPE(9, 7),   PPE(60)};
    struct outcome out;
    csy_error error;
    ck_ok(steps_run_notified(steps, COUNT(steps), 100, &out, &error), error);
    ck_assert_uint_eq(out.threads.count, 3);
    ck_assert_uint_eq(out.threads.ppe, 1);
    const struct thread *t = out.threads.items;
    ck_assert_int_eq(t[0].kind, CSY_KIND_SPE);
    ck_assert_int_eq(t[0].context, 9);
    ck_assert_uint_eq(t[0].ordinal, 1);
    ck_assert_uint_eq(t[0].decr_first, 500);
    ck_assert_uint_eq(t[0].first_record, 0);
    ck_assert_uint_eq(t[0].records, 3);
    ck_assert_uint_eq(t[0].spe, 2);
    ck_assert_int_eq(t[0].min_ticks, 0);
    ck_assert_int_eq(t[0].max_ticks, 20);
    ck_assert_int_eq(t[0].last_ticks, 15);
    ck_assert_int_eq(t[1].kind, CSY_KIND_PPE);
    ck_assert_int_eq(t[1].context, CSY_NO_CONTEXT);
    ck_assert_uint_eq(t[1].records, 5);
    ck_assert_uint_eq(t[2].ordinal, 2);
    ck_assert_uint_eq(t[2].first_record, 7);
    ck_assert_uint_eq(t[2].spe, 1);
    threads_fini(&out.threads);
}
END_TEST

/* What precedes the first switch belongs to the residency that the first OUT ends, and where that
 * is an IN, to one whose OUT was lost, unless a notifier was late. */
START_TEST(first_switches)
{
    const struct step steps[] = {SPE(1, 90),   OUT(0, 1, 5), IN(9, 1, 6), SPE(1, 80), SPE(2, 90),
                                 IN(10, 2, 7), SPE(2, 80),   SPE(3, 90),  SPE(3, 80), PPE(30)};
    static const uint32_t want[2][COUNT(steps)] = {{0, 1, 1, 2, 3, 1, 4, 5, 5, 1},
                                                   {0, 1, 1, 2, 3, 1, 3, 4, 4, 1}};
    static const uint64_t spes[2][6] = {{5, CSY_NO_SPE, 6, CSY_NO_SPE, 7, CSY_NO_SPE},
                                        {5, CSY_NO_SPE, 6, 7, CSY_NO_SPE}};
    for (size_t notifier = 0; notifier < 2; notifier++) {
        struct outcome out = run(steps, COUNT(steps), 100);
        csy_error error;
        if (notifier) {
            threads_fini(&out.threads);
            ck_ok(steps_run_notified(steps, COUNT(steps), 100, &out, &error), error);
        }
        ck_assert_uint_eq(out.threads.count, 6 - notifier);
        assert_threads(&out, want[notifier], COUNT(steps));
        for (size_t t = 0; t < out.threads.count; t++)
            ck_assert_uint_eq(out.threads.items[t].spe, spes[notifier][t]);
        ck_assert_uint_eq(out.report.contexts, 3);
        ck_assert_uint_eq(out.report.stragglers + out.report.lost_ins, 0);
        ck_assert_uint_eq(out.report.lost_outs, 1 - notifier);
        threads_fini(&out.threads);
    }
}
END_TEST

START_TEST(lost_switches)
{
    const struct step steps[] = {IN(0, 1, 5),  IN(1, 1, 6),   SPE(1, 90),    IN(9, 1, 7),
                                 SPE(1, 80),   OUT(20, 1, 7), OUT(21, 1, 7), OUT(22, 1, 7),
                                 IN(30, 1, 8), OUT(40, 1, 8), PPE(50)};
    static const uint32_t want[] = {0, 0, 1, 0, 2, 0, 0, 0, 0, 0, 0};
    struct outcome out = run(steps, COUNT(steps), 100);
    ck_assert_uint_eq(out.threads.count, 3);
    assert_threads(&out, want, COUNT(want));
    ck_assert_uint_eq(out.report.lost_outs, 2);
    ck_assert_uint_eq(out.report.lost_ins, 2);
    ck_assert_uint_eq(out.threads.items[1].spe, 6);
    ck_assert_uint_eq(out.threads.items[2].spe, 7);
    threads_fini(&out.threads);
}
END_TEST

/* 500 ticks and m wraps, between PPE stamps that leave 480 to 520 ticks and m wraps. */
START_TEST(ppe_stamps_say_how_often_it_wrapped)
{
    static const int64_t wraps[] = {0, 1, 3, 20};
    for (size_t i = 0; i < 4; i++) {
        int64_t slept = wraps[i] * WRAP;
        const struct step steps[] = {PPE(0),           SPE(1, 1000), PPE(10),
                                     PPE(slept + 490), SPE(1, 500),  PPE(slept + 520)};
        struct outcome out = run(steps, COUNT(steps), 30);
        ck_assert_int_eq(out.local[1], 0);
        ck_assert_int_eq(out.local[4], slept + 500);
        ck_assert_int_eq(out.report.wraps, wraps[i]);
        ck_assert_uint_eq(out.report.splits + out.report.assumed, 0);
        ck_assert(!out.twice);
        threads_fini(&out.threads);
    }
}
END_TEST

START_TEST(decrementers_pass_through_zero)
{
    const struct step steps[] = {PPE(0),  SPE(1, 5), PPE(10), SPE(1, 0xfffffffb),
                                 PPE(20), SPE(1, 2), PPE(30)};
    static const int64_t want[] = {0, 0, 10, 10, 20, 3, 30};
    struct outcome out = run(steps, COUNT(steps), 100);
    assert_locals(&out, want, COUNT(want));
    ck_assert_int_eq(out.report.wraps, 0); /* there, and back by the step back of 7 */
    threads_fini(&out.threads);
    out = run(steps, 5, 100);
    ck_assert_int_eq(out.report.wraps, 1);
    threads_fini(&out.threads);
}
END_TEST

/* A decrementer that stands higher by up to B has stepped back, from there on it was written. */
START_TEST(steps_back)
{
    const struct step steps[] = {PPE(0), SPE(1, 50), PPE(10), SPE(1, 55), PPE(20)};
    struct outcome out = run(steps, COUNT(steps), 5);
    ck_assert_uint_eq(out.threads.count, 2);
    ck_assert_int_eq(out.local[3], -5);
    ck_assert_uint_eq(out.report.splits, 0);
    threads_fini(&out.threads);
    out = run(steps, COUNT(steps), 4);
    ck_assert_uint_eq(out.threads.count, 3);
    ck_assert_int_eq(out.local[3], 0);
    ck_assert_uint_eq(out.report.splits, 1);
    threads_fini(&out.threads);
}
END_TEST

/* Elapsed may exceed what the PPE's stamps leave by B, and fall short of it by B. */
START_TEST(limits_give_way_by_b)
{
    const struct step late[] = {PPE(100), SPE(1, 500), PPE(150), SPE(1, 400), PPE(170)};
    const struct step early[] = {PPE(0), SPE(1, 500), PPE(10), PPE(150), SPE(1, 400), PPE(170)};
    struct outcome out = run(late, COUNT(late), 30);
    ck_assert_uint_eq(out.report.splits, 0);
    threads_fini(&out.threads);
    out = run(late, COUNT(late), 29);
    ck_assert_uint_eq(out.report.splits, 1);
    threads_fini(&out.threads);
    out = run(early, COUNT(early), 40);
    ck_assert_uint_eq(out.report.splits, 0);
    threads_fini(&out.threads);
    out = run(early, COUNT(early), 39);
    ck_assert_uint_eq(out.report.splits, 1);
    threads_fini(&out.threads);
}
END_TEST

/* Within one window nothing but its end can say that the decrementer was written. */
START_TEST(a_window_may_need_its_end)
{
    const struct step steps[] = {PPE(0), SPE(1, 9000), SPE(1, 2000), SPE(1, 1990), PPE(20)};
    static const uint32_t want[] = {0, 1, 2, 2, 0};
    struct outcome out = run(steps, COUNT(steps), 100);
    ck_assert(out.twice);
    assert_threads(&out, want, COUNT(want));
    ck_assert_int_eq(out.local[3], 10);
    ck_assert_uint_eq(out.report.splits, 1);
    ck_assert_uint_eq(out.report.assumed, 0);
    threads_fini(&out.threads);
}
END_TEST

/* The least end of a window that leaves 100 ticks their place, the one that leaves them alone in
 * it, and their neighbours: B is 30. */
START_TEST(ends_that_just_do)
{
    const struct {
        int64_t end;
        bool twice;
        uint64_t splits, assumed;
    } ends[] = {
        {69, true, 1, 0}, {70, false, 0, 0}, {WRAP + 69, false, 0, 0}, {WRAP + 70, true, 0, 1}};
    for (size_t i = 0; i < 4; i++) {
        const struct step steps[] = {PPE(0), SPE(1, 500), SPE(1, 400), PPE(ends[i].end)};
        struct outcome out = run(steps, COUNT(steps), 30);
        ck_assert(out.twice == ends[i].twice);
        ck_assert_uint_eq(out.report.splits, ends[i].splits);
        ck_assert_uint_eq(out.report.assumed, ends[i].assumed);
        threads_fini(&out.threads);
    }
}
END_TEST

START_TEST(a_silent_ppe_leaves_gaps_assumed)
{
    const struct step steps[] = {SPE(1, 50), SPE(1, 40),    PPE(0),     SPE(1, 30),
                                 SPE(1, 20), PPE(2 * WRAP), SPE(1, 10), SPE(1, 0)};
    static const int64_t want[] = {0, 10, 0, 20, 30, 2 * WRAP, 40, 50};
    struct outcome out = run(steps, COUNT(steps), 100);
    ck_assert(out.twice);
    assert_locals(&out, want, COUNT(want));
    ck_assert_uint_eq(out.report.assumed, 5);
    ck_assert_int_eq(out.report.wraps, 0);
    threads_fini(&out.threads);
    const struct step alone[] = {SPE(1, 5), SPE(1, 0xffffffff), SPE(2, 1), SPE(2, 3)};
    out = run(alone, COUNT(alone), 100);
    ck_assert_int_eq(out.local[1], 6);
    ck_assert_int_eq(out.local[3], -2);
    ck_assert_uint_eq(out.report.assumed, 2);
    ck_assert_int_eq(out.report.wraps, 1);
    threads_fini(&out.threads);
}
END_TEST

/* Strict: where several numbers of wraps fit, the interval divides. */
START_TEST(strict_unwrapping_assumes_nothing)
{
    const struct step steps[] = {PPE(0),     SPE(1, 50),    PPE(10),    SPE(1, 40), PPE(20),
                                 SPE(1, 30), PPE(2 * WRAP), SPE(1, 20), SPE(1, 10)};
    static const uint32_t want[] = {0, 1, 0, 1, 0, 2, 0, 3, 4};
    struct outcome out;
    csy_error error;
    ck_ok(steps_run(steps, COUNT(steps), 100, true, &out, &error), error);
    assert_threads(&out, want, COUNT(want));
    ck_assert_uint_eq(out.report.assumed, 0);
    ck_assert_uint_eq(out.report.splits, 3);
    ck_assert_uint_eq(out.threads.items[2].split_from, 1);
    ck_assert_uint_eq(out.threads.items[4].split_from, 3);
    ck_assert_uint_eq(out.threads.items[1].split_from, NO_THREAD);
    threads_fini(&out.threads);
}
END_TEST

START_TEST(b_is_10_ms)
{
    ck_assert_int_eq(unwrap_imprecision(14318000), 143180);
    ck_assert_int_eq(unwrap_imprecision(79800000), 798000);
    ck_assert_int_eq(unwrap_imprecision(199), 1);
    ck_assert_int_eq(unwrap_imprecision(99), 0);
    ck_assert_int_eq(unwrap_imprecision(UINT64_MAX), 1 << 30);
}
END_TEST

/* Twice 2^62 ticks between three records: more than int64 holds. */
START_TEST(local_times_that_overflow)
{
    const int64_t far = (int64_t)1 << 62;
    const struct step steps[] = {PPE(0),    SPE(7, 0), PPE(0),   PPE(far),
                                 SPE(7, 0), PPE(0),    PPE(far), SPE(7, 0)};
    struct outcome out;
    csy_error error;
    ck_refused(steps_run(steps, COUNT(steps), 100, false, &out, &error), CSY_INPUT, error,
               "a.trace: offset 368: the local time of context 7 does not fit 64 bits");
    threads_fini(&out.threads);
}
END_TEST

/* The only candidate, within B of what the PPE says, is more than int64 holds. */
START_TEST(gaps_that_overflow)
{
    const uint32_t decr = (uint32_t) - ((uint64_t)INT64_MAX + 50);
    const struct step steps[] = {PPE(0), SPE(7, 0), PPE(0), PPE(INT64_MAX), SPE(7, decr)};
    struct outcome out;
    csy_error error;
    ck_refused(steps_run(steps, COUNT(steps), 100, false, &out, &error), CSY_INPUT, error,
               "an interval between two records does not fit 64 bits");
    threads_fini(&out.threads);
}
END_TEST

/* Push a switch with these payload values alone. */
static csy_status push_switch(unsigned npayload, uint64_t context, csy_error *error)
{
    uint8_t bytes[48] = {0};
    struct threads threads;
    struct intervals *iv;
    store64(bytes + 32, context);
    struct record record = {
        .offset = 96, .bytes = bytes, .id = ID_SWITCH_OUT, .npayload = (uint16_t)npayload};
    threads_init(&threads);
    ck_ok(intervals_new(&threads, &(struct intervals_rules){.imprecision_ticks = 100}, &iv, error),
          *error);
    csy_status status = intervals_push(iv, "a.trace", &(struct event){.record = &record}, error);
    intervals_free(iv);
    threads_fini(&threads);
    return status;
}

START_TEST(bad_switches_are_refused)
{
    csy_error error;
    ck_ok(push_switch(2, UINT32_MAX, &error), error);
    ck_refused(
        push_switch(1, 0, &error), CSY_INPUT, error,
        "a.trace: offset 96: SPE_SWITCH_OUT has 1 payload values, expected two: context and SPE");
    ck_refused(push_switch(2, (uint64_t)1 << 32, &error), CSY_INPUT, error,
               "a.trace: offset 96: SPE_SWITCH_OUT has the context 4294967296, which does not fit "
               "32 bits");
}
END_TEST

START_TEST(many_contexts_are_told_apart)
{
    enum { CONTEXTS = 5000 };
    struct threads threads;
    struct intervals *iv;
    csy_error error;
    uint8_t bytes[24] = {0};
    threads_init(&threads);
    ck_ok(intervals_new(&threads, &(struct intervals_rules){.imprecision_ticks = 100}, &iv, &error),
          error);
    for (uint64_t i = 0; i < 3 * CONTEXTS; i++) {
        uint32_t context = (uint32_t)(i % CONTEXTS * 2654435761u);
        struct record record = {.position = i,
                                .bytes = bytes,
                                .spe = true,
                                .thread = context,
                                .stamp = 900 - i / CONTEXTS};
        struct event event = {.record = &record};
        ck_ok(intervals_push(iv, "a.trace", &event, &error), error);
        if (event.thread != i % CONTEXTS || event.local_ticks != (int64_t)(i / CONTEXTS))
            ck_abort_msg("record %d: thread %u", (int)i, event.thread);
    }
    intervals_free(iv);
    threads_fini(&threads);
}
END_TEST

int main(void)
{
    TCase *tests = unit_begin("intervals");
    tcase_add_test(tests, switches_make_intervals);
    tcase_add_test(tests, a_straggler_is_alone);
    tcase_add_test(tests, intervals_are_described);
    tcase_add_test(tests, first_switches);
    tcase_add_test(tests, lost_switches);
    tcase_add_test(tests, ppe_stamps_say_how_often_it_wrapped);
    tcase_add_test(tests, decrementers_pass_through_zero);
    tcase_add_test(tests, steps_back);
    tcase_add_test(tests, limits_give_way_by_b);
    tcase_add_test(tests, a_window_may_need_its_end);
    tcase_add_test(tests, ends_that_just_do);
    tcase_add_test(tests, a_silent_ppe_leaves_gaps_assumed);
    tcase_add_test(tests, strict_unwrapping_assumes_nothing);
    tcase_add_test(tests, b_is_10_ms);
    tcase_add_test(tests, local_times_that_overflow);
    tcase_add_test(tests, gaps_that_overflow);
    tcase_add_test(tests, bad_switches_are_refused);
    tcase_add_test(tests, many_contexts_are_told_apart);
    return unit_run();
}
