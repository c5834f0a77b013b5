/*
 * States: how long actors were in which state, in one window, in several side by side, or in all
 * the time. analysis/activity/states.c consumes instants, and analysis/activity/states_sheets.c
 * makes sheets.
 */
#ifndef ANALYSIS_ACTIVITY_STATES_H
#define ANALYSIS_ACTIVITY_STATES_H

#include "analysis/ranges/forms.h"
#include "analysis/ranges/levels.h"
#include "analysis/ranges/moves.h"
#include "analysis/ranges/outer.h"
#include "analysis/run/analysis.h"
#include "analysis/run/sheets.h"
#include "analysis/window/window.h"

#include <string.h>

/*
 * Clips: several windows side by side, and which of them a time may have something in.
 */

/* From where to where a window may be by any clock, in global time by the estimate. */
struct clip_extent {
    int64_t from, until;
    int64_t until_before, from_after; /* greatest until up to it, least from of it and all later */
};

struct clips {
    struct clip *items; /* by their begins */
    struct clip_extent *extents;
    size_t count;
};

/* Joint states: how long which combination of states of all units was. */

enum { JOINT_MAX = 65536 };

struct joint_states {
    const struct instants *instants;
    uint32_t *actors; /* that are units */
    size_t *places;   /* of actors among these, or SIZE_MAX */
    size_t nunits;
    char *now;              /* states of the units */
    struct texts kept;      /* combinations, in the order of their first times */
    struct forms forms;     /* of the combinations, and at JOINT_MAX of all others together */
    bool others, unordered; /* there are others; only a timestamp tells where one ends */
    struct moment since;
};

/* After the last: a sheet "joint", the longest first. */
csy_status joint_states_add_sheet(struct joint_states *joint, const struct moves *moves,
                                  csy_analysis *out, csy_error *error);

/*
 * The times that the system counted for actors, if the trace has them (cellsync-events(5)): time
 * in user code, in the system, and ready to run, from the begin of an actor, or the first count, to
 * its last count.
 *
 * These are sums: when the times were in between is unknown.  For the rest of the time the actor
 * had nothing to run.
 */

/* The counted times of an actor, in ticks by its clock. */
struct spent_time {
    bool known;
    struct moment from, until; /* the latter not after the last record of the trace */
    int64_t user_ticks, system_ticks, ready_ticks;
    int64_t idle_ticks; /* for the caller: in between, as events say */
    struct {
        struct moment since;
        bool has, waits;
        int128 ticks, waiting_ticks; /* that it had one, and that it waited with one */
    } core;                          /* as events say */
};

/* Narrow or correct the time with at least one of n actors executing, given this time by events.
 * It is at least the longest known execution time of an actor, and at most `most`, the sum of all
 * or the whole time. told: events record for all these actors when they had a core.  Then the
 * result differs from the events by at most the difference between the events and the system: a
 * thread may have lacked a core before switches were recorded. */
csy_range spent_times_together(const struct spent_time *spent, size_t n, int64_t most, bool told,
                               const csy_range *by_events);

/*
 * Together: for how long at least one actor is active.  This costs less than levels
 * (analysis/ranges/levels.h), which also count the active actors.  The range is exact if the order
 * decides; otherwise it treats each change by itself (analysis/ranges/outer.h), which is wider than
 * the range of levels.
 */

struct together {
    struct forms forms; /* one, of the base order */
    struct reach reach;
    struct levels_outer outer;
    int64_t active;
    struct moment since; /* active is above 0 */
    bool some_unordered; /* a begin changes it */
};

/* After the last, with moves finished. */
csy_status together_find(struct together *together, const struct instants *instants,
                         const struct moves *moves, csy_range *out, csy_error *error);

#define UNIT_PPE (NO_UNIT - 1)

/* The state of an actor, and since when. */
struct doing {
    struct moment since;
    enum state state;
    uint32_t class;
    bool placed;      /* it was looked where it is: */
    uint64_t unit;    /* as instants say it */
    size_t row, pair; /* of its unit, and of it on that, or NO_ROW */
};

/* The times of a window, or of all the time. */
struct part {
    struct forms forms;
    const struct levels *levels; /* or NULL: */
    csy_range *at_least, *exactly;
    csy_range executing; /* how long at least one actor was; */
    csy_range span;      /* of so long */
};

/* The function that gets the analyses, one after the other. */
struct receiver {
    csy_take_section receive;
    void *user;
    size_t n; /* that it has */
};

/* Rows are the actors, all, then units; columns the states, then classes of waits. */
struct states {
    const csy_section *sections; /* of one pass; NULL: the requested ones */
    size_t nsections;            /* on return, the number of sections that fit into the pass */
    struct receiver to;
    struct instants *instants;
    struct moves moves;
    struct clips clips;
    bool clipped;       /* there are windows */
    struct part *parts; /* by clip */
    struct extent extent;
    struct doing *actors;
    struct spent_time *spent; /* by actor */
    size_t nspent;            /* that are known, but not when it was */
    uint64_t nstamped; /* intervals of executing that are measured by timestamps of one clock */
    size_t nactors, ncolumns;
    csy_units kinds; /* actors that are meant */
    bool *meant;     /* by actor: others have nothing */
    size_t nmeant;
    struct texts units; /* numbers of SPEs, UNIT_PPE; and these, each with an actor */
    const csy_states *asked;
    bool leveled; /* levels are asked for, or a window: */
    struct levels_run levels;
    struct together together; /* else: */
    struct joint_states joint;
};

/* The key of a row after the rows of actors; actor is NO_ACTOR for the row of a unit. */
struct unit_key {
    uint64_t unit;
    uint32_t actor, zero;
};

static inline struct unit_key states_unit(const struct states *s, size_t index)
{
    struct unit_key key;
    memcpy(&key, s->units.bytes + s->units.items[index].at, sizeof key);
    return key;
}

/* The sheets of one of its parts, once moves are known. */
csy_status states_make(struct states *s, size_t part, csy_analysis **out, csy_error *error);

#endif
