/*
 * Arrivals: who came when to barriers and collective operations.
 *
 * The k-th of a name and a group, such as a communicator, of each actor are one instance.  Its
 * spread is the time from the first arrival to the last.  The greatest that it may be is the
 * greatest time from any arrival to any other; the least is no less than the greatest of the least
 * such times.
 */
#ifndef ANALYSIS_WAITS_ARRIVALS_H
#define ANALYSIS_WAITS_ARRIVALS_H

#include "instants/actors.h"
#include "sync/solution.h"

#include <cellsync/analysis.h>

struct clip;

struct arrival {
    struct moment at;
    uint32_t actor;
    bool meant; /* the actor is */
};

/* An arrival, of an instance of a name: texts of names. */
struct arrived {
    uint32_t name;
    uint64_t instance;
    struct arrival arrival;
};

struct arrivals {
    struct arrived *items;
    size_t count, capacity;
    struct texts names;  /* with groups before them */
    struct texts groups; /* what these are called */
    uint32_t *group_of;  /* by name */
    size_t ngroup_of, group_of_capacity;
    struct texts turns; /* of names and actors */
    uint64_t *counts;   /* by these */
    size_t ncounts, counts_capacity;
};

void arrivals_fini(struct arrivals *arrivals);

/* A group, and what it is called; size 0: there is none. */
struct arrival_group {
    uint64_t number;
    csy_text called;
};

/* One more; false on no memory. */
bool arrivals_add(struct arrivals *arrivals, csy_text name, const struct arrival_group *group,
                  const struct arrival *arrival);

/* After the last: the sheet "barriers", of instances at which one who is meant arrives; with a clip
 * of the instances that may have arrivals in the window, which are counted there. */
csy_status arrivals_write(struct arrivals *arrivals, const struct actors *actors, csy_sync *sync,
                          const struct clip *clip, csy_analysis *out, csy_error *error);

#endif
