/*
 * States: how long actors were in which state, in one window, in several side by side, or in all
 * the time.  What instants come to (analysis/activity/states.c) becomes sheets
 * (analysis/activity/states_sheets.c).
 */
#ifndef ANALYSIS_ACTIVITY_STATES_H
#define ANALYSIS_ACTIVITY_STATES_H

#include "analysis/activity/joint_states.h"
#include "analysis/activity/spent_times.h"
#include "analysis/ranges/extent.h"
#include "analysis/ranges/levels.h"
#include "analysis/ranges/together.h"
#include "analysis/window/clips.h"

#include <string.h>

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

/* Rows are the actors, all, then units; columns the states, then classes of waits. */
struct states {
    struct instants instants;
    struct moves moves;
    struct clips clips;
    bool clipped;       /* there are windows */
    struct part *parts; /* by clip */
    struct extent extent;
    struct doing *actors;
    struct spent_time *spent; /* by actor */
    size_t nspent;            /* that are known, but not when it was */
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
