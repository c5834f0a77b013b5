/* Results of a sampling profiler. */
#include "analysis/calls/profile_sampled.h"

#include "base/array.h"
#include "base/error.h"

#include <stdlib.h>

/* Times are in 2^-FRACTION_BITS ticks, rounded down. */
enum { FRACTION_BITS = 20 };

#define NO_NUMBER SIZE_MAX

void sampled_init(struct sampled *s, int64_t ticks, int64_t first)
{
    *s = (struct sampled){.ticks = ticks, .next = first};
}

void sampled_fini(struct sampled *s)
{
    texts_fini(&s->arcs_by);
    free(s->arcs);
    free(s->samples);
    *s = (struct sampled){0};
}

uint64_t sampled_until(struct sampled *s, int64_t global_ticks)
{
    if (s->ticks <= 0 || s->next >= global_ticks)
        return 0;
    int128 n = ((int128)global_ticks - 1 - s->next) / s->ticks + 1;
    s->next += n * s->ticks;
    return (uint64_t)n;
}

bool sampled_find(struct sampled *s, uint32_t row, uint64_t samples)
{
    if (!ARRAY_RESERVE(s->samples, s->rows_capacity, (size_t)row + 1))
        return false;
    while (s->nrows <= row)
        s->samples[s->nrows++] = 0;
    s->samples[row] += samples;
    return true;
}

bool sampled_call(struct sampled *s, uint32_t caller, uint32_t callee)
{
    const uint32_t key[2] = {caller, callee};
    uint32_t index;
    bool added;
    if (!texts_find(&s->arcs_by, (const char *)key, sizeof key, &index, &added) ||
        !ARRAY_RESERVE(s->arcs, s->arcs_capacity, s->arcs_by.count))
        return false;
    if (added)
        s->arcs[s->narcs++] = (struct sampled_arc){caller, callee, 0};
    s->arcs[index].calls++;
    return true;
}

/* --- Routines that call each other ---------------------------------------------------------- */

/* Tarjan's search. Groups are numbered from 0, callees before callers. */
struct grouping {
    const struct sampled_arc *arcs; /* sorted by caller */
    const size_t *first;            /* first arc of each row, and one more entry */
    size_t *group, *number, *low;   /* for each row; number: order of visits */
    size_t *at;                     /* next arc of each row */
    size_t *path, *open;            /* rows being searched; rows without a group yet */
    size_t npath, nopen, nmet, ngroups;
};

static void meet(struct grouping *g, size_t row)
{
    g->number[row] = g->low[row] = g->nmet++;
    g->at[row] = g->first[row];
    g->path[g->npath++] = row;
    g->open[g->nopen++] = row;
}

/* Finish a row when all its callees were searched. */
static void close_row(struct grouping *g, size_t row)
{
    g->npath--;
    if (g->npath > 0 && g->low[row] < g->low[g->path[g->npath - 1]])
        g->low[g->path[g->npath - 1]] = g->low[row];
    if (g->low[row] < g->number[row])
        return;
    do {
        g->group[g->open[--g->nopen]] = g->ngroups;
    } while (g->open[g->nopen] != row);
    g->ngroups++;
}

static void search(struct grouping *g, size_t from)
{
    meet(g, from);
    while (g->npath > 0) {
        size_t row = g->path[g->npath - 1];
        if (g->at[row] == g->first[row + 1]) {
            close_row(g, row);
            continue;
        }
        size_t to = g->arcs[g->at[row]++].callee;
        if (g->number[to] == NO_NUMBER)
            meet(g, to);
        else if (g->group[to] == NO_NUMBER && g->number[to] < g->low[row])
            g->low[row] = g->number[to];
    }
}

/* --- Times ---------------------------------------------------------------------------------- */

static int compare_callers(const void *a, const void *b)
{
    const struct sampled_arc *x = a, *y = b;
    return x->caller != y->caller ? (x->caller > y->caller ? 1 : -1)
                                  : (x->callee > y->callee) - (x->callee < y->callee);
}

/* An arc into a group of routines, or a row of the group. */
struct into {
    size_t group;
    const struct sampled_arc *arc; /* NULL: a row */
    size_t row;
};

static int compare_into(const void *a, const void *b)
{
    const struct into *x = a, *y = b;
    return x->group != y->group ? (x->group > y->group ? 1 : -1)
           : x->row != y->row   ? (x->row > y->row ? 1 : -1)
                                : (x->arc > y->arc) - (x->arc < y->arc);
}

/* Distribute the time of a group to its callers. */
static void give(const struct into *items, size_t n, const size_t *group, const uint64_t *calls,
                 int128 *times)
{
    int128 sum = 0;
    uint64_t outside = 0;
    for (size_t i = 0; i < n; i++) {
        const struct sampled_arc *arc = items[i].arc;
        if (!arc) {
            sum += times[items[i].row];
            outside += calls[items[i].row];
        } else if (group[arc->caller] == items[i].group) {
            outside -= arc->calls;
        }
    }
    if (outside == 0)
        return; /* there are no callers */
    for (size_t i = 0; i < n; i++) {
        const struct sampled_arc *arc = items[i].arc;
        if (arc && group[arc->caller] != items[i].group)
            times[arc->caller] += sum * arc->calls / outside;
    }
}

static void give_all(struct sampled *s, size_t n, const uint64_t *calls, const size_t *group,
                     struct into *into, int128 *times)
{
    size_t count = 0, end;
    for (size_t row = 0; row < n; row++)
        into[count++] = (struct into){group[row], NULL, row};
    for (size_t i = 0; i < s->narcs; i++)
        into[count++] = (struct into){group[s->arcs[i].callee], &s->arcs[i], s->arcs[i].callee};
    qsort(into, count, sizeof *into, compare_into);
    for (size_t begin = 0; begin < count; begin = end) {
        for (end = begin; end < count && into[end].group == into[begin].group;)
            end++;
        give(into + begin, end - begin, group, calls, times);
    }
}

static csy_status propagate(struct sampled *s, size_t n, const uint64_t *calls, int128 *times,
                            csy_error *error)
{
    enum { ARRAYS = 7 };
    size_t *room = malloc((ARRAYS * n + 1) * sizeof *room);
    struct into *into = malloc((n + s->narcs + 1) * sizeof *into);
    csy_status status = room && into ? CSY_OK : error_memory(error);
    if (!status) {
        size_t *first = room, arc = 0;
        struct grouping g = {.arcs = s->arcs, .first = first};
        size_t **const arrays[] = {&g.group, &g.number, &g.low, &g.at, &g.path, &g.open};
        for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++)
            *arrays[i] = room + n + 1 + i * n;
        if (s->narcs > 1)
            qsort(s->arcs, s->narcs, sizeof *s->arcs, compare_callers);
        for (size_t row = 0; row <= n; row++) {
            while (arc < s->narcs && s->arcs[arc].caller < row)
                arc++;
            first[row] = arc;
        }
        for (size_t row = 0; row < n; row++)
            g.group[row] = g.number[row] = NO_NUMBER;
        for (size_t row = 0; row < n; row++)
            if (g.number[row] == NO_NUMBER)
                search(&g, row);
        give_all(s, n, calls, g.group, into, times);
    }
    free(room);
    free(into);
    return status;
}

csy_status sampled_times(struct sampled *s, size_t n, const uint64_t *calls, int64_t *own_ticks,
                         int64_t *all_ticks, csy_error *error)
{
    int128 *times = malloc((n + 1) * sizeof *times);
    csy_status status = times ? CSY_OK : error_memory(error);
    for (size_t row = 0; !status && row < n; row++) {
        int128 own = row < s->nrows ? (int128)s->samples[row] * s->ticks : 0;
        if (!fits_int64(own))
            status = error_set(error, CSY_INPUT, "a time does not fit 64 bits");
        own_ticks[row] = (int64_t)own;
        times[row] = own << FRACTION_BITS;
    }
    if (!status)
        status = propagate(s, n, calls, times, error);
    for (size_t row = 0; !status && row < n; row++) {
        int128 all = (times[row] + (1 << (FRACTION_BITS - 1))) >> FRACTION_BITS;
        if (!fits_int64(all))
            status = error_set(error, CSY_INPUT, "a time does not fit 64 bits");
        all_ticks[row] = (int64_t)all;
    }
    free(times);
    return status;
}
