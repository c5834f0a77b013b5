/* The analyses of what actors do, for others that share their instants. */
#ifndef ANALYSIS_ACTIVITY_ACTIVITY_H
#define ANALYSIS_ACTIVITY_ACTIVITY_H

#include "analysis/run/analysis.h"

/* csy_sync_concurrency, csy_sync_timeline, and csy_sync_states, as analyses to be run: *out is set
 * by their end.  What is asked and out must hold until then.  On failure nothing is to be freed. */
csy_status concurrency_analysis(struct analysis *analysis, csy_sync *sync,
                                const csy_meaning *meaning, const csy_concurrency *asked,
                                csy_analysis **out, csy_error *error);
csy_status timeline_analysis(struct analysis *analysis, csy_units units, size_t bins,
                             const char *actors, const char *window, csy_analysis **out,
                             csy_error *error);
csy_status states_analysis(struct analysis *analysis, const csy_states *asked, csy_analysis **out,
                           csy_error *error);

#endif
