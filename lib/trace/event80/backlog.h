/*
 * Records of a log in the order of their ends.
 *
 * A log is in time order, by begins or by ends; these differ if intervals overlap.  In a log by
 * begins, later records begin later, and so end after the begin of an earlier one.  A record that
 * ended by then can go on; only overlapping records wait here.
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
