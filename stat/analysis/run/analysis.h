/*
 * An analysis is a consumer of instants.  Several analyses can share one scan and one merge.
 */
#ifndef ANALYSIS_RUN_ANALYSIS_H
#define ANALYSIS_RUN_ANALYSIS_H

#include "instants/instants.h"

/* The instants are valid from the call of begin until free has returned. */
struct analysis {
    csy_status (*begin)(void *user, struct instants *instants, csy_error *error);
    take_instant *take;
    take_actor_calls *calls; /* or NULL; for records that are only calls, if it runs alone */
    csy_status (*end)(void *user, csy_error *error);
    void (*free)(void *user); /* or NULL; last of all, also after a failure */
    void *user;
    csy_status status; /* of its own failure, after which it is not called any more */
    csy_error error;
};

/* Run all analyses in one scan, which also finds what `more` names (enum instants_more), and one
 * merge.  A failure of the merge is the failure of each analysis without its own.  Returns a
 * failure of the scan; then no analysis was begun.  Memory: the scan and all analyses at once. */
csy_status analyses_run(csy_sync *sync, const csy_meaning *meaning, unsigned more,
                        struct analysis *analyses, size_t n, csy_error *error);

/* Run one analysis; also returns its failure. */
csy_status analysis_run(csy_sync *sync, const csy_meaning *meaning, unsigned more,
                        struct analysis *analysis, csy_error *error);

#endif
