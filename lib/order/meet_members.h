/*
 * Members of collective operations, met while they come, from several locations at a time.
 *
 * The k-th operation of a group on each of its members is one instance.  Of each two members of a
 * group that instance is kept of which the end of the second one less the begin of the first one is
 * least, as what these two say of it; and whole instances that are close to other events; and the
 * first one of each group.  That is enough wherever it is of messages (order/meet.h): nothing
 * contradicts anything at delta 0, and 2 delta is up to the window.  There are no inversions then.
 *
 * Few instances are kept as they are: a group takes memory in proportion to its instances, and
 * from some number of these on to the square of its members.
 *
 * What cannot be met like this fails: members of several locations, begins that are not known or
 * not in order, members that disagree or have fewer operations than others, operations that only
 * some enter and none leaves, and members of one clock that show nothing but a contradiction.
 */
#ifndef ORDER_MEET_MEMBERS_H
#define ORDER_MEET_MEMBERS_H

#include "order/meet.h"
#include "trace/event.h"

struct meet_members;

/* clocks: by location, and stay.  counted: instances are only counted, and none is kept but the
 * first one of each group. */
csy_status meet_members_new(const uint32_t *clocks, bool counted, struct meet_members **out,
                            csy_error *error);
void meet_members_free(struct meet_members *members);

/* An operation.  false: it fails, now or before, or no memory.  O(1), but an instance that comes to
 * its end with those of two members that may matter. */
bool meet_members_item(struct meet_members *members, size_t location,
                       const struct stream_item *item);

/* What an operation says. */
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

/* How many operations wait for others of their instance. */
uint64_t meet_members_waiting(const struct meet_members *members);

/* All have come: *out, which the caller frees, is what is kept, in any order, and its items say
 * which instance it is of.  groups, enters, leaves: what is not kept.  members, which the caller
 * frees: all, by groups, and of each by ranks.  false as above. */
struct meet_member {
    uint32_t group, rank; /* by the source's numbers */
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
