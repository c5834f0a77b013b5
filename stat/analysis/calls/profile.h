/* A profile counts the calls of routines by rows. A row stands for a routine, or for a routine
 * within one actor, unit, or node. cellsync-analysis(7), ACCOUNTING, has the rules.
 *
 * The profile consumes all instants in the base order, each in O(1). A time that begins on one
 * clock and ends on another is a form (analysis/ranges/forms.h). Each row has FORMS forms. */
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

/* The state of an actor with regard to the window. */
struct cut_actor {
    enum { CUT_BEFORE, CUT_INSIDE, CUT_AFTER } place;
    uint32_t group;     /* its group while it is inside of the window */
    struct moment last; /* the last instant of the actor */
    bool seen;
};

struct cut_call {
    uint32_t routine;
    bool open;
};

/* Counts of a row at a moment when all clocks are certainly in the window: the calls so far that
 * were concurrent with a call of another actor, and the actors in the row. */
struct cut_probe {
    uint64_t calls[2];
    int64_t actors;
};

struct cuts {
    const struct clip *clip;
    enum clip_as as;
    struct cut_actor *actors;
    bool begun, ended; /* the estimated window has begun, has ended */
    struct cut_call *saved;
    size_t saved_capacity;
    int64_t doubts[2]; /* the doubts of the begin and the end, in ticks; INT64_MAX: without limit */
    uint64_t *edged;   /* by row: number of calls that were cut */
    size_t nedged, edged_capacity;
    /* all clocks are certainly in the window from certain[0] on and before certain[1] */
    int64_t certain[2];
    bool probed[2];
    struct cut_probe *probes; /* by row: counts at these two moments; unused in partial order */
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
    FORM_ALONE_MOST, /* in these two, begins are moved to records (analysis/ranges/stairs.h) */
    FORM_ALONE_LEAST,
    FORM_TOGETHER_LEAST, /* these two are subtracted from FORM_DIRECT */
    FORM_TOGETHER_MOST,
    FORMS
};

/* The number of actors in a routine, and the moment of the last change from 0. */
struct presence {
    int64_t n;
    struct moment since; /* valid if n is above 0 */
};

struct profile_row {
    uint32_t routine, group; /* group: the actor, unit, or node according to `per`, or NO_TEXT */
    uint32_t actor;          /* the actor, if only one is in the row, otherwise NO_ACTOR */
    uint64_t calls, recursive, open, implied, descendants, concurrent;
    struct presence direct, inside;
    int64_t most_inside;
    uint64_t crossing; /* calls that begin on one clock and end on another */
    /* the least and the greatest length of a call. A length by one clock changes neither if it is
     * between the next two members. */
    csy_range least, greatest;
    int64_t usual_least, usual_greatest;
    struct moment alone_since;
    int64_t late; /* number of actors in `direct`, counted when records leave the stairs */
    struct moment most_since, least_since;
    size_t late_listed;
    bool listed;    /* the row is in profile.listed */
    bool unordered; /* a begin without a place in the order changes the row */
};

/* A routine within one actor. */
struct profile_cell {
    uint32_t routine, row, group; /* row: its last row, or NO_TEXT; group: the group of this row */
    uint32_t active;              /* number of its open calls on the stack */
};

struct profile_frame {
    uint32_t cell, row;
    struct moment begin;
    struct call_place place; /* in the tree */
    uint64_t calls;          /* number of calls of the actor up to this one, including it */
    /* profile.entries when the call began; if profile.entries is greater later, another actor
     * has entered a routine during the call */
    uint64_t entries;
    bool outermost, open;
    uint32_t outer; /* the call in profile.calls, or NO_OUTER_CALL */
};

struct profile_actor {
    struct profile_frame *frames;
    size_t depth, capacity, deeper;
    size_t deepest;      /* the greatest depth so far */
    uint32_t direct_row; /* the row that its current time counts for, or NO_TEXT */
    uint32_t path;       /* its current path in the call tree */
    struct moment since; /* the moment up to which its time has been added */
    uint64_t calls;
    bool counted, active; /* counted: it is one of the units; active: it is active now */
    bool begun, on, left_out;
    uint32_t group;
    bool linked;         /* its creator is known (only with --follow=create) */
    uint32_t *inherited; /* rows of its creator for which its calls also count */
    size_t ninherited, inherited_capacity;
};

/* A change of the number of actors in a row, at the place of a record. */
struct profile_step {
    /* number of the record; PROFILE_NEXT: the next record, which will also set the time */
    uint64_t number;
    int64_t global_ticks, local_ticks;
    uint32_t clock, row;
    int32_t step;
};

#define PROFILE_NEXT UINT64_MAX

/* The time during which exactly one unit was active, if begins have no place in the order and are
 * moved to records. */
struct profile_late {
    bool ranged; /* ranges can be found */
    struct reach reach;
    struct stairs stairs;
    struct profile_step *steps; /* a queue; its last `nnext` steps wait for the next record */
    size_t first, end, capacity, nnext;
    /* number of the last record, or PROFILE_NEXT if the last instant was a begin */
    uint64_t last_number;
    /* time of the last record, in global time and (last_local) by its clock */
    int64_t last_ticks;
    int64_t last_local;
    uint32_t last_clock;
    uint32_t *listed;
    size_t nlisted, listed_capacity;
    int64_t most, least; /* the greatest and the least possible number of active units */
};

struct profile {
    /* The caller sets these members, up to at_record: */
    csy_per per;
    /* calls of an actor also count for the routines in which it was created */
    bool follows;
    const char *patterns;    /* patterns of names of actors to include (actor_fits), or NULL */
    const struct clip *clip; /* the window, or NULL */
    enum clip_as as;         /* which of the three windows to use */
    struct sampled sampled;  /* the caller sets only sampled.ticks */
    struct calltree *tree;   /* the call tree to fill, or NULL */
    bool calls_alone;        /* only the tree is needed */
    bool at_wanted;          /* the paths of actors at a moment are requested */
    int64_t at_ticks;        /* this moment, in global time */
    /* or the record right after which the moment is; UINT64_MAX: the moment is at_ticks */
    uint64_t at_record;

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
    /* rows that actors spend time in; also contains some rows that actors have left */
    uint32_t *listed;
    size_t nlisted, listed_capacity;
    int64_t active;      /* number of active units */
    struct moment alone; /* valid if `active` is 1: the moment when it became 1 */
    /* inside: actors that are in a routine; entries: how often an actor has entered an outermost
     * routine */
    uint64_t inside, entries;
    uint64_t ignored;
    bool unordered_units; /* a begin without a place in the order changes `active` */
    struct profile_late late;
    /* limits for rows, used if calls have begins without a place in the order, or if records
     * have no order */
    struct profile_outer outer;
    struct calls_outer calls; /* limits for concurrent calls, used in the same cases */
    struct profile_sums sums;
    bool at_passed;
};

/* The functions of a profile as an analysis (analysis/run/analysis.h); `user` is the struct
 * profile. Use profile_take_calls only if the profile has no window, no samples, and no requested
 * moment. profile_fini does not access the instants. */
csy_status profile_begin(void *user, struct instants *instants, csy_error *error);
csy_status profile_take(void *user, const struct actor_instant *instant, csy_error *error);
csy_status profile_take_calls(void *user, const struct actor_call *calls, size_t n,
                              csy_error *error);
csy_status profile_end(void *user, csy_error *error);
void profile_fini(struct profile *profile);

/* Write the results after the last instant; call one of these functions once. profile_write writes
 * the sheets of csy_sync_profile. profile_write_calls is for a profile with a tree; it writes the
 * sheets of csy_sync_calls, except those of actors. */
csy_status profile_write(struct profile *profile, csy_analysis *out, csy_error *error);
csy_status profile_write_calls(struct profile *profile, const csy_calls_options *options,
                               csy_analysis *out, csy_error *error);

/* True if the number of paths and pairs of the tree, multiplied by the number of clocks, exceeds
 * `most`. Ranges then take long, because each range is a flow over the clocks. */
bool calls_are_many(const struct profile *profile, size_t most);

/* As csy_sync_calls, but set *out to NULL if calls_are_many is true for `most`. */
csy_status calls_make(csy_sync *sync, const csy_meaning *meaning, const csy_calls_options *options,
                      size_t most, csy_analysis **out, csy_error *error);

/* Find the row of a routine and a group, or add it. Returns false if memory runs out. */
bool profile_find_row(struct profile *profile, uint32_t routine, uint32_t group, uint32_t *out);

/* True if a row counts times in the window, not outside of it. */
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
