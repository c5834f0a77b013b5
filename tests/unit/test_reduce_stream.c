/* Pairs that are made while points come are those of all of them at once, whatever the order; also
 * where several locations have one clock, of which one may be far ahead of another. */
#include "support.h"

#include "graph/reduce.h"
#include "order/visit.h"

#include <stdlib.h>

enum { CLOCKS = 5, LOCATIONS_MOST = 10, POINTS = 12000, TRIALS = 40, SMALL = 2000, UNDER_WAY = 64 };

/* An event of a location: where its message comes from, if it receives one. */
struct event {
    uint32_t location;
    int64_t now, x, latency_ticks; /* now: by no clock */
    bool sends, receives;
    size_t from;    /* event */
    uint32_t whole; /* points */
    uint32_t stream;
    bool open; /* it was sent and not received */
};

struct trial {
    struct random *r;
    struct points whole, kept;
    struct reduce_stream *stream;
    struct event *events; /* as they come */
    size_t count;
    size_t nlocations;
    int64_t coarse, slow; /* steps of stamps, and of latencies; coarse ones make equal pairs */
    int64_t gain[CLOCKS]; /* in thousandths */
    int early_percent;    /* how often points are removed before they are too many */
    uint32_t clock_of[LOCATIONS_MOST];
    int64_t now[LOCATIONS_MOST], start[LOCATIONS_MOST];
    size_t first[LOCATIONS_MOST + 1]; /* their positions in the trace */
    size_t channels[LOCATIONS_MOST][LOCATIONS_MOST][UNDER_WAY];
    size_t waiting[LOCATIONS_MOST][LOCATIONS_MOST];
};

/* The next event of a location: a message leaves it, or one of those from another one comes. */
static void draw_event(struct trial *t, uint32_t at)
{
    uint32_t other = (uint32_t)random_between(t->r, 0, (int64_t)t->nlocations - 1);
    size_t *to = &t->waiting[at][other], *from = &t->waiting[other][at];
    struct event *event = &t->events[t->count];
    *event = (struct event){.location = at};
    event->receives = *from > 0 && (*to == UNDER_WAY || random_chance(t->r, 52));
    event->sends = !event->receives && *to < UNDER_WAY;
    if (event->receives) { /* of those under way any comes first, but some are left to the end */
        size_t which = (size_t)random_between(t->r, 0, (int64_t)*from - 1);
        event->from = t->channels[other][at][which];
        t->channels[other][at][which] = t->channels[other][at][--*from];
        if (t->now[at] < t->events[event->from].now)
            t->now[at] = t->events[event->from].now;
    }
    t->now[at] += random_between(t->r, 0, 40);
    event->now = t->now[at];
    event->x = t->start[at] + event->now * (1000 + t->gain[t->clock_of[at]]) / 1000;
    event->x -= event->x % t->coarse;
    event->latency_ticks = t->coarse * random_between(t->r, 0, t->slow);
    if (event->sends)
        t->channels[at][other][(*to)++] = t->count;
    t->count++;
}

/* One location after another goes on for a while. */
static void draw_events(struct trial *t, size_t count)
{
    int64_t longest = random_chance(t->r, 70) ? 1 : 300;
    t->events = malloc(count * sizeof *t->events);
    ck_assert_ptr_nonnull(t->events);
    while (t->count < count) {
        uint32_t at = (uint32_t)random_between(t->r, 0, (int64_t)t->nlocations - 1);
        for (int64_t n = random_between(t->r, 1, longest); n > 0 && t->count < count; n--)
            draw_event(t, at);
    }
    for (size_t i = 0; i < count; i++)
        t->first[t->events[i].location + 1]++;
    for (size_t l = 0; l < t->nlocations; l++)
        t->first[l + 1] += t->first[l];
}

/* All of them, one location after another, as the files of an archive have them. */
static void take_whole(struct trial *t)
{
    csy_error error;
    uint64_t position = 0;
    for (uint32_t l = 0; l < t->nlocations; l++)
        for (size_t i = 0; i < t->count; i++) {
            struct event *event = &t->events[i];
            uint32_t begin;
            if (event->location != l)
                continue;
            const struct point_record record = {.position = position,
                                                .place = position,
                                                .clock = t->clock_of[l],
                                                .location = l,
                                                .buffer = NO_BUFFER,
                                                .x = event->x,
                                                .keyed = true};
            ck_ok(points_record(&t->whole, &record, &begin, &event->whole, &error), error);
            position++;
        }
    for (size_t i = 0; i < t->count; i++) {
        const struct event *event = &t->events[i];
        const struct order_edge edge = {t->events[event->from].whole, event->whole,
                                        event->latency_ticks, NO_KEY, EDGE_MESSAGE};
        if (event->receives)
            ck_ok(points_edge(&t->whole, &edge, &error), error);
    }
    ck_ok(points_finish(&t->whole, &error), error);
}

static void remove_points(struct trial *t, size_t count)
{
    uint32_t *marks = reduce_stream_marks(t->stream);
    ck_assert_ptr_nonnull(marks);
    for (size_t i = 0; i < count; i++)
        if (t->events[i].open)
            marks[t->events[i].stream] = 1;
    reduce_stream_remove(t->stream, marks);
    for (size_t i = 0; i < count; i++)
        if (t->events[i].open)
            t->events[i].stream = marks[t->events[i].stream];
    free(marks);
}

static void take_stream(struct trial *t)
{
    csy_error error;
    for (size_t i = 0; i < t->count; i++) {
        struct event *event = &t->events[i], *from = &t->events[event->from];
        struct order_edge edge = {event->receives ? from->stream : 0, 0, event->latency_ticks,
                                  NO_KEY, EDGE_MESSAGE};
        const struct instant instant = t->whole.items[event->whole];
        const struct reduce_stream_point point = {&instant, event->sends, &edge, event->receives};
        ck_ok(reduce_stream_add(t->stream, &point, &event->stream, &error), error);
        event->open = event->sends;
        if (event->receives)
            from->open = false;
        bool early = t->early_percent > 0 && random_chance(t->r, t->early_percent);
        if (early || reduce_stream_is_full(t->stream))
            remove_points(t, i + 1);
    }
}

static void compare(const struct trial *t, const struct pairs *got, const struct pairs *want)
{
    ck_assert_uint_eq(got->count, want->count);
    ck_assert_uint_eq(got->nvertices, want->nvertices);
    for (size_t i = 0; i < got->count; i++) {
        const struct clock_pair *a = &got->items[i], *b = &want->items[i];
        ck_assert_uint_eq(a->s, b->s);
        ck_assert_uint_eq(a->t, b->t);
        ck_assert_int_eq(a->weight, b->weight);
        ck_assert_uint_eq(t->kept.items[a->from].position, t->whole.items[b->from].position);
        ck_assert_uint_eq(t->kept.items[a->to].position, t->whole.items[b->to].position);
    }
    for (size_t v = 0; v <= got->nvertices; v++)
        ck_assert_uint_eq(got->first[v], want->first[v]);
}

static void check(struct random *r, size_t points, bool drifts, bool shared)
{
    uint32_t rates[CLOCKS], *order;
    struct trial *t = calloc(1, sizeof *t);
    struct pairs got, want;
    struct visit_cycle cycle;
    csy_error error;
    const struct reduce_window window = {random_between(r, 0, 2000), drifts ? rates : NULL,
                                         random_chance(r, 50)};
    ck_assert_ptr_nonnull(t);
    t->r = r;
    t->coarse = random_chance(r, 50) ? 1 : random_chance(r, 50) ? 20 : 200;
    t->slow = random_chance(r, 50) ? 0 : 10;
    t->early_percent = points < 4000 && random_chance(r, 50) ? 10 : 0;
    int64_t most = random_chance(r, 50) ? 0 : 30;
    t->nlocations = shared ? (size_t)random_between(r, CLOCKS + 1, LOCATIONS_MOST) : CLOCKS;
    for (uint32_t c = 0; c < CLOCKS; c++) {
        rates[c] = (uint32_t)random_between(r, 0, 1) * 20000000;
        t->gain[c] = random_between(r, -most, most);
    }
    for (uint32_t l = 0; l < t->nlocations; l++) {
        t->clock_of[l] = l < CLOCKS ? l : (uint32_t)random_between(r, 0, CLOCKS - 1);
        t->start[l] = random_between(r, 1000, 3000);
    }
    draw_events(t, points);
    take_whole(t);
    ck_ok(reduce_stream_new(&t->kept, t->nlocations, CLOCKS, &window, NULL, &t->stream, &error),
          error);
    take_stream(t);
    ck_assert(points < 4000 || t->kept.count < points / 4 * 3);
    ck_ok(reduce_stream_collect(t->stream, &got, &error), error);
    ck_assert(shared || points < 4000 || t->kept.count <= 2 * got.count);
    ck_ok(visit_order(&t->whole, &order, &cycle, &error), error);
    ck_ok(reduce_points(&t->whole, order, CLOCKS, &window, &want, &error), error);
    compare(t, &got, &want);
    pairs_fini(&got);
    pairs_fini(&want);
    free(order);
    reduce_stream_free(t->stream);
    points_fini(&t->kept);
    points_fini(&t->whole);
    free(t->events);
    free(t);
}

START_TEST(the_same_pairs)
{
    uint64_t trials = (uint64_t)trials_of(TRIALS);
    for (uint64_t trial = 0; trial < 4 || trial < trials; trial++) {
        struct random r = random_trial(trial);
        check(&r, 4000 + (size_t)trials_of(POINTS - 4000), trial % 2 == 0, trial % 4 >= 2);
    }
}
END_TEST

/* Of few points many pairs are equal. */
START_TEST(the_same_of_few)
{
    for (uint64_t trial = 0; trial < (uint64_t)trials_of(SMALL); trial++) {
        struct random r = random_trial(trial);
        check(&r, (size_t)random_between(&r, 10, 300), trial % 2 == 0, true);
    }
}
END_TEST

int main(void)
{
    TCase *tests = unit_begin("reduce_stream");
    tcase_add_test(tests, the_same_pairs);
    tcase_add_test(tests, the_same_of_few);
    return unit_run();
}
