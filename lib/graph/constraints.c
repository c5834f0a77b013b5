/* Builds the graph of constraints between threads from pairs of records; finds contradictions. */
#include "graph/constraints.h"

#include "base/array.h"
#include "base/error.h"
#include "graph/closure.h"

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

/* --- Contradictory constraints: the Bellman-Ford algorithm ------------------------------------ */

#define NONE UINT32_MAX

size_t cycle_of_parents(const uint32_t *parents, size_t n, uint32_t *seen, uint32_t *cycle)
{
    for (size_t v = 0; v < n; v++)
        seen[v] = NONE;
    for (uint32_t start = 0; start < n; start++) {
        uint32_t at = start;
        for (; at != NONE && seen[at] == NONE; at = parents[at])
            seen[at] = start;
        if (at == NONE || seen[at] != start)
            continue;
        size_t length = 0;
        uint32_t end = at;
        do
            length++;
        while ((at = parents[at]) != end);
        for (size_t i = length; i-- > 0; at = parents[at])
            cycle[i] = at;
        return length;
    }
    return 0;
}

csy_status cycle_find(const struct constraints *c, csy_fraction added, bool with_itself,
                      struct cycle *out, csy_error *error)
{
    size_t n = c->count;
    /* distance[t] is the length of the shortest path to thread t from any thread, times the
     * denominator of `added`. The last edge of this path comes from thread from[t]. */
    int128 *distance = calloc(n, sizeof *distance);
    uint32_t *from = malloc(n * sizeof *from), *mark = malloc(n * sizeof *mark);
    *out = (struct cycle){.threads = malloc(n * sizeof *out->threads)};
    bool good = distance && from && mark && out->threads, fell = good;
    for (size_t t = 0; t < n && good; t++)
        from[t] = NONE;
    while (out->length == 0 && fell) {
        fell = false;
        for (size_t s = 0; s < n; s++)
            for (size_t t = 0; t < n; t++) {
                int64_t w = s == t && !with_itself ? WALK_INF : constraints_weight(c, s, t);
                int128 far = distance[s] + (int128)w * added.den + added.num;
                if (w >= WALK_FAR || far >= distance[t])
                    continue;
                distance[t] = far;
                from[t] = (uint32_t)s;
                fell = true;
            }
        if (fell)
            out->length = cycle_of_parents(from, n, mark, out->threads);
    }
    FREE_ALL(distance, from, mark);
    return good ? CSY_OK : error_memory(error);
}

void cycle_fini(struct cycle *cycle)
{
    free(cycle->threads);
    *cycle = (struct cycle){0};
}

/* --- The relaxation of the paper -------------------------------------------------------------- */

/* paper_relax computes with integers in units of 2^-bits ticks. `bits` is at most BITS_MAX. */
enum { BITS_MAX = 60 };

#define UNREACHED ((int128)1 << 126)
#define FAR ((int128)1 << 125)

/* Run Floyd-Warshall phases until the least diagonal entry is negative. Returns this entry, or
 * 0. */
static int128 close_phases(const struct constraints *c, int128 *closure)
{
    size_t n = c->count;
    for (size_t k = 0; k < n; k++) {
        for (size_t s = 0; s < n; s++) {
            const int128 *through = closure + k * n;
            int128 *row = closure + s * n, first = row[k];
            for (size_t t = 0; first < FAR && t < n; t++)
                if (first + through[t] < row[t])
                    row[t] = first + through[t];
        }
        progress_tell(c->progress, "relaxing", CSY_UNIT_THREADS, k + 1, n);
        for (size_t i = 0; i < n; i++)
            if (closure[i * n + i] < 0)
                return closure[i * n + i];
    }
    return 0;
}

csy_status paper_relax(const struct constraints *c, csy_fraction *added, csy_error *error)
{
    struct cycle cycle;
    *added = (csy_fraction){0, 1};
    csy_status status = cycle_find(c, *added, false, &cycle, error);
    bool feasible = cycle.length == 0, fits = true;
    cycle_fini(&cycle);
    if (status || feasible)
        return status;
    size_t n = c->count;
    int128 *closure = malloc(n * n * sizeof *closure), sum = 0, negative = -1;
    unsigned bits = 0;
    if (!closure)
        return error_memory(error);
    while (fits && negative < 0) {
        for (size_t s = 0; s < n; s++)
            for (size_t t = 0; t < n; t++) {
                int64_t w = s == t ? 0 : constraints_weight(c, s, t);
                int128 scaled = ((int128)w * ((int128)1 << bits)) + sum;
                closure[s * n + t] = s == t ? 0 : w >= WALK_FAR ? UNREACHED : scaled;
            }
        negative = close_phases(c, closure);
        if (negative % 2 != 0) {
            fits = bits < BITS_MAX;
            bits += fits;
            sum *= 2;
            negative *= 2;
        }
        sum -= negative / 2;
    }
    free(closure);
    if (!fits || !fraction_make(sum, (int128)1 << bits, added))
        return error_set(error, CSY_INPUT,
                         "--relax=paper needs a finer fraction than 64 bits hold");
    return CSY_OK;
}

/* --- The bounds graph as a matrix ------------------------------------------------------------- */

csy_status dense_check_range(const struct constraints *c, int64_t added_ticks, csy_error *error)
{
    int128 edge = (int128)constraints_largest(c) + added_ticks;
    return edge * ((int128)c->count + 1) < WALK_FAR ? CSY_OK : walk_range_error(error);
}

csy_status dense_close(const struct constraints *c, int64_t added_ticks, unsigned nworkers,
                       struct dense *out, csy_error *error)
{
    bool roomy = dense_check_range(c, added_ticks, NULL) == CSY_OK;
    struct dense d = {.n = c->count};
    d.closure = malloc((d.n * d.n + 1) * sizeof *d.closure);
    if (!d.closure)
        return error_memory(error);
    for (size_t s = 0; s < d.n; s++)
        for (size_t t = 0; t < d.n; t++) {
            int64_t w = s == t ? 0 : constraints_weight(c, s, t);
            d.closure[s * d.n + t] = w >= WALK_FAR ? WALK_INF : s == t ? 0 : w + added_ticks;
        }
    csy_status status = roomy ? closure_make(d.closure, d.n, nworkers, c->progress, error)
                        : closure_make_checked(d.closure, d.n) ? CSY_OK
                                                               : walk_range_error(error);
    if (status) {
        dense_fini(&d);
        return status;
    }
    *out = d;
    return CSY_OK;
}

void dense_fini(struct dense *d)
{
    free(d->closure);
    *d = (struct dense){0};
}
