/* A profile counts the calls of routines in rows. A row is a routine, or a routine within one
 * actor, unit, or node. cellsync-analysis(7), ACCOUNTING, has the rules.
 *
 * The profile processes all instants in the base order, each in O(1). A time that begins on one
 * clock and ends on another is a form (analysis/ranges/forms.h). Each row has FORMS forms. */
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

/* Call tree: which routines call which routines, and along which paths. Leaves of the tree are
 * events with their arguments. The profile follows the call stacks of actors and fills the tree. */

/* Limits of the tree. Beyond the paths, calls are counted in the paths of their callers; beyond the
 * pairs, in no pair. A path has at most CALLTREE_DEPTH_MAX routines. All calls within the last one
 * are counted in one more path, with the routine CALLTREE_DEEPER. So memory and the lengths of path
 * names grow with the number of calls, not with the square of their depth. */
enum { CALLTREE_PATHS_MAX = 1 << 20, CALLTREE_PAIRS_MAX = 1 << 22, CALLTREE_DEPTH_MAX = 256 };

#define CALLTREE_DEEPER UINT32_MAX

#define NO_PATH UINT32_MAX

/* Forms (sums of times) of a path. */
enum { PATH_DIRECT, PATH_TOTAL, PATH_FORMS };

struct call_path {
    /* NO_PATH for an outermost routine; CALLTREE_DEEPER for calls below the deepest level */
    uint32_t parent, routine;
    uint32_t depth; /* routines on the path, with this one */
    uint64_t calls;
    bool active; /* some actor was here at the requested moment */
};

/* Number of calls or events, and their bytes. */
struct call_sums {
    uint64_t calls, bytes;
    /* some events have known bytes; some have not */
    bool sized, unsized;
    bool beyond; /* the bytes exceed 63 bits */
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

/* A routine, with a routine that it calls or a leaf, which is an event it caused. */
struct call_pair {
    /* NO_TEXT: none; for a leaf, callee is its text in senses.leaves */
    uint32_t caller, callee;
    bool leaf;
    struct call_sums sums;
};

/* The path of an actor at the requested moment. */
struct call_branch {
    uint32_t actor, path;
};

/* Results of a pass over a window: counts and ranges of each path and pair. */
struct call_pass {
    uint64_t *calls;        /* for each path */
    struct call_sums *sums; /* for each pair */
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
    uint32_t *active; /* for each actor and pair, number of its open calls */
    size_t active_capacity;
    struct forms of_paths, of_pairs;
    struct call_branch *branches;
    size_t nbranches, branches_capacity;
    const struct clip *clip; /* window; NULL: the whole trace */
    struct call_pass passes[CLIPS];
};

/* Initialize a tree. clip is a window, which must outlive the tree, or NULL for the whole trace. */
void calltree_init(struct calltree *tree, const struct clip *clip);
void calltree_fini(struct calltree *tree);

/* Store the results of a pass over one of the three windows (`as`), and prepare the next pass,
 * with the same paths and pairs. The greatest window must be first, because it has all paths and
 * pairs. */
csy_status calltree_next(struct calltree *tree, enum clip_as as, const struct moves *moves,
                         csy_error *error);

/* The place of a call in the tree. */
struct call_place {
    /* NO_PATH: outside of the tree; NO_TEXT: too many pairs */
    uint32_t path, pair, active;
    bool outermost; /* the actor's only open call of this pair */
    /* the call has no own path; the time counts for the caller's path */
    bool merged;
};

/* An actor enters a routine, or leaves it. caller is the routine that contains the call, or
 * NO_TEXT; from is its path, or NO_PATH. Returns false if out of memory. */
bool calltree_enter(struct calltree *tree, uint32_t from, uint32_t caller, uint32_t routine,
                    uint32_t actor, struct call_place *out);
bool calltree_leave(struct calltree *tree, const struct call_place *place,
                    const struct moment *begin, const struct moment *end);

/* Add to the direct time of a path, which excludes the routines that it calls. Does nothing for
 * NO_PATH. */
bool calltree_direct(struct calltree *tree, uint32_t path, const struct moment *begin,
                     const struct moment *end);

/* Count a leaf, which is an event with its arguments, in the routine `caller` (NO_TEXT: none).
 * bytes is from senses_leaf. */
bool calltree_leaf(struct calltree *tree, uint32_t caller, uint32_t leaf, uint64_t bytes,
                   const struct moment *begin, const struct moment *end);

/* Note that an actor was in this path at the requested moment. */
bool calltree_mark(struct calltree *tree, uint32_t actor, uint32_t path);

/* Samples: the results of a simulated sampling profiler. At regular moments, the routines of all
 * actors are counted. Each sample stands for the time between two moments. The time of callees is
 * assigned to callers as in gprof.
 *
 * A caller's share of a callee's time is its part of all calls of the callee, as if calls took
 * equally long. Routines that call each other form a group. Callers of a group share its total time
 * in proportion to their numbers of calls. */

/* The calls of one row in another row. */
struct sampled_arc {
    uint32_t caller, callee;
    uint64_t calls;
};

struct sampled {
    int64_t ticks; /* between two samples; 0: no samples */
    int128 next;   /* global time of the next sample */
    struct texts arcs_by;
    struct sampled_arc *arcs;
    size_t narcs, arcs_capacity;
    uint64_t *samples; /* number of each row's samples */
    size_t nrows, rows_capacity;
};

/* Begin to sample every `ticks` ticks, at the global time `first`. */
void sampled_init(struct sampled *sampled, int64_t ticks, int64_t first);
void sampled_fini(struct sampled *sampled);

/* The number of samples up to a global time since the last call. */
uint64_t sampled_until(struct sampled *sampled, int64_t global_ticks);

/* sampled_find adds samples to a row. sampled_call counts a call of one row in another. Both return
 * false if out of memory. */
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

/* The group of rows for calls outside of the window. */
#define CUTS_OUTSIDE (NO_TEXT - 1)

/* The place of an actor with regard to the window. */
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
    bool begun, ended; /* the estimated window has begun; the estimated window has ended */
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
    /* begins are moved to records (analysis/ranges/stairs.h) for this form and the next */
    FORM_ALONE_MOST,
    FORM_ALONE_LEAST,
    FORM_TOGETHER_LEAST, /* this form and the next are subtracted from FORM_DIRECT */
    FORM_TOGETHER_MOST,
    FORMS
};

/* Number of actors in a routine, and when the number last rose from 0. */
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
    /* least and greatest length of a call; a call on one clock changes neither if its length is
     * between the next two members */
    csy_range least, greatest;
    int64_t usual_least, usual_greatest;
    struct moment alone_since;
    int64_t late; /* actors in `direct` when records leave the stairs */
    struct moment most_since, least_since;
    size_t late_listed;
    bool listed;    /* the row is in profile.listed */
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
    struct call_place place; /* place in the call tree */
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
    struct moment since; /* the actor's time was added up to here */
    uint64_t calls;
    bool counted, active; /* the actor is a unit; the actor is active now */
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
    int64_t at_ticks;        /* the requested moment, in global time */
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
 * csy_sync_calls except the sheet of actors. */
csy_status profile_write(struct profile *profile, csy_analysis *out, csy_error *error);
csy_status profile_write_calls(struct profile *profile, const csy_calls_options *options,
                               csy_analysis *out, csy_error *error);

/* True if the paths and pairs of the tree, times the clocks, exceed `most`. Computing so many
 * ranges takes long, because each range is a flow over the clocks. */
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
