/* A trace in partial order solved, and rows of its bounds by elimination. */
#include "partial_rows.h"

#include "base/error.h"
#include "bounds/rows.h"
#include "graph/eliminate.h"
#include "sync/partial_order.h"
#include "sync/solution.h"

#include <stdlib.h>

_Static_assert((int)PARTIAL_ROWS_LANES == (int)ROWS_LANES, "rows are made by lanes");

csy_status partial_rows_open(const char *path, struct partial_rows *out, csy_error *error)
{
    *out = (struct partial_rows){0};
    csy_status status = csy_trace_open(path, NULL, &out->trace, error);
    if (!status)
        status = csy_trace_synchronize(out->trace, NULL, &out->sync, error);
    if (!status && !out->sync->partial)
        status = error_set(error, CSY_INPUT, "%s: its order is not partial", path);
    if (status)
        return status;
    const struct pairs *pairs = &out->sync->partial->pairs;
    out->nclocks = pairs->nclocks;
    out->nvertices = pairs->nvertices;
    out->npairs = pairs->count;
    out->reference = out->sync->reference;
    out->records = calloc(1, sizeof(struct eliminations));
    return out->records ? CSY_OK : error_memory(error);
}

void partial_rows_close(struct partial_rows *rows)
{
    if (rows->records)
        eliminations_fini(rows->records);
    free(rows->records);
    csy_sync_free(rows->sync);
    csy_trace_free(rows->trace);
}

struct partial_pair partial_rows_pair(const struct partial_rows *rows, size_t i)
{
    const struct clock_pair *pair = &rows->sync->partial->pairs.items[i];
    return (struct partial_pair){pair->s, pair->t, rows->sync->partial->weight[i]};
}

csy_status partial_rows_eliminate(struct partial_rows *rows, csy_error *error)
{
    const struct partial *partial = rows->sync->partial;
    struct mindegree order;
    eliminations_fini(rows->records);
    *(struct eliminations *)rows->records = (struct eliminations){0};
    csy_status status = mindegree_find(&partial->pairs, (uint32_t)rows->reference, UINT64_MAX,
                                       UINT64_MAX, &order, error);
    if (status)
        return status;
    status = eliminate_pairs(&partial->pairs, partial->weight, &order, rows->records, error);
    mindegree_fini(&order);
    return status;
}

void partial_rows_from(const struct partial_rows *rows, size_t s, int64_t *values)
{
    for (size_t t = 0; t < rows->nvertices; t++)
        values[t] = t == s ? 0 : WALK_INF;
    rows_from(rows->records, values);
}

void partial_rows_to(const struct partial_rows *rows, size_t s, int64_t *values)
{
    for (size_t t = 0; t < rows->nvertices; t++)
        values[t] = t == s ? 0 : WALK_INF;
    rows_to(rows->records, values);
}

void partial_rows_block(const struct partial_rows *rows, size_t first, int64_t *values)
{
    struct row_blocks blocks;
    bool fits;
    csy_error error;
    if (!row_blocks_init(&blocks, rows->records, &fits, &error))
        row_blocks_from(&blocks, (uint32_t)first, values);
    row_blocks_fini(&blocks);
}
