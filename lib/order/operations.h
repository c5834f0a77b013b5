/* Tells, for each kind of collective operation, which members give data, and which get data. */
#ifndef ORDER_OPERATIONS_H
#define ORDER_OPERATIONS_H

#include "trace/event.h"

/* Returns true if the members must agree about the root. */
bool operation_is_rooted(enum collective_kind kind);

/* Returns true if only the root enters the operation. */
bool operation_comes_of_root(enum collective_kind kind);

/* Returns true if members give data only to members with higher ranks. */
bool operation_goes_up(enum collective_kind kind);

/* Return true if a record enters, or leaves. A member that gives nothing does not enter, and a
 * member that gets nothing does not leave, except in barriers and if members give only to higher
 * ranks. */
bool operation_enters(const struct event_collective *is);
bool operation_leaves(const struct event_collective *is);

/* operation_gives returns true if the record enters and the member gives data. operation_gets
 * returns true if the record leaves and the member gets data. */
bool operation_gives(const struct event_collective *is);
bool operation_gets(const struct event_collective *is);

#endif
