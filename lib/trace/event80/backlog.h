/* Sorts the records of a log by their ends.
 *
 * A log is sorted by the begins or by the ends of records. These orders differ if intervals
 * overlap. In a log sorted by begins, a record can be passed on as soon as another record begins
 * after its end. Only overlapping records wait here. */
#ifndef TRACE_EVENT80_BACKLOG_H
#define TRACE_EVENT80_BACKLOG_H

#include "trace/event80/log.h"

struct backlog {
    struct log_record *items; /* a heap by time, then by place */
    size_t count, capacity;
    int64_t latest_begin_ticks;
};

/* Prepare for a new log. */
void backlog_clear(struct backlog *backlog);
void backlog_fini(struct backlog *backlog);

/* Add a record. Returns false if memory runs out. */
bool backlog_put(struct backlog *backlog, const struct log_record *record);

/* Take the record with the earliest end, unless a later record of the log may end before it. If
 * `all`, the log has no more records. Returns false if no record can be taken. The number of
 * waiting records is limited, so memory is bounded for any log. */
bool backlog_take(struct backlog *backlog, bool all, struct log_record *out);

#endif
