/* Tells, for each kind of collective operation, which members give data, and which get data. */
#ifndef ORDER_OPERATIONS_H
#define ORDER_OPERATIONS_H

#include "trace/event.h"

/* Returns true if operations of this kind have a root, about which the members must agree. */
bool operation_is_rooted(enum collective_kind kind);

/* Returns true if members wait only for the root (for example, in a broadcast). */
bool operation_comes_of_root(enum collective_kind kind);

/* Returns true if members give data only to members with higher ranks, as in a scan. */
bool operation_goes_up(enum collective_kind kind);

/* Returns true if other members cannot end the operation before this member begins it. This is so
 * in barriers and scans, and if this member gives data. */
bool operation_enters(const struct event_collective *is);

/* Returns true if this member cannot end the operation before other members begin it. This is so in
 * barriers and scans, and if this member gets data. */
bool operation_leaves(const struct event_collective *is);

/* Returns true if other members wait for this member (operation_enters), which gives data. */
bool operation_gives(const struct event_collective *is);

/* Returns true if this member waits for other members (operation_leaves), and gets data. */
bool operation_gets(const struct event_collective *is);

#endif
