/* The check of a .pex in partial order, where it is not that of others. */
#include "check/check_partial.h"

#include "base/error.h"

#include <stdlib.h>

/* What the table cannot say of a partial order, and what only it says. */
csy_status check_ordered_begin(struct check *check, csy_error *error)
{
    const struct csy_trace *trace = check->trace;
    const struct table *table = &check->table;
    const char *said = element_text(&trace->metadata.table, "latency");
    uint64_t latency = 0;
    if (said && (!number_parse(said, &latency) || latency > INT64_MAX))
        return error_set(error, CSY_INPUT, "%s: synchronization: latency is malformed",
                         trace->name);
    if (table->ndropped > 0 || table->relax == CSY_RELAX_PAPER || table->center == CSY_CENTER_LOCAL)
        return error_set(error, CSY_INPUT, "%s: synchronization: not that of a partial order",
                         trace->name);
    return check_partial_new(check, (int64_t)latency, &check->partial, error);
}

/* The ends of the table's bounds are those that the points imply. */
static csy_status compare_ends(struct check *check, size_t tau, csy_error *error)
{
    struct table_rows *rows = &check->table.rows;
    int64_t *said = malloc((2 * rows->count + 1) * sizeof *said);
    csy_status status = said ? CSY_OK : error_memory(error);
    for (size_t t = 0; t < rows->count && !status; t++) {
        said[2 * t] = rows->threads[t].earliest_ticks;
        said[2 * t + 1] = rows->threads[t].latest_ticks;
    }
    if (!status)
        status = check_partial_ends(check->partial, tau, error);
    for (size_t t = 0; t < rows->count && !status; t++)
        if (said[2 * t] != rows->threads[t].earliest_ticks ||
            said[2 * t + 1] != rows->threads[t].latest_ticks)
            status = check_fail_thread(check, t, "its bound is not what the records imply", error);
    free(said);
    return status;
}

csy_status check_ordered_bounds(struct check *check, csy_error *error)
{
    size_t tau = 0;
    csy_status status = check_find_reference(check, &tau, error);
    if (!status)
        status = check_partial_order(check->partial, error);
    if (!status)
        status = compare_ends(check, tau, error);
    return status ? status : check_places(check, tau, error);
}

csy_status check_ordered_event(struct check *check, const struct event *event, int64_t global_ticks,
                               csy_error *error)
{
    return check_partial_event(check->partial, event, global_ticks, error);
}

void check_ordered_end(struct check *check)
{
    check_partial_free(check->partial);
}
