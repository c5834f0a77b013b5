/* Points are visited after all that comes before them, or a cycle says why they cannot be. */
#include "support.h"

#include "order/visit.h"

#include <stdlib.h>
#include <string.h>

enum { POINTS = 24, EDGES = 40 };

struct drawing {
    struct points points;
    bool before[POINTS][POINTS]; /* by one chain or edge */
};

/* Points on a few locations and buffers, hubs among them, and edges that mostly go one way. */
static void draw(struct random *r, struct drawing *d)
{
    csy_error error;
    uint32_t begin, end, hub, last[2][4];
    int backwards = random_chance(r, 40) ? 4 : 0;
    *d = (struct drawing){0};
    memset(last, 0xff, sizeof last);
    size_t n = (size_t)random_between(r, 1, POINTS);
    while (d->points.count < n) {
        if (d->points.count > 0 && random_chance(r, 10)) {
            ck_ok(points_hub(&d->points, 0, &hub, &error), error);
            continue;
        }
        struct point_record record = {
            .location = (uint32_t)random_between(r, 0, 3), .buffer = NO_BUFFER, .keyed = true};
        if (random_chance(r, 30))
            record.buffer = (uint32_t)random_between(r, 0, 1);
        ck_ok(points_record(&d->points, &record, &begin, &end, &error), error);
        if (last[0][record.location] != NO_POINT)
            d->before[last[0][record.location]][end] = true;
        last[0][record.location] = end;
        if (record.buffer != NO_BUFFER && last[1][record.buffer] != NO_POINT)
            d->before[last[1][record.buffer]][end] = true;
        if (record.buffer != NO_BUFFER)
            last[1][record.buffer] = end;
    }
    size_t nedges = (size_t)random_between(r, 0, (int64_t)n);
    for (size_t i = 0; i < nedges; i++) {
        uint32_t a = (uint32_t)random_between(r, 0, (int64_t)n - 1);
        uint32_t b = (uint32_t)random_between(r, 0, (int64_t)n - 1);
        bool turn = (a > b) != random_chance(r, backwards);
        struct order_edge edge = {turn ? b : a, turn ? a : b, 0, (uint32_t)i, EDGE_AFTER};
        if (a == b && backwards == 0)
            continue;
        ck_ok(points_edge(&d->points, &edge, &error), error);
        d->before[edge.from][edge.to] = true;
    }
    ck_ok(points_finish(&d->points, &error), error);
}

/* Whether some point comes before itself. */
static bool is_cyclic(const struct drawing *d)
{
    bool reach[POINTS][POINTS];
    memcpy(reach, d->before, sizeof reach);
    for (size_t k = 0; k < POINTS; k++)
        for (size_t a = 0; a < POINTS; a++)
            for (size_t b = 0; b < POINTS; b++)
                reach[a][b] = reach[a][b] || (reach[a][k] && reach[k][b]);
    for (size_t a = 0; a < POINTS; a++)
        if (reach[a][a])
            return true;
    return false;
}

/* A chain leads from one to the other. */
static bool is_chained(const struct points *points, const struct visit_step *step)
{
    const struct instant *from = &points->items[step->from], *to = &points->items[step->to];
    return step->from < step->to &&
           (step->buffer ? from->buffer != NO_BUFFER && from->buffer == to->buffer
                         : from->location == to->location);
}

static void check_cycle(const struct drawing *d, const struct visit_cycle *cycle)
{
    for (size_t i = 0; i < cycle->length; i++) {
        const struct visit_step *step = &cycle->steps[i],
                                *next = &cycle->steps[(i + 1) % cycle->length];
        ck_assert_uint_eq(step->to, next->from);
        if (step->kind == EDGE_CHAIN)
            ck_assert(is_chained(&d->points, step));
        else
            ck_assert(d->before[step->from][step->to]);
        ck_assert(cycle->length == 1 || step->kind != EDGE_CHAIN || next->kind != EDGE_CHAIN ||
                  step->buffer != next->buffer);
    }
}

START_TEST(each_comes_after_those_before_it)
{
    size_t cyclic = 0, trials = (size_t)trials_of(3000);
    for (size_t trial = 0; trial < trials; trial++) {
        static struct drawing d;
        struct random r = random_trial(trial);
        struct visit_cycle cycle;
        uint32_t *order;
        csy_error error;
        size_t place[POINTS];
        draw(&r, &d);
        ck_ok(visit_order(&d.points, &order, &cycle, &error), error);
        ck_assert_int_eq(is_cyclic(&d), cycle.length > 0);
        ck_assert_int_eq(cycle.length > 0, order == NULL);
        check_cycle(&d, &cycle);
        cyclic += cycle.length > 0;
        memset(place, 0xff, sizeof place);
        for (size_t i = 0; order && i < d.points.count; i++)
            place[order[i]] = i;
        for (size_t a = 0; order && a < d.points.count; a++)
            for (size_t b = 0; b < d.points.count; b++)
                ck_assert(place[a] != SIZE_MAX && (!d.before[a][b] || place[a] < place[b]));
        free(order);
        visit_cycle_fini(&cycle);
        points_fini(&d.points);
    }
    ck_assert(cyclic > trials / 20 && cyclic < trials / 2);
}
END_TEST

/* As long as nothing has to wait. */
START_TEST(the_order_of_the_file_is_kept)
{
    struct points p = {0};
    struct visit_cycle cycle;
    uint32_t *order, begin, end;
    csy_error error;
    for (uint32_t i = 0; i < 1000; i++) {
        struct point_record record = {.location = i % 7, .buffer = NO_BUFFER, .keyed = true};
        ck_ok(points_record(&p, &record, &begin, &end, &error), error);
        if (i >= 3)
            ck_ok(points_edge(&p, &(struct order_edge){i - 3, i, 0, NO_KEY, EDGE_MESSAGE}, &error),
                  error);
    }
    ck_ok(points_finish(&p, &error), error);
    ck_ok(visit_order(&p, &order, &cycle, &error), error);
    for (uint32_t i = 0; i < 1000; i++)
        ck_assert_uint_eq(order[i], i);
    free(order);
    points_fini(&p);
}
END_TEST

int main(void)
{
    TCase *tests = unit_begin("visit");
    tcase_add_test(tests, each_comes_after_those_before_it);
    tcase_add_test(tests, the_order_of_the_file_is_kept);
    return unit_run();
}
