/* Writes the order of events into columns of a CSV, for traces that were not read from a CSV. See
 * cellsync-csv(5), CSV traces in partial order. Only events that order other events are written.
 * For example, a send without a receive is left out. A channel keeps its name if readers can match
 * its messages by this name. Otherwise each message gets a name of its own. */
#ifndef OUTPUT_TRACE_ORDER_COLUMNS_H
#define OUTPUT_TRACE_ORDER_COLUMNS_H

#include "output/trace/sheet.h"
#include "sync/solution.h"

struct order_columns;

/* Prepare the columns that show the order of rows, for a trace in partial order. This may read the
 * trace again. `whole` is true if all events are written; otherwise, no cell names a row that may
 * be missing. Takes 48 bytes for each fact that one row precedes another. */
csy_status order_columns_new(struct csy_trace *trace, const struct csy_sync *sync, bool whole,
                             struct order_columns **out, csy_error *error);
void order_columns_free(struct order_columns *columns);

/* Returns true if a CSV with a part of the trace lacks the order of flushed blocks of buffers. */
bool order_columns_lack(const struct order_columns *columns);

/* Returns NULL if the columns express the whole order. Otherwise names the missing part: "channels"
 * for some messages or latencies, or "flushes" for the times when blocks were flushed (written).
 * `added` must be true if the timestamp error was added to the constraints. */
const char *order_columns_hide(const struct order_columns *columns, bool added);

/* order_columns_begin begins a pass and writes the names of all used columns. order_columns_put
 * writes the values of an event, each after a comma. Events must be in the order of positions. */
void order_columns_begin(struct order_columns *columns, struct sheet *sheet);
csy_status order_columns_put(struct order_columns *c, const struct event *event,
                             int64_t local_ticks, struct sheet *sheet, csy_error *error);

#endif
