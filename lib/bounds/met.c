/* Computes the bounds between clocks that share a constraint, by Takahashi's recursion (met.h). */
#include "bounds/met.h"

#include "base/array.h"
#include "base/error.h"
#include "base/sort.h"

#include <stdlib.h>

/* Limit of finite bounds. The sum of two smaller bounds is not yet infinite. */
#define VALUE_MAX (2 * WALK_MAX)

void met_fini(struct met *met)
{
    free(met->items);
    *met = (struct met){0};
}

csy_group met_figures(const struct met *met)
{
    csy_group group = {.pairs = met->count, .max_error_ticks = -1};
    uint64_t bounded = 0;
    int128 sum = 0;
    for (size_t i = 0; i < met->count; i++) {
        int64_t error = walk_width(met->items[i].there, met->items[i].back);
        if (error < 0)
            continue;
        bounded++;
        sum += error;
        group.max_error_ticks = error > group.max_error_ticks ? error : group.max_error_ticks;
    }
    group.mean = mean_make(sum, bounded);
    return group;
}

static bool has_pair(const struct pairs *pairs, uint32_t s, uint32_t t)
{
    if (pairs->met)
        return pairs->met[s * pairs->nclocks + t];
    size_t low = pairs->first[s], high = pairs->first[s + 1];
    BISECT(low, high, middle, pairs->items[middle].t < t);
    return low < pairs->first[s + 1] && pairs->items[low].t == t;
}

static int by_threads(const void *a, const void *b)
{
    const struct met_pair *x = a, *y = b;
    return COMPARE_THEN(x->s, y->s, COMPARE(x->t, y->t));
}

csy_status met_list(const struct pairs *pairs, struct met *out, csy_error *error)
{
    *out = (struct met){0};
    out->items = malloc((pairs->count + 1) * sizeof *out->items);
    if (!out->items)
        return error_memory(error);
    for (size_t i = 0; i < pairs->count; i++) {
        uint32_t s = pairs->items[i].s, t = pairs->items[i].t;
        if (s >= pairs->nclocks || t >= pairs->nclocks || s == t ||
            (pairs->met && !pairs->met[s * pairs->nclocks + t]) || (s > t && has_pair(pairs, t, s)))
            continue;
        out->items[out->count++] =
            (struct met_pair){s < t ? s : t, s < t ? t : s, WALK_INF, WALK_INF};
    }
    SORT(out->items, out->count, by_threads);
    /* Two drifting clocks may share several constraints: remove duplicates. */
    size_t count = 0;
    for (size_t i = 0; i < out->count; i++)
        if (count == 0 || by_threads(&out->items[count - 1], &out->items[i]) != 0)
            out->items[count++] = out->items[i];
    out->count = count;
    return CSY_OK;
}

struct walk_pair {
    int64_t there, back; /* bounds from a thread to a neighbour, and from the neighbour to the
                          * thread */
};

struct fronts {
    const struct eliminations *records;
    size_t *elimination; /* for each vertex: index of the elimination that removes it */
    size_t *start;
    struct walk_pair *walks;
    uint32_t *seat; /* scratch memory: 1 + index of the vertex in elimination.ids, or 0 */
};

static bool fits(int64_t walk)
{
    return walk >= WALK_FAR || (walk < VALUE_MAX && walk > -VALUE_MAX);
}

/* A shortest path from the thread of elimination k begins with an edge to a neighbour. The bounds
 * between neighbours were computed before. Returns false if a bound overflows. */
static bool close_front(struct fronts *f, size_t k)
{
    const struct elimination *d = &f->records->items[k];
    struct walk_pair *walks = f->walks + f->start[k];
    uint32_t n = d->live - 1;
    bool good = true;
    for (uint32_t i = 0; i < n; i++) {
        f->seat[d->ids[i]] = i + 1;
        walks[i] = (struct walk_pair){d->row[i], d->column[i]};
    }
    for (uint32_t j = 0; j < n; j++) {
        size_t other = f->elimination[d->ids[j]];
        const struct elimination *next = &f->records->items[other];
        const struct walk_pair *known = f->walks + f->start[other];
        for (uint32_t e = 0; e + 1 < next->live; e++) {
            uint32_t i = f->seat[next->ids[e]];
            if (i-- == 0)
                continue;
            walk_lower(&walks[i].there, walk_add(d->row[j], known[e].there));
            walk_lower(&walks[j].there, walk_add(d->row[i], known[e].back));
            walk_lower(&walks[i].back, walk_add(known[e].back, d->column[j]));
            walk_lower(&walks[j].back, walk_add(known[e].there, d->column[i]));
        }
    }
    for (uint32_t i = 0; i < n; i++) {
        f->seat[d->ids[i]] = 0;
        good = good && fits(walks[i].there) && fits(walks[i].back);
    }
    return good;
}

static csy_status gather_from_records(const struct bounds *b, struct met *out, csy_error *error)
{
    const struct eliminations *records = &b->sweep;
    size_t n = records->count, nthreads = records->nthreads;
    struct fronts f = {.records = records,
                       .elimination = calloc(nthreads + 1, sizeof *f.elimination),
                       .start = calloc(n + 1, sizeof *f.start),
                       .seat = calloc(nthreads + 1, sizeof *f.seat)};
    bool good = f.elimination && f.start && f.seat, small = true;
    for (size_t k = 0; k < n && good; k++) {
        f.elimination[records->items[k].thread] = k;
        f.start[k + 1] = f.start[k] + records->items[k].live - 1;
    }
    f.walks = good ? calloc(f.start[n] + 1, sizeof *f.walks) : NULL;
    for (size_t k = n; k-- > 0 && f.walks && small;) {
        small = close_front(&f, k);
        progress_tell(b->progress, "pairs that met", CSY_UNIT_THREADS, n - k, n);
    }
    csy_status status = !f.walks ? error_memory(error) : small ? CSY_OK : walk_range_error(error);
    for (size_t i = 0; i < out->count && !status; i++) {
        struct met_pair *pair = &out->items[i];
        bool turned = f.elimination[pair->s] > f.elimination[pair->t];
        size_t k = f.elimination[turned ? pair->t : pair->s];
        const struct elimination *d = &records->items[k];
        uint32_t at = 0;
        while (at + 1 < d->live && d->ids[at] != (turned ? pair->s : pair->t))
            at++;
        if (at + 1 >= d->live)
            continue;
        const struct walk_pair *walk = &f.walks[f.start[k] + at];
        pair->there = turned ? walk->back : walk->there;
        pair->back = turned ? walk->there : walk->back;
    }
    FREE_ALL(f.elimination, f.start, f.walks, f.seat);
    return status;
}

static csy_status gather_by_rows(const struct bounds *b, struct met *out, csy_error *error)
{
    size_t n = b->n;
    int64_t *from = malloc((2 * n + 1) * sizeof *from), *to = from + n;
    csy_status status = from ? CSY_OK : error_memory(error);
    for (size_t i = 0; i < out->count && !status;) {
        uint32_t s = out->items[i].s;
        for (size_t t = 0; t < n; t++)
            from[t] = to[t] = t == s ? 0 : WALK_INF;
        status = bounds_from(b, from, error);
        status = status ? status : bounds_to(b, to, error);
        for (; i < out->count && out->items[i].s == s && !status; i++) {
            out->items[i].there = from[out->items[i].t];
            out->items[i].back = to[out->items[i].t];
        }
    }
    free(from);
    return status;
}

uint128 met_steps(const struct bounds *b)
{
    uint128 steps = 0;
    if (b->search.pairs)
        return (uint128)b->n * bounds_row_steps(b);
    if (b->dense.closure)
        return (uint128)b->n * b->n;
    for (size_t k = 0; k < b->sweep.count; k++)
        steps += (uint128)b->sweep.items[k].live * b->sweep.live_most;
    return steps;
}

csy_status met_gather(const struct bounds *b, const struct pairs *pairs, struct met *out,
                      csy_error *error)
{
    *out = (struct met){0};
    csy_status status = met_list(pairs, out, error);
    if (status)
        return status;
    return b->search.pairs || b->dense.closure ? gather_by_rows(b, out, error)
                                               : gather_from_records(b, out, error);
}
