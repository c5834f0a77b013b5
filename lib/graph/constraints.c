/* Builds the graph of constraints between threads from pairs of records. */
#include "graph/constraints.h"

#include "base/array.h"
#include "base/error.h"

#include <stdlib.h>

void constraints_init(struct constraints *c, size_t limit)
{
    *c = (struct constraints){.limit = limit};
}

void constraints_fini(struct constraints *c)
{
    for (size_t t = 0; t < c->count; t++)
        free(c->threads[t].with_earlier);
    free(c->threads);
    *c = (struct constraints){0};
}

csy_status constraints_birth(struct constraints *c, csy_error *error)
{
    size_t t = c->count;
    if (t == c->limit) {
        for (size_t i = 0; i < c->count; i++) {
            free(c->threads[i].with_earlier);
            c->threads[i].with_earlier = NULL;
        }
        c->beyond_limit = true;
    }
    if (!ARRAY_RESERVE(c->threads, c->capacity, t + 1))
        return error_memory(error);
    int64_t *with_earlier = NULL;
    if (!c->beyond_limit && t > 0) {
        with_earlier = malloc(2 * t * sizeof *with_earlier);
        if (!with_earlier)
            return error_memory(error);
        for (size_t i = 0; i < 2 * t; i++)
            with_earlier[i] = WALK_INF;
    }
    c->threads[t] = (struct constraint_thread){with_earlier, WALK_INF};
    c->count++;
    return CSY_OK;
}

static int64_t *weight_of(const struct constraints *c, size_t s, size_t t)
{
    if (s == t)
        return &c->threads[t].with_itself;
    return s < t ? &c->threads[t].with_earlier[2 * s] : &c->threads[s].with_earlier[2 * t + 1];
}

static csy_status birth(void *engine, uint32_t thread, csy_error *error)
{
    (void)thread;
    return constraints_birth(engine, error);
}

static csy_status take_pair(void *engine, const struct point *from, const struct point *to,
                            csy_error *error)
{
    (void)error;
    int64_t *weight = weight_of(engine, from->thread, to->thread), x = to->x - from->x;
    *weight = x < *weight ? x : *weight;
    return CSY_OK;
}

struct sink constraints_sink(struct constraints *c)
{
    return (struct sink){.engine = c, .birth = birth, .pair = take_pair, .over = &c->beyond_limit};
}

int64_t constraints_weight(const struct constraints *c, size_t s, size_t t)
{
    return *weight_of(c, s, t);
}

int64_t constraints_largest(const struct constraints *c)
{
    int64_t largest = 0;
    for (size_t s = 0; s < c->count; s++)
        for (size_t t = 0; t < c->count; t++) {
            int64_t w = constraints_weight(c, s, t);
            largest = w < WALK_FAR && llabs(w) > largest ? llabs(w) : largest;
        }
    return largest;
}
