/* Finds limits of the elapsed times of routines by outer places (analysis/ranges/outer.h), if it is
 * unknown in which order actors enter and leave routines. The upper limit of a row is the time in
 * which some actor may have been in the row. The lower limit is the time in which some actor must
 * have been in the row. The time with exactly one active unit gets such limits, too. */
#ifndef ANALYSIS_CALLS_PROFILE_OUTER_H
#define ANALYSIS_CALLS_PROFILE_OUTER_H

#include "analysis/ranges/outer.h"
#include "base/texts.h"
#include "instants/instants.h"

#include <cellsync/analysis.h>

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
    size_t depths_capacity;
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

/* Find the range of the elapsed time of a row. The range includes the estimate, and is at most the
 * sum of the actors' times. */
csy_range profile_outer_range(const struct profile_outer *profile, uint32_t row,
                              enum outer_kind kind, int64_t estimate, const csy_range *sum);

/* Like profile_outer_range, but for the time in the row itself: profile_outer_alone while one unit
 * is active, profile_outer_together while another number of units is active. */
csy_range profile_outer_alone(const struct profile_outer *profile, uint32_t row, int64_t estimate,
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
#define NO_OUTER_CALL UINT32_MAX

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

/* Find the range for a row's number of concurrent calls (calls_outer_range), or for its number of
 * other calls (calls_outer_rest). `estimate` is the estimated number of concurrent calls, `calls`
 * the number of all calls. */
csy_range calls_outer_range(const struct calls_outer *calls, uint32_t row, int64_t estimate);
csy_range calls_outer_rest(const csy_range *concurrent, int64_t calls);

#endif
