/* A solution of a trace in partial order, in the making. */
#ifndef SYNC_PARTIAL_PARTIAL_SOLVING_H
#define SYNC_PARTIAL_PARTIAL_SOLVING_H

#include "order/shared_ends.h"
#include "sync/partial_order.h"
#include "sync/solution.h"

struct thin;

struct solving {
    struct csy_trace *trace;
    struct csy_sync *sync;
    struct partial *partial;
    const csy_options *options;
    const struct progress *progress;
    struct thin *thin;   /* takes events for partial->match, or NULL: that takes them itself */
    bool stores_all;     /* as match_store_all has it */
    bool begins_follow;  /* as struct points has it */
    bool no_streams;     /* locations are not to be read each by itself */
    bool streamed;       /* they were */
    int64_t close_added; /* records are matched as for this 2 delta */
    int64_t least_added; /* 2 delta is so much at least */
    bool cyclic;         /* the order is a cycle, but may be none for a greater 2 delta */
    bool told;           /* these are as struct points has them */
    int64_t least_told, least_above;
    bool replay;               /* what is kept of them then is not enough */
    struct shared_keys shared; /* channels of several locations, as far as they are known */
    struct edge *witness;      /* that is not yet named, or NULL */
    size_t nwitness;
    int64_t window;              /* of the pairs */
    csy_imprecision imprecision; /* as they were at first */
    csy_summary summary;
    csy_fraction twice;
};

/* Read the trace, and match; thinned where that is enough. */
csy_status partial_read(struct solving *s, csy_error *error);

/* The pairs of the points that there are, in the window. */
csy_status partial_make_pairs(struct solving *s, csy_error *error);

/* The least 2 delta that may be, or that which is given, and the window for it. */
csy_status partial_start_delta(struct solving *s, csy_error *error);

#endif
