/* Counts collective operations while several locations are read at the same time, and checks that
 * they can be matched.
 *
 * An instance is one operation of a group: the k-th operations of all its members. Only instances
 * that some members have not reached are stored.
 *
 * stream_members_item and stream_members_finish fail in these cases: a member has several
 * locations; begins are unknown or not in order; members disagree or have different numbers of
 * operations; the k-th operations of two members state different instances; instances of a member
 * do not increase; or an operation is entered but never left. */
#ifndef ORDER_STREAM_MEMBERS_H
#define ORDER_STREAM_MEMBERS_H

#include "order/match_stream.h"
#include "trace/event.h"

struct stream_members;

csy_status stream_members_new(struct stream_members **out, csy_error *error);
void stream_members_free(struct stream_members *members);

/* Add an operation. Returns false if out of memory, or if it cannot be matched. Time: O(1). */
bool stream_members_item(struct stream_members *members, size_t location,
                         const struct stream_item *item);

static inline struct event_collective stream_members_collective(const struct stream_item *item)
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

/* Returns the number of operations whose instance is incomplete. */
uint64_t stream_members_waiting(const struct stream_members *members);

struct stream_member {
    uint32_t group, rank; /* numbers in the source of the trace */
};
struct stream_members_result {
    uint64_t groups, enters, leaves;
    struct stream_member *members; /* array sorted by group and rank; the caller frees it */
    size_t nmembers;
};

/* Finish after the last operation. Returns false in the same cases as stream_members_item. */
bool stream_members_finish(struct stream_members *members, struct stream_members_result *out);

#endif
