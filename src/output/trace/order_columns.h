/*
 * Columns of a CSV that say what is ordered, for events that are no rows: pex(5), CSV traces in
 * partial order.
 *
 * What was matched is written, and not what events said, so that a reader of the rows finds the
 * same constraints: of a channel whose ends pair as rows would the name, of others a name for each
 * message.  Ends that found no partner are left out.
 */
#ifndef OUTPUT_TRACE_ORDER_COLUMNS_H
#define OUTPUT_TRACE_ORDER_COLUMNS_H

#include "output/trace/sheet.h"
#include "sync/solution.h"

struct order_columns;

/* Of a trace in partial order; may read it.  whole: all of its events are written, else keys name
 * no row that may be missing.  48 bytes an edge of the order, beside its points. */
csy_status order_columns_new(struct csy_trace *trace, const struct csy_sync *sync, bool whole,
                             struct order_columns **out, csy_error *error);
void order_columns_free(struct order_columns *columns);

/* Whether there are blocks and not all of them are written, so that nothing can be said of the
 * order of buffers. */
bool order_columns_lack(const struct order_columns *columns);

/* What the columns cannot express: "flushes", "channels", or NULL.  They lack which rows a flush
 * precedes, which matters if ticks are added to constraints (added).  They lack the stamp of a
 * flush on another clock than the last row of its block, for example after a split.  They lack
 * messages without a latency, of channels that several locations share, if --latency gives one. */
const char *order_columns_hide(const struct order_columns *columns, bool added);

/* A walk over the events begins. */
void order_columns_rewind(struct order_columns *columns);

/* The names of the columns that are used, or what an event has in them, each after a comma.
 * Positions of events go up. */
void order_columns_put_names(const struct order_columns *columns, struct sheet *sheet);
csy_status order_columns_put(struct order_columns *columns, const struct event *event,
                             int64_t local_ticks, struct sheet *sheet, csy_error *error);

#endif
