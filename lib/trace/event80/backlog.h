/*
 * The records of a log, sorted by their ends.
 *
 * A log is sorted by time: by the begins of records or by their ends. The two orders differ if
 * intervals overlap. In a log that is sorted by begins, a later record ends after the begin of each
 * earlier record. Therefore a record can be passed on as soon as another record begins after its
 * end. Only records that overlap wait here.
 */
#ifndef TRACE_EVENT80_BACKLOG_H
#define TRACE_EVENT80_BACKLOG_H

#include "trace/event80/log.h"

struct backlog {
    struct log_record *items; /* a heap by time, then by place */
    size_t count, capacity;
    int64_t latest_begin_ticks;
};

/* Prepare for the begin of a log. */
void backlog_clear(struct backlog *backlog);
void backlog_fini(struct backlog *backlog);

/* Add a record. Returns false if memory runs out. */
bool backlog_put(struct backlog *backlog, const struct log_record *record);

/* Take the record with the earliest end, if no later record of the log can end before it. all: the
 * log has no more records. Returns false if no record can be taken. The number of waiting records
 * is limited, so memory is bounded for any log. */
bool backlog_take(struct backlog *backlog, bool all, struct log_record *out);

#endif
