/* Clocks that drift: what comes of the pairs left is what the network of all points, an instant
 * each, and of all readings says. */
#include "partial.h"

#include "graph/ageing.h"
#include "graph/reduce.h"
#include "order/visit.h"

#include <stdlib.h>

enum { NODES = 3 * PARTIAL_POINTS };

/* All readings of clocks, and an instant for every point, in units of 1 / (2 RATE_UNIT) ticks:
 * m[a][b] is the greatest a - b. */
struct network {
    const struct partial *p;
    size_t n, nreadings;
    uint32_t clock[NODES];
    int64_t reading[NODES];
    uint32_t lo[NODES], hi[NODES]; /* by point: the vertices of its readings */
    int128 m[NODES][NODES];
};

static uint32_t vertex_of(struct network *w, uint32_t clock, int64_t reading)
{
    for (uint32_t v = 0; v < w->nreadings; v++)
        if (w->clock[v] == clock && w->reading[v] == reading)
            return v;
    w->clock[w->nreadings] = clock;
    w->reading[w->nreadings] = reading;
    return (uint32_t)w->nreadings++;
}

static void lower(int128 *to, int128 value)
{
    *to = value < *to ? value : *to;
}

static void network_init(struct network *w, const struct partial *p)
{
    w->p = p;
    w->nreadings = 0;
    for (size_t i = 0; i < p->points.count; i++) {
        const struct instant *item = &p->points.items[i];
        if (!instant_is_hub(item) && item->lo != LO_NONE)
            w->lo[i] = vertex_of(w, item->clock, item->lo);
        if (!instant_is_hub(item) && item->hi != HI_NONE)
            w->hi[i] = vertex_of(w, item->clock, item->hi);
    }
    w->n = w->nreadings + p->points.count;
    ck_assert_uint_le(w->n, NODES);
}

static bool is_next(const struct instant *from, const struct instant *to)
{
    if (from->buffer != NO_BUFFER && from->buffer == to->buffer)
        return true;
    return !instant_is_hub(from) && !instant_is_hub(to) && from->chained && to->chained &&
           from->location == to->location;
}

static void add_points(struct network *w, int128 slack)
{
    const struct points *points = &w->p->points;
    const int128 unit = 2 * (int128)RATE_UNIT;
    for (size_t a = 0; a < points->count; a++) {
        const struct instant *item = &points->items[a];
        size_t at = w->nreadings + a;
        for (size_t b = a + 1; b < points->count; b++)
            if (is_next(item, &points->items[b]))
                lower(&w->m[at][w->nreadings + b], 0);
        if (instant_is_hub(item))
            continue;
        if (item->lo != LO_NONE)
            lower(&w->m[w->lo[a]][at], slack - unit * item->lo);
        if (item->hi != HI_NONE)
            lower(&w->m[at][w->hi[a]], slack + unit * item->hi);
    }
    for (size_t i = 0; i < points->nedges; i++)
        lower(&w->m[w->nreadings + points->edges[i].from][w->nreadings + points->edges[i].to],
              -unit * points->edges[i].latency_ticks);
}

/* Clocks that reach one another have one age together; false where nothing is feasible. */
static bool network_close(struct network *w, const struct ageing *ageing, int64_t added_ticks)
{
    int128 slack = (int128)added_ticks * ((int128)RATE_UNIT + ageing->rate_ppb);
    for (size_t a = 0; a < w->n; a++)
        for (size_t b = 0; b < w->n; b++)
            w->m[a][b] = a == b ? 0 : PARTIAL_FAR;
    for (size_t a = 0; a < w->nreadings; a++)
        for (size_t b = 0; b < w->nreadings; b++) {
            int64_t by = w->reading[b] - w->reading[a];
            const struct ageing_rate *rate = &ageing->rates[w->clock[a]];
            if (w->clock[a] == w->clock[b] && by >= 0) {
                lower(&w->m[b][a], 2 * (int128)rate->greatest * by);
                lower(&w->m[a][b], -2 * (int128)rate->least * by);
            }
        }
    add_points(w, slack);
    for (size_t k = 0; k < w->n; k++)
        for (size_t a = 0; a < w->n; a++)
            for (size_t b = 0; b < w->n; b++)
                if (w->m[a][k] < PARTIAL_FAR / 2 && w->m[k][b] < PARTIAL_FAR / 2)
                    lower(&w->m[a][b], w->m[a][k] + w->m[k][b]);
    for (size_t a = 0; a < w->n; a++)
        if (w->m[a][a] < 0)
            return false;
    return true;
}

static uint32_t rate_between(struct random *r)
{
    static const uint32_t rates[] = {0, 1, 50000000, 300000000, 999999999};
    return random_chance(r, 60) ? rates[random_between(r, 0, 4)]
                                : (uint32_t)random_between(r, 0, RATE_UNIT - 1);
}

/* A trial's trace, with the pairs of a window that is wide enough, made for its rate or a greater
 * one, and the least that is added. */
struct trial {
    struct partial p;
    uint32_t *order;
    struct pairs pairs;
    struct ageing ageing;
    struct ageing_cycle cycle;
};

static int64_t window_of(int64_t added_ticks, uint32_t rate)
{
    return (int64_t)ceil_div((int128)added_ticks * ((int128)RATE_UNIT + rate), RATE_UNIT - rate);
}

static void trial_init(struct trial *t, struct random *r,
                       void (*draw)(struct random *r, struct partial *p))
{
    struct visit_cycle cycle;
    csy_error error;
    uint64_t prefer[PARTIAL_CLOCKS];
    uint32_t rate = rate_between(r), rates[PARTIAL_POINTS + PARTIAL_CLOCKS] = {0};
    uint32_t made = random_chance(r, 60) ? rate : (uint32_t)random_between(r, rate, RATE_UNIT - 1);
    struct ageing_rule rule = {0, made, prefer};
    int64_t window = 0;
    draw(r, &t->p);
    ck_ok(visit_order(&t->p.points, &t->order, &cycle, &error), error);
    for (size_t c = 0; c < t->p.nclocks; c++) {
        prefer[c] = (uint64_t)random_between(r, 0, 3);
        rates[c] = made;
    }
    rule.tau = (uint32_t)random_between(r, 0, (int64_t)t->p.nclocks - 1);
    rates[rule.tau] = 0;
    for (;;) {
        const struct reduce_window how = {window, rates, random_chance(r, 50)};
        ck_ok(reduce_points(&t->p.points, t->order, t->p.nclocks, &how, &t->pairs, &error), error);
        ck_ok(ageing_init(&t->ageing, &t->p.points, &t->pairs, &rule, &error), error);
        ck_assert_uint_eq(t->ageing.reference[t->ageing.component[rule.tau]], rule.tau);
        ageing_set_rate(&t->ageing, rule.tau, rate);
        ck_ok(ageing_find(&t->ageing, 0, false, &t->cycle, &error), error);
        int64_t need = window_of(t->ageing.added_ticks, rate);
        if (need <= window)
            break;
        window = need;
        free(t->cycle.pairs);
        ageing_fini(&t->ageing);
        pairs_fini(&t->pairs);
    }
    ck_ok(ageing_bound(&t->ageing, &error), error);
}

static void trial_fini(struct trial *t)
{
    free(t->cycle.pairs);
    ageing_fini(&t->ageing);
    pairs_fini(&t->pairs);
    free(t->order);
    partial_discard(&t->p);
}

/* The witness leads round, and asks for what was found. */
static void check_cycle(const struct trial *t)
{
    int128 weight = 0, ages = 0;
    int64_t count = 0;
    const struct instant *items = t->p.points.items;
    ck_assert_int_eq(t->cycle.length > 0, t->ageing.added_ticks > 0);
    for (size_t i = 0; i < t->cycle.length; i++) {
        const struct clock_pair *pair = &t->pairs.items[t->cycle.pairs[i]];
        const struct clock_pair *next = &t->pairs.items[t->cycle.pairs[(i + 1) % t->cycle.length]];
        ck_assert_uint_eq(pair->t, next->s);
        int64_t by = items[next->from].lo - items[pair->to].hi;
        weight += pair->weight;
        count += pair_counts(&t->pairs, pair);
        ages += t->ageing.rates[pair->t].greatest * (int128)(by < 0 ? -by : by);
    }
    if (t->cycle.length > 0)
        ck_assert_int_eq((int64_t)ceil_div(-weight * RATE_UNIT - ages,
                                           count * ((int128)RATE_UNIT + t->ageing.rate_ppb)),
                         t->ageing.added_ticks);
}

/* Whether the reading is the one whose age is 0. */
static bool is_anchor(const struct ageing *a, uint32_t clock, int64_t reading)
{
    size_t first = a->first_of[clock];
    return a->reference[a->component[clock]] == clock && a->first_of[clock + 1] > first &&
           a->reading[a->sorted[first]] == reading;
}

static void check_bounds(const struct trial *t, const struct network *w)
{
    const struct ageing *a = &t->ageing;
    for (size_t v = 0; v < w->nreadings; v++)
        for (size_t u = 0; u < w->nreadings; u++) {
            bool together = w->m[v][u] < PARTIAL_FAR / 2 && w->m[u][v] < PARTIAL_FAR / 2;
            ck_assert_int_eq(together, a->component[w->clock[u]] == a->component[w->clock[v]]);
            if (!together || !is_anchor(a, w->clock[u], w->reading[u]))
                continue;
            int128 least, greatest;
            ageing_at(a, w->clock[v], w->reading[v], &least, &greatest);
            ck_assert(2 * greatest == w->m[v][u]);
            ck_assert(2 * least == -w->m[u][v]);
        }
}

static void check_trials(size_t first, size_t trials,
                         void (*draw)(struct random *r, struct partial *p))
{
    static struct network w;
    size_t late = 0;
    for (size_t trial = 0; trial < trials; trial++) {
        struct random r = random_trial(first + trial);
        struct trial t;
        trial_init(&t, &r, draw);
        network_init(&w, &t.p);
        check_cycle(&t);
        if (t.ageing.added_ticks > 0)
            ck_assert(!network_close(&w, &t.ageing, t.ageing.added_ticks - 1));
        ck_assert(network_close(&w, &t.ageing, t.ageing.added_ticks));
        check_bounds(&t, &w);
        late += t.ageing.added_ticks > 0;
        trial_fini(&t);
    }
    ck_assert(late > trials / 10 && late < trials);
}

START_TEST(ages_are_those_of_the_network)
{
    check_trials(0, (size_t)trials_of(6000), partial_draw);
}
END_TEST

/* Of barriers only the last one that a clock knows of stays in its list. */
START_TEST(ages_of_barriers_are_those_of_the_network)
{
    check_trials(10000, (size_t)trials_of(1000), partial_draw_barriers);
}
END_TEST

/* R@0 -> C@1000, C@1000 -> R@500, at most 100 ppm. */
START_TEST(the_known_answer)
{
    static const struct point_record records[] = {
        {0, 2, 0, 0, NO_BUFFER, 0, true, false, false, 0},
        {1, 3, 1, 1, NO_BUFFER, 1000, true, false, false, 0},
        {2, 4, 1, 1, NO_BUFFER, 1000, true, false, false, 0},
        {3, 5, 0, 0, NO_BUFFER, 500, true, false, false, 0},
    };
    static const uint32_t rates[] = {0, 100000}, order[] = {0, 1, 2, 3};
    static const uint64_t prefer[] = {0, 1};
    struct points points = {0};
    struct pairs pairs;
    struct ageing ageing;
    struct ageing_cycle cycle;
    uint32_t begin, end;
    int128 least, greatest;
    csy_error error;
    for (size_t i = 0; i < 4; i++)
        ck_ok(points_record(&points, &records[i], &begin, &end, &error), error);
    for (uint32_t i = 0; i < 4; i += 2)
        ck_ok(points_edge(&points, &(struct order_edge){i, i + 1, 0, NO_KEY, EDGE_MESSAGE}, &error),
              error);
    ck_ok(points_finish(&points, &error), error);
    const struct reduce_window window = {.rate_ppb = rates};
    ck_ok(reduce_points(&points, order, 2, &window, &pairs, &error), error);
    const struct ageing_rule rule = {0, 100000, prefer};
    ck_ok(ageing_init(&ageing, &points, &pairs, &rule, &error), error);
    ck_ok(ageing_find(&ageing, 0, false, &cycle, &error), error);
    ck_assert_uint_eq(cycle.length, 0);
    ck_ok(ageing_bound(&ageing, &error), error);
    ageing_at(&ageing, 1, 1001000, &least, &greatest);
    ck_assert(least == (int128)-1100 * RATE_UNIT && greatest == (int128)-400 * RATE_UNIT);
    ageing_at(&ageing, 1, 1000, &least, &greatest);
    ck_assert(least == (int128)-1000 * RATE_UNIT && greatest == (int128)-500 * RATE_UNIT);
    ageing_fini(&ageing);
    pairs_fini(&pairs);
    points_fini(&points);
}
END_TEST

int main(void)
{
    TCase *tests = unit_begin("ageing");
    tcase_add_test(tests, ages_are_those_of_the_network);
    tcase_add_test(tests, ages_of_barriers_are_those_of_the_network);
    tcase_add_test(tests, the_known_answer);
    return unit_run();
}
