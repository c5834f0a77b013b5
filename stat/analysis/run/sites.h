/* Sites: the node, and the Cell within the node, on which an actor runs. A site comes from one of
 * these: a document (cellsync-events(5), Places), a column of a CSV, an archive, a run, a topology
 * that numbers the actors, or the physical SPE to which a context was switched. */
#ifndef ANALYSIS_RUN_SITES_H
#define ANALYSIS_RUN_SITES_H

#include "instants/partners.h"

enum { SITE_NAME_MAX = 200 };

/* Names of a node and a Cell, as texts in sites.names; NO_TEXT: unknown. */
struct site {
    uint32_t node, cell;
};

/* A place that a document states. The key is the kind and number of the actor. */
struct known_place {
    enum field_of of;
    uint64_t number;
    const struct said_place *said;
    size_t order; /* position in the documents; the first place for a key counts */
};

/* The last result of sites_find_on for an actor, and the unit it was found for. */
struct found_site {
    struct site site;
    uint64_t unit;
    bool known;
};

struct sites {
    const struct senses *senses;
    struct known_place *known; /* sorted by key */
    size_t nknown, known_capacity;
    struct texts names; /* names of nodes, and of Cells with their nodes */
    struct site *said;  /* site of each actor as events state it */
    size_t nsaid, said_capacity;
    struct found_site *found; /* for each actor */
    size_t nfound, found_capacity;
    /* SPEs of a Cell and Cells of a node, from the user or a document */
    struct topology topology;
    bool asked; /* the user gave the topology */
};

/* Initialize. The caller calls sites_fini even after a failure. */
csy_status sites_init(struct sites *sites, const struct senses *senses, csy_error *error);
void sites_fini(struct sites *sites);

/* How the sites of two actors are related: the same Cell, the same node, or different nodes.
 * SITE_MEMORY is for transfers between an actor and memory. */
enum site_class { SITE_CELL, SITE_NODE, SITE_OTHER, SITE_MEMORY, SITE_UNKNOWN, SITE_CLASSES };
extern const char *const site_class_names[SITE_CLASSES];
enum site_class sites_compare(const struct site *a, const struct site *b);

/* Compare the sites of two actors, as far as events have shown them. Returns false if out of
 * memory. */
bool sites_class(struct sites *sites, const struct actors *actors, const csy_sync *sync, uint32_t a,
                 uint32_t b, enum site_class *out);

/* Store the site of an actor that an event states: `node` from the source of the trace, or from
 * columns of the event. Returns false if out of memory. */
bool sites_note(struct sites *sites, uint32_t actor, const csy_decoded *event, csy_text node);

/* Find the site of an actor after all events. sites_find uses its last unit; sites_find_on uses
 * `unit`, which may be NO_UNIT. Returns false if out of memory. */
bool sites_find(struct sites *sites, uint32_t index, const struct actor *actor,
                const csy_sync *sync, struct site *out);
bool sites_find_on(struct sites *sites, uint32_t index, const struct actor *actor, uint64_t unit,
                   const csy_sync *sync, struct site *out);

#endif
