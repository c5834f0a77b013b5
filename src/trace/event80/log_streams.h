/* The logs of a .pex, each read by itself, as trace/streams.h has it. */
#ifndef TRACE_EVENT80_LOG_STREAMS_H
#define TRACE_EVENT80_LOG_STREAMS_H

#include "trace/event80/log_cursor.h"
#include "trace/streams.h"

/* *out is to be stopped also after a failure, NULL or not. */
csy_status log_streams_start(const struct csy_trace *trace, const struct logs *logs,
                             const struct streams_part *part, struct streams **out,
                             csy_error *error);
bool log_streams_next(struct streams *streams, struct stream_batch *batch);
bool log_streams_failed(const struct streams *streams);
void log_streams_stop(struct streams *streams);

/* The largest remainder of what was read, and the number of its log, of those the first one. */
struct log_remainder log_streams_remainder(const struct streams *streams, size_t *log);

/* The record of an item, or of NULL one that says nothing of the order. */
struct log_record log_streams_record(const struct logs *logs, const struct stream_item *item);

#endif
