/* A profile counts the calls of routines in rows. A row is for a routine, or for a routine within
 * one actor, unit, or node. cellsync-analysis(7), ACCOUNTING, has the rules.
 *
 * The profile processes all instants in the base order, each in O(1). A form
 * (analysis/ranges/forms.h) is a sum of times that may begin on one clock and end on another. Each
 * row has FORMS forms. */
#ifndef ANALYSIS_CALLS_PROFILE_H
#define ANALYSIS_CALLS_PROFILE_H

#include "analysis/calls/lengths.h"
#include "analysis/calls/profile_outer.h"
#include "analysis/calls/profile_sums.h"
#include "analysis/ranges/forms.h"
#include "analysis/ranges/stairs.h"
#include "analysis/run/analysis.h"
#include "analysis/run/sites.h"
#include "analysis/window/window.h"

/* The call tree tells which routines call which routines, and along which paths. Its leaves are
 * events with their arguments. The profile follows the call stacks of actors and fills the tree. */

/* Limits of the tree. Without room for another path, calls are counted in the paths of their
 * callers; without room for another pair, in no pair. A path has at most CALLTREE_DEPTH_MAX
 * routines. Deeper calls are counted in one more path, with the routine CALLTREE_DEEPER. So memory
 * and the lengths of path names grow with the number of calls, not with the square of their
 * depth. */
enum { CALLTREE_PATHS_MAX = 1 << 20, CALLTREE_PAIRS_MAX = 1 << 22, CALLTREE_DEPTH_MAX = 256 };

#define CALLTREE_DEEPER UINT32_MAX

#define NO_PATH UINT32_MAX

/* The forms (sums of times) of a path. */
enum { PATH_DIRECT, PATH_TOTAL, PATH_FORMS };

struct call_path {
    /* parent: NO_PATH for outermost routines; routine: CALLTREE_DEEPER if too deep */
    uint32_t parent, routine;
    uint32_t depth; /* number of routines on the path, including this one */
    uint64_t calls;
    bool active; /* some actor was in this path at the requested moment */
};

/* Number of calls or events, and their bytes. */
struct call_sums {
    uint64_t calls, bytes;
    /* sized: some events have known bytes; unsized: some have unknown bytes */
    bool sized, unsized;
    bool beyond; /* the number of bytes exceeds 63 bits */
};

static inline void call_sums_add(struct call_sums *to, uint64_t bytes)
{
    if (bytes < INT64_MAX - to->bytes)
        to->bytes += bytes;
    else {
        to->bytes = INT64_MAX;
        to->beyond = true;
    }
}

/* A pair: a routine, and a routine that it calls or a leaf, which is an event that it caused. */
struct call_pair {
    /* caller: NO_TEXT if there is none; callee: a routine, or a text of senses.leaves */
    uint32_t caller, callee;
    bool leaf;
    struct call_sums sums;
};

/* The path in which an actor was at the requested moment. */
struct call_branch {
    uint32_t actor, path;
};

/* Results of a pass over one window: counts and ranges of each path and pair. */
struct call_pass {
    uint64_t *calls;        /* for each path: number of calls */
    struct call_sums *sums; /* for each pair: sums of calls or events */
    csy_range *of_paths, *of_pairs;
    size_t npaths, npairs;
};

struct calltree {
    struct keys paths_by, active_by;
    struct texts pairs_by;
    struct call_path *paths;
    size_t npaths, paths_capacity;
    struct call_pair *pairs;
    size_t npairs, pairs_capacity;
    uint32_t *active; /* for each actor and pair: number of open calls */
    size_t active_capacity;
    struct forms of_paths, of_pairs;
    struct call_branch *branches;
    size_t nbranches, branches_capacity;
    const struct clip *clip; /* the window; NULL: the whole trace */
    struct call_pass passes[CLIPS];
};

/* Initialize a tree. The window `clip` must outlive the tree; NULL means the whole trace. */
void calltree_init(struct calltree *tree, const struct clip *clip);
void calltree_fini(struct calltree *tree);

/* Store the results of a pass over one of the three windows (`as`), and prepare the next pass.
 * Paths and pairs stay the same, so the greatest window, which has all of them, must be first. */
csy_status calltree_next(struct calltree *tree, enum clip_as as, const struct moves *moves,
                         csy_error *error);

/* The place of a call in the tree. */
struct call_place {
    /* path: NO_PATH outside of the tree; pair: NO_TEXT if there are too many pairs */
    uint32_t path, pair, active;
    bool outermost; /* the call is the actor's only open call of this pair */
    /* the call has no path of its own, so its time counts for the caller's path */
    bool merged;
};

/* Let an actor enter or leave a routine. `caller` is the routine that contains the call, or
 * NO_TEXT. `from` is the path of the caller, or NO_PATH. Returns false if out of memory. */
bool calltree_enter(struct calltree *tree, uint32_t from, uint32_t caller, uint32_t routine,
                    uint32_t actor, struct call_place *out);
bool calltree_leave(struct calltree *tree, const struct call_place *place,
                    const struct moment *begin, const struct moment *end);

/* Add a time to the direct time of a path, which excludes the routines that the path calls. For
 * NO_PATH, nothing is done. */
bool calltree_direct(struct calltree *tree, uint32_t path, const struct moment *begin,
                     const struct moment *end);

/* Count a leaf, which is an event with its arguments, in the routine `caller` (NO_TEXT: none). The
 * number `bytes` is from senses_leaf. */
bool calltree_leaf(struct calltree *tree, uint32_t caller, uint32_t leaf, uint64_t bytes,
                   const struct moment *begin, const struct moment *end);

/* Note that an actor was in a path at the requested moment. */
bool calltree_mark(struct calltree *tree, uint32_t actor, uint32_t path);

/* Samples are the results of a simulated sampling profiler. At regular moments, the routines of all
 * actors are counted. Each sample stands for the time between two such moments.
 *
 * The time of callees is assigned to callers as in gprof: a caller's share is its part of all calls
 * of the callee, as if calls took equally long. Routines that call each other form a group. Callers
 * of a group share its total time in proportion to their numbers of calls. */

/* The number of calls that one row makes to another row. */
struct sampled_arc {
    uint32_t caller, callee;
    uint64_t calls;
};

struct sampled {
    int64_t ticks; /* ticks between two samples; 0: no samples are taken */
    int128 next;   /* global time of the next sample */
    struct texts arcs_by;
    struct sampled_arc *arcs;
    size_t narcs, arcs_capacity;
    uint64_t *samples; /* for each row: number of samples */
    size_t nrows, rows_capacity;
};

/* Prepare to sample every `ticks` ticks, from the global time `first` on. */
void sampled_init(struct sampled *sampled, int64_t ticks, int64_t first);
void sampled_fini(struct sampled *sampled);

/* Count the samples that are due by a global time, and were not counted before. */
uint64_t sampled_until(struct sampled *sampled, int64_t global_ticks);

/* sampled_find adds samples to a row. sampled_call counts a call from one row to another. Both
 * functions return false if out of memory. */
bool sampled_find(struct sampled *sampled, uint32_t row, uint64_t samples);
bool sampled_call(struct sampled *sampled, uint32_t caller, uint32_t callee);

/* Cuts: a profile of a window of the trace.
 *
 * At both ends of the window, the open calls of an actor end and begin anew. Calls outside of the
 * window go to rows of a group that is not shown. The ends of the estimated window are moments of
 * the base order, so one profile cuts all actors there.
 *
 * On other clocks, an end is somewhere between two moments (analysis/window/window.h). Two more
 * profiles cut each actor by its own clock, at the ends of the least and of the greatest window.
 * These profiles limit counts of calls, and times by an actor's clock.
 *
 * Some figures are integrals of a function f of the joint state of several actors. The estimated
 * profile gives such a figure as a form that is exact up to the first instant on the wrong side of
 * an end. After that instant, the form is wrong by at most the change of f, multiplied by the time
 * between the instant and the end. The longest such time is the doubt of an end. */

/* The group of rows for calls outside of the window, which are not shown. */
#define CUTS_OUTSIDE (NO_TEXT - 1)

/* The position of an actor relative to the window. */
struct cut_actor {
    enum { CUT_BEFORE, CUT_INSIDE, CUT_AFTER } place;
    uint32_t group;     /* group of the actor inside the window */
    struct moment last; /* last instant of the actor */
    bool seen;
};

struct cut_call {
    uint32_t routine;
    bool open;
};

/* Counts of a row at a moment when all clocks are certainly in the window. `calls` counts earlier
 * calls that were concurrent with another actor's call. `actors` counts actors in the row. */
struct cut_probe {
    uint64_t calls[2];
    int64_t actors;
};

struct cuts {
    struct cut_actor *actors;
    bool begun, ended; /* the estimated window has begun; the estimated window has ended */
    struct cut_call *saved;
    size_t saved_capacity;
    int64_t doubts[2]; /* doubts of the window's begin and end, in ticks; INT64_MAX: no limit */
    uint64_t *edged;   /* for each row: number of calls that an end of the window cuts */
    size_t nedged, edged_capacity;
    /* all clocks are certainly in the window from certain[0] to certain[1] - 1 */
    int64_t certain[2];
    bool probed[2];
    /* counts of each row at the two moments `certain`; unused in partial order */
    struct cut_probe *probes;
    size_t nprobes, probes_capacity;
};

/* The forms (sums of times) of a row. */
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
    /* for this form and the next, begins are moved to records (analysis/ranges/stairs.h) */
    FORM_ALONE_MOST,
    FORM_ALONE_LEAST,
    FORM_TOGETHER_LEAST, /* this form and the next one are subtracted from FORM_DIRECT */
    FORM_TOGETHER_MOST,
    FORMS
};

/* The number of actors in a routine, and the moment when the number last rose from 0. */
struct presence {
    int64_t n;
    struct moment since; /* moment when n rose from 0; valid if n > 0 */
};

struct profile_row {
    uint32_t routine, group; /* group: actor, unit, or node, according to `per`; or NO_TEXT */
    uint32_t actor;          /* the only actor in the row, or NO_ACTOR */
    uint64_t calls, recursive, open, implied, descendants, concurrent;
    struct presence direct, inside;
    int64_t most_inside;
    uint64_t crossing; /* number of calls that begin on one clock and end on another */
    /* lengths of the shortest and the longest call; a call on one clock changes neither if its
     * length is between usual_least and usual_greatest */
    csy_range least, greatest;
    int64_t usual_least, usual_greatest;
    struct moment alone_since;
    /* number of actors in the routine itself, as of the last record that left the stairs */
    int64_t late;
    struct moment most_since, least_since;
    size_t late_listed;
    bool listed;    /* the row is in profile.listed */
    bool unordered; /* the row changes at some begin without a place in the order */
};

/* A routine of one actor. */
struct profile_cell {
    /* row: last row of the routine, or NO_TEXT; group: group of that row */
    uint32_t routine, row, group;
    uint32_t active; /* number of open calls of the routine on the stack */
};

struct profile_frame {
    uint32_t cell, row;
    struct moment begin;
    struct call_place place; /* place of the call in the call tree */
    uint64_t calls;          /* number of the actor's calls so far, including this one */
    /* profile.entries at the begin; if greater later, another actor has entered a routine */
    uint64_t entries;
    bool outermost, open;
    uint32_t outer; /* index of the call in profile.calls, or NO_OUTER_CALL */
};

struct profile_actor {
    struct profile_frame *frames;
    size_t depth, capacity, deeper;
    size_t deepest;      /* greatest depth of calls so far */
    uint32_t direct_row; /* row that gets the actor's time now, or NO_TEXT */
    uint32_t path;       /* current path of the actor in the call tree */
    struct moment since; /* the actor's time has been added up to this moment */
    uint64_t calls;
    bool counted, active; /* counted: the actor is a unit; active: the actor is active now */
    bool begun, on, left_out;
    uint32_t group;
    bool linked;         /* the creator of the actor is known (only with --follow=create) */
    uint32_t *inherited; /* rows of the creator that also count the actor's calls */
    size_t ninherited, inherited_capacity;
};

/* A change in the number of actors in a row, at a record. */
struct profile_step {
    /* number of the record; PROFILE_NEXT: the next record, which will also set the time */
    uint64_t number;
    int64_t global_ticks, local_ticks;
    uint32_t clock, row;
    int32_t step;
};

#define PROFILE_NEXT UINT64_MAX

/* The time with exactly one active unit, if unordered begins are moved to records. */
struct profile_late {
    bool ranged; /* ranges of this time can be found */
    struct reach reach;
    struct stairs stairs;
    /* queue of changes; the last `nnext` of them wait for the next record */
    struct profile_step *steps;
    size_t first, end, capacity, nnext;
    /* number of the last record; PROFILE_NEXT after the begin of a wait */
    uint64_t last_number;
    /* time of the last record: global time, and local time on its clock */
    int64_t last_ticks;
    int64_t last_local;
    uint32_t last_clock;
    uint32_t *listed;
    size_t nlisted, listed_capacity;
    int64_t most, least; /* greatest and least possible number of active units */
};

struct profile {
    /* the caller sets the members from here to at_record */
    csy_per per;
    /* an actor's calls also count for the routines that created the actor */
    bool follows;
    const char *patterns; /* patterns of names of included actors (actor_fits); NULL: all actors */
    const struct clip *clip; /* the window; NULL: the whole trace */
    enum clip_as as;         /* which of the three windows is counted */
    struct sampled sampled;  /* the caller sets only sampled.ticks */
    struct calltree *tree;   /* the call tree to fill, or NULL */
    bool calls_alone;        /* only the call tree is needed */
    bool at_wanted;          /* the paths of all actors at one moment are requested */
    int64_t at_ticks;        /* the requested moment, in global time */
    /* the record right before the requested moment; UINT64_MAX: use at_ticks */
    uint64_t at_record;

    struct instants *instants;
    size_t nactors;
    struct cuts cuts;
    struct moves moves;
    struct forms forms;
    struct lengths lengths;
    struct keys rows_by, cells_by;
    struct texts groups;
    struct site_groups sites; /* used for CSY_PER_CELL and CSY_PER_NODE */
    struct profile_row *rows;
    size_t nrows, rows_capacity;
    struct profile_cell *cells;
    size_t ncells, cells_capacity;
    struct profile_actor *actors;
    /* rows that have actors now, and some rows that all actors have left */
    uint32_t *listed;
    size_t nlisted, listed_capacity;
    int64_t active;      /* number of active units */
    struct moment alone; /* moment when `active` became 1; valid while `active` is 1 */
    /* inside: number of actors in a routine; entries: number of entries into outermost ones */
    uint64_t inside, entries;
    uint64_t ignored;
    bool unordered_units; /* `active` changes at some begin without a place in the order */
    struct profile_late late;
    /* limits for rows, if begins of calls or all records have no place in the order */
    struct profile_outer outer;
    struct calls_outer calls; /* limits for numbers of concurrent calls */
    struct profile_sums sums;
    bool at_passed;
};

/* These functions make a profile an analysis (analysis/run/analysis.h); `user` is the struct
 * profile. Use profile_take_calls only without a window, samples, and a requested moment.
 * profile_fini does not access the instants. */
csy_status profile_begin(void *user, struct instants *instants, csy_error *error);
csy_status profile_take(void *user, const struct actor_instant *instant, csy_error *error);
csy_status profile_take_calls(void *user, const struct actor_call *calls, size_t n,
                              csy_error *error);
csy_status profile_end(void *user, csy_error *error);
void profile_fini(struct profile *profile);

/* Write the results with one of these two functions, after the last instant. profile_write writes
 * the sheets of csy_sync_profile. profile_write_calls needs a profile with a tree, and writes the
 * sheets of csy_sync_calls except the sheet of actors. */
csy_status profile_write(struct profile *profile, csy_analysis *out, csy_error *error);
csy_status profile_write_calls(struct profile *profile, const csy_calls_options *options,
                               csy_analysis *out, csy_error *error);

/* Returns true if the number of paths and pairs in the tree, times the number of clocks, exceeds
 * `most`. Computing so many ranges takes long, because each range is a flow over the clocks. */
bool calls_are_many(const struct profile *profile, size_t most);

/* Works like csy_sync_calls, but sets *out to NULL if calls_are_many returns true for `most`. */
csy_status calls_make(csy_sync *sync, const csy_meaning *meaning, const csy_calls_options *options,
                      size_t most, csy_analysis **out, csy_error *error);

/* Find the row of a routine and a group, or add the row. Returns false if out of memory. */
bool profile_find_row(struct profile *profile, uint32_t routine, uint32_t group, uint32_t *out);

/* Returns true if the row counts times inside the window. */
static inline bool profile_tells(const struct profile *profile, uint32_t row)
{
    return !profile->clip || profile->rows[row].group != CUTS_OUTSIDE;
}

/* Returns true if the actor is in the window now. */
static inline bool profile_is_told(const struct profile *profile, uint32_t actor)
{
    return !profile->clip || profile->cuts.actors[actor].place == CUT_INSIDE;
}

#endif
