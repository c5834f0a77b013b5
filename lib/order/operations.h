/* Which members of a collective operation of each kind give data, and which get data. */
#ifndef ORDER_OPERATIONS_H
#define ORDER_OPERATIONS_H

#include "trace/event.h"

/* True if members must agree about the root. */
bool operation_is_rooted(enum collective_kind kind);

/* True if only the root enters. */
bool operation_comes_of_root(enum collective_kind kind);

/* True if members give only to higher ranks. */
bool operation_goes_up(enum collective_kind kind);

/* True if a record enters, or leaves. A member that gives nothing does not enter, and a member that
 * gets nothing does not leave, except in barriers and in operations where members give only to
 * higher ranks. */
bool operation_enters(const struct event_collective *is);
bool operation_leaves(const struct event_collective *is);

/* operation_gives: the record enters, and the member gives something. operation_gets: the record
 * leaves, and the member gets something. */
bool operation_gives(const struct event_collective *is);
bool operation_gets(const struct event_collective *is);

#endif
