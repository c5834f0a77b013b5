/* Reports progress while the records of a trace are read. */
#ifndef SYNC_PROGRESS_H
#define SYNC_PROGRESS_H

#include "trace/trace.h"

enum { PROGRESS_RECORDS = 16384 };

static inline void progress_show(const struct progress *progress, const struct csy_trace *trace)
{
    uint64_t done, total;
    if (!progress->call)
        return;
    if (trace->source->progress) {
        trace->source->progress(trace, &done, &total);
    } else {
        done = bytes_file_offset(trace->bytes) - trace->record_start;
        total = trace->record_bytes - trace->record_start;
    }
    progress_tell(progress, progress->stage, CSY_UNIT_BYTES, done, total);
}

/* Show progress from time to time. Call this after each record, with the position of the record. */
static inline void progress_note(const struct progress *progress, const struct csy_trace *trace,
                                 uint64_t position)
{
    if (position % PROGRESS_RECORDS == 0)
        progress_show(progress, trace);
}

#endif
