/* What the processes of a run say of what their events mean. */
#ifndef TRACE_RUN_PROCESS_MEANINGS_H
#define TRACE_RUN_PROCESS_MEANINGS_H

#include "trace/run/process.h"

/* trace->metadata.meanings gets it, for src/meaning to read: events are told by their names, of
 * which the first process that has it counts, as the first one does for states.  The caller frees
 * them, also after a failure. */
csy_status process_meanings_take(struct csy_trace *trace, const struct process *processes,
                                 size_t count, csy_error *error);

#endif
