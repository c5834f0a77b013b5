/* Sites: the node, and the Cell within the node, on which an actor runs. Sources of a site are
 * documents (cellsync-events(5), Places), a column of a CSV, an archive, or a run. Other sources
 * are a topology that numbers the actors, or the physical SPE of a context that was switched. */
#ifndef ANALYSIS_RUN_SITES_H
#define ANALYSIS_RUN_SITES_H

#include "instants/instants.h"

#include <cellsync/analysis.h>

enum { SITE_NAME_MAX = 200 };

/* Names of a node and a Cell: indexes of texts in sites.names, or NO_TEXT if unknown. */
struct site {
    uint32_t node, cell;
};

/* A place that a document states for an actor, which is known by its kind and number. */
struct known_place {
    enum field_of of;
    uint64_t number;
    const struct said_place *said;
    size_t order; /* position in the documents; for each actor, the first place counts */
};

/* The last result of sites_find for an actor, and the argument `unit` of that call. */
struct found_site {
    struct site site;
    uint64_t unit;
    bool known;
};

struct sites {
    const struct senses *senses;
    struct known_place *known; /* places from documents, sorted by kind and number of the actor */
    size_t nknown, known_capacity;
    struct texts names; /* names of nodes, and of Cells with their nodes */
    struct site *said;  /* for each actor: the site that events state */
    size_t nsaid, said_capacity;
    struct found_site *found; /* for each actor: the last result of sites_find */
    size_t nfound, found_capacity;
    /* number of SPEs of a Cell, and of Cells of a node, from the user or a document */
    struct topology topology;
    bool asked; /* true if the user or a document gave the topology */
};

/* Initialize the sites. The caller calls sites_fini even after a failure. */
csy_status sites_init(struct sites *sites, const struct senses *senses, csy_error *error);
void sites_fini(struct sites *sites);

/* How the sites of two actors are related: the same Cell, the same node, or different nodes.
 * SITE_MEMORY is for transfers between an actor and memory. */
enum site_class { SITE_CELL, SITE_NODE, SITE_OTHER, SITE_MEMORY, SITE_UNKNOWN, SITE_CLASSES };
extern const char *const site_class_names[SITE_CLASSES];
enum site_class sites_compare(const struct site *a, const struct site *b);

/* Compare the sites of two actors, by the events so far. Returns false if out of memory. */
bool sites_class(struct sites *sites, const struct actors *actors, const csy_sync *sync, uint32_t a,
                 uint32_t b, enum site_class *out);

/* Store the site that an event states for an actor. `node` is the node of the event's source,
 * unless columns of the event name a node. Returns false if out of memory. */
bool sites_note(struct sites *sites, uint32_t actor, const csy_decoded *event, csy_text node);

/* After all events, find the site of an actor. `unit` is the physical SPE of the actor, or NO_UNIT.
 * Returns false if out of memory. */
bool sites_find(struct sites *sites, uint32_t index, const struct actor *actor, uint64_t unit,
                const csy_sync *sync, struct site *out);

/* Groups of actors on one Cell or node. An actor with a known site is in one group. A context
 * without a known site is in the group of its current physical SPE, so its group may change. */

/* A stay: a context was switched to a physical SPE, which is its `unit`. */
struct site_stay {
    uint64_t actor, unit;
};

/* An actor in groups. `first` is its first physical SPE, or NO_UNIT. The other members are the last
 * result of site_groups_of, and its unit. */
struct site_member {
    uint64_t first, unit;
    uint32_t group;
    bool known;
};

struct site_groups {
    const struct instants *instants;
    csy_per by;
    struct sites sites;
    /* names of groups, such as "node 1", "cell 0.1", or "unknown", by first actors */
    struct texts names;
    struct texts stays; /* all different values of struct site_stay */
    struct site_member *actors;
    bool some; /* true if the site of some actor is known */
};

/* Find the groups by Cell or node (`by`) in another pass over the records. Returns CSY_USAGE if no
 * actor's site is known. The caller calls site_groups_fini even after a failure. */
csy_status site_groups_read(struct site_groups *groups, const struct instants *instants, csy_per by,
                            csy_error *error);
void site_groups_fini(struct site_groups *groups);

/* Find the group of an actor on a physical SPE, or NO_UNIT. Returns false if out of memory. */
bool site_groups_of(struct site_groups *groups, uint32_t actor, uint64_t unit, uint32_t *out);

/* Set `members` to whether each actor is ever in a group. Returns false if out of memory. */
bool site_groups_members(struct site_groups *groups, uint32_t group, bool *members);

/* Count the physical SPEs that the actors in `of` have while they are in the group. Returns false
 * if out of memory. */
bool site_groups_units(struct site_groups *groups, uint32_t group, const bool *of, size_t *out);

const char *site_groups_column(csy_per by);

#endif
