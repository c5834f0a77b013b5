/* The bounds graph, whichever engine made it. */
#include "bounds/bounds.h"

#include "base/error.h"

#include <stdlib.h>
#include <string.h>

enum { BLOCK_BYTES_MAX = 64 << 20 };

void bounds_fini(struct bounds *b)
{
    dense_fini(&b->dense);
    death_records_fini(&b->sweep);
    *b = (struct bounds){0};
}

/* values[t] = min over s of values[s] + wbar(s,t), or of wbar(t,s) + values[s]. */
static csy_status dense_spread(const struct dense *d, bool to, int64_t *values, csy_error *error)
{
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

static csy_status refuse_range(csy_error *error)
{
    return error_set(error, CSY_INPUT,
                     "the differences between clocks are too large for 64-bit arithmetic");
}

csy_status bounds_from(const struct bounds *b, int64_t *values, csy_error *error)
{
    if (b->dense.closure)
        return dense_spread(&b->dense, false, values, error);
    return rows_from(&b->sweep, values) ? CSY_OK : refuse_range(error);
}

csy_status bounds_to(const struct bounds *b, int64_t *values, csy_error *error)
{
    if (b->dense.closure)
        return dense_spread(&b->dense, true, values, error);
    return rows_to(&b->sweep, values) ? CSY_OK : refuse_range(error);
}

csy_status bound_rows_init(struct bound_rows *rows, const struct bounds *b, csy_error *error)
{
    *rows = (struct bound_rows){.bounds = b, .first = SIZE_MAX, .fits = true};
    if (b->dense.closure)
        return CSY_OK;
    bool wide = sizeof(int64_t) * 2 * ROWS_LANES * b->n <= BLOCK_BYTES_MAX;
    rows->lanes = wide ? ROWS_LANES : 1;
    size_t bytes = (b->n * rows->lanes * sizeof(int64_t) + 63) / 64 * 64;
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

/* The row and column of one thread. */
static bool fill_one(struct bound_rows *rows, size_t s)
{
    for (size_t t = 0; t < rows->bounds->n; t++)
        rows->from[t] = rows->to[t] = t == s ? 0 : WALK_INF;
    return rows_from(&rows->bounds->sweep, rows->from) && rows_to(&rows->bounds->sweep, rows->to);
}

static bool fill_block(struct bound_rows *rows, size_t first)
{
    rows->first = first;
    if (rows->lanes == 1)
        return fill_one(rows, first);
    return rows->fits && row_blocks_from(&rows->blocks, (uint32_t)first, rows->from) &&
           row_blocks_to(&rows->blocks, (uint32_t)first, rows->to);
}

/* False where it leaves the range of the arithmetic. */
static bool row_of(struct bound_rows *rows, size_t s, struct bound_row *row)
{
    const struct dense *dense = &rows->bounds->dense;
    if (dense->closure) {
        *row = (struct bound_row){dense->closure + s * dense->n, dense->closure + s, 1, dense->n};
        return true;
    }
    size_t lane = s % rows->lanes;
    if (rows->first != s - lane && !fill_block(rows, s - lane)) {
        rows->first = SIZE_MAX;
        return false;
    }
    *row = (struct bound_row){rows->from + lane, rows->to + lane, rows->lanes, rows->lanes};
    return true;
}

csy_status bound_rows_get(struct bound_rows *rows, size_t s, struct bound_row *row,
                          csy_error *error)
{
    return row_of(rows, s, row) ? CSY_OK : refuse_range(error);
}

static void errors_of(const struct bound_row *row, size_t n, int64_t *errors)
{
    for (size_t t = 0; t < n; t++)
        errors[t] = bound_error(row, t);
}

csy_status bounds_errors(const struct bounds *b, size_t s, int64_t *room, int64_t *errors,
                         csy_error *error)
{
    struct bound_rows rows = {.bounds = b, .lanes = 1, .first = SIZE_MAX};
    struct bound_row row;
    rows.from = room;
    rows.to = errors;
    if (!row_of(&rows, s, &row))
        return refuse_range(error);
    errors_of(&row, b->n, errors);
    return CSY_OK;
}
