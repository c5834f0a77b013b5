/* A profile counts the calls of routines in rows. A row is for a routine, or for a routine within
 * one actor, unit, or node. cellsync-analysis(7), ACCOUNTING, has the rules.
 *
 * The profile processes all instants in the base order, each in O(1). A form
 * (analysis/ranges/forms.h) is a sum of times that may begin on one clock and end on another. Each
 * row has FORMS forms. */
#ifndef ANALYSIS_CALLS_PROFILE_H
#define ANALYSIS_CALLS_PROFILE_H

#include "analysis/ranges/forms.h"
#include "analysis/ranges/moves.h"
#include "analysis/ranges/outer.h"
#include "analysis/ranges/stairs.h"
#include "analysis/run/analysis.h"
#include "analysis/run/sheets.h"
#include "analysis/run/sites.h"
#include "analysis/window/window.h"
#include "base/array.h"
#include "base/keys.h"
#include "base/number.h"
#include "base/texts.h"
#include "instants/actors.h"
#include "instants/instants.h"

#include <cellsync/analysis.h>

/* The parts of a profile other than routines: waits by class, loops by class, and tasks. */

/* The number of waits or loops of a class, and their total and greatest time. */
struct class_sum {
    uint64_t count;
    int128 ticks, greatest;
};

struct class_sums {
    struct class_sum *items;
    size_t n, capacity;
};

/* A loop that an actor is in, or a task that was started and has not ended. */
struct open_sum {
    uint32_t actor, class;
    struct moment since;
};

struct profile_sums {
    struct class_sums waits, loops;
    struct open_sum *open; /* loops that have not ended */
    size_t nopen, open_capacity;
    struct open_sum *tasks; /* tasks that were started and have not ended */
    size_t ntasks, tasks_capacity;
    uint64_t created, started, ended;
    /* form 0: total time of ended tasks; form i + 1: time with exactly i running tasks */
    struct forms forms;
    struct moment since;
    size_t most;
};

void sums_fini(struct profile_sums *sums);

/* Returns true if a record adds to the sums of waits, loops, or tasks. */
static inline bool sums_want(const struct seen *seen)
{
    return seen->waits || seen->sense.loop != NO_TEXT || seen->task != NO_ACTOR ||
           seen->sense.role == ROLE_CREATE;
}

/* Add the next record for which sums_want is true. Returns false if out of memory. */
bool sums_take(struct profile_sums *sums, const struct actor_instant *instant);

/* After the last record, write the sheets of waits, loops, and tasks, if there are any. */
csy_status sums_write(struct profile_sums *sums, const struct instants *instants,
                      const struct moves *moves, csy_analysis *out, csy_error *error);

/* Find the mean of n times from the range of their sum. */
csy_range sums_mean(const csy_range *sum, uint64_t n);

/* Histograms of call durations, three for each row. A bin is 1/32 of an octave wide. A call's
 * length has an estimate, a least value, and a greatest value, each counted in its own histogram.
 * The k-th smallest length is at least the k-th smallest least value, and at most the k-th smallest
 * greatest value. */

/* number of histograms: of estimates, of least values, and of greatest values */
enum { LENGTHS_SIDES = 3 };

struct lengths_bin {
    uint64_t key; /* the row and the bin */
    uint64_t n[LENGTHS_SIDES];
};

/* The histograms of all rows; {0} is empty. */
struct lengths {
    /* bins, ordered by the numbers of their keys until lengths_sort */
    struct lengths_bin *bins;
    size_t count, capacity;
    struct keys keys;
};

void lengths_fini(struct lengths *lengths);

/* Add the length of a call to the histograms of a row. Returns false if out of memory. */
bool lengths_add(struct lengths *lengths, uint32_t row, const csy_range *length);

/* Sort the bins, after the last call of lengths_add. */
void lengths_sort(struct lengths *lengths);

/* Find the length that `percent` percent of the row's `count` lengths do not exceed. */
csy_range lengths_quantile(const struct lengths *lengths, uint32_t row, uint64_t count,
                           unsigned percent);

/* Find a bound of the k-th smallest length of a row with at least k lengths. If `upper`, an upper
 * bound from greatest values, otherwise a lower bound from least values. */
int64_t lengths_bound(const struct lengths *lengths, uint32_t row, uint64_t k, bool upper);

/* Find how long a call took. The length is a range if the ends are on different clocks. `added` is
 * the error of both timestamps together. */
csy_status lengths_apart(const struct moves *moves, const struct moment *begin,
                         const struct moment *now, int64_t added, csy_range *out, csy_error *error);

static inline csy_status lengths_find(const struct moves *moves, const struct moment *begin,
                                      const struct moment *now, int64_t added, csy_range *out,
                                      csy_error *error)
{
    if (begin->clock != now->clock)
        return lengths_apart(moves, begin, now, added, out, error);
    out->estimate = now->local_ticks - begin->local_ticks;
    out->lo = out->hi = out->estimate;
    out->kind = CSY_RANGE_CLOCK;
    return CSY_OK;
}

/* Finds limits of the elapsed times of routines by outer places (analysis/ranges/outer.h), if it is
 * unknown in which order actors enter and leave routines. The upper limit of a row is the time in
 * which some actor may have been in the row. The lower limit is the time in which some actor must
 * have been in the row. The time with exactly one active unit gets such limits, too. */

/* OUTER_DIRECT counts actors in the routine itself. OUTER_INSIDE adds actors in its callees. */
enum outer_kind { OUTER_DIRECT, OUTER_INSIDE, OUTER_KINDS };

/* The state of a row for one kind of time and one end of the range, OUTER_LEAST or OUTER_MOST. */
struct outer_presence {
    /* number of actors in the row, and time when the number rose from 0 */
    int64_t actors, since;
    int64_t greatest; /* greatest value of `actors` so far */
    int128 ticks;
    uint64_t entries;
    /* alone: time in the row with one active unit, summed over actors; alone_since: value of
     * outer_alone.ticks when `alone` was updated */
    int128 alone, alone_since;
};

/* The number of active units, and the total time so far with exactly one active unit. */
struct outer_alone {
    int64_t units[OUTER_ENDS];
    int64_t since;
    int128 ticks[OUTER_ENDS];
};

struct profile_outer {
    bool known;
    struct outer outer;
    struct outer_alone alone;
    /* A key stands for a unit, or for a row, kind, and actor. Its number is an index of
     * `depths`. */
    struct texts by;
    int32_t (*depths)[OUTER_ENDS];
    size_t ndepths, depths_capacity;
    /* for each row and kind: presence for both ends of the range */
    struct outer_presence (*rows)[OUTER_ENDS];
    size_t nrows, rows_capacity;
};

/* Initialize. `reach` must outlive the struct. If it is NULL, `known` is false, without limits. */
void profile_outer_init(struct profile_outer *profile, const struct reach *reach,
                        const csy_sync *sync);
void profile_outer_fini(struct profile_outer *profile);

/* Count an actor once more (step 1) or once less (step -1) in a row. Call this function only if
 * limits are known, otherwise profile_outer_step. Returns false if out of memory. */
bool profile_outer_add(struct profile_outer *profile, uint32_t row, enum outer_kind kind,
                       uint32_t actor, const struct moment *now, int step);

static inline bool profile_outer_step(struct profile_outer *profile, uint32_t row,
                                      enum outer_kind kind, uint32_t actor,
                                      const struct moment *now, int step)
{
    return !profile->known || profile->outer.lost ||
           profile_outer_add(profile, row, kind, actor, now, step);
}

/* A unit becomes active (step 1) or inactive (step -1). Returns false if out of memory. */
bool profile_outer_unit(struct profile_outer *profile, uint32_t actor, const struct moment *now,
                        int step);

/* Process the changes that still wait, after the last change. Returns false if out of memory. */
bool profile_outer_end(struct profile_outer *profile);

/* Find the range of the elapsed time of a row or, if `alone` is true, of the time in the row while
 * one unit is active. The range includes the estimate, and is at most the sum of the actors' times.
 * profile_outer_together finds the time in the row itself while another number is active. */
csy_range profile_outer_range(const struct profile_outer *profile, uint32_t row,
                              enum outer_kind kind, bool alone, int64_t estimate,
                              const csy_range *sum);
csy_range profile_outer_together(const struct profile_outer *profile, uint32_t row,
                                 int64_t estimate, const csy_range *sum);

/* Find the range of the greatest number of actors that are in a row at once. */
csy_range profile_outer_greatest(const struct profile_outer *profile, uint32_t row,
                                 int64_t estimate);

/* Counts the calls that may or must be concurrent with a call of another actor, if it is unknown in
 * which order actors enter and leave routines.
 *
 * Two calls are concurrent if each begins before the other ends. By outer places
 * (analysis/ranges/outer.h), calls may be concurrent if this holds for their earliest begins and
 * latest ends. Calls must be concurrent if this holds for their latest begins and earliest ends;
 * with these, a short call may end before its begin. If two actors have only one clock, the same
 * for both, their calls are compared by this clock. */

/* The index NO_OUTER_CALL means that a call is not followed. */
#define NO_OUTER_CALL NO_ITEM

/* The state of a call for one end of the range, OUTER_LEAST or OUTER_MOST. */
struct outer_call_view {
    /* positions of begin and end in the order of this end of the range; 0: not passed */
    uint64_t begun, ended;
    uint64_t others; /* number of entries by actors of other groups before the call */
    bool met;        /* the call is concurrent with a call of another group */
};

struct outer_call {
    struct outer_call_view views[OUTER_ENDS];
    uint32_t row, actor, group;
    /* previous and next call in the list of open calls, which is sorted by begin */
    uint32_t before, after;
    uint64_t others;
    /* number of begins and ends of the call that were passed, for both ends of the range */
    unsigned passed;
    bool presence; /* the call is the actor's only open call */
    bool here;     /* the call is concurrent with a call of its own group */
};

/* A group of actors. Actors that have only one clock, the same for all, form a group, because their
 * calls can be compared by this clock. Any other actor is a group by itself. */
struct outer_group {
    /* in the base order: number of actors in a call, and number of entries into calls */
    uint64_t inside, entries;
    struct {
        /* number of open calls with `presence`, and number of all calls with `presence` so far */
        uint64_t open, entries;
    } views[OUTER_ENDS];
};

/* The last end of a group's calls whose earliest end is before their latest begin. Such ends show
 * which calls must be concurrent. */
struct outer_short {
    uint64_t ended;
    uint32_t group;
};

struct outer_row {
    uint64_t must, may;
};

struct calls_outer {
    bool known;
    struct outer outer;
    uint32_t *of; /* for each actor: group, or NO_ACTOR for the group of the actor's clock */
    size_t nclocks;
    struct outer_group *groups; /* the groups of clocks, followed by the groups of actors */
    struct outer_call *items;
    size_t nitems, capacity;
    uint32_t freed; /* first unused item; `after` links the others */
    struct {
        uint64_t now, open, entries;
    } views[OUTER_ENDS];
    uint32_t first, last; /* first and last item in the list of calls that are certainly open */
    struct outer_short shorts[2];
    struct outer_row *rows;
    size_t nrows, rows_capacity;
};

/* Initialize. `reach` must outlive the struct and have all clocks. If `reach` is NULL, no limits
 * are found, and `known` is false. */
csy_status calls_outer_init(struct calls_outer *calls, const struct reach *reach,
                            const struct instants *instants, csy_error *error);
void calls_outer_fini(struct calls_outer *calls);

/* Begin or end a call of a row. `presence` means that the actor was in no call. *out is the index
 * of the call for calls_outer_end_one. Both functions return false if out of memory. If limits may
 * be unknown, use calls_outer_enter and calls_outer_leave. */
bool calls_outer_add(struct calls_outer *calls, uint32_t actor, uint32_t row, bool presence,
                     const struct moment *now, uint32_t *out);
bool calls_outer_end_one(struct calls_outer *calls, uint32_t call, const struct moment *now);

static inline bool calls_outer_enter(struct calls_outer *calls, uint32_t actor, uint32_t row,
                                     bool presence, const struct moment *now, uint32_t *out)
{
    *out = NO_OUTER_CALL;
    return !calls->known || calls->outer.lost ||
           calls_outer_add(calls, actor, row, presence, now, out);
}

static inline bool calls_outer_leave(struct calls_outer *calls, uint32_t call,
                                     const struct moment *now)
{
    return call == NO_OUTER_CALL || calls->outer.lost || calls_outer_end_one(calls, call, now);
}

/* Process the begins and ends that still wait, after the last call. */
bool calls_outer_end(struct calls_outer *calls);

/* Find the range for a row's number of concurrent calls, from its estimate. */
csy_range calls_outer_range(const struct calls_outer *calls, uint32_t row, int64_t estimate);

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
