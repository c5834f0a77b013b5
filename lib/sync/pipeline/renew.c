/* Computes bounds between all clocks of a synchronized .pex, because its table has only bounds to
 * the reference. The original records are restored, and solved with the settings in the table.
 *
 * The result must agree with the table. Otherwise the trace is refused, because its global times
 * would belong to other offsets than the bounds. */
#include "base/error.h"
#include "base/number.h"
#include "sync/options.h"
#include "sync/pipeline/pipeline.h"
#include "sync/reread/table.h"

#include <inttypes.h>
#include <stdlib.h>

struct renewal {
    struct csy_trace *trace;
    struct restore restore;
};

/* Restore a record for the timeline. */
static csy_status prepare(void *user, struct record *record, csy_error *error)
{
    struct renewal *renewal = user;
    uint64_t position = record->position;
    const char *fault = restore_record(&renewal->restore, record);
    return fault ? error_set(error, CSY_INPUT, "%s: record %" PRIu64 ": %s", renewal->trace->name,
                             position, fault)
                 : CSY_OK;
}

/* Check that offsets and bounds are those of the table. */
static csy_status compare(const struct csy_sync *sync, const struct csy_sync *again,
                          csy_error *error)
{
    size_t n = sync->survey.threads.count;
    if (again->survey.threads.count != n || again->reference != sync->reference)
        return error_set(error, CSY_INPUT,
                         "%s: its records are of %zu clocks with reference %zu, its table has %zu "
                         "with %zu",
                         sync->trace->name, again->survey.threads.count, again->reference, n,
                         sync->reference);
    for (size_t t = 0; t < n; t++) {
        const csy_thread *a = &sync->views[t], *b = &again->views[t];
        if (a->offset_ticks != b->offset_ticks || a->earliest_ticks != b->earliest_ticks ||
            a->latest_ticks != b->latest_ticks)
            return error_set(error, CSY_INPUT,
                             "%s: %s: its offset or its bounds are not what its records give; "
                             "cellsync --check says more",
                             sync->trace->name, a->name);
    }
    return CSY_OK;
}

csy_status csy_sync_renew_bounds(csy_sync *sync, csy_error *error)
{
    const struct table *table = sync->table;
    csy_options options = options_default;
    csy_sync *again = NULL;
    if (!sync->read || !table || sync->again || sync->method != CSY_METHOD_BHH ||
        table->ndropped > 0)
        return CSY_OK;
    struct renewal *renewal = malloc(sizeof *renewal);
    if (!renewal)
        return error_memory(error);
    renewal->trace = sync->trace;
    renewal->restore.table = table;
    /* Solve with the settings of the table, and with its delta. */
    options.reference = table->reference;
    options.alpha = table->alpha;
    options.center = table->center;
    options.relax = table->relax == CSY_RELAX_PAPER ? CSY_RELAX_PAPER : CSY_RELAX_GIVEN;
    options.delta = table->delta;
    options.unwrap = table->strict ? CSY_UNWRAP_STRICT : CSY_UNWRAP_ASSUME;
    options.max_imprecision_ticks = table->max_imprecision_ticks;
    csy_status status = table_read_latencies(sync->trace, &options.latency_ticks,
                                             &options.latency_max_ticks, error);
    if (!status)
        status = pipeline_solve(sync->trace, &options, prepare, renewal, &again, error);
    free(renewal);
    if (!status)
        status = compare(sync, again, error);
    else if (status == CSY_INFEASIBLE)
        status = error_set(error, CSY_INPUT, "%s: its records contradict the delta of its table",
                           sync->trace->name);
    if (status)
        csy_sync_free(again);
    else
        sync->again = again;
    return status;
}
