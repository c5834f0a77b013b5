/*
 * A profile counts the calls of routines by rows.  A row is a routine, or a routine of one actor,
 * unit, or node.  cellsync-analysis(7), ACCOUNTING, has the rules.
 *
 * The profile takes all instants in the base order, each in O(1).  A time between two clocks is a
 * form; a row has FORMS of them.
 */
#ifndef ANALYSIS_CALLS_PROFILE_H
#define ANALYSIS_CALLS_PROFILE_H

#include "analysis/calls/calltree.h"
#include "analysis/calls/lengths.h"
#include "analysis/calls/profile_outer.h"
#include "analysis/calls/profile_sampled.h"
#include "analysis/calls/profile_sums.h"
#include "analysis/ranges/forms.h"
#include "analysis/ranges/stairs.h"
#include "analysis/run/analysis.h"
#include "analysis/run/site_groups.h"
#include "analysis/window/window.h"

/*
 * Cuts: a profile of a window of the trace.
 *
 * Where the window begins, the open calls of an actor end and begin anew; where the window ends,
 * they do so again.  Calls outside of the window go to rows of a group that is not shown.  The ends
 * of the estimated window are moments of the base order, so one profile cuts all actors there.
 *
 * On another clock an end is somewhere between two moments (analysis/window/window.h).  Two more
 * profiles cut each actor by its own clock, at the ends of the least window and of the most.  They
 * limit calls, and times by the clock of an actor.
 *
 * Some figures are integrals of a function f of the joint state of several actors.  The estimated
 * profile gives such a figure as a form that is exact up to the first instant on the wrong side of
 * an end.  From there on it is off by at most the change of f, for as long as that instant may be
 * away from the end.  The doubt of an end is the longest such time.
 */

/* The group of rows outside of the window. */
#define CUTS_OUTSIDE (NO_TEXT - 1)

/* The state of an actor. */
struct cut_actor {
    enum { CUT_BEFORE, CUT_INSIDE, CUT_AFTER } place;
    uint32_t group;     /* its group inside of the window */
    struct moment last; /* its last instant */
    bool seen;
};

struct cut_call {
    uint32_t routine;
    bool open;
};

/* Counts of a row where all clocks are in the window for certain: calls during a call of another
 * actor, and actors. */
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
    int64_t doubts[2]; /* of both ends, in ticks; INT64_MAX: there is no limit */
    uint64_t *edged;   /* by row: number of calls that were cut */
    size_t nedged, edged_capacity;
    int64_t certain[2]; /* all clocks are in the window from the first on, until the second */
    bool probed[2];
    struct cut_probe *probes; /* by row, at these two; not in partial order */
    size_t nprobes, probes_capacity;
};

/* The forms of a row. */
enum {
    FORM_DIRECT,
    FORM_CUMULATIVE,
    FORM_LENGTHS,
    FORM_ELAPSED_DIRECT,
    FORM_ELAPSED,
    FORM_ALONE,
    FORM_DESCENDANT,
    FORM_OVERLAP,
    FORM_CONCURRENT,
    FORM_ALONE_MOST, /* if begins become records */
    FORM_ALONE_LEAST,
    FORM_TOGETHER_LEAST, /* direct minus these */
    FORM_TOGETHER_MOST,
    FORMS
};

/* The number of actors in a routine, and since when. */
struct presence {
    int64_t n;
    struct moment since; /* n is above 0 */
};

struct profile_row {
    uint32_t routine, group; /* group: by `per`, or NO_TEXT */
    uint32_t actor;          /* the only actor in it, or NO_ACTOR */
    uint64_t calls, recursive, open, implied, descendants, concurrent;
    struct presence direct, inside;
    int64_t most_inside;
    uint64_t crossing; /* calls that begin on one clock and end on another */
    csy_range least,
        greatest; /* of lengths; a length by one clock between these changes neither: */
    int64_t usual_least, usual_greatest;
    struct moment alone_since;
    int64_t late; /* actors in `direct`, as records leave the stairs */
    struct moment most_since, least_since;
    size_t late_listed;
    bool listed;    /* in `listed` of the profile */
    bool unordered; /* a begin without a place in the order changes it */
};

/* A routine of an actor. */
struct profile_cell {
    uint32_t routine, row, group; /* its last row, or NO_TEXT, and the group of that */
    uint32_t active;              /* times on the stack */
};

struct profile_frame {
    uint32_t cell, row;
    struct moment begin;
    struct call_place place; /* in the tree */
    uint64_t calls;          /* of the actor up to its begin, with itself */
    uint64_t entries;        /* of the profile up to its begin; more: another actor entered */
    bool outermost, open;
    uint32_t outer; /* of calls_outer */
};

struct profile_actor {
    struct profile_frame *frames;
    size_t depth, capacity, deeper;
    size_t deepest;      /* the greatest depth so far */
    uint32_t direct_row; /* the row of its time, or NO_TEXT; */
    uint32_t path;       /* in the tree */
    struct moment since; /* when its time was last added */
    uint64_t calls;
    bool counted, active; /* it is a unit, and active now */
    bool begun, on, left_out;
    uint32_t group;
    bool linked;         /* with --follow=create: its creator is known; */
    uint32_t *inherited; /* rows that its calls also count for, from its creator */
    size_t ninherited, inherited_capacity;
};

/* A change of the number of actors in a row, at a record. */
struct profile_step {
    uint64_t number; /* of the record; PROFILE_NEXT: the next one, which sets the time: */
    int64_t global_ticks, local_ticks;
    uint32_t clock, row;
    int32_t step;
};

#define PROFILE_NEXT UINT64_MAX

/* The time of the only active unit, if begins have no place in the order and become records. */
struct profile_late {
    bool ranged; /* it can be found */
    struct reach reach;
    struct stairs stairs;
    struct profile_step *steps; /* a queue; the last nnext belong to the next record */
    size_t first, end, capacity, nnext;
    uint64_t last_number; /* of the last record, or PROFILE_NEXT after a begin; */
    int64_t last_ticks;   /* when that was: in global time, and by its clock */
    int64_t last_local;
    uint32_t last_clock;
    uint32_t *listed;
    size_t nlisted, listed_capacity;
    int64_t most, least; /* active units: at most, and at least */
};

struct profile {
    /* Set by the caller, with `tree` and the members after it: */
    csy_per per;
    bool follows;            /* calls of an actor also count for routines that created it */
    const char *patterns;    /* of actors (actor_fits), or NULL */
    const struct clip *clip; /* the window, or NULL; */
    enum clip_as as;         /* as it is cut */
    struct sampled sampled;  /* .ticks */
    struct calltree *tree;   /* or NULL: no tree is needed */
    bool calls_alone;        /* nothing but the tree is needed */
    bool at_wanted;          /* where actors are at a moment: */
    int64_t at_ticks;        /* in global time; */
    uint64_t at_record;      /* or right after this record; UINT64_MAX: it is a time */

    struct instants *instants;
    size_t nactors;
    struct cuts cuts;
    struct moves moves;
    struct forms forms;
    struct lengths lengths;
    struct keys rows_by, cells_by;
    struct texts groups;
    struct site_groups sites; /* groups of CSY_PER_CELL and CSY_PER_NODE */
    struct profile_row *rows;
    size_t nrows, rows_capacity;
    struct profile_cell *cells;
    size_t ncells, cells_capacity;
    struct profile_actor *actors;
    uint32_t *listed; /* rows that actors spend time in, and some that they have left */
    size_t nlisted, listed_capacity;
    int64_t active;           /* units */
    struct moment alone;      /* since when one is active */
    uint64_t inside, entries; /* actors in routines, and how often one entered its first */
    uint64_t ignored;
    bool unordered_units; /* a begin changes how many are active */
    struct profile_late late;
    struct profile_outer outer; /* of rows, if calls are begins or records have no order */
    struct calls_outer calls;   /* there, too */
    struct profile_sums sums;
    bool at_passed;
};

/* The steps of an analysis (analysis/run/analysis.h); user: the profile.  It can take calls at once
 * unless it has a window, samples, or a moment.  profile_fini does not use the instants. */
csy_status profile_begin(void *user, struct instants *instants, csy_error *error);
csy_status profile_take(void *user, const struct actor_instant *instant, csy_error *error);
csy_status profile_take_calls(void *user, const struct actor_call *calls, size_t n,
                              csy_error *error);
csy_status profile_end(void *user, csy_error *error);
void profile_fini(struct profile *profile);

/* Write the sheets of csy_sync_profile, once, or, with a tree, the sheets of csy_sync_calls,
 * without actors. */
csy_status profile_write(struct profile *profile, csy_analysis *out, csy_error *error);
csy_status profile_write_calls(struct profile *profile, const csy_calls_options *options,
                               csy_analysis *out, csy_error *error);

/* True if the paths or pairs of a tree, times the clocks, are more than `most`: the range of each
 * is a flow over clocks. */
bool calls_are_many(const struct profile *profile, size_t most);

/* csy_sync_calls, except that *out is NULL if they are more. */
csy_status calls_make(csy_sync *sync, const csy_meaning *meaning, const csy_calls_options *options,
                      size_t most, csy_analysis **out, csy_error *error);

/* Find or add the row of a routine and a group. */
bool profile_find_row(struct profile *profile, uint32_t routine, uint32_t group, uint32_t *out);

/* True if a row is in the window. */
static inline bool profile_tells(const struct profile *profile, uint32_t row)
{
    return !profile->clip || profile->rows[row].group != CUTS_OUTSIDE;
}

/* True if an actor is in the window now. */
static inline bool profile_is_told(const struct profile *profile, uint32_t actor)
{
    return !profile->clip || profile->cuts.actors[actor].place == CUT_INSIDE;
}

#endif
