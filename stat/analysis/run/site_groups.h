/*
 * Groups of actors by their Cell or node (analysis/run/sites.h).
 *
 * An actor with a known site is in one group.  Otherwise a context is in the groups of the physical
 * SPEs that it has, one after the other.
 */
#ifndef ANALYSIS_RUN_SITE_GROUPS_H
#define ANALYSIS_RUN_SITE_GROUPS_H

#include "analysis/run/sites.h"
#include "instants/instants.h"

#include <cellsync/analysis.h>

/* A context was switched to a physical SPE. */
struct site_stay {
    uint64_t actor, unit;
};

/* An actor: its first physical SPE, or NO_UNIT, and its last result. */
struct site_member {
    uint64_t first, unit;
    uint32_t group;
    bool known;
};

struct site_groups {
    const struct instants *instants;
    csy_per by;
    struct sites sites;
    struct texts names; /* of groups, in the order of their first actors */
    struct texts stays; /* of struct site_stay, each once */
    struct site_member *actors;
    bool some; /* of one it is known where it is */
};

/* One more pass over the records; by is CSY_PER_CELL or CSY_PER_NODE.  CSY_USAGE where it is known
 * of no actor.  The caller calls site_groups_fini even after a failure. */
csy_status site_groups_read(struct site_groups *groups, const struct instants *instants, csy_per by,
                            csy_error *error);
void site_groups_fini(struct site_groups *groups);

/* The group of an actor while it has that unit, or NO_UNIT.  false: no memory. */
bool site_groups_of(struct site_groups *groups, uint32_t actor, uint64_t unit, uint32_t *out);

/* Set which actors are ever in a group.  Returns false if memory runs out. */
bool site_groups_members(struct site_groups *groups, uint32_t group, bool *members);

/* How many physical SPEs some of the actors have while they are in it.  false: no memory. */
bool site_groups_units(struct site_groups *groups, uint32_t group, const bool *of, size_t *out);

/* "node 1", "cell 0.1" or "unknown". */
csy_text site_groups_name(const struct site_groups *groups, uint32_t group);

/* The name of the column. */
const char *site_groups_column(csy_per by);

#endif
