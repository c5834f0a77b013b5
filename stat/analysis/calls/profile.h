/* Sums up the calls of routines for a table. Each row is for one routine, or for one routine called
 * by one thread, on one processing unit, or in one node. cellsync-analysis(7), ACCOUNTING, has the
 * rules. An actor is a thread, a process, or an SPE context. A unit is an actor of the kind that
 * the user counts as processing units. Each event is processed once, in O(1). Functions that return
 * bool return false if out of memory, unless stated otherwise. */
#ifndef ANALYSIS_CALLS_PROFILE_H
#define ANALYSIS_CALLS_PROFILE_H

#include "analysis/ranges/outer.h"
#include "analysis/run/analysis.h"
#include "analysis/run/sheets.h"
#include "analysis/run/sites.h"
#include "analysis/window/window.h"
#include "base/array.h"

/* Sums for the whole trace, not for routines: waits by class, loops by class, and tasks. */

struct class_sum {
    uint64_t count;
    int128 ticks, greatest;
};

struct class_sums {
    struct class_sum *items;
    size_t n, capacity;
};

struct open_sum {
    uint32_t actor, class;
    struct moment since;
};

struct profile_sums {
    struct class_sums waits, loops;
    struct open_sum *open; /* loops that have begun but not ended */
    size_t nopen, open_capacity;
    struct open_sum *tasks; /* tasks that have begun but not ended */
    size_t ntasks, tasks_capacity;
    uint64_t created, started, ended;
    struct forms forms; /* [0]: total time of ended tasks; [1 + i]: time with i tasks running at
                         * once */
    struct moment since;
    size_t most;
};

void sums_fini(struct profile_sums *sums);

static inline bool sums_want(const struct seen *seen)
{
    return seen->waits || seen->event_kind.loop != NO_TEXT || seen->task != NO_ACTOR ||
           seen->event_kind.role == ROLE_CREATE;
}

/* Add the next event to the sums. Call only if sums_want(instant->seen) is true. */
bool sums_take(struct profile_sums *sums, const struct actor_instant *instant);

/* Add the sheets of waits, loops, and tasks, unless they are empty. Call after the last record. */
csy_status sums_write(struct profile_sums *sums, const struct instants *instants,
                      const struct moves *moves, csy_analysis *out, csy_error *error);

/* Returns the range of the mean of n durations. `sum` is the range of their sum. */
csy_range sums_mean(const csy_range *sum, uint64_t n);

/* Histograms of the lengths of calls. Each call has an estimated, a least possible, and a greatest
 * possible length, and each row has one histogram for each of these. The length of a row's k-th
 * shortest call is between the k-th shortest least length and the k-th shortest greatest length. */

enum { LENGTHS_SIDES = 3 };

struct lengths_bin {
    uint64_t key; /* table row times 2^12, plus number of a bin of similar lengths */
    uint64_t n[LENGTHS_SIDES];
};

struct lengths {
    struct lengths_bin *bins; /* sorted by key only after lengths_sort */
    size_t count, capacity;
    struct keys keys;
};

void lengths_fini(struct lengths *lengths);

bool lengths_add(struct lengths *lengths, uint32_t row, const csy_range *length);

/* Sort the bins. Call after the last lengths_add. */
void lengths_sort(struct lengths *lengths);

/* Returns the length that `percent` percent of the row's `count` calls do not exceed. */
csy_range lengths_quantile(const struct lengths *lengths, uint32_t row, uint64_t count,
                           unsigned percent);

/* Returns a limit of the length of the k-th shortest call that a table row counts: an upper limit
 * if `upper` is true, otherwise a lower limit. The row must have at least k calls. */
int64_t lengths_bound(const struct lengths *lengths, uint32_t row, uint64_t k, bool upper);

/* Limits of the time with at least one actor in a routine. They are needed if clocks do not tell
 * the order of actors that enter and leave the routine. The lower limit counts only times when an
 * actor was certainly in it, the upper limit all times when an actor may have been in it
 * (analysis/ranges/outer.h). */

/* OUTER_DIRECT: actors with a call of the routine as their innermost open call. OUTER_INSIDE: also
 * actors in routines that it called. */
enum outer_kind { OUTER_DIRECT, OUTER_INSIDE, OUTER_KINDS };

struct outer_presence {
    int64_t actors, since; /* since: time when `actors` last became positive */
    int64_t greatest;
    int128 ticks;
    uint64_t entries;
    int128 alone, alone_since;
};

struct outer_alone {
    int64_t units[OUTER_ENDS];
    int64_t since;
    int128 ticks[OUTER_ENDS];
};

struct profile_outer {
    struct outer outer;
    struct outer_alone alone;
    struct texts by;
    int32_t (*depths)[OUTER_ENDS];
    size_t ndepths, depths_capacity;
    /* [index of the table row * OUTER_KINDS + enum outer_kind] */
    struct outer_presence (*rows)[OUTER_ENDS];
    size_t nrows, rows_capacity;
};

/* `reach` limits the differences between clock offsets. It must outlive `profile`. If it is NULL,
 * profile_outer_range and its companions return unknown ranges. */
void profile_outer_init(struct profile_outer *profile, const struct reach *reach,
                        const csy_sync *sync);
void profile_outer_fini(struct profile_outer *profile);

/* An actor begins (step 1) or ceases (step -1) to be in the routine of a table row. Call only if
 * profile->outer.known is true. */
bool profile_outer_step(struct profile_outer *profile, uint32_t row, enum outer_kind kind,
                        uint32_t actor, const struct moment *now, int step);

/* An actor that counts as a processing unit becomes active (step 1) or inactive (step -1). */
bool profile_outer_unit(struct profile_outer *profile, uint32_t actor, const struct moment *now,
                        int step);

/* Returns for how long at least one actor was in the row's routine, as a range. If `alone` is true,
 * returns the range of the time that actors spent in it while exactly one unit was active.
 * profile_outer_together is for the time that they spent in it while several units were active.
 * `sum` is the range of all time that they spent in it. */
csy_range profile_outer_range(const struct profile_outer *profile, uint32_t row,
                              enum outer_kind kind, bool alone, int64_t estimate,
                              const csy_range *sum);
csy_range profile_outer_together(const struct profile_outer *profile, uint32_t row,
                                 int64_t estimate, const csy_range *sum);

/* Returns the range of the greatest number of actors that were in the row at the same time. */
csy_range profile_outer_greatest(const struct profile_outer *profile, uint32_t row,
                                 int64_t estimate);

/* Limits of the number of concurrent calls, if the order of calls is unknown. Two calls are
 * concurrent if each begins before the other one ends. Calls on one clock are compared by this
 * clock. Others may be concurrent if this is true for their earliest begins and latest ends. They
 * must be concurrent if it is true for their latest begins and earliest ends. */

/* An index with this value means that a call is ignored. */
#define NO_OUTER_CALL NO_ITEM

struct outer_call_view {
    uint64_t begun, ended; /* positions among all begins and ends, from 1; 0: not reached */
    uint64_t others;
    bool met;
};

struct outer_call {
    struct outer_call_view views[OUTER_ENDS];
    uint32_t row, actor, group;
    uint32_t before, after;
    uint64_t others;
    unsigned passed;
    bool presence; /* true if the actor was in no call when this call began */
    bool here;
};

/* Actors with a known order of calls, because they all use the same single clock. An actor that
 * changes its clock has a group of its own. */
struct outer_group {
    uint64_t inside, entries; /* inside: number of actors that are in a call; entries: how often an
                               * actor that was in no call began one */
    struct {
        uint64_t open, entries; /* number of open calls, and of calls entered so far */
    } views[OUTER_ENDS];
};

/* A call and its earliest possible end. If a call of another group of actors is open from then to
 * the latest possible begin of this call, the two are certainly concurrent. */
struct outer_short {
    uint64_t ended;
    uint32_t group;
};

struct outer_row {
    uint64_t must, may;
};

struct calls_outer {
    struct outer outer;
    uint32_t *of; /* for each actor: index of its own group; NO_ACTOR: in its clock's group */
    size_t nclocks;
    struct outer_group *groups; /* a group for each clock, followed by the groups of actors that
                                 * change their clock */
    struct outer_call *items;
    size_t nitems, capacity;
    uint32_t freed; /* first item of the list of unused items, linked by `after` */
    struct {
        uint64_t now, open, entries;
    } views[OUTER_ENDS];
    uint32_t first, last; /* ends of the list of certainly open calls, or NO_OUTER_CALL */
    struct outer_short shorts[2];
    struct outer_row *rows;
    size_t nrows, rows_capacity;
};

/* Initialize. `reach` limits how far clock offsets can differ, and must outlive `calls`. If it is
 * NULL, all results are unknown. */
bool calls_outer_init(struct calls_outer *calls, const struct reach *reach,
                      const struct instants *instants);
void calls_outer_fini(struct calls_outer *calls);

/* Begin and end a call of the routine of a table row. calls_outer_enter sets *out to the number
 * that calls_outer_leave needs. `presence` is true if the actor was in no call before. Call only if
 * calls->outer.known is true. */
bool calls_outer_enter(struct calls_outer *calls, uint32_t actor, uint32_t row, bool presence,
                       const struct moment *now, uint32_t *out);
bool calls_outer_leave(struct calls_outer *calls, uint32_t call, const struct moment *now);

/* Complete the numbers of concurrent calls. Call after the last call has ended. */
bool calls_outer_end(struct calls_outer *calls);

/* Returns the range of a row's number of concurrent calls. `estimate` is the estimated number. */
csy_range calls_outer_range(const struct calls_outer *calls, uint32_t row, int64_t estimate);

/* The call tree shows which routines call which, along which paths. Its leaves are events with
 * their arguments. The profile fills it while it follows the call stacks of actors. */

/* Greatest numbers of paths and pairs, and greatest depth. A call beyond them is merged with its
 * caller's path, counts for no pair, or gets the routine CALLTREE_DEEPER. */
enum { CALLTREE_PATHS_MAX = 1 << 20, CALLTREE_PAIRS_MAX = 1 << 22, CALLTREE_DEPTH_MAX = 256 };

#define CALLTREE_DEEPER UINT32_MAX

#define NO_PATH UINT32_MAX

/* Sums of times of a path: without and with the routines that it calls. */
enum { PATH_DIRECT, PATH_TOTAL, PATH_FORMS };

struct call_path {
    uint32_t parent, routine; /* path of the caller or NO_PATH; routine or CALLTREE_DEEPER */
    uint32_t depth;           /* number of routines on the path, including its own */
    uint64_t calls[CLIPS];    /* one for the estimated, the least, and the greatest extent of the
                               * requested part of the trace */
    bool active; /* true if some actor was in this path at the moment that the user requested */
};

struct call_sums {
    uint64_t calls, bytes;
    bool sized, unsized; /* true if some events have a known size; true if some do not */
    bool beyond;         /* true if the number of bytes exceeds 63 bits */
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

/* A routine and a routine that it calls, or a routine and an event (leaf) that it caused. */
struct call_pair {
    uint32_t caller, callee; /* id of the caller or NO_TEXT; id of the called routine or leaf */
    bool leaf;
    struct call_sums sums[CLIPS]; /* sums for the requested part of the trace, by enum clip_as */
};

struct call_branch {
    uint32_t actor, path;
};

struct calltree {
    struct keys paths_by, active_by;
    struct texts pairs_by;
    struct call_path *paths;
    size_t npaths, paths_capacity;
    struct call_pair *pairs;
    size_t npairs, pairs_capacity;
    uint32_t *active;
    size_t active_capacity;
    struct forms of_paths[CLIPS], of_pairs[CLIPS];
    struct call_branch *branches;
    size_t nbranches, branches_capacity;
    const struct clip *clip; /* the window, or NULL for the whole trace */
    enum clip_as as;
};

/* `clip` is the requested part, or NULL for the whole trace. It must outlive the tree. */
void calltree_init(struct calltree *tree, const struct clip *clip);
void calltree_fini(struct calltree *tree);

struct call_place {
    uint32_t path, pair, active;
    bool outermost;
    bool merged; /* true if the call counts for the path of its caller instead */
};

/* calltree_enter begins a call of an actor, and calltree_leave ends it. `caller` is a routine or
 * NO_TEXT, and `from` the path of the caller or NO_PATH. */
bool calltree_enter(struct calltree *tree, uint32_t from, uint32_t caller, uint32_t routine,
                    uint32_t actor, struct call_place *out);
bool calltree_leave(struct calltree *tree, const struct call_place *place,
                    const struct moment *begin, const struct moment *end);

/* Add a time spent in the last routine of a path, not in its callees. NO_PATH has no effect. */
bool calltree_direct(struct calltree *tree, uint32_t path, const struct moment *begin,
                     const struct moment *end);

/* Count an event that the routine `caller` caused; NO_TEXT: no routine caused it. `leaf` is the id
 * of the event with its arguments. `bytes` is the size from event_kinds_leaf. */
bool calltree_leaf(struct calltree *tree, uint32_t caller, uint32_t leaf, uint64_t bytes,
                   const struct moment *begin, const struct moment *end);

/* Remember `path`: an actor's open calls at the moment that the user requested. */
bool calltree_mark(struct calltree *tree, uint32_t actor, uint32_t path);

/* A simulated sampling profiler: at regular moments, it counts the actors in each routine. Each
 * sample stands for the time between two moments. As in gprof, callers share the time of a routine
 * in proportion to their numbers of calls. Routines that call each other count as one. */

struct sampled_arc {
    uint32_t caller, callee;
    uint64_t calls;
};

struct sampled {
    int64_t ticks; /* ticks between two samples, or 0 for no samples */
    int128 next;   /* global time of the next sample */
    struct texts arcs_by;
    struct sampled_arc *arcs;
    size_t narcs, arcs_capacity;
    uint64_t *samples;
    size_t nrows, rows_capacity;
};

/* A profile of a window (the part of the trace that the user requested).
 *
 * At both ends of the window, the open calls of an actor are cut: they end, and begin anew. Calls
 * outside the window are counted in rows that are not shown.
 *
 * An end of the window is a moment of one clock. On other clocks, its time is only known within
 * limits, so there are an estimated, a least, and a greatest window (analysis/window/window.h). In
 * the profile of the estimated window, the calls of all actors are cut at the same time. In the
 * other two profiles, the calls of each actor are cut at a time of its own clock. These two
 * profiles limit the numbers of calls, and the times of single actors.
 *
 * Other values depend on several actors, such as the time with at least one actor in a routine.
 * Such a value is taken from the estimated window. Near each end, events may be inside or outside
 * the window for some time. The value's range is extended by the longest such times. */

/* Group of the rows for calls outside the window. They are not shown. */
#define CUTS_OUTSIDE (NO_TEXT - 1)

struct cut_actor {
    enum { CUT_BEFORE, CUT_INSIDE, CUT_AFTER } place;
    uint32_t group;
    struct moment last; /* the actor's last event */
    bool seen;
};

struct cut_call {
    uint32_t routine;
    bool open;
};

/* Facts about a table row that hold wherever the requested part of the trace truly begins and ends:
 * numbers of calls open at the times cuts.certain, and the most actors at one of them. */
struct cut_probe {
    uint64_t calls[2];
    int64_t actors;
};

struct cuts {
    struct cut_actor *actors;
    bool begun, ended;
    struct cut_call *saved;
    size_t saved_capacity;
    int64_t doubts[2]; /* for each end: length of the time around it when events may be inside or
                        * outside the window */
    uint64_t *edged;
    size_t nedged, edged_capacity;
    int64_t certain[2]; /* begin and end of the global time that is certainly in the window on all
                         * clocks */
    bool probed[2];
    struct cut_probe *probes; /* for each table row */
    size_t nprobes, probes_capacity;
};

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
    FORM_ALONE_MOST,
    FORM_ALONE_LEAST,
    FORM_TOGETHER_LEAST,
    FORM_TOGETHER_MOST,
    FORMS
};

struct presence {
    int64_t n;
    struct moment since; /* when n became positive; not valid if n is 0 */
};

struct profile_row {
    uint32_t routine, group; /* group: id of an actor, unit, or node; NO_TEXT: all of them */
    uint32_t actor;          /* NO_ACTOR if several actors called the routine */
    uint64_t calls, recursive, open, implied, descendants, concurrent;
    struct presence direct, inside;
    int64_t most_inside;
    uint64_t crossing; /* number of calls that begin on one clock and end on another */
    /* Ranges of the lengths of the shortest and the longest call. A call that begins and ends on
     * one clock changes neither of them if its length is from usual_least to usual_greatest. */
    csy_range least, greatest;
    int64_t usual_least, usual_greatest;
    struct moment alone_since;
    int64_t late;
    struct moment most_since, least_since;
    size_t late_listed;
    bool listed;
    bool unordered; /* true if an actor entered or left the routine at a moment that is not
                     * recorded */
};

/* Remembers the row of an actor's last call of a routine, to find it quickly. */
struct profile_cell {
    uint32_t routine, row, group; /* routine; row of its last call, or NO_TEXT; group of this row */
    uint32_t active;              /* number of open calls of the routine */
};

struct profile_frame {
    uint32_t cell, row;
    struct moment begin;
    struct call_place place; /* place of the call in the call tree */
    uint64_t calls;          /* number of the actor's calls so far, including this call */
    /* Value of profile.entries at the begin of the call. If profile.entries is greater at the end,
     * another actor began a call in between, so the two calls were concurrent. */
    uint64_t entries;
    bool outermost, open;
    uint32_t outer;
};

struct profile_actor {
    struct profile_frame *frames;
    size_t depth, capacity, deeper;
    size_t deepest;
    uint32_t direct_row;
    uint32_t path;
    struct moment since;
    uint64_t calls;
    bool counted, active;
    bool begun, on, left_out;
    uint32_t group;
    bool linked;
    uint32_t *inherited; /* with --follow=create: table rows that also count the actor's calls,
                          * because its creator was in a call of their routines */
    size_t ninherited, inherited_capacity;
};

/* An actor enters the routine of a row (step 1) or leaves it (-1). */
struct profile_step {
    uint64_t number; /* number of the record where this happens; PROFILE_NEXT: the next record */
    struct moment at;
    uint32_t row;
    int32_t step;
};

#define PROFILE_NEXT UINT64_MAX

/* Finds the greatest and the least possible time with exactly one active unit. It is uncertain if
 * waits begin between records, at moments that are not recorded. The algorithm moves the begin of
 * such a wait to a record (analysis/ranges/swaps.h). */
struct profile_late {
    bool ranged;
    struct reach reach;
    struct moved_begins moved_begins;
    struct profile_step *steps; /* queue; the last `nnext` steps have the number PROFILE_NEXT */
    size_t first, end, capacity, nnext;
    uint64_t last_number;
    struct moment last; /* moment of the last record */
    uint32_t *listed;
    size_t nlisted, listed_capacity;
    int64_t most, least; /* limits of the number of active units */
};

struct profile {
    /* The caller sets all members from `per` to `at_record`. In `sampled`, it sets only `ticks`. */
    csy_per per;
    bool follows;            /* true if calls also count for the creators of the actor */
    const char *patterns;    /* name patterns of the included actors, or NULL for all actors */
    const struct clip *clip; /* the part of the trace that the user requested; NULL: the whole
                              * trace */
    enum clip_as as;
    struct sampled sampled;
    struct calltree *tree; /* the call tree to fill, or NULL */
    bool calls_alone;      /* true if the caller uses only `tree`, and no sums */
    bool at_wanted;
    int64_t at_ticks;   /* the requested moment, in global time */
    uint64_t at_record; /* number of the last record up to the moment; UINT64_MAX: use
                         * at_ticks */

    struct instants *instants;
    size_t nactors;
    struct cuts cuts;
    struct moves moves;
    struct forms forms;
    struct lengths lengths;
    struct keys rows_by, cells_by;
    struct texts groups;
    struct site_groups sites; /* only used for CSY_PER_CELL and CSY_PER_NODE */
    struct profile_row *rows;
    size_t nrows, rows_capacity;
    struct profile_cell *cells;
    size_t ncells, cells_capacity;
    struct profile_actor *actors;
    uint32_t *listed; /* table rows that have actors now, and some that had actors earlier */
    size_t nlisted, listed_capacity;
    int64_t active;
    uint64_t inside, entries; /* inside: number of actors that are in a call; entries: how often an
                               * actor that was in no call began one */
    uint64_t ignored;
    bool unordered_units;
    struct profile_late late;
    struct profile_outer outer;
    struct calls_outer calls;
    struct profile_sums sums;
    bool at_passed;
};

/* Functions for an analysis (analysis/run/analysis.h) with the struct profile as `user`.
 * profile_take_calls cannot be used with a window, samples, or a requested moment. */
csy_status profile_begin(void *user, struct instants *instants, csy_error *error);
csy_status profile_take(void *user, const struct actor_instant *instant, csy_error *error);
csy_status profile_take_calls(void *user, const struct actor_call *calls, size_t n,
                              csy_error *error);
csy_status profile_end(void *user, csy_error *error);
void profile_fini(struct profile *profile);

/* profile_write makes the sheets of csy_sync_profile. profile_write_calls makes the sheets of
 * csy_sync_calls, except the sheet of actors, and requires `tree`. Call after the last event. */
csy_status profile_write(struct profile *profile, csy_analysis *out, csy_error *error);
csy_status profile_write_calls(struct profile *profile, const csy_calls_options *options,
                               csy_analysis *out, csy_error *error);

/* Returns true if the number of paths or of pairs, multiplied by the number of clocks, exceeds
 * `most`. It then takes long to find ranges. */
bool calls_are_many(const struct profile *profile, size_t most);

/* Make the analysis of csy_sync_calls. *out becomes NULL if calls_are_many returns true. */
csy_status calls_make(csy_sync *sync, const csy_meaning *meaning, const csy_calls_options *options,
                      size_t most, csy_analysis **out, csy_error *error);

/* profile_routine returns the name of a routine, or nothing for NO_TEXT. profile_set_place sets
 * place[0] and [1] to its file and line, if known. */
csy_value profile_routine(const struct profile *profile, csy_analysis *out, uint32_t routine);
void profile_set_place(const struct profile *profile, csy_analysis *out, uint32_t routine,
                       csy_value *place);

/* Find the table row of a routine and a group, or add it. `group` is the id of an actor, unit, or
 * node, or NO_TEXT if the table has one row for each routine. */
bool profile_find_row(struct profile *profile, uint32_t routine, uint32_t group, uint32_t *out);

/* Returns false if the table row is for calls outside the requested part of the trace. */
static inline bool profile_tells(const struct profile *profile, uint32_t row)
{
    return !profile->clip || profile->rows[row].group != CUTS_OUTSIDE;
}

/* Returns true if the actor is inside the window now. */
static inline bool profile_is_told(const struct profile *profile, uint32_t actor)
{
    return !profile->clip || profile->cuts.actors[actor].place == CUT_INSIDE;
}

#endif
