/* A profile counts the calls of routines in rows. A row is a routine, or a routine within one
 * actor, unit, or node. cellsync-analysis(7), ACCOUNTING, has the rules.
 *
 * The profile processes all instants in the base order, each in O(1). A time that begins on one
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

/* Cuts: a profile of a window of the trace.
 *
 * At both ends of the window, the open calls of an actor end and begin anew. Calls outside of the
 * window go to rows of a group that is not shown. The ends of the estimated window are moments of
 * the base order, so one profile cuts all actors there.
 *
 * On other clocks, an end is somewhere between two moments (analysis/window/window.h). Two more
 * profiles cut each actor by its own clock, at the ends of the least and of the greatest window.
 * They limit calls, and times by an actor's clock.
 *
 * Some figures are integrals of a function f of the joint state of several actors. The estimated
 * profile gives such a figure as a form that is exact up to the first instant on the wrong side of
 * an end. From there, it is off by at most the change of f, for as long as the instant may be away
 * from the end. The longest such time is the doubt of an end. */

/* The group of rows for calls outside of the window. */
#define CUTS_OUTSIDE (NO_TEXT - 1)

/* Where an actor is with regard to the window. */
struct cut_actor {
    enum { CUT_BEFORE, CUT_INSIDE, CUT_AFTER } place;
    uint32_t group;     /* its group inside the window */
    struct moment last; /* last instant of the actor */
    bool seen;
};

struct cut_call {
    uint32_t routine;
    bool open;
};

/* Counts of a row at a moment when all clocks are certainly in the window: calls so far that were
 * concurrent with another actor's call, and actors in the row. */
struct cut_probe {
    uint64_t calls[2];
    int64_t actors;
};

struct cuts {
    const struct clip *clip;
    enum clip_as as;
    struct cut_actor *actors;
    bool begun, ended; /* of the estimated window */
    struct cut_call *saved;
    size_t saved_capacity;
    int64_t doubts[2]; /* doubts of begin and end, in ticks; INT64_MAX: no limit */
    uint64_t *edged;   /* for each row, number of cut calls */
    size_t nedged, edged_capacity;
    /* all clocks are certainly in the window from certain[0] to certain[1] - 1 */
    int64_t certain[2];
    bool probed[2];
    struct cut_probe *probes; /* counts of each row at these two moments; not in partial order */
    size_t nprobes, probes_capacity;
};

/* Forms of a row. */
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

/* Number of actors in a routine, and when it last rose from 0. */
struct presence {
    int64_t n;
    struct moment since; /* if n > 0 */
};

struct profile_row {
    uint32_t routine, group; /* group: actor, unit, or node according to `per`; or NO_TEXT */
    uint32_t actor;          /* the only actor in the row, or NO_ACTOR */
    uint64_t calls, recursive, open, implied, descendants, concurrent;
    struct presence direct, inside;
    int64_t most_inside;
    uint64_t crossing; /* calls from one clock to another */
    /* least and greatest length of a call; one on a single clock changes neither if it is between
     * the next two members */
    csy_range least, greatest;
    int64_t usual_least, usual_greatest;
    struct moment alone_since;
    int64_t late; /* actors in `direct` when records leave the stairs */
    struct moment most_since, least_since;
    size_t late_listed;
    bool listed;    /* it is in profile.listed */
    bool unordered; /* a begin without a place in the order changes the row */
};

/* A routine within one actor. */
struct profile_cell {
    uint32_t routine, row, group; /* its last row, or NO_TEXT, and the group of that row */
    uint32_t active;              /* number of its open calls on the stack */
};

struct profile_frame {
    uint32_t cell, row;
    struct moment begin;
    struct call_place place; /* in the call tree */
    uint64_t calls;          /* calls of the actor up to this one, with it */
    /* profile.entries at the begin of the call; if greater later, another actor has entered a
     * routine since */
    uint64_t entries;
    bool outermost, open;
    uint32_t outer; /* the call in profile.calls, or NO_OUTER_CALL */
};

struct profile_actor {
    struct profile_frame *frames;
    size_t depth, capacity, deeper;
    size_t deepest;      /* greatest depth so far */
    uint32_t direct_row; /* row that gets its time now, or NO_TEXT */
    uint32_t path;       /* its current path in the call tree */
    struct moment since; /* its time was added up to here */
    uint64_t calls;
    bool counted, active; /* it is a unit; it is active now */
    bool begun, on, left_out;
    uint32_t group;
    bool linked;         /* its creator is known (only with --follow=create) */
    uint32_t *inherited; /* rows of its creator that also count its calls */
    size_t ninherited, inherited_capacity;
};

/* A change of the number of actors in a row, at a record. */
struct profile_step {
    /* number of the record; PROFILE_NEXT: the next one, which will also set the time */
    uint64_t number;
    int64_t global_ticks, local_ticks;
    uint32_t clock, row;
    int32_t step;
};

#define PROFILE_NEXT UINT64_MAX

/* The time with exactly one active unit, if begins without a place in the order are moved to
 * records. */
struct profile_late {
    bool ranged; /* ranges can be found */
    struct reach reach;
    struct stairs stairs;
    struct profile_step *steps; /* queue; its last `nnext` steps wait for the next record */
    size_t first, end, capacity, nnext;
    /* number of the last record, or PROFILE_NEXT after a begin */
    uint64_t last_number;
    /* time of the last record, in global and local time */
    int64_t last_ticks;
    int64_t last_local;
    uint32_t last_clock;
    uint32_t *listed;
    size_t nlisted, listed_capacity;
    int64_t most, least; /* greatest and least possible number of active units */
};

struct profile {
    /* the caller sets the members up to at_record */
    csy_per per;
    /* an actor's calls also count for the routines that created it */
    bool follows;
    const char *patterns;    /* patterns of names of included actors (actor_fits), or NULL */
    const struct clip *clip; /* the window, or NULL */
    enum clip_as as;         /* which of the three windows */
    struct sampled sampled;  /* the caller sets only sampled.ticks */
    struct calltree *tree;   /* call tree to fill, or NULL */
    bool calls_alone;        /* only the tree is needed */
    bool at_wanted;          /* paths of actors at a moment are requested */
    int64_t at_ticks;        /* this moment, in global time */
    /* or the record right before it; UINT64_MAX: use at_ticks */
    uint64_t at_record;

    struct instants *instants;
    size_t nactors;
    struct cuts cuts;
    struct moves moves;
    struct forms forms;
    struct lengths lengths;
    struct keys rows_by, cells_by;
    struct texts groups;
    struct site_groups sites; /* for CSY_PER_CELL and CSY_PER_NODE */
    struct profile_row *rows;
    size_t nrows, rows_capacity;
    struct profile_cell *cells;
    size_t ncells, cells_capacity;
    struct profile_actor *actors;
    /* rows that actors are in, and some that they have left */
    uint32_t *listed;
    size_t nlisted, listed_capacity;
    int64_t active;      /* number of active units */
    struct moment alone; /* when `active` became 1, if it is 1 */
    /* actors in a routine; how often an actor entered an outermost routine */
    uint64_t inside, entries;
    uint64_t ignored;
    bool unordered_units; /* a begin without a place in the order changes `active` */
    struct profile_late late;
    /* limits for rows, if calls have begins without a place in the order, or if records have no
     * order */
    struct profile_outer outer;
    struct calls_outer calls; /* the same for concurrent calls */
    struct profile_sums sums;
    bool at_passed;
};

/* Functions of a profile as an analysis (analysis/run/analysis.h); `user` is the struct profile.
 * Use profile_take_calls only without a window, samples, and a requested moment. profile_fini does
 * not access the instants. */
csy_status profile_begin(void *user, struct instants *instants, csy_error *error);
csy_status profile_take(void *user, const struct actor_instant *instant, csy_error *error);
csy_status profile_take_calls(void *user, const struct actor_call *calls, size_t n,
                              csy_error *error);
csy_status profile_end(void *user, csy_error *error);
void profile_fini(struct profile *profile);

/* Write the results after the last instant; call one of these, once. profile_write writes the
 * sheets of csy_sync_profile. profile_write_calls, for a profile with a tree, writes the sheets of
 * csy_sync_calls except those of actors. */
csy_status profile_write(struct profile *profile, csy_analysis *out, csy_error *error);
csy_status profile_write_calls(struct profile *profile, const csy_calls_options *options,
                               csy_analysis *out, csy_error *error);

/* True if the paths and pairs of the tree, times the clocks, exceed `most`. Ranges then take long,
 * because each is a flow over the clocks. */
bool calls_are_many(const struct profile *profile, size_t most);

/* Like csy_sync_calls, but *out is NULL if calls_are_many for `most`. */
csy_status calls_make(csy_sync *sync, const csy_meaning *meaning, const csy_calls_options *options,
                      size_t most, csy_analysis **out, csy_error *error);

/* Find or add the row of a routine and a group. Returns false if out of memory. */
bool profile_find_row(struct profile *profile, uint32_t routine, uint32_t group, uint32_t *out);

/* True if the row counts times inside the window. */
static inline bool profile_tells(const struct profile *profile, uint32_t row)
{
    return !profile->clip || profile->rows[row].group != CUTS_OUTSIDE;
}

/* True if the actor is in the window now. */
static inline bool profile_is_told(const struct profile *profile, uint32_t actor)
{
    return !profile->clip || profile->cuts.actors[actor].place == CUT_INSIDE;
}

#endif
