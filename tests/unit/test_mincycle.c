/* The least delta: by every simple cycle, and by the network of all instants. */
#include "partial.h"

#include "graph/mincycle.h"
#include "order/visit.h"

#include <stdlib.h>

/* The greatest -weight / count over simple cycles, by going through all of them. */
struct trying {
    const struct pairs *pairs;
    bool met[PARTIAL_VERTICES];
    csy_fraction most;
};

static void try_from(struct trying *t, uint32_t start, uint32_t at, int64_t weight, int64_t count)
{
    const struct pairs *pairs = t->pairs;
    t->met[at] = true;
    for (size_t i = pairs->first[at]; i < pairs->first[at + 1]; i++) {
        const struct clock_pair *pair = &pairs->items[i];
        int64_t w = weight + pair->weight, c = count + pair_counts(pairs, pair);
        if (pair->t == start) {
            ck_assert_int_gt(c, 0); /* hubs alone are in no cycle */
            if ((int128)-w * t->most.den > (int128)t->most.num * c)
                ck_assert(fraction_make(-w, c, &t->most));
        } else if (pair->t > start && !t->met[pair->t]) {
            try_from(t, start, pair->t, w, c);
        }
    }
    t->met[at] = false;
}

static void check_witness(const struct pairs *pairs, const struct mincycle *found)
{
    int64_t weight = 0, count = 0;
    for (size_t i = 0; i < found->nwitness; i++) {
        const struct clock_pair *pair = &pairs->items[found->witness[i]];
        const struct clock_pair *next = &pairs->items[found->witness[(i + 1) % found->nwitness]];
        ck_assert_uint_eq(pair->t, next->s);
        weight += pair->weight;
        count += pair_counts(pairs, pair);
        for (size_t k = 0; k < i; k++)
            ck_assert_uint_ne(pairs->items[found->witness[k]].s, pair->s);
    }
    if (found->nwitness > 0)
        ck_assert((int128)-weight * found->twice.den == (int128)found->twice.num * count);
}

/* Lists again until the window holds. */
static struct mincycle least_delta(const struct partial *p, const uint32_t *order,
                                   struct pairs *pairs)
{
    struct mincycle found;
    csy_error error;
    int64_t window = 0, twice = 0;
    for (;;) {
        ck_ok(reduce_points(&p->points, order, p->nclocks, &(struct reduce_window){.ticks = window},
                            pairs, &error),
              error);
        ck_ok(mincycle_find(pairs, (csy_fraction){0, 1}, false, &found, &error), error);
        twice = (int64_t)ceil_div(found.twice.num, found.twice.den);
        if (twice <= window)
            return found;
        window = twice;
        pairs_fini(pairs);
        mincycle_fini(&found);
    }
}

/* No two cycles differ by less than 1 / (clocks^2). */
enum { FINE = 2 * PARTIAL_CLOCKS * PARTIAL_CLOCKS };

START_TEST(it_is_the_least)
{
    size_t above = 0, trials = (size_t)trials_of(3000);
    for (size_t trial = 0; trial < trials; trial++) {
        static int128 bound[PARTIAL_CLOCKS][PARTIAL_CLOCKS];
        struct random r = random_trial(trial);
        struct partial p;
        struct visit_cycle cycle;
        struct pairs pairs;
        struct mincycle given;
        uint32_t *order;
        csy_error error;
        partial_draw(&r, &p);
        ck_ok(visit_order(&p.points, &order, &cycle, &error), error);
        struct mincycle found = least_delta(&p, order, &pairs);
        check_witness(&pairs, &found);
        struct trying t = {.pairs = &pairs, .most = {0, 1}};
        for (uint32_t v = 0; v < pairs.nvertices && pairs.nvertices < 9; v++)
            try_from(&t, v, v, 0, 0);
        if (pairs.nvertices < 9)
            ck_assert(t.most.num == found.twice.num && t.most.den == found.twice.den);
        ck_assert(partial_answer(&p, found.twice.num, found.twice.den, bound));
        ck_ok(mincycle_find(&pairs, found.twice, true, &given, &error), error);
        ck_assert(!given.infeasible);
        mincycle_fini(&given);
        if (found.twice.num > 0) {
            csy_fraction less = {found.twice.num * FINE - found.twice.den, found.twice.den * FINE};
            ck_assert(!partial_answer(&p, less.num, less.den, bound));
            ck_ok(mincycle_find(&pairs, less, true, &given, &error), error);
            ck_assert(given.infeasible);
            mincycle_fini(&given);
        }
        above += found.twice.num > 0;
        mincycle_fini(&found);
        pairs_fini(&pairs);
        free(order);
        partial_discard(&p);
    }
    ck_assert(above > trials / 10 && above < trials);
}
END_TEST

/* A@0 -> B@0, B@0 -> C@0, C@10 -> A@7: 3/2, by the pair of A and C. */
START_TEST(a_pair_deserves_it_once)
{
    static const struct {
        uint32_t clock;
        int64_t x;
    } records[] = {{0, 0}, {1, 0}, {2, 0}, {2, 10}, {0, 7}};
    struct partial p = {.nclocks = 3};
    struct pairs pairs;
    uint32_t begin, end, order[5] = {0, 1, 2, 3, 4};
    csy_error error;
    for (size_t i = 0; i < 5; i++) {
        struct point_record record = {.clock = records[i].clock,
                                      .location = records[i].clock,
                                      .buffer = NO_BUFFER,
                                      .x = records[i].x,
                                      .keyed = true};
        ck_ok(points_record(&p.points, &record, &begin, &end, &error), error);
    }
    for (uint32_t from = 0; from < 4; from++)
        if (from != 2)
            ck_ok(points_edge(&p.points,
                              &(struct order_edge){from, from + 1, 0, NO_KEY, EDGE_MESSAGE},
                              &error),
                  error);
    ck_ok(points_finish(&p.points, &error), error);
    struct mincycle found = least_delta(&p, order, &pairs);
    ck_assert_int_eq(found.twice.num, 3);
    ck_assert_int_eq(found.twice.den, 2);
    ck_assert_uint_eq(found.nwitness, 2);
    mincycle_fini(&found);
    pairs_fini(&pairs);
    partial_discard(&p);
}
END_TEST

START_TEST(labels_are_potentials)
{
    for (int trial = 0; trial < trials_of(1000); trial++) {
        struct random r = random_trial((uint64_t)trial);
        struct partial p;
        struct visit_cycle cycle;
        struct pairs pairs;
        int64_t label[PARTIAL_VERTICES];
        uint32_t *order;
        csy_error error;
        partial_draw(&r, &p);
        ck_ok(visit_order(&p.points, &order, &cycle, &error), error);
        struct mincycle found = least_delta(&p, order, &pairs);
        int64_t added = (int64_t)ceil_div(found.twice.num, found.twice.den);
        ck_ok(mincycle_labels(&pairs, added, label, &error), error);
        for (size_t i = 0; i < pairs.count; i++) {
            const struct clock_pair *pair = &pairs.items[i];
            int64_t weight = pair->weight + (pair_counts(&pairs, pair) ? added : 0);
            ck_assert_int_ge(label[pair->s] + weight, label[pair->t]);
            ck_assert_int_le(label[pair->s], 0);
        }
        mincycle_fini(&found);
        pairs_fini(&pairs);
        free(order);
        partial_discard(&p);
    }
}
END_TEST

int main(void)
{
    TCase *tests = unit_begin("mincycle");
    tcase_add_test(tests, it_is_the_least);
    tcase_add_test(tests, a_pair_deserves_it_once);
    tcase_add_test(tests, labels_are_potentials);
    return unit_run();
}
