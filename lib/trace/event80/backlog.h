/*
 * Records of a log in the order in which they end.
 *
 * A log is in time order, be it that of begins or of ends: where intervals overlap, these differ.
 * What comes after a record begins, in a log by begins, not before it, and so ends not before it
 * began: a record that ended by then may go on.  Only those that overlap wait here.
 */
#ifndef TRACE_EVENT80_BACKLOG_H
#define TRACE_EVENT80_BACKLOG_H

#include "trace/event80/log.h"

struct backlog {
    struct log_record *items; /* a heap by time, then by place */
    size_t count, capacity;
    int64_t latest_begin_ticks;
};

/* A log begins. */
void backlog_clear(struct backlog *backlog);
void backlog_fini(struct backlog *backlog);

/* False on no memory. */
bool backlog_put(struct backlog *backlog, const struct log_record *record);

/* Take the record that ends first, if none that comes later ends before it; all: none comes later.
 * At most so many wait that memory is bounded, whatever a log says. */
bool backlog_take(struct backlog *backlog, bool all, struct log_record *out);

#endif
