/* Collective operations: which members of each kind give something, and which get something. */
#ifndef ORDER_OPERATIONS_H
#define ORDER_OPERATIONS_H

#include "trace/event.h"

/* True if the root matters: all members must name the same one. */
bool operation_is_rooted(enum collective_kind kind);

/* True if only the root enters. */
bool operation_comes_of_root(enum collective_kind kind);

/* True if members give to higher ranks only, and not to all. */
bool operation_goes_up(enum collective_kind kind);

/* True if a record enters, or if it leaves. Except in a barrier, a member that gives nothing does
 * not enter, and a member that gets nothing does not leave. This exception does not apply to
 * operations in which members give only to higher ranks. */
bool operation_enters(const struct event_collective *is);
bool operation_leaves(const struct event_collective *is);

/* operation_gives is true if the record enters and the member gives something. operation_gets is
 * true if the record leaves and the member gets something. */
bool operation_gives(const struct event_collective *is);
bool operation_gets(const struct event_collective *is);

#endif
