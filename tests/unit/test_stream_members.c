/* Collective operations that are met while they come, against a count of all of them. */
#include "support.h"

#include "order/operations.h"
#include "order/stream_members.h"

#include <stdlib.h>
#include <string.h>

enum { RANKS = 6, INSTANCES = 200, TRIALS = 300 };

struct world {
    uint32_t clocks[RANKS + 1];
    size_t ranks, missing; /* the last ones have no operations */
    size_t n;
    struct stream_item items[INSTANCES][RANKS];
};

/* Ends come after all begins, so that clocks of one tick contradict nothing. */
static void draw_instance(struct random *r, const struct world *w, uint64_t instance,
                          struct stream_item items[RANKS])
{
    uint8_t kind = (uint8_t)random_between(r, 0, COLLECTIVE_KINDS - 1);
    uint32_t root = (uint32_t)random_between(r, 0, (int64_t)(w->ranks - w->missing) - 1);
    int64_t now = (int64_t)instance * 100;
    bool sizes = random_chance(r, 20);
    for (uint32_t rank = 0; rank < w->ranks; rank++) {
        int64_t offset = (int64_t)w->clocks[rank] * 1000;
        items[rank] = (struct stream_item){.position = 2 * instance + 1,
                                           .time_ticks = now + offset + random_between(r, 40, 70),
                                           .other_ticks = now + offset + random_between(r, 0, 30),
                                           .key = {7, root, kind, rank},
                                           .ranks = (uint32_t)w->ranks,
                                           .role = STREAM_MEMBER,
                                           .kind = kind,
                                           .interval = true,
                                           .gives = !(sizes && random_chance(r, 30)),
                                           .gets = !(sizes && random_chance(r, 30)),
                                           .has_root = true};
    }
}

static struct event_collective collective_of(const struct stream_item *item)
{
    return (struct event_collective){.kind = (enum collective_kind)item->kind,
                                     .enters = true,
                                     .leaves = true,
                                     .gives_nothing = !item->gives,
                                     .gets_nothing = !item->gets,
                                     .has_root = true,
                                     .self = item->key[3],
                                     .root = item->key[1]};
}

struct counts {
    uint64_t groups, enters, leaves;
};

/* What is known of an instance of which some records are there. */
static struct counts count(const struct stream_item *const items[RANKS])
{
    struct counts c = {0};
    for (size_t i = 0; i < RANKS; i++) {
        if (!items[i])
            continue;
        const struct event_collective is = collective_of(items[i]);
        c.enters += operation_enters(&is);
        c.leaves += operation_leaves(&is);
    }
    c.groups = c.enters > 0 && c.leaves > 0;
    return c;
}

static void draw_world(struct random *r, struct world *w)
{
    memset(w, 0, sizeof *w);
    w->ranks = (size_t)random_between(r, 2, RANKS);
    w->missing = w->ranks > 2 && random_chance(r, 20);
    w->n = (size_t)random_between(r, 1, INSTANCES);
    for (size_t i = 0; i < w->ranks; i++)
        w->clocks[i] = (uint32_t)random_between(r, 0, RANKS - 1);
    for (size_t k = 0; k < w->n;) {
        const struct stream_item *items[RANKS] = {NULL};
        draw_instance(r, w, k, w->items[k]);
        for (size_t i = 0; i < w->ranks - w->missing; i++)
            items[i] = &w->items[k][i];
        const struct counts c = count(items);
        k += (c.enters > 0) == (c.leaves > 0); /* else it would have to be told */
    }
}

static void feed(struct random *r, const struct world *w, struct stream_members *members)
{
    size_t next[RANKS] = {0}, present = w->ranks - w->missing, left = w->n * present;
    while (left > 0) {
        size_t rank = (size_t)random_between(r, 0, (int64_t)present - 1);
        if (next[rank] == w->n)
            continue;
        left--;
        ck_assert(stream_members_item(members, rank, &w->items[next[rank]++][rank]));
    }
}

START_TEST(all_operations_are_counted)
{
    uint64_t missing = 0;
    for (uint64_t trial = 0; trial < (uint64_t)trials_of(TRIALS); trial++) {
        static struct world w;
        struct random r = random_trial(trial);
        struct counts want = {0};
        struct stream_members *members;
        struct stream_members_result got;
        csy_error error;
        draw_world(&r, &w);
        ck_ok(stream_members_new(&members, &error), error);
        feed(&r, &w, members);
        ck_assert_uint_eq(stream_members_waiting(members),
                          w.missing ? w.n * (w.ranks - w.missing) : 0);
        ck_assert(stream_members_finish(members, &got));
        ck_assert_uint_eq(got.nmembers, w.ranks - w.missing);
        for (size_t i = 0; i < got.nmembers; i++) {
            ck_assert_uint_eq(got.members[i].group, 7);
            ck_assert_uint_eq(got.members[i].rank, i);
        }
        for (size_t k = 0; k < w.n; k++) {
            const struct stream_item *items[RANKS] = {NULL};
            for (size_t i = 0; i < w.ranks - w.missing; i++)
                items[i] = &w.items[k][i];
            const struct counts c = count(items);
            want.groups += c.groups;
            want.enters += c.groups ? c.enters : 0;
            want.leaves += c.groups ? c.leaves : 0;
        }
        ck_assert_uint_eq(got.groups, want.groups);
        ck_assert_uint_eq(got.enters, want.enters);
        ck_assert_uint_eq(got.leaves, want.leaves);
        missing += w.missing;
        free(got.members);
        stream_members_free(members);
    }
    ck_assert_uint_gt(missing, 0);
}
END_TEST

/* Whether operations of two or three ranks can be met, in this order. */
struct given {
    size_t location;
    uint32_t rank;
    int64_t begin_ticks, end_ticks;
    enum collective_kind kind;
    uint32_t root;
};

static bool can_meet(const struct given *given, size_t n, uint32_t ranks, size_t times)
{
    struct stream_members_result got = {0};
    struct stream_members *members;
    csy_error error;
    bool good = true;
    ck_ok(stream_members_new(&members, &error), error);
    for (size_t i = 0; i < n * times; i++) {
        const struct given *at = &given[i % n];
        int64_t later = (int64_t)(i / n) * 100;
        const struct stream_item item = {.time_ticks = later + at->end_ticks,
                                         .other_ticks = later + at->begin_ticks,
                                         .key = {1, at->root, at->kind, at->rank},
                                         .ranks = ranks,
                                         .role = STREAM_MEMBER,
                                         .kind = (uint8_t)at->kind,
                                         .interval = at->begin_ticks >= 0,
                                         .gives = true,
                                         .gets = true,
                                         .has_root = at->root != UINT32_MAX};
        good = stream_members_item(members, at->location, &item) && good;
    }
    bool finished = stream_members_finish(members, &got);
    free(got.members);
    ck_assert(good || !finished);
    stream_members_free(members);
    return finished;
}

#define CAN_MEET(ranks, times, ...)                                                                \
    can_meet((const struct given[]){__VA_ARGS__},                                                  \
             sizeof((const struct given[]){__VA_ARGS__}) / sizeof(struct given), ranks, times)

START_TEST(what_needs_all_events_fails)
{
    static const enum collective_kind B = COLLECTIVE_BARRIER, C = COLLECTIVE_BCAST;
    enum { MANY = 50 };
    const uint32_t no = UINT32_MAX;
    ck_assert(CAN_MEET(2, 1, {0, 0, 1, 5, B, no}, {1, 1, 2, 4, B, no}));
    ck_assert(CAN_MEET(2, MANY, {0, 0, 1, 5, B, no}, {1, 1, 2, 4, B, no}));
    ck_assert(CAN_MEET(3, MANY, {0, 0, 1, 5, B, no}, {1, 1, 2, 4, B, no})); /* one is missing */
    ck_assert(!CAN_MEET(2, 1, {0, 0, 1, 5, B, no}, {1, 1, 2, 4, C, 0}));    /* other kinds */
    ck_assert(!CAN_MEET(2, 1, {0, 0, 1, 5, C, 0}, {1, 1, 2, 4, C, 1}));     /* roots */
    ck_assert(!CAN_MEET(2, 1, {0, 0, 1, 5, C, no}, {1, 1, 2, 4, C, no}));   /* none */
    ck_assert(!CAN_MEET(2, 1, {0, 0, 1, 5, B, no}, {3, 0, 6, 8, B, no}));   /* a rank at two */
    ck_assert(!CAN_MEET(2, 1, {0, 0, -1, 5, B, no}, {1, 1, 2, 4, B, no}));  /* no begin */
    ck_assert(CAN_MEET(2, 1, {0, 0, 1, 5, C, 0}, {1, 1, -1, 4, C, 0}));     /* none is needed */
    ck_assert(!CAN_MEET(1, 1, {0, 0, 1, 5, C, 0}));                         /* none leaves */
    ck_assert(!CAN_MEET(2, 1, {0, 0, 3, 5, B, no}, {0, 0, 1, 9, B, no}));   /* not in order */
    ck_assert(!CAN_MEET(2, 1, {0, 0, 1, 5, B, no}, {1, 1, 2, 4, B, no}, {0, 0, 7, 9, B, no}));
    ck_assert(!CAN_MEET(2, 1, {0, 0, 1, 5, B, no}, {1, 1, 2, 4, B, no}, {3, 2, 7, 9, B, no}));
    ck_assert(!CAN_MEET(2, 1, {0, 0, 1, INT64_MAX, B, no}, {1, 1, 2, 4, B, no}));
}
END_TEST

/* True if barriers of two ranks that state these instances, in this order, can be met. */
static bool agree(size_t n, const uint32_t instances[])
{
    struct stream_members_result got = {0};
    struct stream_members *members;
    csy_error error;
    ck_ok(stream_members_new(&members, &error), error);
    for (size_t i = 0; i < n; i++) {
        const struct stream_item item = {.time_ticks = (int64_t)i + 1,
                                         .other_ticks = (int64_t)i,
                                         .key = {1, UINT32_MAX, instances[i], i % 2},
                                         .ranks = 2,
                                         .role = STREAM_MEMBER,
                                         .kind = COLLECTIVE_BARRIER,
                                         .interval = true,
                                         .gives = true,
                                         .gets = true,
                                         .has_instance = true};
        stream_members_item(members, i % 2, &item);
    }
    bool finished = stream_members_finish(members, &got);
    free(got.members);
    stream_members_free(members);
    return finished;
}

START_TEST(instances_agree_and_increase)
{
    ck_assert(agree(4, (const uint32_t[]){4, 4, 6, 6}));
    ck_assert(!agree(2, (const uint32_t[]){4, 5}));
    ck_assert(!agree(4, (const uint32_t[]){4, 4, 6, 7}));
    ck_assert(!agree(4, (const uint32_t[]){4, 4, 4, 4}));
    ck_assert(!agree(4, (const uint32_t[]){4, 4, 3, 3}));
}
END_TEST

int main(void)
{
    TCase *tests = unit_begin("stream_members");
    tcase_add_test(tests, all_operations_are_counted);
    tcase_add_test(tests, what_needs_all_events_fails);
    tcase_add_test(tests, instances_agree_and_increase);
    return unit_run();
}
