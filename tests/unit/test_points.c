/* Points: which records are stored, how begins and chains lie, and edges by where they lead. */
#include "support.h"

#include "clock/points.h"

#include <stdlib.h>
#include <string.h>

struct taken {
    uint32_t begin, end;
};

static struct taken take(struct points *p, struct point_record r)
{
    struct taken taken;
    csy_error error;
    ck_ok(points_record(p, &r, &taken.begin, &taken.end, &error), error);
    return taken;
}

/* A record without keys or buffer. */
static struct taken plain(struct points *p, uint32_t clock, uint32_t location, int64_t x)
{
    return take(p, (struct point_record){
                       .clock = clock, .location = location, .buffer = NO_BUFFER, .x = x});
}

static struct taken keyed(struct points *p, uint32_t location, int64_t begin, int64_t end)
{
    return take(p, (struct point_record){.location = location,
                                         .buffer = NO_BUFFER,
                                         .x = end,
                                         .keyed = true,
                                         .interval = begin != end,
                                         .begin_x = begin});
}

START_TEST(what_says_nothing_is_not_stored)
{
    struct points p = {0};
    for (int64_t x = 0; x < 100; x++)
        ck_assert_uint_eq(plain(&p, 0, 0, x).end, NO_POINT);
    ck_assert_uint_eq(p.count, 0);
    ck_assert_uint_eq(keyed(&p, 0, 100, 100).end, 0); /* those before it follow from it */
    points_fini(&p);
}
END_TEST

START_TEST(a_record_that_is_alone_changes_nothing_for_its_location)
{
    struct points p = {0};
    uint32_t last;
    csy_error error;
    plain(&p, 0, 0, 10);
    struct point_record alone = {
        .clock = 1, .buffer = NO_BUFFER, .x = 50, .keyed = true, .alone = true};
    ck_assert_uint_eq(take(&p, alone).end, 0);
    ck_assert(!p.items[0].chained);
    ck_assert_uint_eq(plain(&p, 0, 0, 20).end, NO_POINT); /* no step back, and the same clock */
    ck_ok(points_keep_last(&p, 0, &last, &error), error);
    ck_assert_int_eq(p.items[last].lo, 20);
    ck_assert(p.items[last].chained);
    points_fini(&p);
}
END_TEST

START_TEST(a_step_back_is_stored_with_what_it_steps_back_from)
{
    struct points p = {0};
    plain(&p, 0, 0, 10);
    plain(&p, 0, 0, 30);
    ck_assert_uint_eq(plain(&p, 0, 0, 20).end, 1);
    ck_assert_int_eq(p.items[0].lo, 30);
    ck_assert_uint_eq(plain(&p, 0, 0, 25).end, 2); /* still before 30 */
    ck_assert_uint_eq(plain(&p, 0, 0, 31).end, NO_POINT);
    points_fini(&p);
}
END_TEST

START_TEST(a_change_of_clock_is_stored)
{
    struct points p = {0};
    plain(&p, 0, 0, 10);
    ck_assert_uint_eq(plain(&p, 1, 0, 5).end, 1);
    ck_assert_uint_eq(p.items[0].clock, 0);
    ck_assert_uint_eq(p.items[1].clock, 1);
    points_fini(&p);
}
END_TEST

/* Stamps say whether a begin comes after a record before it; points do not. */
START_TEST(a_begin_comes_before_its_end)
{
    struct points p = {0};
    struct taken first = keyed(&p, 0, 0, 10), inside = keyed(&p, 0, 5, 20);
    struct taken after = keyed(&p, 0, 20, 30);
    ck_assert(p.items[first.begin].chained); /* nothing is before it */
    ck_assert(!p.items[inside.begin].chained && !p.items[after.begin].chained);
    ck_assert_uint_eq(p.nedges, 2);
    ck_assert_uint_eq(p.edges[0].from, inside.begin);
    ck_assert_uint_eq(p.edges[0].to, inside.end);
    ck_assert_uint_eq(p.edges[0].kind, EDGE_INTERVAL);
    ck_assert_uint_eq(p.edges[1].from, after.begin);
    ck_assert_uint_eq(p.edges[1].to, after.end);
    points_fini(&p);
}
END_TEST

START_TEST(begins_may_follow)
{
    struct points p = {.begins_follow = true};
    struct taken first = keyed(&p, 0, 0, 10), inside = keyed(&p, 0, 5, 20);
    ck_assert(p.items[first.begin].chained);
    ck_assert(!p.items[inside.begin].chained); /* 5 is before 10 */
    ck_assert(keyed(&p, 0, 20, 30).begin == 4 && p.items[4].chained);
    ck_assert_uint_eq(p.nedges, 1);
    ck_assert_uint_eq(p.edges[0].from, inside.begin);
    ck_assert_uint_eq(p.edges[0].to, inside.end);
    ck_assert_uint_eq(p.edges[0].kind, EDGE_INTERVAL);
    points_fini(&p);
}
END_TEST

START_TEST(keys_are_kept)
{
    struct points p = {0};
    uint32_t one, other;
    csy_error error;
    ck_ok(points_key(&p, "abcd", 3, &one, &error), error);
    ck_ok(points_key(&p, "", 0, &other, &error), error);
    ck_assert_str_eq(p.keys + one, "abc");
    ck_assert_str_eq(p.keys + other, "");
    points_fini(&p);
}
END_TEST

START_TEST(edges_are_sorted_stably)
{
    for (int trial = 0; trial < 200; trial++) {
        struct random r = random_trial((uint64_t)trial);
        struct points p = {0};
        csy_error error;
        uint32_t n = (uint32_t)random_between(&r, 1, 12), hub;
        size_t nedges = (size_t)random_between(&r, 0, 40);
        for (uint32_t i = 0; i < n; i++)
            keyed(&p, i, 0, 0);
        ck_ok(points_hub(&p, 0, &hub, &error), error);
        for (uint32_t i = 0; i < nedges; i++) {
            uint32_t to = (uint32_t)random_between(&r, 0, n);
            struct order_edge edge = {0, to, 0, i, EDGE_AFTER};
            ck_ok(points_edge(&p, &edge, &error), error);
        }
        ck_ok(points_finish(&p, &error), error);
        ck_assert_uint_eq(p.nedges, nedges);
        ck_assert_uint_eq(p.first_edge[p.count], nedges);
        for (uint32_t q = 0; q < p.count; q++)
            for (uint32_t i = p.first_edge[q]; i < p.first_edge[q + 1]; i++) {
                ck_assert_uint_eq(p.edges[i].to, q);
                ck_assert(i == p.first_edge[q] || p.edges[i - 1].key < p.edges[i].key);
            }
        points_fini(&p);
    }
}
END_TEST

int main(void)
{
    TCase *tests = unit_begin("points");
    tcase_add_test(tests, what_says_nothing_is_not_stored);
    tcase_add_test(tests, a_step_back_is_stored_with_what_it_steps_back_from);
    tcase_add_test(tests, a_record_that_is_alone_changes_nothing_for_its_location);
    tcase_add_test(tests, a_change_of_clock_is_stored);
    tcase_add_test(tests, a_begin_comes_before_its_end);
    tcase_add_test(tests, begins_may_follow);
    tcase_add_test(tests, keys_are_kept);
    tcase_add_test(tests, edges_are_sorted_stably);
    return unit_run();
}
