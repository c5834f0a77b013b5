/* Tells, for each kind of collective operation, which members give data, and which get data. */
#ifndef ORDER_OPERATIONS_H
#define ORDER_OPERATIONS_H

#include "trace/event.h"

/* Returns true if the members must agree about the root. */
bool operation_is_rooted(enum collective_kind kind);

/* Returns true if members wait only for the root (for example, in a broadcast). */
bool operation_comes_of_root(enum collective_kind kind);

/* Returns true if members give data only to members with higher ranks, as in a scan. */
bool operation_goes_up(enum collective_kind kind);

/* Returns true if the begin of the record precedes ends of other members. This is so in barriers
 * and scans, and if the member gives data. */
bool operation_enters(const struct event_collective *is);

/* Returns true if the end of the record follows begins of other members: in barriers and scans, and
 * if the member gets data. */
bool operation_leaves(const struct event_collective *is);

/* Returns true if operation_enters is true and the member gives data. */
bool operation_gives(const struct event_collective *is);

/* Returns true if operation_leaves is true and the member gets data. */
bool operation_gets(const struct event_collective *is);

#endif
