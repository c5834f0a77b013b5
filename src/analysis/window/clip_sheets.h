/* Clip: the tables of one analysis of the three windows that a clip has, as one. */
#ifndef ANALYSIS_WINDOW_CLIP_SHEETS_H
#define ANALYSIS_WINDOW_CLIP_SHEETS_H

#include "analysis/run/sheets.h"
#include "analysis/window/clip.h"

/* What makes the analysis of one of the windows. */
typedef csy_status clip_make(const void *user, enum clip_as as, csy_analysis **out,
                             csy_error *error);

/* Of the three, whose rows are told apart by their texts, and whose numbers grow with the window: a
 * table has the rows of the one by the estimate, or all of them, with its values and the ranges
 * from the least to the most.  A column of shares is of the one before it, and of rows whose first
 * text is the same. */
csy_status clip_sheets_make(const struct clip *clip, clip_make *make, const void *user, bool all,
                            csy_analysis **out, csy_error *error);

#endif
