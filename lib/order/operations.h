/* Collective operations: who gives something to whom, by kinds. */
#ifndef ORDER_OPERATIONS_H
#define ORDER_OPERATIONS_H

#include "trace/event.h"

/* Whether the root matters: all members are then to name the same one. */
bool operation_is_rooted(enum collective_kind kind);

/* Whether only the root enters. */
bool operation_comes_of_root(enum collective_kind kind);

/* Whether members give to those of higher ranks, not all to all. */
bool operation_goes_up(enum collective_kind kind);

/* Whether a record enters, or leaves.  Except in barriers, a member that gives nothing does not
 * enter, and one that gets nothing does not leave, but where it goes up. */
bool operation_enters(const struct event_collective *is);
bool operation_leaves(const struct event_collective *is);

/* The same, and it gives something; gets something. */
bool operation_gives(const struct event_collective *is);
bool operation_gets(const struct event_collective *is);

#endif
