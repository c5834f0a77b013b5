/* Matches the members of collective operations while several locations are read at the same time.
 *
 * The k-th operation of a group on each of its members is one instance. For each ordered pair of
 * members, the instance is kept that has the least end of the second minus begin of the first. Kept
 * as well are whole instances that are close to other events, and the first instance of each group.
 * That suffices under the same conditions as for messages (order/meet.h): there is no contradiction
 * at delta 0, and 2 delta is at most the window. There are no inversions then.
 *
 * If a group has few instances, all are kept. Memory grows with the instances, up to the square of
 * the number of members.
 *
 * meet_members_item and meet_members_finish fail in these cases: a member has several locations;
 * begins are not known or not in order; members disagree or have different numbers of operations;
 * an operation is entered but never left; or members of one clock contradict it. */
#ifndef ORDER_MEET_MEMBERS_H
#define ORDER_MEET_MEMBERS_H

#include "order/meet.h"
#include "trace/event.h"

struct meet_members;

/* clocks has an entry for each location and must outlive the result. counted: instances are only
 * counted, and only the first one of each group is kept. */
csy_status meet_members_new(const uint32_t *clocks, bool counted, struct meet_members **out,
                            csy_error *error);
void meet_members_free(struct meet_members *members);

/* Add an operation. False if out of memory, or if this or an earlier operation cannot be matched.
 * O(1), plus the pairs of members that may matter if it completes an instance. */
bool meet_members_item(struct meet_members *members, size_t location,
                       const struct stream_item *item);

/* The operation of an item. */
static inline struct event_collective meet_members_collective(const struct stream_item *item)
{
    return (struct event_collective){.kind = (enum collective_kind)item->kind,
                                     .enters = true,
                                     .leaves = true,
                                     .gives_nothing = !item->gives,
                                     .gets_nothing = !item->gets,
                                     .has_root = item->has_root,
                                     .self = item->key[3],
                                     .root = item->key[1]};
}

/* How many operations wait for other members of their instance. */
uint64_t meet_members_waiting(const struct meet_members *members);

/* Finish after the last operation. ends are the kept operations in any order; each item has the
 * number of its instance. groups, enters, and leaves are counts of operations that were not kept.
 * members has all members by groups and ranks. The caller frees ends and members. False as for
 * meet_members_item. */
struct meet_member {
    uint32_t group, rank; /* as the source numbers them */
};
struct meet_members_result {
    struct meet_end *ends;
    size_t count;
    uint64_t groups, enters, leaves;
    struct meet_member *members;
    size_t nmembers;
};
bool meet_members_finish(struct meet_members *members, struct meet_members_result *out);

#endif
