/* Drawn partial orders and their network. */
#include "partial.h"

#include <string.h>

struct drawing {
    struct partial *p;
    struct random *r;
    int64_t now, offset[PARTIAL_CLOCKS];
    int jitter;
    uint32_t nlocations, nbuffers, clock_of[4];
};

static int64_t stamp(struct drawing *d, uint32_t clock)
{
    return d->now + d->offset[clock] + random_between(d->r, -d->jitter, d->jitter);
}

static void draw_record(struct drawing *d)
{
    uint32_t begin, end, location = (uint32_t)random_between(d->r, 0, d->nlocations - 1);
    csy_error error;
    if (random_chance(d->r, 4))
        d->clock_of[location] = (uint32_t)random_between(d->r, 0, (int64_t)d->p->nclocks - 1);
    uint32_t clock = d->clock_of[location];
    struct point_record record = {.clock = clock,
                                  .location = location,
                                  .buffer = NO_BUFFER,
                                  .keyed = random_chance(d->r, 85),
                                  .begin_x = stamp(d, clock)};
    d->now += random_between(d->r, 0, 6);
    record.x = stamp(d, clock);
    record.interval = random_chance(d->r, 30) && record.begin_x < record.x;
    if (d->nbuffers > 0 && random_chance(d->r, 40))
        record.buffer = (uint32_t)random_between(d->r, 0, d->nbuffers - 1);
    ck_ok(points_record(&d->p->points, &record, &begin, &end, &error), error);
}

static void draw_flush(struct drawing *d)
{
    uint32_t location = (uint32_t)random_between(d->r, 0, d->nlocations - 1), out;
    uint32_t clock = d->clock_of[location];
    csy_error error;
    struct instant flush = {.clock = clock, .location = location, .buffer = NO_BUFFER};
    flush.lo = stamp(d, clock);
    flush.hi = flush.lo + random_between(d->r, 0, 9);
    if (random_chance(d->r, 15))
        flush.lo = LO_NONE;
    if (random_chance(d->r, 15))
        flush.hi = HI_NONE;
    if (d->nbuffers > 0)
        flush.buffer = (uint32_t)random_between(d->r, 0, d->nbuffers - 1);
    ck_ok(points_apart(&d->p->points, &flush, INSTANT_FLUSH, &out, &error), error);
}

/* Edges from earlier points to later ones; what a location has read so early as not to be stored
 * has none. */
static void draw_edges(struct drawing *d, size_t n)
{
    struct points *points = &d->p->points;
    csy_error error;
    for (size_t i = 0; i < n; i++) {
        uint32_t a = (uint32_t)random_between(d->r, 0, (int64_t)points->count - 1);
        uint32_t b = (uint32_t)random_between(d->r, 0, (int64_t)points->count - 1);
        int64_t latency = random_chance(d->r, 30) ? random_between(d->r, 0, 4) : 0;
        if (a == b)
            continue;
        struct order_edge edge = {a < b ? a : b, a < b ? b : a, latency, NO_KEY, EDGE_MESSAGE};
        ck_ok(points_edge(points, &edge, &error), error);
    }
}

void partial_draw(struct random *r, struct partial *p)
{
    static const int jitters[] = {0, 0, 1, 4, 20};
    struct drawing d = {p, r, 0, {0}, jitters[random_between(r, 0, 4)], 0, 0, {0}};
    uint32_t hub;
    csy_error error;
    *p = (struct partial){.nclocks = (size_t)random_between(r, 1, PARTIAL_CLOCKS)};
    d.nlocations = (uint32_t)random_between(r, 1, 4);
    d.nbuffers = random_chance(r, 40) ? (uint32_t)random_between(r, 1, 2) : 0;
    for (size_t t = 0; t < p->nclocks; t++)
        d.offset[t] = random_between(r, -1000, 1000);
    for (uint32_t i = 0; i < d.nlocations; i++)
        d.clock_of[i] = (uint32_t)random_between(r, 0, (int64_t)p->nclocks - 1);
    size_t n = (size_t)random_between(r, 2, PARTIAL_POINTS - 4);
    while (p->points.count < n)
        if (p->points.count > 0 && random_chance(r, 10))
            ck_ok(points_hub(&p->points, 0, &hub, &error), error);
        else if (random_chance(r, 8))
            draw_flush(&d);
        else
            draw_record(&d);
    draw_edges(&d, (size_t)random_between(r, 0, (int64_t)n));
    ck_ok(points_finish(&p->points, &error), error);
}

void partial_add_records(struct points *points, uint32_t n, const int64_t *x, uint32_t *end)
{
    for (uint32_t i = 0; i < n; i++) {
        struct point_record record = {.position = points->count,
                                      .place = points->count,
                                      .clock = i,
                                      .location = i,
                                      .buffer = NO_BUFFER,
                                      .x = x[i],
                                      .keyed = true};
        uint32_t begin;
        csy_error error;
        ck_ok(points_record(points, &record, &begin, &end[i], &error), error);
    }
}

/* Edges from some of the points to some of the others, with latencies up to `most`. */
static void add_edges(struct points *points, struct random *r, int chance, const uint32_t *from,
                      uint32_t nfrom, const uint32_t *to, uint32_t nto, int64_t most)
{
    csy_error error;
    for (uint32_t i = 0; i < nfrom * nto; i++) {
        struct order_edge edge = {from[i / nto], to[i % nto], random_between(r, 0, most), NO_KEY,
                                  EDGE_MESSAGE};
        if (random_chance(r, chance))
            ck_ok(points_edge(points, &edge, &error), error);
    }
}

void partial_draw_barriers(struct random *r, struct partial *p)
{
    int64_t late = random_between(r, 0, random_chance(r, 50) ? 8 : 30),
            latency = random_between(r, 0, 6), x[3], now = 0;
    int most = latency == 0 ? 100 : 60, others = random_chance(r, 50) ? 25 : 0;
    uint32_t n = (uint32_t)random_between(r, 2, 3), before[3], after[3], hub, last = 0;
    csy_error error;
    *p = (struct partial){.nclocks = n};
    for (int k = 0; p->points.count + 2 * n + 1 <= PARTIAL_POINTS; k++) {
        for (uint32_t i = 0; i < n; i++)
            x[i] = now - random_between(r, 0, late);
        partial_add_records(&p->points, n, x, before);
        if (k > 0)
            add_edges(&p->points, r, others, after, n, before, n, latency);
        ck_ok(points_hub(&p->points, before[0], &hub, &error), error);
        now += random_between(r, 0, 10);
        for (uint32_t i = 0; i < n; i++)
            x[i] = now - random_between(r, 0, late);
        partial_add_records(&p->points, n, x, after);
        add_edges(&p->points, r, most, before, n, &hub, 1, latency);
        add_edges(&p->points, r, most, &hub, 1, after, n, latency);
        if (k > 0)
            add_edges(&p->points, r, others, &last, 1, after, n, 4 * latency);
        last = hub;
    }
    ck_ok(points_finish(&p->points, &error), error);
}

void partial_discard(struct partial *p)
{
    points_fini(&p->points);
}

static void lower(int128 *to, int128 value)
{
    *to = value < *to ? value : *to;
}

/* Whether b follows a at once in a chain. */
static bool is_next(const struct points *points, size_t a, size_t b, bool buffer)
{
    const struct instant *from = &points->items[a], *to = &points->items[b];
    if (buffer)
        return from->buffer != NO_BUFFER && from->buffer == to->buffer;
    return !instant_is_hub(from) && !instant_is_hub(to) && from->chained && to->chained &&
           from->location == to->location;
}

/* m[a][b]: the greatest a - b; x is the point's instant, or the clock's offset. */
bool partial_answer(const struct partial *p, int64_t twice_num, int64_t den,
                    int128 bound[PARTIAL_CLOCKS][PARTIAL_CLOCKS])
{
    static int128 m[PARTIAL_VERTICES][PARTIAL_VERTICES];
    const struct points *points = &p->points;
    size_t n = points->count, all = n + p->nclocks;
    int128 unit = 2 * (int128)den, delta = twice_num; /* in units of 1 / (2 den) */
    for (size_t a = 0; a < all; a++)
        for (size_t b = 0; b < all; b++)
            m[a][b] = a == b ? 0 : PARTIAL_FAR;
    for (size_t a = 0; a < n; a++) {
        const struct instant *item = &points->items[a];
        for (size_t b = a + 1; b < n; b++)
            if (is_next(points, a, b, false) || is_next(points, a, b, true))
                lower(&m[a][b], 0);
        if (instant_is_hub(item))
            continue;
        if (item->lo != LO_NONE)
            lower(&m[n + item->clock][a], delta - unit * item->lo);
        if (item->hi != HI_NONE)
            lower(&m[a][n + item->clock], delta + unit * item->hi);
    }
    for (size_t i = 0; i < points->nedges; i++)
        lower(&m[points->edges[i].from][points->edges[i].to],
              -unit * points->edges[i].latency_ticks);
    for (size_t k = 0; k < all; k++)
        for (size_t a = 0; a < all; a++)
            for (size_t b = 0; b < all; b++)
                lower(&m[a][b], m[a][k] + m[k][b] < PARTIAL_FAR ? m[a][k] + m[k][b] : PARTIAL_FAR);
    for (size_t a = 0; a < all; a++)
        if (m[a][a] < 0)
            return false;
    for (size_t s = 0; s < p->nclocks; s++)
        for (size_t t = 0; t < p->nclocks; t++) {
            int128 walk = m[n + s][n + t];
            bound[s][t] = walk >= PARTIAL_FAR / 2 ? PARTIAL_FAR : walk;
        }
    return true;
}
