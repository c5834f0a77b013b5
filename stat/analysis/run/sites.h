/* Sites: the node and the Cell (processor) on which an actor runs. Sites come from documents
 * (cellsync-events(5), Places), a column of a CSV, an archive, or a run. Without these, a site
 * follows from a topology that numbers the actors, or from the physical SPE of a context. */
#ifndef ANALYSIS_RUN_SITES_H
#define ANALYSIS_RUN_SITES_H

#include "instants/instants.h"

#include <cellsync/analysis.h>

enum { SITE_NAME_MAX = 200 };

/* Indices of the names of a node and a Cell in sites.names, or NO_TEXT if unknown. */
struct site {
    uint32_t node, cell;
};

struct known_place {
    enum field_of of;
    uint64_t number;
    const struct said_place *said;
    size_t order; /* position in the documents; the first place that fits an actor is used */
};

struct found_site {
    struct site site;
    uint64_t unit;
    bool known;
};

struct sites {
    const struct event_kinds *event_kinds;
    struct known_place *known; /* sorted by `of` and `number` */
    size_t nknown, known_capacity;
    struct texts names; /* names of nodes, and names of Cells together with their nodes */
    struct site *said;  /* [actor]: node and Cell according to the actor's events */
    size_t nsaid, said_capacity;
    struct found_site *found;
    size_t nfound, found_capacity;
    struct topology topology; /* SPEs per Cell and Cells per node */
    bool asked;               /* true if the user or a document gave the topology */
};

/* Initialize. Returns false if out of memory. Call sites_fini even after a failure. */
bool sites_init(struct sites *sites, const struct event_kinds *event_kinds);
void sites_fini(struct sites *sites);

/* How near two actors are: on the same Cell, on the same node, or elsewhere. SITE_MEMORY means that
 * one of them is memory. */
enum site_class { SITE_CELL, SITE_NODE, SITE_OTHER, SITE_MEMORY, SITE_UNKNOWN, SITE_CLASSES };
extern const char *const site_class_names[SITE_CLASSES];
enum site_class sites_compare(const struct site *a, const struct site *b);

/* Set *out to how near the actors a and b are, as far as events have shown it up to now. Returns
 * false if out of memory. */
bool sites_class(struct sites *sites, const struct actors *actors, const csy_sync *sync, uint32_t a,
                 uint32_t b, enum site_class *out);

/* Store the site that an event states: in its columns, otherwise in `node`, the node of its source.
 * Returns false if out of memory. */
bool sites_note(struct sites *sites, uint32_t actor, const csy_decoded *event, csy_text node);

/* Find an actor's site (Cell and node) after its last event. `unit` is its SPE, or NO_UNIT. Returns
 * false if out of memory. */
bool sites_find(struct sites *sites, uint32_t index, const struct actor *actor, uint64_t unit,
                const csy_sync *sync, struct site *out);

/* Groups of the actors on one Cell or node. A context without a known site is in the group of its
 * current physical SPE. All other actors stay in one group. */

/* A context (actor) that was switched to a physical SPE (unit). */
struct site_stay {
    uint64_t actor, unit;
};

/* `first` is an actor's first SPE. `unit` and `group` are from the last call of site_groups_of. */
struct site_member {
    uint64_t first, unit;
    uint32_t group;
    bool known;
};

struct site_groups {
    const struct instants *instants;
    csy_per by;
    struct sites sites;
    struct texts names; /* names of groups, such as "node 1", "cell 0.1", or "unknown" */
    struct texts stays; /* pairs of a context and an SPE that it was switched to (struct
                         * site_stay) */
    struct site_member *actors;
    bool some; /* true if the node or Cell of some actor is known */
};

/* Find the groups in one more pass over the records. Returns CSY_USAGE if no site is known. Call
 * site_groups_fini even after a failure. */
csy_status site_groups_read(struct site_groups *groups, const struct instants *instants, csy_per by,
                            csy_error *error);
void site_groups_fini(struct site_groups *groups);

/* Set *out to the group of an actor while it runs on the SPE number `unit`. NO_UNIT means that the
 * actor runs on no SPE. Returns false if out of memory. */
bool site_groups_of(struct site_groups *groups, uint32_t actor, uint64_t unit, uint32_t *out);

/* Set members[actor] to true if the actor is ever in the group. Returns false if out of memory. */
bool site_groups_members(struct site_groups *groups, uint32_t group, bool *members);

/* Set *out to the number of SPEs in a group on which actors with of[actor] = true ran. Returns
 * false if out of memory. */
bool site_groups_units(struct site_groups *groups, uint32_t group, const bool *of, size_t *out);

const char *site_groups_column(csy_per by);

#endif
