/* Teams: all members work, know one another's number, and see what was written before they met. */
#include "base/team.h"
#include "support.h"

enum { MEMBERS_MAX = 9, ROUNDS = 200 };

struct work {
    unsigned size, runs[MEMBERS_MAX];
    unsigned counts[2][MEMBERS_MAX]; /* of this round and the one before */
    bool wrong[MEMBERS_MAX];
};

static void count_together(void *user, struct team *team, unsigned self)
{
    struct work *work = user;
    unsigned size = team_size(team);
    if (self == 0)
        work->size = size;
    work->runs[self]++;
    for (unsigned round = 0; round < ROUNDS; round++) {
        work->counts[round % 2][self] = round;
        team_wait(team);
        for (unsigned i = 0; i < size; i++)
            work->wrong[self] |= work->counts[round % 2][i] != round;
    }
}

START_TEST(members_meet)
{
    for (unsigned nthreads = 0; nthreads <= MEMBERS_MAX; nthreads++) {
        struct work work = {0};
        team_run(nthreads, count_together, &work);
        ck_assert_uint_ge(work.size, 1);
        ck_assert_uint_le(work.size, nthreads > 1 ? nthreads : 1);
        for (unsigned i = 0; i < MEMBERS_MAX; i++) {
            ck_assert_uint_eq(work.runs[i], i < work.size);
            ck_assert(!work.wrong[i]);
        }
    }
}
END_TEST

START_TEST(one_alone_waits_for_none)
{
    team_wait(NULL);
}
END_TEST

int main(void)
{
    TCase *tests = unit_begin("team");
    tcase_add_test(tests, members_meet);
    tcase_add_test(tests, one_alone_waits_for_none);
    return unit_run();
}
