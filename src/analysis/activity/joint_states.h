/* Joint states: how long which combination of states of all units was. */
#ifndef ANALYSIS_ACTIVITY_JOINT_STATES_H
#define ANALYSIS_ACTIVITY_JOINT_STATES_H

#include "analysis/ranges/forms.h"
#include "analysis/run/sheets.h"

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

/* Of the actors that are meant, units are all, or, unless that is wanted, SPE contexts where there
 * are some. */
csy_status joint_states_init(struct joint_states *joint, const struct instants *instants,
                             const bool *meant, bool all, csy_error *error);
void joint_states_fini(struct joint_states *joint);

csy_status joint_states_take(struct joint_states *joint, const struct actor_instant *instant,
                             csy_error *error);

/* After the last: a sheet "joint", the longest first. */
csy_status joint_states_add_sheet(struct joint_states *joint, const struct moves *moves,
                                  csy_analysis *out, csy_error *error);

#endif
