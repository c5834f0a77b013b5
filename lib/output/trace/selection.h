/* The records that an output contains: those in a window of time or of record numbers, and those of
 * named threads. */
#ifndef OUTPUT_TRACE_SELECTION_H
#define OUTPUT_TRACE_SELECTION_H

#include "output/trace/settings.h"
#include "sync/solution.h"

struct selection {
    bool all;
    int64_t from_ticks, to_ticks; /* first and last selected global time */
    uint64_t from_record, to_record;
    bool *threads; /* true for each selected thread or, in a CSV, track; NULL if all are selected */
};

bool selection_is_part(const csy_output *output);

/* Initialize a selection. Call selection_fini even after a failure. Returns CSY_USAGE also if an
 * end is a percentage and the method has no offsets. */
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
