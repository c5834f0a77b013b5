/*
 * Elapsed time of routines by outer places (analysis/ranges/outer.h), for traces in which the order
 * of actors that go in and out is unknown: how long an actor may have been, and must have been, in
 * a row; and the time of actors in a row while one unit may have been, and must have been, active
 * alone.
 */
#ifndef ANALYSIS_CALLS_PROFILE_OUTER_H
#define ANALYSIS_CALLS_PROFILE_OUTER_H

#include "analysis/ranges/outer.h"
#include "base/texts.h"
#include "instants/instants.h"

#include <cellsync/analysis.h>

/* Kinds of elapsed time: actors in the routine itself, or also in its callees. */
enum outer_kind { OUTER_DIRECT, OUTER_INSIDE, OUTER_KINDS };

/* One end of a row and a kind. */
struct outer_presence {
    int64_t actors, since; /* number of actors there; since when some are */
    int64_t greatest;      /* of actors */
    int128 ticks;
    uint64_t entries;
    int128 alone, alone_since; /* the time of each of them by outer_alone, and what that was */
};

/* How many units are active; and for how long it was one, so far. */
struct outer_alone {
    int64_t units[OUTER_ENDS];
    int64_t since;
    int128 ticks[OUTER_ENDS];
};

struct profile_outer {
    bool known;
    struct outer outer;
    struct outer_alone alone;
    struct texts by; /* rows and kinds with actors, and units; for each: */
    int32_t (*depths)[OUTER_ENDS];
    size_t depths_capacity;
    struct outer_presence (*rows)[OUTER_ENDS]; /* by row and kind */
    size_t nrows, rows_capacity;
};

/* reach must outlive it; NULL: nothing is known. */
void profile_outer_init(struct profile_outer *profile, const struct reach *reach,
                        const csy_sync *sync);
void profile_outer_fini(struct profile_outer *profile);

/* An actor is once more in a row, or once less, where anything is known; false on no memory. */
bool profile_outer_add(struct profile_outer *profile, uint32_t row, enum outer_kind kind,
                       uint32_t actor, const struct moment *now, int step);

static inline bool profile_outer_step(struct profile_outer *profile, uint32_t row,
                                      enum outer_kind kind, uint32_t actor,
                                      const struct moment *now, int step)
{
    return !profile->known || profile->outer.lost ||
           profile_outer_add(profile, row, kind, actor, now, step);
}

/* A unit is active from now on, or no longer. */
bool profile_outer_unit(struct profile_outer *profile, uint32_t actor, const struct moment *now,
                        int step);

/* After the last. */
bool profile_outer_end(struct profile_outer *profile);

/* The range of the elapsed time of a row with a known estimate, which is at most the sum of times
 * of its actors. */
csy_range profile_outer_range(const struct profile_outer *profile, uint32_t row,
                              enum outer_kind kind, int64_t estimate, const csy_range *sum);

/* The same of the time in the row itself while one unit is active, and while another number is. */
csy_range profile_outer_alone(const struct profile_outer *profile, uint32_t row, int64_t estimate,
                              const csy_range *sum);
csy_range profile_outer_together(const struct profile_outer *profile, uint32_t row,
                                 int64_t estimate, const csy_range *sum);

/* How many actors are in it at once, at most. */
csy_range profile_outer_greatest(const struct profile_outer *profile, uint32_t row,
                                 int64_t estimate);

/*
 * Calls that may be, and must be, concurrent with a call of another actor, by outer places
 * (analysis/ranges/outer.h), if the order in which actors went in and out is unknown.
 *
 * Two calls are concurrent if each begins before the other one ends.  They may be if that holds
 * with the earliest begins and the latest ends; they must be if it holds with the latest begins and
 * the earliest ends, by which a short call may end before it begins.  Actors that have the same
 * single clock are compared by this clock.
 */

/* No call is followed. */
#define NO_OUTER_CALL UINT32_MAX

/* A call, as one end has it. */
struct outer_call_view {
    uint64_t begun, ended; /* when each of its places was passed, or 0 */
    uint64_t others;       /* entries of others before it */
    bool met;              /* one of another */
};

struct outer_call {
    struct outer_call_view views[OUTER_ENDS];
    uint32_t row, actor, group;
    uint32_t before, after; /* among those that are open, by when they opened */
    uint64_t others;
    unsigned passed; /* places */
    bool presence;   /* its actor is in no other */
    bool here;       /* it is concurrent with one of its group */
};

/* Actors by the same clock, each by no other; or one actor. */
struct outer_group {
    uint64_t inside, entries; /* actors, in the base order */
    struct {
        uint64_t open, entries; /* calls with presence */
    } views[OUTER_ENDS];
};

/* For calls that must be concurrent: the last call of each of two groups that ended before it
 * began. */
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
    uint32_t *of; /* groups, by actor; NO_ACTOR: the group of the clock */
    size_t nclocks;
    struct outer_group *groups; /* by clock, then by actor */
    struct outer_call *items;
    size_t nitems, capacity;
    uint32_t freed; /* items that are free, by after */
    struct {
        uint64_t now, open, entries;
    } views[OUTER_ENDS];
    uint32_t first, last; /* that are open for certain */
    struct outer_short shorts[2];
    struct outer_row *rows;
    size_t nrows, rows_capacity;
};

/* reach must outlive it, and know of all clocks; NULL: nothing is known. */
csy_status calls_outer_init(struct calls_outer *calls, const struct reach *reach,
                            const struct instants *instants, csy_error *error);
void calls_outer_fini(struct calls_outer *calls);

/* A call of a row begins; presence: its actor was in none.  *out is it, as leave wants it, or
 * NO_OUTER_CALL.  Both: false on no memory. */
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

/* After the last. */
bool calls_outer_end(struct calls_outer *calls);

/* How many calls of a row are concurrent, as estimated; and how many of all are not. */
csy_range calls_outer_range(const struct calls_outer *calls, uint32_t row, int64_t estimate);
csy_range calls_outer_rest(const csy_range *concurrent, int64_t calls);

#endif
