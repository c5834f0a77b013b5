/* Templates: well-known patterns of who sends whom. */
#include "analysis/messages/templates.h"

#include "base/number.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

/* Of a grid: neighbours; of a torus also over its ends; of a wave only onward. */
enum shape { GRID, TORUS, WAVE, HYPERCUBE, TREE_DOWN, TREE_UP, STAR, TRANSPOSE, ALL };

struct template
{
    enum shape shape;
    uint32_t ranks;
    uint32_t sizes[TEMPLATE_DIMENSIONS]; /* of a grid; 1: it has no such dimension */
    uint32_t centre;                     /* of a star */
};

static bool is_neighbour(const struct template *t, uint32_t from, uint32_t to)
{
    unsigned apart = 0;
    for (size_t i = 0; i < TEMPLATE_DIMENSIONS; i++) {
        uint32_t size = t->sizes[i], a = from % size, b = to % size;
        from /= size;
        to /= size;
        if (a == b)
            continue;
        bool next = b == a + 1, last = a == b + 1;
        bool over = (a == 0 && b == size - 1) || (b == 0 && a == size - 1);
        if (!next && !(t->shape != WAVE && last) && !(t->shape == TORUS && over))
            return false;
        apart++;
    }
    return apart == 1;
}

static bool has_pair(const struct template *t, uint32_t from, uint32_t to)
{
    uint32_t side = t->sizes[0], differ = from ^ to;
    switch (t->shape) {
    case GRID:
    case TORUS:
    case WAVE:
        return is_neighbour(t, from, to);
    case HYPERCUBE:
        return (differ & (differ - 1)) == 0;
    case TREE_DOWN:
        return to > 0 && from == (to & (to - 1));
    case TREE_UP:
        return from > 0 && to == (from & (from - 1));
    case STAR:
        return from == t->centre || to == t->centre;
    case TRANSPOSE:
        return from % side == to / side && from / side == to % side;
    case ALL:
        break;
    }
    return true;
}

/* Pairs of neighbours: along each dimension one or two of each rank, but for those at an end. */
static uint64_t grid_pairs(const struct template *t)
{
    uint64_t n = 0;
    for (size_t i = 0; i < TEMPLATE_DIMENSIONS; i++) {
        uint64_t size = t->sizes[i], lines = t->ranks / size;
        if (size == 1)
            continue;
        uint64_t onward = t->shape == TORUS && size > 2 ? size : size - 1;
        n += lines * onward * (t->shape == WAVE ? 1 : 2);
    }
    return n;
}

static uint64_t count_pairs(const struct template *t)
{
    uint64_t n = t->ranks, bits = 0;
    switch (t->shape) {
    case GRID:
    case TORUS:
    case WAVE:
        return grid_pairs(t);
    case HYPERCUBE:
        while (n >> (bits + 1) > 0)
            bits++;
        return n * bits;
    case TREE_DOWN:
    case TREE_UP:
        return n - 1;
    case STAR:
        return 2 * (n - 1);
    case TRANSPOSE:
        return n - t->sizes[0];
    case ALL:
        break;
    }
    return n * (n - 1);
}

static void name_template(const struct template *t, char name[TEMPLATE_NAME_MAX])
{
    static const char *const names[] = {"grid",
                                        "torus",
                                        "wavefront",
                                        "hypercube",
                                        "binomial tree down",
                                        "binomial tree up",
                                        "star around",
                                        "transpose",
                                        "all to all"};
    const uint32_t *sizes = t->sizes;
    bool grid = t->shape <= WAVE;
    if (grid && sizes[1] == 1)
        snprintf(name, TEMPLATE_NAME_MAX, "%s", t->shape == TORUS ? "ring" : "line");
    else if (grid && sizes[2] == 1)
        snprintf(name, TEMPLATE_NAME_MAX, "%s %" PRIu32 "x%" PRIu32, names[t->shape], sizes[0],
                 sizes[1]);
    else if (grid)
        snprintf(name, TEMPLATE_NAME_MAX, "%s %" PRIu32 "x%" PRIu32 "x%" PRIu32, names[t->shape],
                 sizes[0], sizes[1], sizes[2]);
    else if (t->shape == STAR)
        snprintf(name, TEMPLATE_NAME_MAX, "%s %" PRIu32, names[t->shape], t->centre);
    else
        snprintf(name, TEMPLATE_NAME_MAX, "%s", names[t->shape]);
}

/* The pattern, and the best so far. */
struct search {
    const struct template_pair *pairs;
    size_t n;
    uint64_t there; /* pairs of two ranks */
    struct template_fit *best;
    size_t nbest;
};

static bool is_better(const struct template_fit *a, const struct template_fit *b)
{
    uint128 x = (uint128)a->both * b->either, y = (uint128)b->both * a->either;
    return x != y ? x > y : a->covered > b->covered;
}

static void try_one(struct search *s, const struct template *t)
{
    struct template_fit fit = {.both = 0};
    for (size_t i = 0; i < s->n; i++)
        if (s->pairs[i].from != s->pairs[i].to && has_pair(t, s->pairs[i].from, s->pairs[i].to)) {
            fit.both++;
            fit.covered += s->pairs[i].weight;
        }
    fit.either = s->there + count_pairs(t) - fit.both;
    if (fit.both == 0)
        return;
    size_t at = s->nbest;
    while (at > 0 && is_better(&fit, &s->best[at - 1]))
        at--;
    if (at == TEMPLATES_BEST)
        return;
    s->nbest += s->nbest < TEMPLATES_BEST;
    for (size_t i = s->nbest - 1; i > at; i--)
        s->best[i] = s->best[i - 1];
    name_template(t, fit.name);
    s->best[at] = fit;
}

/* A torus that is no more than a grid is none: all its sizes are 2 or less. */
static void try_grids(struct search *s, uint32_t ranks, uint32_t x, uint32_t y, uint32_t z)
{
    struct template t = {.ranks = ranks, .sizes = {x, y, z}};
    for (t.shape = GRID; t.shape <= WAVE; t.shape++) {
        bool wave = t.shape == WAVE && (y == 1 || z > 1);
        bool flat = t.shape == TORUS && x <= 2 && y <= 2 && z <= 2;
        if (!wave && !flat)
            try_one(s, &t);
    }
}

/* All ordered factorizations in two and three. */
static void try_factors(struct search *s, uint32_t ranks)
{
    try_grids(s, ranks, ranks, 1, 1);
    for (uint32_t x = 2; x <= ranks / 2; x++) {
        if (ranks % x != 0)
            continue;
        uint32_t rest = ranks / x;
        try_grids(s, ranks, x, rest, 1);
        for (uint32_t y = 2; y <= rest / 2; y++)
            if (rest % y == 0)
                try_grids(s, ranks, x, y, rest / y);
    }
}

/* The rank that has most pairs; false on no memory. */
static bool find_centre(const struct template_pair *pairs, size_t n, uint32_t ranks, uint32_t *out)
{
    uint64_t *counts = calloc(ranks, sizeof *counts);
    if (!counts)
        return false;
    for (size_t i = 0; i < n; i++) {
        counts[pairs[i].from]++;
        counts[pairs[i].to]++;
    }
    *out = 0;
    for (uint32_t i = 1; i < ranks; i++)
        if (counts[i] > counts[*out])
            *out = i;
    free(counts);
    return true;
}

bool templates_find(const struct template_pair *pairs, size_t n, uint32_t ranks,
                    struct template_fit best[TEMPLATES_BEST], size_t *nbest)
{
    struct search s = {.pairs = pairs, .n = n, .best = best};
    uint32_t side = 1;
    *nbest = 0;
    if (ranks < 2)
        return true;
    for (size_t i = 0; i < n; i++)
        s.there += pairs[i].from != pairs[i].to;
    try_factors(&s, ranks);
    while ((uint64_t)side * side < ranks)
        side++;
    struct template t = {.ranks = ranks, .sizes = {side, side, 1}};
    if (!find_centre(pairs, n, ranks, &t.centre))
        return false;
    for (t.shape = HYPERCUBE; t.shape <= ALL; t.shape++) {
        bool no_cube = t.shape == HYPERCUBE && (ranks & (ranks - 1)) != 0;
        bool no_square = t.shape == TRANSPOSE && side * side != ranks;
        if (!no_cube && !no_square)
            try_one(&s, &t);
    }
    *nbest = s.nbest;
    return true;
}
