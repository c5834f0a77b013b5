/* Pairs that are made while flushes are read are those of the same flushes as points. */
#include "support.h"

#include "graph/reduce.h"

#include <stdlib.h>

enum { LOCATIONS = 6, FLUSHES = 60 };

#define FAR (INT64_MAX / 4)

/* The greatest g[s] - g[t]; false where no offsets keep all pairs with what is added. */
static bool close_pairs(const struct pairs *pairs, int64_t added, int64_t m[LOCATIONS][LOCATIONS])
{
    size_t n = pairs->nclocks;
    for (size_t s = 0; s < n; s++)
        for (size_t t = 0; t < n; t++)
            m[s][t] = s == t ? 0 : FAR;
    for (size_t i = 0; i < pairs->count; i++) {
        const struct clock_pair *pair = &pairs->items[i];
        if (pair->weight + added < m[pair->s][pair->t])
            m[pair->s][pair->t] = pair->weight + added;
    }
    for (size_t k = 0; k < n; k++)
        for (size_t s = 0; s < n; s++)
            for (size_t t = 0; t < n; t++)
                if (m[s][k] < FAR && m[k][t] < FAR && m[s][k] + m[k][t] < m[s][t])
                    m[s][t] = m[s][k] + m[k][t];
    for (size_t s = 0; s < n; s++)
        if (m[s][s] < 0)
            return false;
    return true;
}

/* Flushes of some locations, which may share clocks and have buffers of their own: hi comes with
 * the location's next flush, at once, or never. */
struct drawing {
    struct random *r;
    struct instant items[FLUSHES];
    bool stamped[FLUSHES];
    size_t count;
    uint32_t nclocks, nlocations, nbuffers;
};

static void draw(struct random *r, struct drawing *d)
{
    int64_t now = 0, offset[LOCATIONS];
    int jitter = random_chance(r, 50) ? 0 : (int)random_between(r, 1, 30);
    uint32_t clock_of[LOCATIONS], last_of[LOCATIONS];
    *d = (struct drawing){.r = r,
                          .count = (size_t)random_between(r, 1, FLUSHES),
                          .nclocks = (uint32_t)random_between(r, 1, LOCATIONS),
                          .nlocations = (uint32_t)random_between(r, 1, LOCATIONS),
                          .nbuffers = (uint32_t)random_between(r, 1, 2)};
    for (uint32_t i = 0; i < LOCATIONS; i++) {
        offset[i] = random_between(r, -100, 100);
        clock_of[i] = (uint32_t)random_between(r, 0, d->nclocks - 1);
        last_of[i] = UINT32_MAX;
    }
    for (uint32_t i = 0; i < d->count; i++) {
        uint32_t l = (uint32_t)random_between(r, 0, d->nlocations - 1);
        struct instant *item = &d->items[i];
        now += random_between(r, 0, 9);
        int64_t x = now - offset[clock_of[l]] + random_between(r, -jitter, jitter);
        *item = (struct instant){.hi = HI_NONE,
                                 .position = i,
                                 .clock = clock_of[l],
                                 .location = l,
                                 .buffer = l % d->nbuffers};
        if (last_of[l] != UINT32_MAX && x < d->items[last_of[l]].lo)
            x = d->items[last_of[l]].lo; /* a location's stamps go up */
        item->lo = x;
        if (last_of[l] != UINT32_MAX && d->items[last_of[l]].hi == HI_NONE)
            d->items[last_of[l]].hi = x;
        d->stamped[i] = random_chance(r, 30);
        if (d->stamped[i])
            item->hi = x + random_between(r, 0, 5);
        last_of[l] = i;
    }
}

/* A flush that waits for its hi, and its place in its buffer. */
struct waiting {
    uint32_t point, place;
};

/* Add a flush, whose number goes to *waits if a later record gives its hi. */
static void add(struct reduce_stream *stream, const struct instant *flush, struct waiting *waits)
{
    struct instant item = *flush;
    uint32_t point, place = reduce_stream_places(stream, flush->buffer);
    csy_error error;
    item.hi = waits ? HI_NONE : item.hi;
    ck_ok(reduce_stream_add(stream, &(struct reduce_stream_point){&item, waits != NULL, NULL, 0},
                            &point, &error),
          error);
    if (waits)
        *waits = (struct waiting){point, place};
}

/* The flush that waits precedes this reading of its clock. */
static void end(struct reduce_stream *stream, const struct instant *reading, struct waiting *waits)
{
    const struct order_edge edge = {.from = waits->point, .kind = EDGE_FLUSH};
    struct instant item = *reading;
    csy_error error;
    uint32_t point;
    if (waits->point == NO_POINT)
        return;
    item.buffer = NO_BUFFER;
    item.hi = item.lo;
    ck_ok(reduce_stream_add(stream, &(struct reduce_stream_point){&item, 0, &edge, 1}, &point,
                            &error),
          error);
    reduce_stream_set_hi(stream, reading->buffer, reading->clock, waits->place, item.hi);
    waits->point = NO_POINT;
}

/* Remove points where there are many. */
static void clear(struct reduce_stream *stream, struct waiting *waits)
{
    uint32_t *marks = reduce_stream_marks(stream);
    ck_assert(marks);
    for (size_t l = 0; l < LOCATIONS; l++)
        if (waits[l].point != NO_POINT)
            marks[waits[l].point] = 1;
    reduce_stream_remove(stream, marks);
    for (size_t l = 0; l < LOCATIONS; l++)
        if (waits[l].point != NO_POINT)
            waits[l].point = marks[waits[l].point];
    free(marks);
}

/* Those that wait are told when the next flush of their location comes, as they are read. */
static void stream_flushes(const struct drawing *d, int64_t window, struct points *points,
                           struct pairs *pairs)
{
    struct reduce_stream *stream;
    struct waiting waits[LOCATIONS];
    csy_error error;
    for (size_t l = 0; l < LOCATIONS; l++)
        waits[l].point = NO_POINT;
    ck_ok(reduce_stream_new(points, 0, 0, &(struct reduce_window){.ticks = window}, NULL, &stream,
                            &error),
          error);
    for (size_t i = 0; i < d->count; i++) {
        const struct instant *item = &d->items[i];
        ck_ok(reduce_stream_grow(stream, (size_t)item->clock + 1, (size_t)item->buffer + 1, NULL,
                                 &error),
              error);
        end(stream, item, &waits[item->location]);
        if (random_chance(d->r, 10))
            clear(stream, waits);
        add(stream, item, d->stamped[i] ? NULL : &waits[item->location]);
    }
    ck_ok(reduce_stream_grow(stream, d->nclocks, d->nbuffers, NULL, &error), error);
    ck_ok(reduce_stream_collect(stream, pairs, &error), error);
    reduce_stream_free(stream);
}

START_TEST(streamed_flushes_are_points)
{
    size_t feasible = 0, trials = (size_t)trials_of(4000);
    for (size_t trial = 0; trial < trials; trial++) {
        struct random r = random_trial(trial);
        struct drawing d;
        struct points points = {0}, left = {0};
        struct pairs want, got;
        uint32_t out, order[FLUSHES];
        int64_t wanted[LOCATIONS][LOCATIONS], gotten[LOCATIONS][LOCATIONS];
        csy_error error;
        draw(&r, &d);
        for (uint32_t i = 0; i < d.count; i++) {
            ck_ok(points_apart(&points, &d.items[i], INSTANT_FLUSH, &out, &error), error);
            order[i] = out;
        }
        ck_ok(points_finish(&points, &error), error);
        points.nlocations = d.nlocations;
        int64_t window = random_chance(&r, 40) ? 0 : random_between(&r, 0, 80);
        ck_ok(reduce_points(&points, order, d.nclocks, &(struct reduce_window){.ticks = window},
                            &want, &error),
              error);
        stream_flushes(&d, window, &left, &got);
        bool can = close_pairs(&want, window, wanted);
        ck_assert_int_eq(close_pairs(&got, window, gotten), can);
        for (size_t s = 0; s < d.nclocks && can; s++)
            for (size_t t = 0; t < d.nclocks; t++)
                ck_assert_int_eq(gotten[s][t], wanted[s][t]);
        for (size_t i = 0; i < got.count; i++) {
            ck_assert_uint_eq(left.items[got.items[i].from].clock, got.items[i].s);
            ck_assert_uint_eq(left.items[got.items[i].to].clock, got.items[i].t);
            ck_assert_int_eq(left.items[got.items[i].to].hi - left.items[got.items[i].from].lo,
                             got.items[i].weight);
        }
        feasible += can;
        pairs_fini(&want);
        pairs_fini(&got);
        points_fini(&points);
        points_fini(&left);
    }
    ck_assert(feasible > trials / 10 && feasible < trials);
}
END_TEST

/* However many flushes there are, what is kept goes with the clocks. */
START_TEST(memory_goes_with_clocks)
{
    struct reduce_stream *stream;
    struct points points = {0};
    struct pairs pairs;
    struct waiting waits[LOCATIONS];
    csy_error error;
    for (size_t l = 0; l < LOCATIONS; l++)
        waits[l].point = NO_POINT;
    ck_ok(reduce_stream_new(&points, 0, 0, &(struct reduce_window){.ticks = 0}, NULL, &stream,
                            &error),
          error);
    ck_ok(reduce_stream_grow(stream, LOCATIONS, 1, NULL, &error), error);
    for (int64_t i = 0; i < 200000; i++) {
        uint32_t l = (uint32_t)(i % LOCATIONS);
        struct instant item = {.lo = 10 * i, .hi = 10 * i, .clock = l, .location = l, .buffer = 0};
        end(stream, &item, &waits[l]);
        if (reduce_stream_is_full(stream))
            clear(stream, waits);
        add(stream, &item, &waits[l]);
    }
    ck_assert_uint_lt(points.capacity, 20000);
    ck_ok(reduce_stream_collect(stream, &pairs, &error), error);
    ck_assert_uint_eq(pairs.count, LOCATIONS * (LOCATIONS - 1));
    ck_assert_uint_le(points.count, 2 * pairs.count + 2 * LOCATIONS * LOCATIONS);
    pairs_fini(&pairs);
    reduce_stream_free(stream);
    points_fini(&points);
}
END_TEST

int main(void)
{
    TCase *tests = unit_begin("blocks_only");
    tcase_add_test(tests, streamed_flushes_are_points);
    tcase_add_test(tests, memory_goes_with_clocks);
    return unit_run();
}
