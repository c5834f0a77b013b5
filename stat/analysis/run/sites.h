/*
 * Sites: on which node, and on which Cell of it, actors are.
 *
 * The site comes from a document (cellsync-events(5), Places), a column of a CSV, an archive, or a
 * run; from a topology that numbers the actors; or from the physical SPE that a context got.
 */
#ifndef ANALYSIS_RUN_SITES_H
#define ANALYSIS_RUN_SITES_H

#include "instants/partners.h"

enum { SITE_NAME_MAX = 200 };

/* Numbers of sites.names, or NO_TEXT. */
struct site {
    uint32_t node, cell;
};

/* A place from a document, by its key. */
struct known_place {
    enum field_of of;
    uint64_t number;
    const struct said_place *said;
    size_t order; /* the first place for a key counts */
};

/* The site that was found while the actor was on that SPE. */
struct found_site {
    struct site site;
    uint64_t unit;
    bool known;
};

struct sites {
    const struct senses *senses;
    struct known_place *known; /* sorted */
    size_t nknown, known_capacity;
    struct texts names; /* of nodes, and of Cells with their nodes */
    struct site *said;  /* by actor, as events say it */
    size_t nsaid, said_capacity;
    struct found_site *found; /* by actor */
    size_t nfound, found_capacity;
    struct topology topology; /* that was asked for, or is said */
    bool asked;               /* one is */
};

/* The caller calls sites_fini even after a failure. */
csy_status sites_init(struct sites *sites, const struct senses *senses, csy_error *error);
void sites_fini(struct sites *sites);

/* Relations of the sites of two actors. */
enum site_class { SITE_CELL, SITE_NODE, SITE_OTHER, SITE_MEMORY, SITE_UNKNOWN, SITE_CLASSES };
extern const char *const site_class_names[SITE_CLASSES];
enum site_class sites_compare(const struct site *a, const struct site *b);

/* The same of two actors that have had events, as far as it is known then.  false: no memory. */
bool sites_class(struct sites *sites, const struct actors *actors, const csy_sync *sync, uint32_t a,
                 uint32_t b, enum site_class *out);

/* Note the site of an actor that an event gives: a node that its source knows, or its columns.
 * Returns false if memory runs out. */
bool sites_note(struct sites *sites, uint32_t actor, const csy_decoded *event, csy_text node);

/* Find the site of an actor, as far as it is known after all events: on its unit, on another one,
 * or with NO_UNIT. Returns false if memory runs out. */
bool sites_find(struct sites *sites, uint32_t index, const struct actor *actor,
                const csy_sync *sync, struct site *out);
bool sites_find_on(struct sites *sites, uint32_t index, const struct actor *actor, uint64_t unit,
                   const csy_sync *sync, struct site *out);

#endif
