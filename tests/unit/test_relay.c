/* Takers of instants get the same by several workers as by the caller alone, whichever fails. */
#include "base/error.h"
#include "instants/relay.h"
#include "support.h"

#include <stdlib.h>

enum { TRIALS = 24, INSTANTS = 9000, MORE = 4000, TAKERS = 5, WORKERS = 4 };

/* What is given: so many, and then it fails or not. */
struct given {
    struct instants instants;
    uint64_t count;
    bool fails;
};

struct taken {
    uint64_t count, sum;
    uint64_t fails_at; /* none: UINT64_MAX */
    unsigned work;     /* for each */
};

/* What an instant carries is anew for each of them, at one place. */
static csy_status give(struct instants *in, take_instant *take, void *user, csy_error *error)
{
    const struct given *given = (const struct given *)in;
    struct seen seen = {0};
    for (uint64_t i = 0; i < given->count; i++) {
        struct actor_instant instant = {.record = i, .actor = (uint32_t)(i % 7)};
        seen.unit = i * 3;
        instant.seen = i % 5 ? &seen : NULL;
        csy_status status = take(user, &instant, error);
        seen.unit = 1;
        if (status)
            return status;
    }
    return given->fails ? error_set(error, CSY_INPUT, "no more") : CSY_OK;
}

static csy_status take(void *user, const struct actor_instant *instant, csy_error *error)
{
    struct taken *taken = user;
    if (taken->count == taken->fails_at)
        return error_set(error, CSY_USAGE, "at %llu", (unsigned long long)taken->count);
    ck_assert_uint_eq(instant->record, taken->count++);
    for (unsigned i = 0; i <= taken->work; i++)
        taken->sum =
            taken->sum * 31 + instant->actor + (instant->seen ? instant->seen->unit : UINT64_C(17));
    return CSY_OK;
}

static void run(struct given *given, unsigned workers, const struct taken begin[],
                struct taken taken[], struct relay_taker takers[], size_t n)
{
    for (size_t i = 0; i < n; i++) {
        taken[i] = begin[i];
        takers[i] = (struct relay_taker){.take = take, .user = &taken[i]};
    }
    relay_run(&given->instants, workers, give, takers, n);
}

START_TEST(same_by_all)
{
    unsigned failed = 0, whole = 0;
    for (int trial = 0; trial < trials_of(TRIALS); trial++) {
        struct random r = random_trial((uint64_t)trial);
        struct given given = {.count = (uint64_t)random_between(&r, INSTANTS, INSTANTS + MORE),
                              .fails = random_chance(&r, 25)};
        struct taken begin[TAKERS], alone[TAKERS], several[TAKERS];
        struct relay_taker a[TAKERS], b[TAKERS];
        size_t n = (size_t)random_between(&r, 1, TAKERS);
        given.instants.records = given.count;
        given.instants.has_begins = true;
        for (size_t i = 0; i < n; i++)
            begin[i] = (struct taken){
                .fails_at = random_chance(&r, 67)
                                ? UINT64_MAX
                                : (uint64_t)random_between(&r, 0, (int64_t)given.count),
                .work = (unsigned)random_between(&r, 0, 40)};
        run(&given, 1, begin, alone, a, n);
        run(&given, (unsigned)random_between(&r, 2, WORKERS), begin, several, b, n);
        for (size_t i = 0; i < n; i++) {
            ck_assert_uint_eq(alone[i].count, several[i].count);
            ck_assert_uint_eq(alone[i].sum, several[i].sum);
            ck_assert_int_eq(a[i].status, b[i].status);
            if (a[i].status)
                ck_assert_str_eq(a[i].error.text, b[i].error.text);
            failed += a[i].status != CSY_OK;
            whole += alone[i].count == given.count;
        }
    }
    ck_assert_of_trials(failed > 0 && whole > 0);
}
END_TEST

int main(void)
{
    TCase *tests = unit_begin("relay");
    tcase_add_test(tests, same_by_all);
    return unit_run();
}
