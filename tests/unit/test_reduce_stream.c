/* Pairs that are made while points come are those of all of them at once, whatever the order. */
#include "support.h"

#include "graph/reduce_stream.h"
#include "order/visit.h"

#include <stdlib.h>

enum { CLOCKS = 5, POINTS = 20000, TRIALS = 12, UNDER_WAY = 64 };

/* Messages that are under way between two clocks, by their points. */
struct channel {
    uint32_t whole[UNDER_WAY], stream[UNDER_WAY];
    size_t count;
};

struct trial {
    struct random *r;
    struct points whole, kept;
    struct reduce_stream *stream;
    struct channel channels[CLOCKS][CLOCKS];
    int64_t x[CLOCKS];
};

static void remove_points(struct trial *t)
{
    uint32_t *marks = reduce_stream_marks(t->stream);
    ck_assert_ptr_nonnull(marks);
    for (size_t c = 0; c < (size_t)CLOCKS * CLOCKS; c++)
        for (size_t i = 0; i < t->channels[c / CLOCKS][c % CLOCKS].count; i++)
            marks[t->channels[c / CLOCKS][c % CLOCKS].stream[i]] = 1;
    reduce_stream_remove(t->stream, marks);
    for (size_t c = 0; c < (size_t)CLOCKS * CLOCKS; c++)
        for (size_t i = 0; i < t->channels[c / CLOCKS][c % CLOCKS].count; i++) {
            uint32_t *point = &t->channels[c / CLOCKS][c % CLOCKS].stream[i];
            *point = marks[*point];
        }
    free(marks);
}

/* The next point: a message leaves it, or one of those from a clock comes to it. */
static void add_point(struct trial *t, uint64_t position)
{
    uint32_t at = (uint32_t)random_between(t->r, 0, CLOCKS - 1),
             other = (uint32_t)random_between(t->r, 0, CLOCKS - 1);
    struct channel *to = &t->channels[at][other], *from = &t->channels[other][at];
    bool receives = from->count > 0 && (to->count == UNDER_WAY || random_chance(t->r, 52));
    bool sends = !receives && to->count < UNDER_WAY;
    uint32_t begin, end, number;
    csy_error error;
    t->x[at] += random_between(t->r, 0, 40);
    const struct point_record record = {.position = position,
                                        .place = position,
                                        .clock = at,
                                        .location = at,
                                        .buffer = NO_BUFFER,
                                        .x = t->x[at],
                                        .keyed = true};
    ck_ok(points_record(&t->whole, &record, &begin, &end, &error), error);
    /* Of those under way any comes first, but some are left to the end. */
    size_t which = receives ? (size_t)random_between(t->r, 0, (int64_t)from->count - 1) : 0;
    struct order_edge edge = {receives ? from->whole[which] : 0, end, 3, NO_KEY, EDGE_MESSAGE};
    if (receives)
        ck_ok(points_edge(&t->whole, &edge, &error), error);
    edge.from = receives ? from->stream[which] : 0;
    const struct instant instant = t->whole.items[end];
    const struct reduce_stream_point point = {&instant, sends, &edge, receives};
    ck_ok(reduce_stream_add(t->stream, &point, &number, &error), error);
    if (receives) {
        from->count--;
        from->whole[which] = from->whole[from->count];
        from->stream[which] = from->stream[from->count];
    }
    if (sends) {
        to->whole[to->count] = end;
        to->stream[to->count++] = number;
    }
    if (reduce_stream_is_full(t->stream))
        remove_points(t);
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
}

static void check(struct random *r, bool drifts)
{
    uint32_t rates[CLOCKS], *order;
    struct trial t = {.r = r};
    struct pairs got, want;
    struct visit_cycle cycle;
    csy_error error;
    const struct reduce_window window = {random_between(r, 0, 2000), drifts ? rates : NULL,
                                         random_chance(r, 50)};
    for (uint32_t c = 0; c < CLOCKS; c++) {
        rates[c] = (uint32_t)random_between(r, 0, 1) * 20000000;
        t.x[c] = random_between(r, -1000, 1000);
    }
    ck_ok(reduce_stream_new(&t.kept, CLOCKS, CLOCKS, &window, NULL, &t.stream, &error), error);
    uint64_t points = 4000 + (uint64_t)trials_of(POINTS - 4000);
    for (uint64_t i = 0; i < points; i++)
        add_point(&t, i);
    ck_assert_uint_lt(t.kept.count, points / 2);
    ck_ok(reduce_stream_collect(t.stream, &got, &error), error);
    ck_assert_uint_le(t.kept.count, 2 * got.count);
    ck_ok(points_finish(&t.whole, &error), error);
    ck_ok(visit_order(&t.whole, &order, &cycle, &error), error);
    ck_ok(reduce_drifting(&t.whole, order, CLOCKS, &window, &want, &error), error);
    compare(&t, &got, &want);
    pairs_fini(&got);
    pairs_fini(&want);
    free(order);
    reduce_stream_free(t.stream);
    points_fini(&t.kept);
    points_fini(&t.whole);
}

START_TEST(the_same_pairs)
{
    uint64_t trials = (uint64_t)trials_of(TRIALS);
    for (uint64_t trial = 0; trial < 2 || trial < trials; trial++) {
        struct random r = random_trial(trial);
        check(&r, trial % 2 == 0);
    }
}
END_TEST

int main(void)
{
    TCase *tests = unit_begin("reduce_stream");
    tcase_add_test(tests, the_same_pairs);
    return unit_run();
}
