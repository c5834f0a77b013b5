/* Pairs that are drawn, or of a known shape. */
#include "pairings.h"

#include "graph/minplus.h"

#include <stdlib.h>

struct building {
    struct pairs *pairs;
    size_t capacity;
};

/* They come in the order of s, then of t. */
static void add(struct building *b, size_t s, size_t t, int64_t weight)
{
    struct pairs *pairs = b->pairs;
    if (pairs->count == b->capacity) {
        b->capacity = b->capacity ? 2 * b->capacity : 64;
        pairs->items = realloc(pairs->items, b->capacity * sizeof *pairs->items);
        ck_assert(pairs->items != NULL);
    }
    pairs->items[pairs->count++] = (struct clock_pair){(uint32_t)s, (uint32_t)t, weight, 0, 0};
    pairs->first[s + 1]++;
}

static struct building begin(struct pairs *pairs, size_t n)
{
    *pairs = (struct pairs){.nclocks = n, .nvertices = n};
    pairs->first = calloc(n + 2, sizeof *pairs->first);
    ck_assert(pairs->first != NULL);
    return (struct building){pairs, 0};
}

static void finish(struct building *b)
{
    for (size_t v = 0; v < b->pairs->nvertices; v++)
        b->pairs->first[v + 1] += b->pairs->first[v];
}

void pairs_draw(struct random *r, struct pairs *pairs, size_t n)
{
    struct building b = begin(pairs, (size_t)random_between(r, 1, (int64_t)n));
    int percent = (int)random_between(r, 1, random_chance(r, 50) ? 10 : 70);
    int64_t most = random_chance(r, 30) ? 3 : 1000;
    for (size_t s = 0; s < pairs->nvertices; s++)
        for (size_t t = 0; t < pairs->nvertices; t++)
            if (random_chance(r, percent))
                add(&b, s, t, random_between(r, 0, most));
    finish(&b);
    pairs->nclocks -= (size_t)random_between(r, 0, (int64_t)pairs->nvertices / 4);
}

void pairs_grid(struct pairs *pairs, size_t rows, size_t columns)
{
    struct building b = begin(pairs, rows * columns);
    for (size_t y = 0; y < rows; y++)
        for (size_t x = 0; x < columns; x++) {
            size_t v = y * columns + x;
            if (y > 0)
                add(&b, v, v - columns, 1);
            if (x > 0)
                add(&b, v, v - 1, 1);
            if (x + 1 < columns)
                add(&b, v, v + 1, 1);
            if (y + 1 < rows)
                add(&b, v, v + columns, 1);
        }
    finish(&b);
}

void pairs_star(struct pairs *pairs, size_t n, size_t middles)
{
    struct building b = begin(pairs, n + middles);
    for (size_t v = 0; v < n; v++)
        for (size_t m = 0; m < middles; m++)
            add(&b, v, n + m, 1);
    for (size_t m = 0; m < middles; m++)
        for (size_t v = 0; v < n; v++)
            add(&b, n + m, v, 1);
    finish(&b);
}

int64_t *pairs_close(const struct pairs *pairs)
{
    size_t n = pairs->nvertices;
    int64_t *walks = malloc((n * n + 1) * sizeof *walks);
    ck_assert(walks != NULL);
    for (size_t i = 0; i < n * n; i++)
        walks[i] = i % (n + 1) == 0 ? 0 : WALK_INF;
    for (size_t i = 0; i < pairs->count; i++)
        walk_lower(&walks[pairs->items[i].s * n + pairs->items[i].t], pairs->items[i].weight);
    for (size_t k = 0; k < n; k++)
        for (size_t s = 0; s < n; s++)
            for (size_t t = 0; t < n && walks[s * n + k] < WALK_FAR; t++)
                walk_lower(&walks[s * n + t], walk_add(walks[s * n + k], walks[k * n + t]));
    return walks;
}
