/*
 * Cuts: a profile of a window of the trace.
 *
 * Where the window begins, what an actor is in ends, and begins anew; where it ends, that is so
 * again.  What is outside of it goes to rows of a group of their own, which is not shown.  So
 * one pass tells of a window whose ends are moments of the base order: the estimate.
 *
 * By another clock such an end is somewhere between two moments (analysis/window/clip.h).  Two
 * further passes cut each actor by its own clock, at those of what is in the window for certain,
 * and of what may be: calls, and times by the clock of an actor, are between what these two tell.
 *
 * Of what several actors come to together, f of their joint state, the base order tells the
 * integral from the end on as a form.  It is off by what f differs from what it was at the end,
 * from the first instant on that is not on its side of the end; no more than f at most, for as long
 * as that instant may be away from the end.  How long that is for any of them is the doubt.
 */
#ifndef ANALYSIS_WINDOW_CUTS_H
#define ANALYSIS_WINDOW_CUTS_H

#include "analysis/window/clip.h"

/* The group of what is outside of the window. */
#define CUTS_OUTSIDE (NO_TEXT - 1)

/* Of an actor. */
struct cut_actor {
    enum { CUT_BEFORE, CUT_INSIDE, CUT_AFTER } place;
    uint32_t group;     /* what it would be of */
    struct moment last; /* its last instant */
    bool seen;
};

struct cut_call {
    uint32_t routine;
    bool open;
};

/* Of a row, where all clocks are in the window for certain: calls while another actor is in one,
 * and actors. */
struct cut_probe {
    uint64_t calls[2];
    int64_t actors;
};

struct cuts {
    const struct clip *clip;
    enum clip_as as;
    struct cut_actor *actors;
    bool begun, ended; /* the window, by the estimate */
    struct cut_call *saved;
    size_t saved_capacity;
    int64_t doubts[2]; /* ticks, of both ends: by the estimate; INT64_MAX: there is no limit */
    uint64_t *edged;   /* by row: how often calls were cut there */
    size_t nedged, edged_capacity;
    int64_t certain[2]; /* from where on, and until where, all clocks are in the window */
    bool probed[2];
    struct cut_probe *probes; /* by row, at these two; not where the order is partial */
    size_t nprobes, probes_capacity;
};

csy_status cuts_init(struct cuts *cuts, const struct clip *clip, enum clip_as as, size_t nactors,
                     size_t nclocks, csy_error *error);
void cuts_fini(struct cuts *cuts);

/* What of something that an actor did is in the window; false: nothing, a moment beyond it. */
bool cuts_clip(const struct cuts *cuts, struct moment *begin, struct moment *end);

/* The group that an actor is of now, where that of the others would be this. */
uint32_t cuts_group(struct cuts *cuts, uint32_t actor, uint32_t group);

#endif
