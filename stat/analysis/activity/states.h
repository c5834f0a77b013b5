/* Finds how long each actor was in each state: in a window, in several windows side by side, or in
 * the whole trace. analysis/activity/states.c processes instants, and
 * analysis/activity/states_sheets.c makes sheets. */
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

/* Clips are several windows side by side. A search finds windows with a part of a given time. */

/* The earliest begin and the latest end of a window on any clock, in estimated global time. */
struct clip_extent {
    int64_t from, until;
    /* until_before: the greatest `until` of this window and all earlier ones. from_after: the least
     * `from` of this window and all later ones. */
    int64_t until_before, from_after;
};

struct clips {
    struct clip *items; /* windows, sorted by begin */
    struct clip_extent *extents;
    size_t count;
};

/* A joint state is a combination of the states of all units. The time of each one is counted. */

enum { JOINT_MAX = 65536 };

struct joint_states {
    const struct instants *instants;
    uint32_t *actors; /* the actors that are units */
    size_t *places;   /* for each actor: index in `actors`, or SIZE_MAX */
    size_t nunits;
    char *now; /* current states of the units, ordered as `actors` */
    /* combinations that are counted separately, by first occurrence */
    struct texts kept;
    /* time of each combination in `kept`; form JOINT_MAX is the time of all other combinations */
    struct forms forms;
    /* others: some combinations are not in `kept`. unordered: some combination ends at the begin of
     * a wait, which has no place in the base order. */
    bool others, unordered;
    struct moment since;
};

/* After the last instant, add the sheet "joint" with the longest combination first. */
csy_status joint_states_add_sheet(struct joint_states *joint, const struct moves *moves,
                                  csy_analysis *out, csy_error *error);

/* Spent times are CPU times that the operating system counted for an actor, if the trace has them
 * (cellsync-events(5)). These are times in user code, in the system, and ready to run. The range of
 * counted times begins with the actor, or at its first recorded count, and ends at its last
 * recorded count.
 *
 * The moments when the times were spent are unknown. The actor had nothing to run in the rest of
 * this range. */

/* The CPU times that the system counted for an actor, in ticks of the actor's clock. */
struct spent_time {
    bool known;
    /* the range in which times were counted; `until` is not after the last record */
    struct moment from, until;
    int64_t user_ticks, system_ticks, ready_ticks;
    /* idle time in this range according to events; only the caller uses this member */
    int64_t idle_ticks;
    struct {
        struct moment since;
        bool has, waits;
        /* time in which the actor had a core, and the part of it in which the actor waited */
        int128 ticks, waiting_ticks;
    } core; /* use of a core, as events show it */
};

/* Correct `by_events`, which is the range of the time with at least one of n actors executing,
 * according to events. Returns the new range.
 *
 * The result is at least the longest known execution time of an actor. The result is at most
 * `most`, which is the sum of all actors' times or the length of the trace. If `told` is set,
 * events record when these actors had a core. The result then differs from `by_events` by at most
 * the difference between times by events and times that the system counted. These times differ if a
 * thread had no core before switches were recorded. */
csy_range spent_times_together(const struct spent_time *spent, size_t n, int64_t most, bool told,
                               const csy_range *by_events);

/* Finds for how long at least one actor is active. This costs less than levels
 * (analysis/ranges/levels.h), which also count the active actors. The range is exact if the order
 * of records determines the time. Otherwise each change is treated by itself
 * (analysis/ranges/outer.h), so the range is wider than with levels. */

struct together {
    /* the only form (sum of times): time in the base order with an active actor */
    struct forms forms;
    struct reach reach;
    struct levels_outer outer;
    int64_t active;
    struct moment since; /* when the first actor became active; valid if `active` > 0 */
    /* `active` changes at the begin of some wait without a place in the order */
    bool some_unordered;
};

/* After the last instant, with finished `moves`, find the time with some active actor. */
csy_status together_find(struct together *together, const struct instants *instants,
                         const struct moves *moves, csy_range *out, csy_error *error);

#define UNIT_PPE (NO_UNIT - 1)

/* The state of an actor, and the moment when the state began. */
struct doing {
    struct moment since;
    enum state state;
    uint32_t class;
    bool placed;   /* the members unit, row, and pair are known */
    uint64_t unit; /* unit of the actor at its last instant */
    /* row of the unit, and row of this actor on this unit; NO_ROW: none */
    size_t row, pair;
};

/* The times of states in a window, or in the whole trace. */
struct part {
    struct forms forms;
    /* NULL: there are no levels, and at_least and exactly are unused */
    const struct levels *levels;
    csy_range *at_least, *exactly;
    csy_range executing; /* time with at least one actor executing */
    csy_range span;      /* length of the window or trace */
};

/* The caller's function that receives the analyses one by one. */
struct receiver {
    csy_take_section receive;
    void *user;
    size_t n; /* number of analyses received */
};

/* The analysis of states. The tables have a row for each actor, a row for all actors, and rows for
 * units. The columns are the states, then the classes of waits. */
struct states {
    const csy_section *sections; /* sections of one pass; NULL: the requested sections */
    size_t nsections; /* number of sections; on return, how many of them fit into the pass */
    struct receiver to;
    struct instants *instants;
    struct moves moves;
    struct clips clips;
    bool clipped;       /* a window was requested */
    struct part *parts; /* for each window in `clips`: its times */
    struct extent extent;
    struct doing *actors;
    struct spent_time *spent; /* for each actor: CPU times that the system counted */
    /* number of actors with counted CPU times, if events do not show their cores */
    size_t nspent;
    uint64_t nstamped; /* number of intervals of execution measured by one clock */
    size_t nactors, ncolumns;
    csy_units kinds; /* kinds of actors to include */
    bool *meant;     /* for each actor: the actor is included; other actors have no times */
    size_t nmeant;
    /* a struct unit_key for each row after the rows of actors: for each SPE and UNIT_PPE, and for
     * each of these units with an actor */
    struct texts units;
    const csy_states *asked;
    /* levels or a window were requested, so `levels` is used instead of `together` */
    bool leveled;
    struct levels_run levels;
    struct together together; /* used unless `leveled` is set */
    struct joint_states joint;
};

/* The key of a row after the rows of actors. In the row of a whole unit, `actor` is NO_ACTOR. */
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

/* Make the sheets of one window, when the moves are known. */
csy_status states_make(struct states *s, size_t part, csy_analysis **out, csy_error *error);

#endif
