/*
 * Sites: the node, and the Cell within the node, on which an actor runs.
 *
 * The site of an actor comes from one of several sources: a document (cellsync-events(5), Places),
 * a column of a CSV, an archive, a run, a topology that numbers the actors, or the physical SPE on
 * which a context was switched in.
 */
#ifndef ANALYSIS_RUN_SITES_H
#define ANALYSIS_RUN_SITES_H

#include "instants/partners.h"

enum { SITE_NAME_MAX = 200 };

/* The names of a node and of a Cell, as numbers of texts in sites.names; NO_TEXT: unknown. */
struct site {
    uint32_t node, cell;
};

/* A place that a document states, with the kind and the number of the actor as its key. */
struct known_place {
    enum field_of of;
    uint64_t number;
    const struct said_place *said;
    size_t order; /* position in the documents; of several places for one key, the first is used */
};

/* The last result of sites_find_on for an actor: the site, and the unit for which it was found. */
struct found_site {
    struct site site;
    uint64_t unit;
    bool known;
};

struct sites {
    const struct senses *senses;
    struct known_place *known; /* sorted by key */
    size_t nknown, known_capacity;
    struct texts names; /* names of nodes, and names of Cells together with their nodes */
    struct site *said;  /* by actor: its site as events state it */
    size_t nsaid, said_capacity;
    struct found_site *found; /* by actor */
    size_t nfound, found_capacity;
    /* number of SPEs of a Cell and of Cells of a node: from the user, or from a document */
    struct topology topology;
    bool asked; /* the topology comes from the user */
};

/* The caller calls sites_fini even after a failure. */
csy_status sites_init(struct sites *sites, const struct senses *senses, csy_error *error);
void sites_fini(struct sites *sites);

/* How the sites of two actors are related: SITE_CELL means the same Cell, SITE_NODE the same node,
 * and SITE_OTHER different nodes. SITE_MEMORY is for transfers between an actor and memory. */
enum site_class { SITE_CELL, SITE_NODE, SITE_OTHER, SITE_MEMORY, SITE_UNKNOWN, SITE_CLASSES };
extern const char *const site_class_names[SITE_CLASSES];
enum site_class sites_compare(const struct site *a, const struct site *b);

/* As sites_compare, for two actors. Uses what is known about them from the events so far. Returns
 * false if memory runs out. */
bool sites_class(struct sites *sites, const struct actors *actors, const csy_sync *sync, uint32_t a,
                 uint32_t b, enum site_class *out);

/* Store the site of an actor that an event states: `node` from the source of the trace, or from
 * columns of the event. Returns false if memory runs out. */
bool sites_note(struct sites *sites, uint32_t actor, const csy_decoded *event, csy_text node);

/* Find the site of an actor, from what is known about it after all events. sites_find uses the last
 * unit of the actor; sites_find_on uses `unit`, which may be NO_UNIT. Returns false if memory runs
 * out. */
bool sites_find(struct sites *sites, uint32_t index, const struct actor *actor,
                const csy_sync *sync, struct site *out);
bool sites_find_on(struct sites *sites, uint32_t index, const struct actor *actor, uint64_t unit,
                   const csy_sync *sync, struct site *out);

#endif
