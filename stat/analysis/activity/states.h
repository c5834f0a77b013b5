/*
 * States: how long actors were in which state, in one window, in several side by side, or in all
 * the time.  What instants come to (analysis/activity/states.c) becomes sheets
 * (analysis/activity/states_sheets.c).
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
    struct texts kept;      /* combinations in the order in which they are met */
    struct forms forms;     /* theirs, and at JOINT_MAX that of all others */
    bool others, unordered; /* there are others; where one ends is told by a stamp alone */
    struct moment since;
};

/* After the last: a sheet "joint", the longest first. */
csy_status joint_states_add_sheet(struct joint_states *joint, const struct moves *moves,
                                  csy_analysis *out, csy_error *error);

/*
 * What the system counted for actors, where the trace has it (pex(5), Meaning): time in user code,
 * in the system and ready to run, from when an actor began, or was first told of, to when it was
 * last.
 *
 * These are sums: when in between it was which is not said.  The rest is time in which
 * the actor had nothing to run.
 */

/* Of an actor; ticks by its clock. */
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

/* The time with at least one of n actors executing, where events say that it is so much: of those
 * that are known at least the longest; at most the sum of all, or the whole time, as the caller
 * knows.  Where events say of all of these when they had a core (told) it is off by no more than
 * they and the system differ: a thread may have had none before switches were recorded. */
csy_range spent_times_together(const struct spent_time *spent, size_t n, int64_t most, bool told,
                               const csy_range *by_events);

/*
 * Together: for how long at least one actor is active, without how many are: cheaper than levels
 * (analysis/ranges/levels.h).  The range is exact where the order decides; else it is that of each
 * change by itself (analysis/ranges/outer.h), which is wider than that of levels.
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

/* What an actor has been doing since when. */
struct doing {
    struct moment since;
    enum state state;
    uint32_t class;
    bool placed;      /* it was looked where it is: */
    uint64_t unit;    /* as instants say it */
    size_t row, pair; /* of its unit, and of it on that, or NO_ROW */
};

/* Of a window, or of all the time. */
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
    size_t nsections;            /* at the end, the ones that fit the request */
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
    uint64_t nstamped;        /* intervals of executing that are by their timestamps */
    size_t nactors, ncolumns;
    csy_units kinds; /* of which actors are meant */
    bool *meant;     /* by actor: others have nothing */
    size_t nmeant;
    struct texts units; /* numbers of SPEs, UNIT_PPE; and these, each with an actor */
    const csy_states *asked;
    bool leveled; /* levels are asked for, or a window: */
    struct levels_run levels;
    struct together together; /* else: */
    struct joint_states joint;
};

/* What a row after those of actors is of; actor is NO_ACTOR where it is of a unit alone. */
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
