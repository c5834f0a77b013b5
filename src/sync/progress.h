/* Telling the caller how far a pass has come, from time to time. */
#ifndef SYNC_PROGRESS_H
#define SYNC_PROGRESS_H

#include "trace/trace.h"

struct progress {
    csy_progress call; /* or NULL */
    void *user;
    const char *stage;
};

enum { PROGRESS_RECORDS = 16384 };

static inline void progress_show(const struct progress *progress, const struct csy_trace *trace)
{
    if (progress->call)
        progress->call(progress->user, progress->stage,
                       bytes_file_offset(trace->bytes) - trace->record_start,
                       trace->record_bytes - trace->record_start);
}

/* The position-th record has passed. */
static inline void progress_note(const struct progress *progress, const struct csy_trace *trace,
                                 uint64_t position)
{
    if (position % PROGRESS_RECORDS == 0)
        progress_show(progress, trace);
}

#endif
