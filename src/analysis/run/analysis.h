/*
 * What an analysis does before the merge of instants, with each of them, and after the last one.
 * Several analyses can share one scan and one merge.
 */
#ifndef ANALYSIS_RUN_ANALYSIS_H
#define ANALYSIS_RUN_ANALYSIS_H

#include "instants/instants.h"

/* Its instants hold from the call of begin until that of end has returned. */
struct analysis {
    csy_status (*begin)(void *user, struct instants *instants, csy_error *error);
    take_instant *take;
    csy_status (*end)(void *user, csy_error *error);
    void (*free)(void *user); /* last of all, also after a failure */
    void *user;
    csy_status status; /* CSY_OK at first; after a failure of its own it is called no more */
    csy_error error;
};

/* Run all in one scan, which also tells what `more` names (enum instants_more), and one merge.  A
 * failure of the merge is that of each analysis that had not failed.  Returns a failure of the
 * scan; then no analysis was begun.  Memory: that of the scan, and of all analyses at once. */
csy_status analyses_run(csy_sync *sync, const csy_meaning *meaning, unsigned more,
                        struct analysis *analyses, size_t n, csy_error *error);

/* Run one; returns its failure, too. */
csy_status analysis_run(csy_sync *sync, const csy_meaning *meaning, unsigned more,
                        struct analysis *analysis, csy_error *error);

#endif
