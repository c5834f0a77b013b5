/* How long each actor was in each state: in a window, in several windows side by side, or in the
 * whole trace. analysis/activity/states.c processes instants, and analysis/activity/states_sheets.c
 * makes sheets. */
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

/* Clips: several windows side by side, and a search for those that may contain part of a time. */

/* The earliest begin and latest end of a window on any clock, in estimated global time. */
struct clip_extent {
    int64_t from, until;
    /* until_before: greatest `until` of this and all earlier windows. from_after: least `from` of
     * this and all later windows. */
    int64_t until_before, from_after;
};

struct clips {
    struct clip *items; /* windows, sorted by begin */
    struct clip_extent *extents;
    size_t count;
};

/* Joint states: for how long each combination of states of all units occurred. */

enum { JOINT_MAX = 65536 };

struct joint_states {
    const struct instants *instants;
    uint32_t *actors; /* the actors that are units */
    size_t *places;   /* for each actor, its index in `actors`, or SIZE_MAX */
    size_t nunits;
    char *now; /* current states of the units, ordered as `actors` */
    /* combinations that are counted separately, by first occurrence */
    struct texts kept;
    /* time of each combination in `kept`; form JOINT_MAX is for all others together */
    struct forms forms;
    /* others: some combinations are not in `kept`. unordered: some combination ends at a begin,
     * which has no place in the base order. */
    bool others, unordered;
    struct moment since;
};

/* Add the sheet "joint", longest combination first, after the last instant. */
csy_status joint_states_add_sheet(struct joint_states *joint, const struct moves *moves,
                                  csy_analysis *out, csy_error *error);

/* Spent times: CPU times that the operating system counted for actors, if the trace has them
 * (cellsync-events(5)): the time in user code, the time in the system, and the time ready to run.
 * Each is counted from the begin of an actor, or its first recorded count, to its last recorded
 * count.
 *
 * The sums are known, but not when the times were spent. The actor had nothing to run in the rest
 * of the time. */

/* The counted times of an actor, in ticks of its clock. */
struct spent_time {
    bool known;
    /* range of the counts; `until` is not after the last record */
    struct moment from, until;
    int64_t user_ticks, system_ticks, ready_ticks;
    /* idle time in this range according to events; only for the caller */
    int64_t idle_ticks;
    struct {
        struct moment since;
        bool has, waits;
        /* time with a core, and the part of it in which the actor waited */
        int128 ticks, waiting_ticks;
    } core; /* use of a core according to events */
};

/* Correct `by_events`, the range of the time with at least one of n actors executing according to
 * events. Returns the new range.
 *
 * The result is at least the longest known execution time of an actor, and at most `most`, which is
 * the sum of all actors' times or the length of the trace. told: events record when these actors
 * had a core. If so, the result differs from `by_events` by at most the difference between times by
 * events and times that the system counted. Both times differ if a thread had no core before
 * switches were recorded. */
csy_range spent_times_together(const struct spent_time *spent, size_t n, int64_t most, bool told,
                               const csy_range *by_events);

/* For how long at least one actor is active. This costs less than levels
 * (analysis/ranges/levels.h), which also count the active actors. The range is exact if the order
 * of records determines the time. Otherwise each change is treated by itself
 * (analysis/ranges/outer.h), which gives a wider range than levels. */

struct together {
    struct forms forms; /* one form: time in the base order */
    struct reach reach;
    struct levels_outer outer;
    int64_t active;
    struct moment since; /* when the first actor became active, if `active` > 0 */
    bool some_unordered; /* some begin without a place in the order changes `active` */
};

/* Find the time with at least one active actor, after the last instant, when `moves` is
 * finished. */
csy_status together_find(struct together *together, const struct instants *instants,
                         const struct moves *moves, csy_range *out, csy_error *error);

#define UNIT_PPE (NO_UNIT - 1)

/* The state of an actor, and the moment when it began. */
struct doing {
    struct moment since;
    enum state state;
    uint32_t class;
    bool placed;   /* unit, row, and pair are known */
    uint64_t unit; /* from the actor's last instant */
    /* row of the unit, and row of this actor on this unit; or NO_ROW */
    size_t row, pair;
};

/* The times in a window, or in the whole trace. */
struct part {
    struct forms forms;
    /* NULL: no levels, and at_least and exactly are unused */
    const struct levels *levels;
    csy_range *at_least, *exactly;
    csy_range executing; /* time with at least one actor executing */
    csy_range span;      /* length of the window or trace */
};

/* Receives the analyses one by one. */
struct receiver {
    csy_take_section receive;
    void *user;
    size_t n; /* number of analyses received */
};

/* State of the analysis. The tables have a row for each actor, a row for all actors, and rows for
 * units. Columns are the states, then the classes of waits. */
struct states {
    const csy_section *sections; /* sections of one pass; NULL: those requested */
    size_t nsections;            /* on return, how many fit into the pass */
    struct receiver to;
    struct instants *instants;
    struct moves moves;
    struct clips clips;
    bool clipped;       /* there is a window */
    struct part *parts; /* for each clip */
    struct extent extent;
    struct doing *actors;
    struct spent_time *spent; /* for each actor */
    /* number of actors with spent times, if events do not show their cores */
    size_t nspent;
    uint64_t nstamped; /* intervals of execution measured by one clock */
    size_t nactors, ncolumns;
    csy_units kinds; /* kinds of actors to include */
    bool *meant;     /* for each actor: included; the actors left out have no times */
    size_t nmeant;
    /* struct unit_key of each row after the rows of actors: for each SPE and UNIT_PPE, and for each
     * of these units with an actor */
    struct texts units;
    const csy_states *asked;
    /* levels or a window were requested, so `levels` is used instead of `together` */
    bool leveled;
    struct levels_run levels;
    struct together together; /* used unless `leveled` */
    struct joint_states joint;
};

/* Key of a row after the rows of actors. For a whole unit, actor is NO_ACTOR. */
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

/* Make the sheets of a window when the moves are known. */
csy_status states_make(struct states *s, size_t part, csy_analysis **out, csy_error *error);

#endif
