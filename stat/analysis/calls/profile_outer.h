/*
 * Limits of the elapsed times of routines, by outer places (analysis/ranges/outer.h). They are for
 * traces in which the order in which actors enter and leave routines is unknown. For each row, this
 * module finds the time for which an actor may have been in the row, and the time for which an
 * actor must have been. It also finds both times while exactly one unit may have been, or must have
 * been, active.
 */
#ifndef ANALYSIS_CALLS_PROFILE_OUTER_H
#define ANALYSIS_CALLS_PROFILE_OUTER_H

#include "analysis/ranges/outer.h"
#include "base/texts.h"
#include "instants/instants.h"

#include <cellsync/analysis.h>

/* Kinds of elapsed time: OUTER_DIRECT counts actors in the routine itself, OUTER_INSIDE also counts
 * actors in its callees. */
enum outer_kind { OUTER_DIRECT, OUTER_INSIDE, OUTER_KINDS };

/* The state of a row for one kind of time and one end, OUTER_LEAST or OUTER_MOST. */
struct outer_presence {
    /* actors: number of actors in the row; since: the time when it rose from 0 */
    int64_t actors, since;
    int64_t greatest; /* the greatest value of `actors` so far */
    int128 ticks;
    uint64_t entries;
    /* alone: the time in the row while one unit was active, summed over actors; alone_since: the
     * value of outer_alone.ticks when `alone` was last updated */
    int128 alone, alone_since;
};

/* The number of active units, and the total time so far during which it was 1. */
struct outer_alone {
    int64_t units[OUTER_ENDS];
    int64_t since;
    int128 ticks[OUTER_ENDS];
};

struct profile_outer {
    bool known;
    struct outer outer;
    struct outer_alone alone;
    /* keys: each row and kind together with an actor, and each unit. The number of a key is its
     * index in `depths`. */
    struct texts by;
    int32_t (*depths)[OUTER_ENDS];
    size_t depths_capacity;
    struct outer_presence (*rows)[OUTER_ENDS]; /* by row and kind */
    size_t nrows, rows_capacity;
};

/* Initialize. reach must outlive the struct; if it is NULL, no limits are found (`known` is
 * false). */
void profile_outer_init(struct profile_outer *profile, const struct reach *reach,
                        const csy_sync *sync);
void profile_outer_fini(struct profile_outer *profile);

/* Count an actor once more (step 1) or once less (step -1) in a row. Call it only if limits are
 * known; otherwise use profile_outer_step. Returns false if memory runs out. */
bool profile_outer_add(struct profile_outer *profile, uint32_t row, enum outer_kind kind,
                       uint32_t actor, const struct moment *now, int step);

static inline bool profile_outer_step(struct profile_outer *profile, uint32_t row,
                                      enum outer_kind kind, uint32_t actor,
                                      const struct moment *now, int step)
{
    return !profile->known || profile->outer.lost ||
           profile_outer_add(profile, row, kind, actor, now, step);
}

/* A unit becomes active (step 1) or inactive (step -1). Returns false if memory runs out. */
bool profile_outer_unit(struct profile_outer *profile, uint32_t actor, const struct moment *now,
                        int step);

/* Process the changes that still wait. Call it after the last change. Returns false if memory runs
 * out. */
bool profile_outer_end(struct profile_outer *profile);

/* The range of the elapsed time of a row. The range includes the estimate, and ends at most at the
 * sum of the times of the actors in the row. */
csy_range profile_outer_range(const struct profile_outer *profile, uint32_t row,
                              enum outer_kind kind, int64_t estimate, const csy_range *sum);

/* The same for the time in the row itself: profile_outer_alone for the time while one unit is
 * active, profile_outer_together for the time while any other number of units is active. */
csy_range profile_outer_alone(const struct profile_outer *profile, uint32_t row, int64_t estimate,
                              const csy_range *sum);
csy_range profile_outer_together(const struct profile_outer *profile, uint32_t row,
                                 int64_t estimate, const csy_range *sum);

/* The range of the greatest number of actors that are in a row at the same time. */
csy_range profile_outer_greatest(const struct profile_outer *profile, uint32_t row,
                                 int64_t estimate);

/* The numbers of calls that may be, and that must be, concurrent with a call of another actor. They
 * are found by outer places (analysis/ranges/outer.h), for traces in which the order in which
 * actors enter and leave routines is unknown.
 *
 * Two calls are concurrent if each begins before the other one ends. Two calls may be concurrent if
 * this is true for their earliest begins and latest ends. They must be concurrent if it is true for
 * their latest begins and earliest ends; by these, a short call may end before it begins. If two
 * actors have a single clock each, and it is the same, their calls are compared by this clock. */

/* Instead of the index of a call: the call is not followed. */
#define NO_OUTER_CALL UINT32_MAX

/* The state of a call for one end, OUTER_LEAST or OUTER_MOST. */
struct outer_call_view {
    /* positions in the order of this end when the begin and the end of the call were passed; 0:
     * not yet */
    uint64_t begun, ended;
    uint64_t others; /* entries of actors of other groups before the call */
    bool met;        /* the call is concurrent with a call of another group */
};

struct outer_call {
    struct outer_call_view views[OUTER_ENDS];
    uint32_t row, actor, group;
    /* neighbours in the list of open calls, which is in the order of their begins */
    uint32_t before, after;
    uint64_t others;
    unsigned passed; /* number of its begins and ends passed so far, for both ends of the range */
    bool presence;   /* the actor has no other open call */
    bool here;       /* the call is concurrent with a call of its own group */
};

/* A group of actors whose calls can be compared by a clock: all actors that have only this clock.
 * Any other actor is a group of its own. */
struct outer_group {
    /* inside: actors of the group in a call; entries: how often an actor entered a call. Both in
     * the base order. */
    uint64_t inside, entries;
    struct {
        uint64_t open, entries; /* numbers of calls with `presence`: open ones, and all so far */
    } views[OUTER_ENDS];
};

/* For calls that must be concurrent: calls that end before they begin, by their latest begin and
 * earliest end. One item for each of two groups, with the call that ended last. */
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
    uint32_t *of; /* by actor: its group, or NO_ACTOR if it is in the group of its clock */
    size_t nclocks;
    struct outer_group *groups; /* groups of clocks, then groups of actors */
    struct outer_call *items;
    size_t nitems, capacity;
    uint32_t freed; /* head of the list of unused items, linked by `after` */
    struct {
        uint64_t now, open, entries;
    } views[OUTER_ENDS];
    uint32_t first, last; /* ends of the list of calls that are certainly open */
    struct outer_short shorts[2];
    struct outer_row *rows;
    size_t nrows, rows_capacity;
};

/* Initialize. reach must outlive the struct and contain all clocks; if it is NULL, no limits are
 * found (`known` is false). */
csy_status calls_outer_init(struct calls_outer *calls, const struct reach *reach,
                            const struct instants *instants, csy_error *error);
void calls_outer_fini(struct calls_outer *calls);

/* Begin a call of a row, or end it. presence: the actor was in no call before. calls_outer_add sets
 * *out to the index of the call for calls_outer_end_one. Both functions return false if memory runs
 * out. Use calls_outer_enter and calls_outer_leave if limits may be unknown. */
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

/* Process the begins and ends that still wait. Call it after the last call. */
bool calls_outer_end(struct calls_outer *calls);

/* calls_outer_range: the range of the number of concurrent calls of a row, given the estimated
 * number. calls_outer_rest: the range of the number of all other calls, given the total number of
 * calls. */
csy_range calls_outer_range(const struct calls_outer *calls, uint32_t row, int64_t estimate);
csy_range calls_outer_rest(const csy_range *concurrent, int64_t calls);

#endif
