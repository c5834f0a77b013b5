/* Limits of the elapsed times of routines, by outer places (analysis/ranges/outer.h), if it is
 * unknown in which order actors enter and leave routines. For each row, the limits are the time in
 * which some actor may have been in the row, and the time in which some actor must have been there.
 * The same limits are found for the time with exactly one active unit. */
#ifndef ANALYSIS_CALLS_PROFILE_OUTER_H
#define ANALYSIS_CALLS_PROFILE_OUTER_H

#include "analysis/ranges/outer.h"
#include "base/texts.h"
#include "instants/instants.h"

#include <cellsync/analysis.h>

/* OUTER_DIRECT counts actors in the routine itself, OUTER_INSIDE also actors in its callees. */
enum outer_kind { OUTER_DIRECT, OUTER_INSIDE, OUTER_KINDS };

/* State of a row for one kind of time and one end, OUTER_LEAST or OUTER_MOST. */
struct outer_presence {
    /* actors in the row; when they rose from 0 */
    int64_t actors, since;
    int64_t greatest; /* greatest value of `actors` so far */
    int128 ticks;
    uint64_t entries;
    /* time in the row with one active unit, summed over actors; outer_alone.ticks when `alone` was
     * updated */
    int128 alone, alone_since;
};

/* Number of active units, and total time so far with exactly one active unit. */
struct outer_alone {
    int64_t units[OUTER_ENDS];
    int64_t since;
    int128 ticks[OUTER_ENDS];
};

struct profile_outer {
    bool known;
    struct outer outer;
    struct outer_alone alone;
    /* Keys: each row and kind with an actor, and each unit. A key's number is its index in
     * `depths`. */
    struct texts by;
    int32_t (*depths)[OUTER_ENDS];
    size_t depths_capacity;
    struct outer_presence (*rows)[OUTER_ENDS]; /* for each row and kind */
    size_t nrows, rows_capacity;
};

/* Initialize. reach must outlive the struct. If it is NULL, no limits are found, and `known` is
 * false. */
void profile_outer_init(struct profile_outer *profile, const struct reach *reach,
                        const csy_sync *sync);
void profile_outer_fini(struct profile_outer *profile);

/* Count an actor once more (step 1) or less (step -1) in a row, if limits are known; otherwise use
 * profile_outer_step. Returns false if out of memory. */
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

/* Process the waiting changes, after the last one. Returns false if out of memory. */
bool profile_outer_end(struct profile_outer *profile);

/* The range of the elapsed time of a row, which includes the estimate, and is at most the sum of
 * the actors' times. */
csy_range profile_outer_range(const struct profile_outer *profile, uint32_t row,
                              enum outer_kind kind, int64_t estimate, const csy_range *sum);

/* Like profile_outer_range for the time in the row itself: profile_outer_alone while one unit is
 * active, and profile_outer_together while another number of units is active. */
csy_range profile_outer_alone(const struct profile_outer *profile, uint32_t row, int64_t estimate,
                              const csy_range *sum);
csy_range profile_outer_together(const struct profile_outer *profile, uint32_t row,
                                 int64_t estimate, const csy_range *sum);

/* The range of the greatest number of actors in a row at once. */
csy_range profile_outer_greatest(const struct profile_outer *profile, uint32_t row,
                                 int64_t estimate);

/* How many calls may be, and how many must be, concurrent with a call of another actor, by outer
 * places (analysis/ranges/outer.h), if it is unknown in which order actors enter and leave
 * routines.
 *
 * Two calls are concurrent if each begins before the other ends. Calls may be concurrent if this
 * holds for their earliest begins and latest ends. Calls must be concurrent if this holds for their
 * latest begins and earliest ends; by these, a short call may end before its begin. If two actors
 * have only one clock, the same for both, their calls are compared by this clock. */

/* In place of a call's index: the call is not followed. */
#define NO_OUTER_CALL UINT32_MAX

/* State of a call for one end, OUTER_LEAST or OUTER_MOST. */
struct outer_call_view {
    /* when its begin and end were passed in the order of this end; 0: not yet */
    uint64_t begun, ended;
    uint64_t others; /* entries of actors of other groups before the call */
    bool met;        /* the call is concurrent with a call of another group */
};

struct outer_call {
    struct outer_call_view views[OUTER_ENDS];
    uint32_t row, actor, group;
    /* neighbours in the list of open calls, sorted by begin */
    uint32_t before, after;
    uint64_t others;
    unsigned passed; /* number of its begins and ends passed, for both ends of the range */
    bool presence;   /* the actor's only open call */
    bool here;       /* the call is concurrent with a call of its own group */
};

/* Actors that have only one clock, the same for all, so that their calls can be compared by it. Any
 * other actor is a group by itself. */
struct outer_group {
    /* in the base order: number of actors of the group in a call, and entries into calls */
    uint64_t inside, entries;
    struct {
        /* number of open calls with `presence`, and of all calls with `presence` so far */
        uint64_t open, entries;
    } views[OUTER_ENDS];
};

/* For calls that must be concurrent: the last call with its earliest end before its latest begin,
 * for each of two groups. */
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
    uint32_t *of; /* group of each actor, or NO_ACTOR for the group of its clock */
    size_t nclocks;
    struct outer_group *groups; /* groups of clocks, then of actors */
    struct outer_call *items;
    size_t nitems, capacity;
    uint32_t freed; /* first unused item, linked by `after` */
    struct {
        uint64_t now, open, entries;
    } views[OUTER_ENDS];
    uint32_t first, last; /* ends of the list of calls that are certainly open */
    struct outer_short shorts[2];
    struct outer_row *rows;
    size_t nrows, rows_capacity;
};

/* Initialize. reach must outlive the struct and have all clocks. If it is NULL, no limits are
 * found, and `known` is false. */
csy_status calls_outer_init(struct calls_outer *calls, const struct reach *reach,
                            const struct instants *instants, csy_error *error);
void calls_outer_fini(struct calls_outer *calls);

/* Begin a call of a row, or end it. presence: the actor was in no call. *out is the index of the
 * call for calls_outer_end_one. Both return false if out of memory. If limits may be unknown, use
 * calls_outer_enter and calls_outer_leave. */
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

/* Process the waiting begins and ends, after the last call. */
bool calls_outer_end(struct calls_outer *calls);

/* calls_outer_range: range of the number of a row's concurrent calls, with this estimate.
 * calls_outer_rest: range of the number of its other calls, from the number of all. */
csy_range calls_outer_range(const struct calls_outer *calls, uint32_t row, int64_t estimate);
csy_range calls_outer_rest(const csy_range *concurrent, int64_t calls);

#endif
