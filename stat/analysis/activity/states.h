/* States: how long each actor was in each state, in one window, in several windows side by side, or
 * in the whole trace. analysis/activity/states.c consumes instants, and
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

/* Clips: several windows side by side, and a search for the windows that may contain a part of a
 * given time. */

/* The earliest begin and the latest end of a window by any clock, in estimated global time. */
struct clip_extent {
    int64_t from, until;
    /* until_before: the greatest `until` of this window and all windows before it. from_after:
     * the least `from` of this window and all windows after it. */
    int64_t until_before, from_after;
};

struct clips {
    struct clip *items; /* windows, sorted by their begins */
    struct clip_extent *extents;
    size_t count;
};

/* Joint states: for how long each combination of states of all units occurred. */

enum { JOINT_MAX = 65536 };

struct joint_states {
    const struct instants *instants;
    uint32_t *actors; /* the actors that are units */
    size_t *places;   /* by actor: its index in `actors`, or SIZE_MAX if the actor is no unit */
    size_t nunits;
    char *now; /* current states of the units, in the order of `actors` */
    /* the combinations that are counted separately, in the order of their first occurrences */
    struct texts kept;
    /* total time of each combination in `kept`; the form at JOINT_MAX is for all other
     * combinations together */
    struct forms forms;
    /* others: some combinations are not in `kept`. unordered: some combination ends at an
     * instant whose place is known only by its timestamp. */
    bool others, unordered;
    struct moment since;
};

/* Add the sheet "joint", with the longest combination first. Call it after the last instant. */
csy_status joint_states_add_sheet(struct joint_states *joint, const struct moves *moves,
                                  csy_analysis *out, csy_error *error);

/* Spent times: the CPU times that the operating system counted for actors, if the trace has them
 * (cellsync-events(5)). They are the time in user code, the time in the system, and the time ready
 * to run. Each is counted from the begin of an actor, or from its first recorded count, to its last
 * recorded count.
 *
 * Only the sums are known, not when an actor spent the times in between. For the rest of the time,
 * the actor had nothing to run. */

/* The counted times of an actor, in ticks by its clock. */
struct spent_time {
    bool known;
    /* begin and end of the counted time; `until` is not after the last record of the trace */
    struct moment from, until;
    int64_t user_ticks, system_ticks, ready_ticks;
    /* time in between during which the actor was idle according to events; used only by the
     * caller */
    int64_t idle_ticks;
    struct {
        struct moment since;
        bool has, waits;
        /* ticks: the time for which the actor had a core; waiting_ticks: the part of it in which
         * the actor waited */
        int128 ticks, waiting_ticks;
    } core; /* the use of a core according to events */
};

/* Correct `by_events`, the range of the time during which at least one of n actors was executing
 * according to events. Returns the new range.
 *
 * The result is at least the longest known execution time of one actor, and at most `most`, which
 * is the sum of the times of all actors or the length of the whole trace. told: for all these
 * actors, events record when they had a core. In this case the result differs from `by_events` by
 * at most the difference between the times by events and the times that the system counted. They
 * differ if a thread had no core before switches were recorded. */
csy_range spent_times_together(const struct spent_time *spent, size_t n, int64_t most, bool told,
                               const csy_range *by_events);

/*
 * Together: for how long at least one actor is active.  This costs less than levels
 * (analysis/ranges/levels.h), which also count the active actors.  The range is exact if the order
 * decides; otherwise it treats each change by itself (analysis/ranges/outer.h), which is wider than
 * the range of levels.
 */

struct together {
    struct forms forms; /* one form: the time in the base order */
    struct reach reach;
    struct levels_outer outer;
    int64_t active;
    struct moment since; /* valid if `active` is above 0: when the first actor became active */
    bool some_unordered; /* some begin without a place in the order changes `active` */
};

/* Find the time during which at least one actor was active. Call it after the last instant, when
 * `moves` is finished. */
csy_status together_find(struct together *together, const struct instants *instants,
                         const struct moves *moves, csy_range *out, csy_error *error);

#define UNIT_PPE (NO_UNIT - 1)

/* The state of an actor, and the moment when it began. */
struct doing {
    struct moment since;
    enum state state;
    uint32_t class;
    bool placed;   /* unit, row, and pair are known */
    uint64_t unit; /* the unit from the last instant of the actor */
    /* row: the row of the unit; pair: the row of this actor on this unit. Either can be NO_ROW. */
    size_t row, pair;
};

/* The times in a window, or in the whole trace. */
struct part {
    struct forms forms;
    /* NULL: levels were not computed, and at_least and exactly are unused */
    const struct levels *levels;
    csy_range *at_least, *exactly;
    csy_range executing; /* the time during which at least one actor was executing */
    csy_range span;      /* the length of the window or of the trace */
};

/* The function that receives the analyses, one after another. */
struct receiver {
    csy_take_section receive;
    void *user;
    size_t n; /* number of analyses that were passed to `receive` */
};

/* The state of the analysis. Its tables have a row for each actor, then a row for all actors
 * together, and then rows for units. The columns are the states and then the classes of waits. */
struct states {
    const csy_section *sections; /* of one pass; NULL: the requested ones */
    size_t nsections;            /* on return, the number of sections that fit into the pass */
    struct receiver to;
    struct instants *instants;
    struct moves moves;
    struct clips clips;
    bool clipped;       /* there is at least one window */
    struct part *parts; /* by clip */
    struct extent extent;
    struct doing *actors;
    struct spent_time *spent; /* by actor */
    /* number of actors with known spent times for which events do not show when they had a core */
    size_t nspent;
    uint64_t nstamped; /* intervals of executing that are measured by timestamps of one clock */
    size_t nactors, ncolumns;
    csy_units kinds; /* the kinds of actors to include */
    bool *meant;     /* by actor: true if it is included; other actors have no times */
    size_t nmeant;
    /* struct unit_key of each row after the rows of actors: for SPEs by number and for UNIT_PPE,
     * and for each of them together with an actor */
    struct texts units;
    const csy_states *asked;
    /* the caller requested levels or a window, so `levels` is used instead of `together` */
    bool leveled;
    struct levels_run levels;
    struct together together; /* used if `leveled` is false */
    struct joint_states joint;
};

/* The key of a row that follows the rows of actors. In the row of a unit as a whole, actor is
 * NO_ACTOR. */
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

/* Make the sheets of one window. Call it when the moves are known. */
csy_status states_make(struct states *s, size_t part, csy_analysis **out, csy_error *error);

#endif
