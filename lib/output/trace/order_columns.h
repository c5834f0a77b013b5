/* Columns of a CSV that express the partial order of events, for traces that were not read from a
 * CSV. See cellsync-csv(5), CSV traces in partial order. The columns show only sends, receives, and
 * ends of groups that were matched, so readers find the same constraints. A channel keeps its name
 * if readers would match its messages correctly by the name. Otherwise each message gets a name. */
#ifndef OUTPUT_TRACE_ORDER_COLUMNS_H
#define OUTPUT_TRACE_ORDER_COLUMNS_H

#include "output/trace/sheet.h"
#include "sync/solution.h"

struct order_columns;

/* Prepare the columns for a trace in partial order, which may read the trace again. `whole` is true
 * if all events are written; otherwise, no cell refers to a row that may be missing. Takes 48 bytes
 * for each edge, besides the order itself. */
csy_status order_columns_new(struct csy_trace *trace, const struct csy_sync *sync, bool whole,
                             struct order_columns **out, csy_error *error);
void order_columns_free(struct order_columns *columns);

/* Returns true if a CSV with a part of the trace lacks the order of flushed blocks of buffers. */
bool order_columns_lack(const struct order_columns *columns);

/* Returns which part of the order the columns cannot express, or NULL. "flushes": times of flushes
 * by another clock than the last row of the block or, if `added`, with ticks added to constraints.
 * "channels": some messages or latencies. */
const char *order_columns_hide(const struct order_columns *columns, bool added);

/* order_columns_begin begins a pass and writes the names of all used columns. order_columns_put
 * writes the values of an event, each after a comma. Events must be in the order of positions. */
void order_columns_begin(struct order_columns *columns, struct sheet *sheet);
csy_status order_columns_put(struct order_columns *c, const struct event *event,
                             int64_t local_ticks, struct sheet *sheet, csy_error *error);

#endif
