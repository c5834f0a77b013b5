/* An analysis processes the events of actors (instants). Several can share one pass. */
#ifndef ANALYSIS_RUN_ANALYSIS_H
#define ANALYSIS_RUN_ANALYSIS_H

#include "instants/instants.h"

/* The functions of an analysis. `instants` must not be freed before `free` returns. */
struct analysis {
    csy_status (*begin)(void *user, struct instants *instants, csy_error *error);
    take_instant *take;
    take_actor_calls *calls; /* receives records that only enter or exit routines, many at a time,
                              * if no other analysis runs; NULL: `take` receives them */
    csy_status (*end)(void *user, csy_error *error);
    /* called last, even after a failure, or NULL */
    void (*free)(void *user);
    void *user;
    csy_status status; /* failure of this analysis; afterwards, only `free` is called */
    csy_error error;
};

/* Run n analyses in one pass over the trace. `more` has bits of enum instants_more. Returns an
 * error if the trace cannot be opened. Later errors are stored in `analyses`. */
csy_status analyses_run(csy_sync *sync, const csy_meaning *meaning, unsigned more,
                        struct analysis *analyses, size_t n, csy_error *error);

/* Run one analysis. Returns the error of the trace or of the analysis. */
csy_status analysis_run(csy_sync *sync, const csy_meaning *meaning, unsigned more,
                        struct analysis *analysis, csy_error *error);

/* Analyses of activities, for callers that run several analyses in one pass. */

/* Prepare one analysis. `asked` and `out` must stay valid until its `end` function has set *out.
 * After a failure, nothing needs to be freed. */
csy_status concurrency_analysis(struct analysis *analysis, csy_sync *sync,
                                const csy_meaning *meaning, const csy_concurrency *asked,
                                csy_analysis **out, csy_error *error);
csy_status timeline_analysis(struct analysis *analysis, csy_units units, size_t bins,
                             const char *actors, const char *window, csy_analysis **out,
                             csy_error *error);
csy_status states_analysis(struct analysis *analysis, const csy_states *asked, csy_analysis **out,
                           csy_error *error);

#endif
