/* The quick way, whatever it reads. */
#include "fast/fast.h"

#include "fast/kind.h"
#include "fast/segments.h"

csy_status fast_new(struct timeline *timeline, struct rebase *rebase, struct sweep *sweep,
                    const csy_thread *offsets, struct fast **out, csy_error *error)
{
    struct csy_trace *trace = timeline->trace;
    csy_status status = CSY_OK;
    *out = NULL;
    if (trace->partial)
        return CSY_OK;
    if (timeline->intervals)
        status = records_new(timeline, out, error);
    else if (trace->source->carried == CARRIED_ROWS && trace->csv.columns.clock == CSV_NO_COLUMN)
        status = rows_new(timeline, out, error);
    if (status || !*out)
        return status;
    struct fast *fast = *out;
    fast->timeline = timeline;
    fast->rebase = rebase;
    fast->sweep = sweep;
    fast->offsets = offsets;
    fast->previous = NO_THREAD;
    fast->greatest_x = -X_MAX;
    return CSY_OK;
}

void fast_free(struct fast *fast)
{
    if (!fast)
        return;
    run_fini(&fast->run);
    fast->kind->free(fast);
}

void fast_take_turns(struct fast *fast, struct sweep_feed *feed, const uint32_t *tau, size_t crowd)
{
    fast->turns = true;
    fast->feed = feed;
    fast->tau = tau;
    fast->crowd = crowd;
}

void fast_note(struct fast *fast, const struct event *event, int64_t x)
{
    fast->kind->note(fast, event, x);
    fast->previous = event->thread;
    fast->previous_x = x;
}

/* Segments, or what the reader's buffer holds. */
static csy_status take(struct fast *fast, struct fast_taken *taken, csy_error *error)
{
    *taken = (struct fast_taken){0};
    if (fast->limit <= fast->timeline->records)
        return CSY_OK;
    csy_status status = segments_take(fast, NULL, taken, error);
    if (!status && taken->records == 0 && fast->kind->is_open(fast))
        status = fast->kind->take(fast, taken, error);
    taken->thread = fast->previous;
    taken->x = fast->previous_x;
    taken->greatest_x = fast->greatest_x;
    return status;
}

csy_status fast_take(struct fast *fast, uint64_t limit, struct fast_taken *taken, csy_error *error)
{
    fast->limit = limit;
    fast->purpose = !fast->sweep ? READING : sweep_carries(fast->sweep) ? CARRYING : CONSTRAINING;
    return take(fast, taken, error);
}

csy_status fast_measure(struct fast *fast, uint64_t limit, struct measured *measured,
                        struct fast_taken *taken, csy_error *error)
{
    fast->limit = limit;
    fast->purpose = MEASURING;
    fast->measured = measured;
    measured->least_ticks = INT64_MAX;
    return take(fast, taken, error);
}

csy_status fast_write(struct fast *fast, uint8_t *out, size_t room, struct fast_taken *taken,
                      csy_error *error)
{
    *taken = (struct fast_taken){0};
    fast->limit = UINT64_MAX;
    fast->purpose = WRITING;
    fast->out = out;
    fast->room = room;
    return fast->kind->writes && fast->kind->is_open(fast) ? fast->kind->take(fast, taken, error)
                                                           : CSY_OK;
}

csy_status fast_time(struct fast *fast, int64_t *times, size_t n, struct fast_taken *taken,
                     csy_error *error)
{
    *taken = (struct fast_taken){0};
    fast->limit = fast->timeline->records + n;
    fast->purpose = TIMING;
    fast->times = times;
    return fast->kind->writes && fast->kind->is_open(fast) ? fast->kind->take(fast, taken, error)
                                                           : CSY_OK;
}

csy_status fast_share(struct fast *fast, const struct fast_sink *sink, struct fast_taken *taken,
                      csy_error *error)
{
    *taken = (struct fast_taken){0};
    fast->limit = UINT64_MAX;
    fast->purpose = WRITING;
    return fast->kind->writes ? segments_take(fast, sink, taken, error) : CSY_OK;
}
