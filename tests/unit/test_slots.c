/* Slots: against a list of who has which, as threads come and go. */
#include "base/slots.h"
#include "support.h"

enum { THREADS = 300 };

START_TEST(threads_keep_their_slots)
{
    for (int trial = 0; trial < trials_of(200); trial++) {
        struct random r = random_trial((uint64_t)trial);
        struct slots slots = {0};
        size_t has[THREADS], live = 0, most = 0;
        bool taken[THREADS] = {false};
        uint32_t next = 0;
        int64_t leaving = random_between(&r, 20, 80);
        ck_assert_uint_eq(slots_find(&slots, 7), SLOTS_NONE);
        while (next < THREADS) {
            uint32_t one = next ? (uint32_t)random_between(&r, 0, next - 1) : 0;
            if (next && has[one] != SIZE_MAX && random_chance(&r, (int)leaving)) {
                slots_give_back(&slots, has[one]);
                taken[has[one]] = false;
                has[one] = SIZE_MAX;
                live--;
            } else {
                ck_assert(slots_take(&slots, next, &has[next]));
                bool first = !taken[has[next]]; /* of those that are free */
                for (size_t s = 0; s < has[next]; s++)
                    first &= taken[s];
                ck_assert(first);
                taken[has[next++]] = true;
                live++;
            }
            most = live > most ? live : most;
            ck_assert(slots.live == live && slots.used == most && slots.count == next);
            bool same = true; /* an assertion each would take most of the time */
            for (uint32_t t = 0; t < next; t++)
                same &=
                    slots_find(&slots, t) == (has[t] == SIZE_MAX ? SLOTS_NONE : (uint32_t)has[t]);
            for (size_t s = 0; s < slots.used; s++)
                same &=
                    slots_is_free(&slots, s) == !taken[s] && (!taken[s] || has[slots.ids[s]] == s);
            ck_assert(same);
        }
        slots_fini(&slots);
    }
}
END_TEST

int main(void)
{
    TCase *tests = unit_begin("slots");
    tcase_add_test(tests, threads_keep_their_slots);
    return unit_run();
}
