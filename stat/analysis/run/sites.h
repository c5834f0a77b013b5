/*
 * Sites: on which node, and on which Cell of it, actors are.
 *
 * Documents say it (pex(5), Meaning), columns of a CSV, an archive or a run, a topology through
 * which actors are numbered, or the physical SPE that a context was switched in to.
 */
#ifndef ANALYSIS_RUN_SITES_H
#define ANALYSIS_RUN_SITES_H

#include "instants/partners.h"

enum { SITE_NAME_MAX = 200 };

/* Numbers of sites.names, or NO_TEXT. */
struct site {
    uint32_t node, cell;
};

/* What a document says, by what it says it of. */
struct known_place {
    enum field_of of;
    uint64_t number;
    const struct said_place *said;
    size_t order; /* of what is said of one the first counts */
};

/* What was found, while the actor was on that SPE. */
struct found_site {
    struct site site;
    uint64_t unit;
    bool known;
};

struct sites {
    const struct senses *senses;
    struct known_place *known; /* sorted */
    size_t nknown, known_capacity;
    struct texts names; /* of nodes, and of Cells with that of their node */
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

/* Where two actors are, from one another. */
enum site_class { SITE_CELL, SITE_NODE, SITE_OTHER, SITE_MEMORY, SITE_UNKNOWN, SITE_CLASSES };
extern const char *const site_class_names[SITE_CLASSES];
enum site_class sites_compare(const struct site *a, const struct site *b);

/* The same of two actors that have had events, as far as it is known then.  false: no memory. */
bool sites_class(struct sites *sites, const struct actors *actors, const csy_sync *sync, uint32_t a,
                 uint32_t b, enum site_class *out);

/* What an event says of where its actor is: on a node that its source knows, or what its columns
 * say.  false: no memory. */
bool sites_note(struct sites *sites, uint32_t actor, const csy_decoded *event, csy_text node);

/* Where an actor is, as far as that is known, after all events; on its unit, or another one, or
 * NO_UNIT.  false: no memory. */
bool sites_find(struct sites *sites, uint32_t index, const struct actor *actor,
                const csy_sync *sync, struct site *out);
bool sites_find_on(struct sites *sites, uint32_t index, const struct actor *actor, uint64_t unit,
                   const csy_sync *sync, struct site *out);

#endif
