/* Pairs of changes that may be in either order: where so many are near one another that to look at
 * them takes long, that is given up soon, also if nothing comes after them. */
#include "support.h"

#include "analysis/ranges/swaps.h"
#include "instants/actors.h"

#include <stdlib.h>

enum { CLOCKS = 600, REACH = 1 << 20 };

/* Each actor begins, all about the same time; and then one much later, or none. */
static void crowd(struct swaps *v, bool later)
{
    for (uint32_t i = 0; i < CLOCKS; i++) {
        const struct change change = {.global_ticks = i, .clock = i, .actor = i, .sign = 1};
        ck_assert(swaps_take(v, &change));
    }
    const struct change last = {.global_ticks = INT64_C(16) * REACH, .actor = 0, .sign = -1};
    ck_assert(!later || swaps_take(v, &last));
    ck_assert(swaps_end(v));
}

START_TEST(soon)
{
    const uint64_t all = (uint64_t)CLOCKS * CLOCKS / 2 * 2 * CLOCKS; /* partners of all pairs */
    int64_t *matrix = calloc((size_t)CLOCKS * CLOCKS, sizeof *matrix);
    ck_assert_ptr_nonnull(matrix);
    for (size_t i = 0; i < (size_t)CLOCKS * CLOCKS; i++)
        matrix[i] = i % (CLOCKS + 1) ? REACH : 0;
    const struct reach reach = {.n = CLOCKS, .matrix = matrix, .greatest = REACH};
    for (int later = 0; later < 2; later++) {
        struct swaps v;
        ck_assert(swaps_init(&v, &reach, CLOCKS, 1));
        v.may_give_up = true;
        crowd(&v, later);
        ck_assert(v.given_up);
        ck_assert_uint_gt(v.work, 0);
        ck_assert_uint_lt(v.work, all / 8);
        swaps_fini(&v);
    }
    free(matrix);
}
END_TEST

/* The steps of stairs come out the same by several workers as by the caller alone. */
enum { TRIALS = 4, ACTORS = 6, CHANGES = 9000, WORKERS = 4, REACH_MOST = 12 };

static void draw_reach(struct random *r, struct reach *reach)
{
    *reach = (struct reach){.n = ACTORS};
    reach->matrix = calloc((size_t)ACTORS * ACTORS, sizeof *reach->matrix);
    ck_assert(reach->matrix);
    for (size_t i = 0; i < (size_t)ACTORS * ACTORS; i++) {
        reach->matrix[i] = i % (ACTORS + 1) == 0 ? 0 : random_between(r, 0, REACH_MOST);
        if (reach->matrix[i] > reach->greatest)
            reach->greatest = reach->matrix[i];
    }
}

/* What actors do, each by a clock of its own: waits, that begin somewhere and end by a record, and
 * other records; and an edge of time now and then. */
static void draw_changes(struct random *r, struct change changes[CHANGES])
{
    bool waits[ACTORS] = {false};
    int64_t now = 1000;
    for (size_t i = 0; i < CHANGES; i++) {
        uint32_t actor = (uint32_t)random_between(r, 0, ACTORS - 1);
        now += random_chance(r, 90) ? random_between(r, 0, 4) : random_between(r, 20, 90);
        changes[i] = (struct change){.global_ticks = now, .clock = actor, .actor = actor};
        changes[i].ordered = waits[actor] || random_chance(r, 30);
        if (i == CHANGES / 3 || i == CHANGES / 2) {
            changes[i].edge = i == CHANGES / 3 ? 1 : -1;
            changes[i].actor = NO_ACTOR;
            changes[i].ordered = true;
        } else if (waits[actor] || !changes[i].ordered) {
            changes[i].sign = waits[actor] ? 1 : -1;
            waits[actor] = !waits[actor];
        }
    }
}

static void run(const struct reach *reach, const struct change changes[CHANGES], unsigned workers,
                struct moved_begins *out)
{
    ck_assert(moved_begins_init(out, reach, ACTORS, ACTORS, true, workers));
    for (size_t i = 0; i < MOVED_BEGINS_SIDES; i++)
        out->sides[i].active = ACTORS;
    for (size_t i = 0; i < CHANGES; i++)
        ck_assert(moved_begins_take(out, &changes[i]));
    ck_assert(moved_begins_end(out));
}

/* How many arcs they have. */
static size_t assert_same(const struct upper_sums *a, const struct upper_sums *b)
{
    size_t narcs = 0;
    for (size_t i = 0; i <= a->n; i++) {
        const struct upper_sum *x = &a->levels[i], *y = &b->levels[i];
        ck_assert(x->number == y->number);
        ck_assert_uint_eq(x->turns, y->turns);
        ck_assert_uint_eq(x->narcs, y->narcs);
        ck_assert(!x->c == !y->c);
        for (size_t t = 0; x->c && t < a->nclocks; t++)
            ck_assert_int_eq(x->c[t], y->c[t]);
        for (size_t j = 0; j < x->narcs; j++) {
            ck_assert_uint_eq(x->arcs[j].from, y->arcs[j].from);
            ck_assert_uint_eq(x->arcs[j].to, y->arcs[j].to);
            ck_assert_int_eq(x->arcs[j].cost, y->arcs[j].cost);
            ck_assert_int_eq(x->arcs[j].capacity, y->arcs[j].capacity);
        }
        narcs += x->narcs;
    }
    return narcs;
}

START_TEST(same_by_all)
{
    struct change *changes = calloc(CHANGES, sizeof *changes);
    ck_assert(changes);
    for (int trial = 0; trial < trials_of(TRIALS); trial++) {
        struct random r = random_trial((uint64_t)trial);
        struct reach reach;
        struct moved_begins alone, several;
        size_t narcs = 0;
        draw_reach(&r, &reach);
        draw_changes(&r, changes);
        run(&reach, changes, 1, &alone);
        run(&reach, changes, (unsigned)random_between(&r, 2, WORKERS), &several);
        for (size_t i = 0; i < MOVED_BEGINS_SIDES; i++)
            narcs += assert_same(&alone.sides[i].sums, &several.sides[i].sums);
        ck_assert_uint_gt(narcs, 0);
        moved_begins_fini(&alone);
        moved_begins_fini(&several);
        free(reach.matrix);
    }
    free(changes);
}
END_TEST

int main(void)
{
    TCase *tests = unit_begin("swaps");
    tcase_add_test(tests, soon);
    tcase_add_test(tests, same_by_all);
    return unit_run();
}
