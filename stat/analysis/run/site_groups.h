/* Groups of actors on one Cell or node (analysis/run/sites.h). An actor with a known site is in one
 * group. A context without one is in the group of its current physical SPE, so its group may
 * change. */
#ifndef ANALYSIS_RUN_SITE_GROUPS_H
#define ANALYSIS_RUN_SITE_GROUPS_H

#include "analysis/run/sites.h"
#include "instants/instants.h"

#include <cellsync/analysis.h>

/* A stay: a context that was switched to a physical SPE. */
struct site_stay {
    uint64_t actor, unit;
};

/* For an actor: its first physical SPE, or NO_UNIT; and the last result of site_groups_of, with its
 * unit. */
struct site_member {
    uint64_t first, unit;
    uint32_t group;
    bool known;
};

struct site_groups {
    const struct instants *instants;
    csy_per by;
    struct sites sites;
    struct texts names; /* names of groups, by first actor */
    struct texts stays; /* all values of struct site_stay, each once */
    struct site_member *actors;
    bool some; /* the site of some actor is known */
};

/* Find the groups in another pass over the records. `by` is CSY_PER_CELL or CSY_PER_NODE. CSY_USAGE
 * if no actor's site is known. The caller calls site_groups_fini even after a failure. */
csy_status site_groups_read(struct site_groups *groups, const struct instants *instants, csy_per by,
                            csy_error *error);
void site_groups_fini(struct site_groups *groups);

/* Find the group of an actor on this unit, which may be NO_UNIT. Returns false if out of memory. */
bool site_groups_of(struct site_groups *groups, uint32_t actor, uint64_t unit, uint32_t *out);

/* Find which actors are ever in a group. Returns false if out of memory. */
bool site_groups_members(struct site_groups *groups, uint32_t group, bool *members);

/* Count the physical SPEs that the actors in `of` have while they are in the group. Returns false
 * if out of memory. */
bool site_groups_units(struct site_groups *groups, uint32_t group, const bool *of, size_t *out);

/* The name of a group, such as "node 1", "cell 0.1", or "unknown". */
csy_text site_groups_name(const struct site_groups *groups, uint32_t group);

const char *site_groups_column(csy_per by);

#endif
