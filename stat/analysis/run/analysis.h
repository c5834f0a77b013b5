/* An analysis processes instants. Several analyses can share one scan and one merge. */
#ifndef ANALYSIS_RUN_ANALYSIS_H
#define ANALYSIS_RUN_ANALYSIS_H

#include "instants/instants.h"

/* The functions of an analysis. Its instants are valid from `begin` until `free` returns. */
struct analysis {
    csy_status (*begin)(void *user, struct instants *instants, csy_error *error);
    take_instant *take;
    /* receives groups of records that are only calls, if the analysis runs alone; may be NULL */
    take_actor_calls *calls;
    csy_status (*end)(void *user, csy_error *error);
    /* called last, also after a failure; may be NULL */
    void (*free)(void *user);
    void *user;
    /* failure of this analysis, after which only `free` is called */
    csy_status status;
    csy_error error;
};

/* Run all analyses in one scan and one merge. The bits of `more` (enum instants_more) select what
 * else the scan collects. If the merge fails, every analysis that has not failed gets this failure.
 * If the scan fails, the function returns the failure, and no analysis begins. The memory is the
 * sum of the scan and all analyses. */
csy_status analyses_run(csy_sync *sync, const csy_meaning *meaning, unsigned more,
                        struct analysis *analyses, size_t n, csy_error *error);

/* Run one analysis. Returns the failure of the scan or of the analysis. */
csy_status analysis_run(csy_sync *sync, const csy_meaning *meaning, unsigned more,
                        struct analysis *analysis, csy_error *error);

#endif
