/* What is proved of a trace in partial order. */
#include "check/check_partial.h"

#include "base/error.h"
#include "check/check_islands.h"
#include "order/known.h"
#include "order/match.h"
#include "order/visit.h"

#include <inttypes.h>
#include <stdlib.h>

struct check_partial {
    struct check *check;
    struct points points; /* in global time, from the first record's on */
    struct match *match;
    uint32_t *order;
    bool any;
    int64_t first_ticks;

    /* Of a walk over them: */
    int64_t *start; /* by thread: of an end less its offset, or KNOWN_NONE */
    bool forwards, changed;
};

csy_status check_partial_new(struct check *check, int64_t latency_ticks, struct check_partial **out,
                             csy_error *error)
{
    struct check_partial *partial = calloc(1, sizeof *partial);
    if (!partial)
        return error_memory(error);
    partial->check = check;
    partial->points.close_ticks = check->table.added_ticks;
    *out = partial;
    csy_status status =
        match_new(&partial->points, latency_ticks, check_source(check), &partial->match, error);
    if (!status)
        match_store_all(partial->match, true); /* inversions are of all records */
    return status;
}

void check_partial_free(struct check_partial *partial)
{
    if (!partial)
        return;
    match_free(partial->match);
    points_fini(&partial->points);
    free(partial->order);
    free(partial->start);
    free(partial);
}

csy_status check_partial_event(struct check_partial *partial, const struct event *event,
                               int64_t global_ticks, csy_error *error)
{
    if (!partial->any)
        partial->first_ticks = global_ticks;
    partial->any = true;
    int128 x = (int128)global_ticks - partial->first_ticks;
    if (x >= X_MAX || x <= -X_MAX)
        return check_fail_at(partial->check, event->position,
                             "its global time is 2^58 ticks or more from the first", error);
    return match_event(partial->match, event, (int64_t)x, error);
}

csy_status check_partial_order(struct check_partial *partial, csy_error *error)
{
    struct check *check = partial->check;
    struct visit_cycle cycle;
    struct known_inversions found = {.first = NO_POINT};
    uint64_t place = 0;
    csy_status status = match_finish(partial->match, &place, error);
    if (status)
        return status == CSY_INPUT ? trace_at_place(check_source(check), place, status, error)
                                   : status;
    status = visit_order(&partial->points, &partial->order, &cycle, error);
    if (!status && cycle.length > 0)
        status = error_set(error, CSY_CHECK, "%s: the order is a cycle", check->trace->name);
    visit_cycle_fini(&cycle);
    partial->start = calloc(check->table.rows.count + 1, sizeof *partial->start);
    if (!status && !partial->start)
        status = error_memory(error);
    if (!status)
        status = known_find_inversions(&partial->points, partial->order, partial->start,
                                       check->table.added_ticks, &found, error);
    check->inversions.count = found.records;
    check->inversions.largest_ticks = found.largest_ticks;
    return status || found.first == NO_POINT
               ? status
               : check_fail_at(check, partial->points.items[found.first].position,
                               "it is before what it comes after by more than delta allows", error);
}

/* An end moves to where the points on its other side let it be. */
static csy_status move_end(void *user, uint32_t p, int64_t known, csy_error *error)
{
    struct check_partial *partial = user;
    const struct instant *item = &partial->points.items[p];
    int64_t x = partial->forwards ? item->hi : item->lo, *start = &partial->start[item->clock];
    if (known == KNOWN_NONE || x == (partial->forwards ? HI_NONE : LO_NONE))
        return CSY_OK;
    /* of the earliest it is minus the distance, of the latest the distance */
    int128 far = partial->forwards ? (int128)x - known : -(int128)known - x;
    far += partial->check->table.added_ticks;
    if (!fits_int64(far) || !fits_int64(-far))
        return error_set(error, CSY_INPUT, "stamps and latencies leave 64 bits");
    int64_t end = (int64_t)(partial->forwards ? -far : far);
    if (*start != KNOWN_NONE && (partial->forwards ? *start >= end : *start <= end))
        return CSY_OK;
    *start = end;
    partial->changed = true;
    return CSY_OK;
}

static csy_status find_ends(struct check_partial *partial, size_t tau, bool forwards,
                            csy_error *error)
{
    struct table_rows *rows = &partial->check->table.rows;
    csy_status status = CSY_OK;
    for (size_t t = 0; t < rows->count; t++)
        partial->start[t] = t == tau ? 0 : KNOWN_NONE;
    partial->forwards = forwards;
    for (partial->changed = true; partial->changed && !status;) {
        partial->changed = false;
        status = known_walk(&partial->points, partial->order, forwards, partial->start, move_end,
                            partial, error);
    }
    for (size_t t = 0; t < rows->count && !status; t++) {
        struct table_thread *thread = &rows->threads[t];
        bool none = partial->start[t] == KNOWN_NONE;
        int128 end = (int128)thread->offset_ticks + partial->start[t];
        if (!none && !fits_int64(end))
            status = check_fail_thread(partial->check, t, "its bound is beyond 64 bits", error);
        else if (forwards)
            thread->earliest_ticks = none ? INT64_MIN : (int64_t)end;
        else
            thread->latest_ticks = none ? INT64_MAX : (int64_t)end;
    }
    return status;
}

csy_status check_partial_ends(struct check_partial *partial, size_t tau, csy_error *error)
{
    struct check *check = partial->check;
    csy_status status = find_ends(partial, tau, true, error);
    if (!status)
        status = find_ends(partial, tau, false, error);
    for (size_t t = 0; t < check->table.rows.count && !status; t++)
        check->unbounded += check->table.rows.threads[t].earliest_ticks == INT64_MIN ||
                            check->table.rows.threads[t].latest_ticks == INT64_MAX;
    /* Clocks that do not tick together do without what is added wherever they can. */
    check->strict = check_source(check)->independent && check->inversions.count == 0;
    return status || (check->unbounded == 0 && !check->strict)
               ? status
               : check_islands(check, &partial->points, partial->order, tau, &check->unplaced,
                               error);
}
