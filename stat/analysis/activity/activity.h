/* Analyses of the activities of actors, for callers that run several analyses in one pass. */
#ifndef ANALYSIS_ACTIVITY_ACTIVITY_H
#define ANALYSIS_ACTIVITY_ACTIVITY_H

#include "analysis/run/analysis.h"

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
