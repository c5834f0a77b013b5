/* A profile of a window: csy_sync_profile where one is asked for. */
#ifndef ANALYSIS_CALLS_CUT_PROFILE_H
#define ANALYSIS_CALLS_CUT_PROFILE_H

#include "sync/solution.h"

#include <cellsync/analysis.h>

csy_status cut_profile(csy_sync *sync, const csy_meaning *meaning,
                       const csy_profile_options *options, csy_analysis **out, csy_error *error);

#endif
