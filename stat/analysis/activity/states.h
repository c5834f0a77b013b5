/* Finds how long each actor was in each state: in one window, in several windows, or in the whole
 * trace. states.c processes the events; states_sheets.c makes the sheets. */
#ifndef ANALYSIS_ACTIVITY_STATES_H
#define ANALYSIS_ACTIVITY_STATES_H

#include "analysis/run/analysis.h"
#include "analysis/run/sheets.h"
#include "analysis/window/window.h"

#include <string.h>

/* A list of windows, with a fast search for the windows that overlap a given time. */

struct clip_extent {
    int64_t from, until;
    int64_t until_before, from_after; /* latest `until` up to here, earliest `from` from here on */
};

struct clips {
    struct clip *items; /* windows, sorted by their begin */
    struct clip_extent *extents;
    size_t count;
};

/* A joint state is a combination of the states of all units. At most JOINT_MAX are summed up. */

enum { JOINT_MAX = 65536 };

struct joint_states {
    const struct instants *instants;
    uint32_t *actors; /* indices of the actors that are units */
    size_t *places;   /* for each actor: its index in `actors`, or SIZE_MAX if it is no unit */
    size_t nunits;
    char *now;          /* current state of each unit, in the order of `actors` */
    struct texts kept;  /* combinations with their own sum, by first occurrence */
    struct forms forms; /* time of each combination in `kept`; sum JOINT_MAX is for all others */
    bool others, unordered; /* true if some are not in `kept`; if some have unrecorded ends */
    struct moment since;
};

/* CPU times of an actor as counted by the operating system (cellsync-events(5)), in ticks of the
 * actor's clock. Only the sums between the first and the last count are known. */

struct spent_time {
    bool known;
    struct moment from, until; /* first and last moment at which CPU times were counted */
    int64_t user_ticks, system_ticks, ready_ticks;
    int64_t idle_ticks; /* idle time from `from` to `until`, by events */
    struct {
        struct moment since;
        bool has, waits;
        int128 ticks, waiting_ticks; /* time with a core; waiting time in it */
    } core;                          /* use of a core, by events */
};

/* Finds for how long at least one actor is active. This costs less than levels
 * (analysis/ranges/levels.h), but the range can be wider. */

struct together {
    struct forms forms; /* one sum: the time with at least one active actor */
    struct reach reach;
    struct levels_outer outer;
    int64_t active;
    struct moment since; /* moment when the first actor became active; only valid if `active` > 0 */
    bool some_unordered; /* true if a change was at an unrecorded moment */
};

#define UNIT_PPE (NO_UNIT - 1)

struct doing {
    struct moment since;
    enum state state;
    uint32_t class;
    bool placed;      /* true if `unit`, `row`, and `pair` are valid */
    uint64_t unit;    /* unit of the actor at its last event */
    size_t row, pair; /* row of the unit, and row of this actor on the unit; or NO_ROW */
};

struct part {
    struct forms forms;
    const struct levels *levels; /* source of at_least and exactly; NULL if unused */
    csy_range *at_least, *exactly;
    csy_range executing; /* time with at least one executing actor */
    csy_range span;      /* length of the window or of the trace */
};

/* The caller's function for finished analyses, and its argument. */
struct receiver {
    csy_take_section receive;
    void *user;
    size_t n; /* number of analyses passed to `receive` so far */
};

/* The analysis of states. Its table has a row for each actor, a row for all actors, and a row for
 * each unit. Its columns are the states, followed by the classes of waits. */
struct states {
    const csy_section *sections; /* sections of this pass, or NULL for the requested window */
    size_t nsections; /* number of sections that remain; after `begin`, number in this pass */
    struct receiver to;
    struct instants *instants;
    struct moves moves;
    struct clips clips;
    bool clipped;       /* true if the user requested a window */
    struct part *parts; /* for each window: the times of its states */
    struct extent extent;
    struct doing *actors;
    struct spent_time *spent; /* for each actor: CPU times counted by the operating system */
    size_t nspent;     /* number of actors with counted CPU times, but unknown use of cores */
    uint64_t nstamped; /* number of intervals of execution, which are measured by one clock each */
    size_t nactors, ncolumns;
    csy_units kinds; /* kinds of the included actors */
    bool *meant;     /* for each actor: true if it is included */
    size_t nmeant;
    struct texts units; /* the struct unit_key of each row for a unit, or for an actor on a unit */
    const csy_states *asked;
    bool leveled; /* true if `levels` is used, otherwise `together` is used */
    struct levels_run levels;
    struct together together; /* used only if `leveled` is false */
    struct joint_states joint;
};

/* Identifies a row for a unit (`actor` is NO_ACTOR) or for one actor on a unit. */
struct unit_key {
    uint64_t unit;
    uint32_t actor, zero;
};

static inline struct unit_key states_unit(const struct states *s, size_t index)
{
    struct unit_key key;
    memcpy(&key, texts_text(&s->units, (uint32_t)index).bytes, sizeof key);
    return key;
}

/* Make the sheets of the window with the index `part`. Call after moves_finish. */
csy_status states_make(struct states *s, size_t part, csy_analysis **out, csy_error *error);

#endif
