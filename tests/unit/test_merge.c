/* Instants in their order: the same whatever the look-ahead and the way in which records are read,
 * and what programs did. */
#include "acting.h"
#include "instants/instants.h"

#include <stdlib.h>
#include <string.h>

enum { TRIALS = 400, INSTANTS_MAX = 2048 };

struct list {
    struct actor_instant items[INSTANTS_MAX];
    size_t n;
};

static csy_status put(void *user, const struct actor_instant *instant, csy_error *error)
{
    struct list *list = user;
    (void)error;
    ck_assert_uint_lt(list->n, INSTANTS_MAX);
    list->items[list->n++] = *instant;
    return CSY_OK;
}

static size_t gather(csy_sync *sync, const csy_meaning *meaning, size_t ahead, unsigned more,
                     struct list *out)
{
    csy_error error;
    struct instants in;
    out->n = 0;
    ck_ok(instants_open(&in, sync, meaning, ahead, more, &error), error);
    ck_ok(instants_merge(&in, put, NULL, out, &error), error);
    size_t longs = in.nlongs;
    instants_fini(&in);
    return longs;
}

static void same(const struct list *a, const struct list *b)
{
    ck_assert_uint_eq(a->n, b->n);
    for (size_t i = 0; i < a->n; i++) {
        const struct actor_instant *x = &a->items[i], *y = &b->items[i];
        ck_assert_uint_eq(x->record, y->record);
        ck_assert_uint_eq(x->actor, y->actor);
        ck_assert_int_eq(x->at.global_ticks, y->at.global_ticks);
        ck_assert_int_eq(x->ordered, y->ordered);
        ck_assert_int_eq(x->state, y->state);
    }
}

/* A ring of 2 or 4 records makes most waits long ones. */
START_TEST(look_ahead)
{
    static struct list whole, some;
    csy_error error;
    csy_meaning *meaning;
    size_t longs = 0;
    ck_ok(csy_meaning_new(&meaning, &error), error);
    for (int trial = 0; trial < trials_of(TRIALS); trial++) {
        struct random r = random_trial((uint64_t)trial);
        struct acting a;
        csy_trace *trace;
        csy_sync *sync;
        acting_draw(&r, ACTING_THREADS, 12, 9, true, &a);
        acting_solve(&a, &trace, &sync);
        gather(sync, meaning, INSTANTS_AHEAD, 0, &whole);
        for (size_t ahead = 2; ahead <= 16; ahead *= 2) {
            longs += gather(sync, meaning, ahead, 0, &some);
            same(&whole, &some);
        }
        for (size_t i = 1; i < whole.n; i++) /* delta is 0: estimates are in order */
            ck_assert_int_le(whole.items[i - 1].at.global_ticks, whole.items[i].at.global_ticks);
        csy_sync_free(sync);
        csy_trace_free(trace);
    }
    ck_assert_uint_gt(longs, 100);
    csy_meaning_free(meaning);
}
END_TEST

/* Who wants leaves has every event decoded; else plain records are taken as they are in the file,
 * and the scan passes over most of them. */
START_TEST(plain_records)
{
    static struct list decoded, plain;
    csy_error error;
    csy_meaning *meaning;
    csy_trace *trace;
    csy_sync *sync;
    size_t longs = 0, before = SIZE_MAX;
    ck_ok(csy_meaning_new(&meaning, &error), error);
    ck_ok(csy_trace_open(SAMPLES "/../demo.pex", NULL, &trace, &error), error);
    ck_ok(csy_trace_synchronize(trace, NULL, &sync, &error), error);
    for (size_t ahead = 2; ahead <= 1024; ahead *= every_of_trials() < 16 ? 2 : 8) {
        longs = gather(sync, meaning, ahead, 0, &plain);
        ck_assert_uint_eq(longs, gather(sync, meaning, ahead, MORE_LEAVES, &decoded));
        same(&decoded, &plain);
        ck_assert_uint_le(longs, before);
        ck_assert(ahead > 2 || longs > 0);
        before = longs;
    }
    ck_assert_uint_eq(longs, 0);
    csy_sync_free(sync);
    csy_trace_free(trace);
    csy_meaning_free(meaning);
}
END_TEST

int main(void)
{
    TCase *tests = unit_begin("merge");
    tcase_add_test(tests, look_ahead);
    tcase_add_test(tests, plain_records);
    return unit_run();
}
