/* The records to be written: those in a window of time or of record numbers, and those of named
 * threads. */
#ifndef OUTPUT_TRACE_SELECTION_H
#define OUTPUT_TRACE_SELECTION_H

#include "output/trace/settings.h"
#include "sync/solution.h"

struct selection {
    bool all;
    int64_t from_ticks, to_ticks; /* global times, inclusive */
    uint64_t from_record, to_record;
    bool *threads; /* for each thread, or track of a CSV; NULL: all */
};

bool selection_is_part(const csy_output *output);

/* Initialize; call selection_fini even after a failure. CSY_USAGE also if a percentage is given and
 * the method has no offsets. */
csy_status selection_init(struct selection *selection, const struct csy_sync *sync,
                          const csy_output *output, csy_error *error);
void selection_fini(struct selection *selection);

static inline bool selection_has(const struct selection *selection, const csy_event *event)
{
    return selection->all ||
           (event->record >= selection->from_record && event->record <= selection->to_record &&
            event->global_ticks >= selection->from_ticks &&
            event->global_ticks <= selection->to_ticks &&
            (!selection->threads ||
             selection->threads[event->track == CSY_NO_TRACK ? event->thread : event->track]));
}

#endif
