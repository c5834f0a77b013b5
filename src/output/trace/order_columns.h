/*
 * Columns of a CSV that say what is ordered, for events that are no rows: pex(5), CSV traces in
 * partial order.
 *
 * What was matched is written, and not what events said, so that whoever reads the rows finds the
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

/* Whether there are blocks, whose order no column has, so that buffers are to be left out; and
 * whether that says something of clocks. */
bool order_columns_have_blocks(const struct order_columns *columns);
bool order_columns_lack(const struct order_columns *columns);

/* A walk over the events begins. */
void order_columns_rewind(struct order_columns *columns);

/* The names of the columns that are used, or what the event at that position has in them, each
 * after a comma.  Positions go up. */
void order_columns_put_names(const struct order_columns *columns, struct sheet *sheet);
csy_status order_columns_put(struct order_columns *columns, uint64_t position, struct sheet *sheet,
                             csy_error *error);

#endif
