/* Receives of a location, in the order in which they were posted. */
#ifndef TRACE_OTF2_POSTINGS_H
#define TRACE_OTF2_POSTINGS_H

#include "trace/otf2/requests.h"
#include "trace/streams.h"

/* Of those that were posted and not handed on: the longest row of them that is kept. */
#define POSTINGS_MOST ((uint64_t)1 << 16)

struct posting {
    struct stream_item item; /* once it is done */
    int64_t posted_ticks;
    enum { POSTING_OPEN, POSTING_DONE, POSTING_AWAY } state;
};

struct postings {
    struct requests open; /* by id the number of a posting that is open */
    struct posting *row;  /* a ring of a power of 2 */
    size_t nrow;
    uint64_t first, end; /* numbers of those in it */
    uint64_t *recent;    /* numbers of those that were done last, by time: less than a window ago */
    size_t recent_first, nrecent, recent_capacity;
    int64_t recent_ticks; /* when the last of them was done */
};

void postings_fini(struct postings *postings);

/* Post one, after which another one of that id is not completed any more; false beyond
 * POSTINGS_MOST, and on no memory. */
bool postings_post(struct postings *postings, uint64_t request, int64_t ticks);

/* One that was posted is taken away, if it is there. */
void postings_cancel(struct postings *postings, uint64_t request);

/* One is done; false where it was not posted, and on no memory. */
bool postings_complete(struct postings *postings, uint64_t request, const struct stream_item *item);

/* The same of one that was posted when it was done. */
bool postings_receive(struct postings *postings, const struct stream_item *item);

/* A message may go on from here: those that were done less than a window ago are close.  Whether
 * there are any. */
bool postings_mark(struct postings *postings, int64_t now_ticks, int64_t window_ticks);

/* Another event has come: it follows those that were done at that stamp. */
void postings_follow(struct postings *postings, int64_t now_ticks);

/* The first of its location of the receives that are done and not handed on; NULL: there is none.
 * O(receives since the first that is not handed on). */
const struct stream_item *postings_least(const struct postings *postings);

/* The next one whose place is known, and whether it is close; NULL: none.  Holds until the next
 * call.  ended: all have come, and those that were not completed never are. */
const struct stream_item *postings_next(struct postings *postings, int64_t now_ticks,
                                        int64_t window_ticks, bool ended);

#endif
