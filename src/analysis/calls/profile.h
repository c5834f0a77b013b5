/*
 * Profile: what calls of routines come to, by rows: routines, or routines of one actor, unit or
 * node.  The rules are those of cellstat(1), ACCOUNTING.
 *
 * All instants are taken in the base order; a routine costs O(1) an instant.  What two clocks tell
 * are forms, five of a row.
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
 * Where the window begins, what an actor is in ends, and begins anew; where it ends, that is so
 * again.  What is outside of it goes to rows of a group of their own, which is not shown.  So
 * one pass tells of a window whose ends are moments of the base order: the estimate.
 *
 * By another clock such an end is somewhere between two moments (analysis/window/window.h).  Two
 * further passes cut each actor by its own clock, at those of what is in the window for certain,
 * and of what may be: calls, and times by the clock of an actor, are between what these two tell.
 *
 * Of what several actors come to together, f of their joint state, the base order tells the
 * integral from the end on as a form.  It is off by what f differs from what it was at the end,
 * from the first instant on that is not on its side of the end; no more than f at most, for as long
 * as that instant may be away from the end.  How long that is for any of them is the doubt.
 */

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
    FORM_ALONE_MOST, /* where begins are records, at any of them */
    FORM_ALONE_LEAST,
    FORM_TOGETHER_LEAST, /* direct less these */
    FORM_TOGETHER_MOST,
    FORMS
};

/* How many actors are in a routine, and since when it is so many. */
struct presence {
    int64_t n;
    struct moment since; /* n is above 0 */
};

struct profile_row {
    uint32_t routine, group; /* group: by per; NO_TEXT: there are none */
    uint32_t actor;          /* that is in it; NO_ACTOR: several are */
    uint64_t calls, recursive, open, implied, descendants, concurrent;
    struct presence direct, inside;
    int64_t most_inside;
    uint64_t crossing;         /* calls that begin by one clock and end by another */
    csy_range least, greatest; /* of lengths; those by a clock between these change neither: */
    int64_t usual_least, usual_greatest;
    struct moment alone_since;
    int64_t late; /* of direct, as records leave */
    struct moment most_since, least_since;
    size_t late_listed;
    bool listed;    /* among those that are direct, or were */
    bool unordered; /* a begin that has no place in the order changes it */
};

/* A routine of an actor. */
struct profile_cell {
    uint32_t routine, row, group; /* the last row, and of which group it is; NO_TEXT: none yet */
    uint32_t active;              /* how often it is on the stack */
};

struct profile_frame {
    uint32_t cell, row;
    struct moment begin;
    struct call_place place; /* in the tree */
    uint64_t calls;          /* of the actor when it began, itself included */
    uint64_t entries;        /* of the profile, up to which no other actor is in a routine */
    bool outermost, open;
    uint32_t outer; /* of calls_outer */
};

struct profile_actor {
    struct profile_frame *frames;
    size_t depth, capacity, deeper;
    size_t deepest;      /* frames that have been in use */
    uint32_t direct_row; /* where its time goes, or NO_TEXT; */
    uint32_t path;       /* in the tree */
    struct moment since; /* it goes there, or was last told of */
    uint64_t calls;
    bool counted, active; /* among units, and now */
    bool begun, on, left_out;
    uint32_t group;
    bool linked;         /* with --follow=create: it is known who created it; */
    uint32_t *inherited; /* rows that its calls are of, too: those that that one was in */
    size_t ninherited, inherited_capacity;
};

/* A row has one more or one less, as of that record. */
struct profile_step {
    uint64_t number; /* PROFILE_NEXT: of the next one, which will tell when: */
    int64_t global_ticks;
    uint32_t clock, row;
    int32_t step;
};

#define PROFILE_NEXT UINT64_MAX

/* What is told only after the instants: units that are active where begins are records. */
struct profile_late {
    bool ranged; /* it is wanted, and can be told */
    struct reach reach;
    struct stairs stairs;
    struct profile_step *steps; /* a queue, of which so many at the end are of the next record */
    size_t first, end, capacity, nnext;
    uint64_t last_number; /* of the last record, if no begin was after it, else PROFILE_NEXT; */
    int64_t last_ticks;   /* when that was */
    uint32_t last_clock;
    uint32_t *listed;
    size_t nlisted, listed_capacity;
    int64_t most, least; /* active units, of those that may be and that must be */
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
    struct site_groups sites; /* that are groups, with CSY_PER_CELL and CSY_PER_NODE */
    struct profile_row *rows;
    size_t nrows, rows_capacity;
    struct profile_cell *cells;
    size_t ncells, cells_capacity;
    struct profile_actor *actors;
    uint32_t *listed; /* rows that are direct, or were when this was last asked */
    size_t nlisted, listed_capacity;
    int64_t active;           /* units */
    struct moment alone;      /* one is, since then */
    uint64_t inside, entries; /* actors in routines, and how often one came to be */
    uint64_t ignored;
    bool unordered_units; /* a begin changes how many are active */
    struct profile_late late;
    struct profile_outer outer; /* rows, where calls are begins or records have no order */
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

/* Sheets of what was gathered, once moves are finished: of csy_sync_profile, which can be had once;
 * and where a tree is wanted of csy_sync_calls, but where actors are. */
csy_status profile_write(struct profile *profile, csy_analysis *out, csy_error *error);
csy_status profile_write_calls(struct profile *profile, const csy_calls_options *options,
                               csy_analysis *out, csy_error *error);

/* Whether a tree has so many paths or pairs that its ranges, each of which is a flow over clocks,
 * come to more than that many clocks. */
bool calls_are_many(const struct profile *profile, size_t most);

/* csy_sync_calls, but that *out is NULL where they are. */
csy_status calls_make(csy_sync *sync, const csy_meaning *meaning, const csy_calls_options *options,
                      size_t most, csy_analysis **out, csy_error *error);

/* The row of a routine and a group, a new one where there is none. */
bool profile_find_row(struct profile *profile, uint32_t routine, uint32_t group, uint32_t *out);

/* Whether a row is told: it is in the window. */
static inline bool profile_tells(const struct profile *profile, uint32_t row)
{
    return !profile->clip || profile->rows[row].group != CUTS_OUTSIDE;
}

/* Whether an actor is in the window now. */
static inline bool profile_is_told(const struct profile *profile, uint32_t actor)
{
    return !profile->clip || profile->cuts.actors[actor].place == CUT_INSIDE;
}

#endif
