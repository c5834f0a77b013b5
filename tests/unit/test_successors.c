/* The next live interval of a context, whatever ended the one before. */
#include "steps.h"
#include "support.h"

START_TEST(intervals_of_a_context_are_linked)
{
    /* Context 7 has threads 1, 3, 4 (a straggler) and 5, context 8 has 2. */
    const struct step steps[] = {PPE(0),       IN(1, 7, 0),   IN(2, 8, 1),   SPE(7, 5000),
                                 SPE(8, 900),  OUT(10, 7, 0), OUT(11, 8, 1), IN(20, 7, 2),
                                 SPE(7, 4000), OUT(30, 7, 2), SPE(7, 3000),  IN(40, 7, 0),
                                 SPE(7, 2000), PPE(50)};
    const uint32_t want[] = {NO_THREAD, 3, NO_THREAD, 4, 5, NO_THREAD};
    struct outcome out;
    csy_error error;
    ck_ok(steps_run(steps, sizeof steps / sizeof *steps, 10, false, &out, &error), error);
    ck_assert_uint_eq(out.threads.count, sizeof want / sizeof *want);
    for (size_t t = 0; t < out.threads.count; t++)
        ck_assert_uint_eq(out.threads.items[t].next, want[t]);
    threads_fini(&out.threads);
}
END_TEST

int main(void)
{
    TCase *tests = unit_begin("successors");
    tcase_add_test(tests, intervals_of_a_context_are_linked);
    return unit_run();
}
