/* Columns of a CSV that express the order, for events that do not come from rows: cellsync-csv(5),
 * CSV traces in partial order.
 *
 * The columns contain the matches, so that a reader of the rows finds the same constraints:
 * the name of a channel if rows with it pair its ends correctly, otherwise a name for each message.
 * Ends without a partner are left out. */
#ifndef OUTPUT_TRACE_ORDER_COLUMNS_H
#define OUTPUT_TRACE_ORDER_COLUMNS_H

#include "output/trace/sheet.h"
#include "sync/solution.h"

struct order_columns;

/* For a trace in partial order, which may be read again. whole: all its events are written;
 * otherwise keys do not refer to rows that may be missing. 48 bytes for each edge of the order,
 * besides its points. */
csy_status order_columns_new(struct csy_trace *trace, const struct csy_sync *sync, bool whole,
                             struct order_columns **out, csy_error *error);
void order_columns_free(struct order_columns *columns);

/* True if there are blocks that are not all written, so that the order of buffers is lost. */
bool order_columns_lack(const struct order_columns *columns);

/* Parts of the order that the columns cannot express: "flushes", "channels", or NULL. They lack the
 * rows that a flush precedes, which matters if ticks are added to constraints (added); the
 * timestamp of a flush on another clock than the last row of its block, for example after a split;
 * and messages without a latency in channels shared by several locations, if --latency gives one.
 */
const char *order_columns_hide(const struct order_columns *columns, bool added);

/* Begin a pass over the events. */
void order_columns_rewind(struct order_columns *columns);

/* Write the names of the used columns, or the values of an event, each after a comma. Positions of
 * events increase. */
void order_columns_put_names(const struct order_columns *columns, struct sheet *sheet);
csy_status order_columns_put(struct order_columns *columns, const struct event *event,
                             int64_t local_ticks, struct sheet *sheet, csy_error *error);

#endif
