/* Computes the bounds between threads from any of the three representations in struct bounds. */
#include "bounds/bounds.h"

#include "base/error.h"
#include "base/team.h"

#include <stdlib.h>
#include <string.h>

enum {
    BLOCK_BYTES_MAX = 64 << 20,
    SEARCH_STEPS = 64,
    MANY_THREADS = 4096 /* with fewer threads than this, a second worker saves no time */
};

void bounds_fini(struct bounds *b)
{
    dense_fini(&b->dense);
    eliminations_fini(&b->sweep);
    search_fini(&b->search);
    *b = (struct bounds){0};
}

static size_t vertices(const struct bounds *b)
{
    size_t n = b->search.pairs ? b->search.pairs->nvertices : b->sweep.nthreads;
    return b->dense.closure || n < b->n ? b->n : n;
}

/* Does the work of bounds_from (to is false) and bounds_to (to is true). `values` has an entry for
 * each vertex of the graph; the threads come first. */
static csy_status replace(const struct bounds *b, bool to, int64_t *values, csy_error *error)
{
    if (b->dense.closure) {
        const struct dense *d = &b->dense;
        int64_t *out = malloc(d->n * sizeof *out);
        if (!out)
            return error_memory(error);
        for (size_t t = 0; t < d->n; t++) {
            out[t] = WALK_INF;
            for (size_t s = 0; s < d->n; s++)
                walk_lower(&out[t],
                           walk_add(values[s], to ? dense_bound(d, t, s) : dense_bound(d, s, t)));
        }
        memcpy(values, out, d->n * sizeof *out);
        free(out);
        return CSY_OK;
    }
    if (b->search.pairs)
        return to ? search_to(&b->search, NULL, values, error)
                  : search_from(&b->search, NULL, values, error);
    return (to ? rows_to(&b->sweep, values) : rows_from(&b->sweep, values))
               ? CSY_OK
               : walk_range_error(error);
}

static csy_status replace_threads(const struct bounds *b, bool to, int64_t *values,
                                  csy_error *error)
{
    size_t n = vertices(b);
    if (n == b->n)
        return replace(b, to, values, error);
    int64_t *all = malloc(n * sizeof *all);
    if (!all)
        return error_memory(error);
    memcpy(all, values, b->n * sizeof *all);
    for (size_t v = b->n; v < n; v++)
        all[v] = WALK_INF;
    csy_status status = replace(b, to, all, error);
    memcpy(values, all, b->n * sizeof *all);
    free(all);
    return status;
}

csy_status bounds_from(const struct bounds *b, int64_t *values, csy_error *error)
{
    return replace_threads(b, false, values, error);
}

csy_status bounds_to(const struct bounds *b, int64_t *values, csy_error *error)
{
    return replace_threads(b, true, values, error);
}

struct both {
    const struct bounds *bounds;
    int64_t *values[2];
    csy_status status[2];
    csy_error error[2];
};

static void replace_each(void *user, struct team *team, unsigned self)
{
    struct both *both = user;
    for (unsigned i = self; i < 2; i += team_size(team))
        both->status[i] = replace_threads(both->bounds, i == 1, both->values[i], &both->error[i]);
}

csy_status bounds_around(const struct bounds *b, int64_t *from, int64_t *to, unsigned workers,
                         csy_error *error)
{
    struct both both = {.bounds = b, .values = {from, to}};
    bool apart = workers > 1 && b->n >= MANY_THREADS;
    if (!apart && vertices(b) == b->n && !b->search.pairs && !b->dense.closure)
        return rows_around(&b->sweep, from, to) ? CSY_OK : walk_range_error(error);
    team_run(apart ? 2 : 1, replace_each, &both);
    unsigned failed = both.status[0] ? 0 : 1;
    if (both.status[failed] && error)
        *error = both.error[failed];
    return both.status[failed];
}

csy_status bound_rows_init(struct bound_rows *rows, const struct bounds *b, csy_error *error)
{
    size_t n = vertices(b);
    *rows = (struct bound_rows){.bounds = b, .nvertices = n, .first = SIZE_MAX, .fits = true};
    if (b->dense.closure)
        return CSY_OK;
    bool wide = !b->search.pairs && sizeof(int64_t) * 2 * ROWS_LANES * n <= BLOCK_BYTES_MAX;
    rows->lanes = wide ? ROWS_LANES : 1;
    size_t bytes = (n * rows->lanes * sizeof(int64_t) + 63) / 64 * 64;
    rows->from = aligned_alloc(64, bytes);
    rows->to = aligned_alloc(64, bytes);
    csy_status status = rows->from && rows->to ? CSY_OK : error_memory(error);
    if (!status && wide)
        status = row_blocks_init(&rows->blocks, &b->sweep, &rows->fits, error);
    if (status)
        bound_rows_fini(rows);
    return status;
}

void bound_rows_fini(struct bound_rows *rows)
{
    row_blocks_fini(&rows->blocks);
    free(rows->from);
    free(rows->to);
    *rows = (struct bound_rows){0};
}

csy_status bound_rows_get(struct bound_rows *rows, size_t s, struct bound_row *row,
                          csy_error *error)
{
    const struct dense *dense = &rows->bounds->dense;
    if (dense->closure) {
        *row = (struct bound_row){dense->closure + s * dense->n, dense->closure + s, 1, dense->n};
        return CSY_OK;
    }
    size_t lane = s % rows->lanes, first = s - lane;
    csy_status status = CSY_OK;
    if (rows->first != first && rows->lanes == 1) {
        for (size_t t = 0; t < rows->nvertices; t++)
            rows->from[t] = rows->to[t] = t == first ? 0 : WALK_INF;
        status = replace(rows->bounds, false, rows->from, error);
        status = status ? status : replace(rows->bounds, true, rows->to, error);
    } else if (rows->first != first &&
               !(rows->fits && row_blocks_from(&rows->blocks, (uint32_t)first, rows->from) &&
                 row_blocks_to(&rows->blocks, (uint32_t)first, rows->to))) {
        status = walk_range_error(error);
    }
    rows->first = status ? SIZE_MAX : first;
    if (status)
        return status;
    *row = (struct bound_row){rows->from + lane, rows->to + lane, rows->lanes, rows->lanes};
    return CSY_OK;
}

uint64_t bounds_row_steps(const struct bounds *b)
{
    uint64_t entries = 0;
    if (b->dense.closure)
        return b->n;
    if (b->search.pairs)
        return SEARCH_STEPS * (uint64_t)b->search.pairs->count;
    for (size_t i = 0; i < b->sweep.count; i++)
        entries += b->sweep.items[i].live;
    return 2 * entries;
}

csy_status bounds_errors(const struct bounds *b, size_t s, int64_t *room, int64_t *errors,
                         csy_error *error)
{
    for (size_t t = 0; t < b->n; t++)
        if (b->dense.closure)
            errors[t] = walk_width(dense_bound(&b->dense, s, t), dense_bound(&b->dense, t, s));
        else
            room[t] = errors[t] = t == s ? 0 : WALK_INF;
    if (b->dense.closure)
        return CSY_OK;
    csy_status status = bounds_from(b, room, error);
    status = status ? status : bounds_to(b, errors, error);
    for (size_t t = 0; t < b->n && !status; t++)
        errors[t] = walk_width(room[t], errors[t]);
    return status;
}
