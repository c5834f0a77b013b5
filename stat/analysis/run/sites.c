/* Sites: where actors are. */
#include "analysis/run/sites.h"

#include "base/array.h"
#include "base/error.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    CELLS_A_NODE = 2,
    SPES_A_CELL = 8,
    NUMBER_BYTES = 24
}; /* numbers of the blades QS20, QS21, and QS22 */

static bool add_known(struct sites *sites, enum field_of of, uint64_t number,
                      const struct said_place *said)
{
    if (number == NO_NUMBER || said->node == NO_NUMBER)
        return true;
    if (!ARRAY_RESERVE(sites->known, sites->known_capacity, sites->nknown + 1))
        return false;
    sites->known[sites->nknown] = (struct known_place){of, number, said, sites->nknown};
    sites->nknown++;
    return true;
}

static int compare(const struct known_place *x, const struct known_place *y)
{
    return x->of != y->of           ? (x->of > y->of ? 1 : -1)
           : x->number != y->number ? (x->number > y->number ? 1 : -1)
                                    : 0;
}

static int compare_known(const void *a, const void *b)
{
    const struct known_place *x = a, *y = b;
    int order = compare(x, y);
    return order ? order : (x->order > y->order) - (x->order < y->order);
}

/* Initialize. The first topology of all documents counts; missing parts are those of a blade. */
csy_status sites_init(struct sites *sites, const struct senses *senses, csy_error *error)
{
    const struct rules *rules;
    struct topology found = senses->meaning->topology;
    bool good = true;
    *sites = (struct sites){.senses = senses, .asked = found.spes > 0};
    for (size_t d = 0; (rules = senses_document(senses, d)) != NULL; d++) {
        sites->asked |= rules->topology.spes > 0;
        found.spes = found.spes ? found.spes : rules->topology.spes;
        found.cells = found.cells ? found.cells : rules->topology.cells;
        for (size_t i = 0; i < rules->nplaces; i++) {
            const struct said_place *said = &rules->places[i];
            good = good && add_known(sites, OF_CONTEXT, said->context, said) &&
                   add_known(sites, OF_RANK, said->rank, said) &&
                   add_known(sites, OF_TID, said->tid, said);
        }
    }
    sites->topology.spes = found.spes ? found.spes : SPES_A_CELL;
    sites->topology.cells = found.cells ? found.cells : CELLS_A_NODE;
    if (sites->nknown > 1)
        qsort(sites->known, sites->nknown, sizeof *sites->known, compare_known);
    return good ? CSY_OK : error_memory(error);
}

void sites_fini(struct sites *sites)
{
    texts_fini(&sites->names);
    free(sites->said);
    free(sites->known);
    free(sites->found);
    *sites = (struct sites){0};
}

/* Find the texts for the names of a node and, if the site has one, of a Cell. */
static bool set_names(struct sites *sites, csy_text node, csy_text cell, struct site *out)
{
    char text[SITE_NAME_MAX];
    bool added;
    int n = (int)(node.size < SITE_NAME_MAX / 3 ? node.size : SITE_NAME_MAX / 3);
    int c = (int)(cell.size < SITE_NAME_MAX / 3 ? cell.size : SITE_NAME_MAX / 3);
    int size = snprintf(text, sizeof text, "node %.*s", n, node.bytes);
    out->cell = NO_TEXT;
    if (!texts_find(&sites->names, text, (size_t)size, &out->node, &added))
        return false;
    size = snprintf(text, sizeof text, "cell %.*s.%.*s", n, node.bytes, c, cell.bytes);
    return c == 0 || texts_find(&sites->names, text, (size_t)size, &out->cell, &added);
}

static bool set_numbers(struct sites *sites, uint64_t node, uint64_t cell, struct site *out)
{
    char texts[2][NUMBER_BYTES];
    int n = snprintf(texts[0], sizeof texts[0], "%" PRIu64, node), c = 0;
    if (cell != NO_NUMBER)
        c = snprintf(texts[1], sizeof texts[1], "%" PRIu64, cell);
    return set_names(sites, (csy_text){texts[0], (size_t)n}, (csy_text){texts[1], (size_t)c}, out);
}

bool sites_note(struct sites *sites, uint32_t actor, const csy_decoded *event, csy_text node)
{
    const struct columns *columns = &sites->senses->columns;
    const csy_text nothing = {"", 0};
    bool cell = event->texts && columns->cell < event->nfields;
    if (event->texts && columns->node < event->nfields)
        node = event->texts[columns->node];
    if (node.size == 0 || (actor < sites->nsaid && sites->said[actor].node != NO_TEXT))
        return true;
    if (!ARRAY_RESERVE(sites->said, sites->said_capacity, (size_t)actor + 1))
        return false;
    while (sites->nsaid <= actor)
        sites->said[sites->nsaid++] = (struct site){NO_TEXT, NO_TEXT};
    return set_names(sites, node, cell ? event->texts[columns->cell] : nothing,
                     &sites->said[actor]);
}

/* Find the first place with a key. NULL if there is none. */
static const struct said_place *find_known(const struct sites *sites, enum field_of of,
                                           uint64_t number)
{
    const struct known_place wanted = {.of = of, .number = number};
    size_t low = 0, high = sites->nknown;
    BISECT(low, high, middle, compare(&sites->known[middle], &wanted) < 0);
    return low < sites->nknown && compare(&sites->known[low], &wanted) == 0 ? sites->known[low].said
                                                                            : NULL;
}

/* Find the place that documents state for an actor. For a context, or a named thread called
 * "spe...", this is first the place of the context with its number, then that of the rank with this
 * number. For other named threads, it is the other way round. */
static const struct said_place *find_said(const struct sites *sites, const struct actor *actor,
                                          const char *name, bool numbered, uint64_t number)
{
    if (actor->kind == ACTOR_PPE)
        return find_known(sites, OF_TID, actor->id);
    bool context = actor->kind == ACTOR_SPE || strncmp(name, "spe", 3) == 0;
    if (!numbered)
        return NULL;
    const struct said_place *said = find_known(sites, context ? OF_CONTEXT : OF_RANK, number);
    return said ? said : find_known(sites, context ? OF_RANK : OF_CONTEXT, number);
}

bool sites_find_on(struct sites *sites, uint32_t index, const struct actor *actor, uint64_t unit,
                   const csy_sync *sync, struct site *out)
{
    uint64_t number = actor->id;
    bool numbered = actor->kind == ACTOR_SPE;
    const char *name = "";
    *out = (struct site){NO_TEXT, NO_TEXT};
    if (actor->kind == ACTOR_MEMORY)
        return true;
    if (actor->kind == ACTOR_NAMED) {
        name = csy_sync_track(sync, actor->id)->name;
        numbered = partner_number(name, &number);
    }
    const struct said_place *said = find_said(sites, actor, name, numbered, number);
    if (said)
        return set_numbers(sites, said->node, said->cell, out);
    if (index < sites->nsaid && sites->said[index].node != NO_TEXT) {
        *out = sites->said[index];
        return true;
    }
    if (actor->kind == ACTOR_SPE && unit != NO_UNIT)
        number = unit;
    else if (!sites->asked || !numbered)
        return true;
    uint64_t cell = number / sites->topology.spes;
    return set_numbers(sites, cell / sites->topology.cells, cell % sites->topology.cells, out);
}

bool sites_find(struct sites *sites, uint32_t index, const struct actor *actor,
                const csy_sync *sync, struct site *out)
{
    return sites_find_on(sites, index, actor, actor->unit, sync, out);
}

const char *const site_class_names[SITE_CLASSES] = {"same Cell", "same node", "between nodes",
                                                    "memory", "unknown"};

enum site_class sites_compare(const struct site *a, const struct site *b)
{
    if (a->node == NO_TEXT || b->node == NO_TEXT)
        return SITE_UNKNOWN;
    return a->node != b->node                         ? SITE_OTHER
           : a->cell != NO_TEXT && a->cell == b->cell ? SITE_CELL
                                                      : SITE_NODE;
}

static const struct site *find_once(struct sites *sites, const struct actors *actors,
                                    const csy_sync *sync, uint32_t index)
{
    const struct actor *actor = &actors->items[index];
    if (!ARRAY_RESERVE(sites->found, sites->found_capacity, (size_t)index + 1))
        return NULL;
    while (sites->nfound <= index)
        sites->found[sites->nfound++] = (struct found_site){.known = false};
    struct found_site *found = &sites->found[index];
    if (found->known && found->unit == actor->unit)
        return &found->site;
    found->known = sites_find(sites, index, actor, sync, &found->site);
    found->unit = actor->unit;
    return found->known ? &found->site : NULL;
}

bool sites_class(struct sites *sites, const struct actors *actors, const csy_sync *sync, uint32_t a,
                 uint32_t b, enum site_class *out)
{
    struct site site;
    const struct site *found = find_once(sites, actors, sync, a);
    if (!found)
        return false;
    site = *found;
    found = find_once(sites, actors, sync, b);
    if (!found)
        return false;
    bool memory = actors->items[a].kind == ACTOR_MEMORY || actors->items[b].kind == ACTOR_MEMORY;
    *out = memory ? SITE_MEMORY : sites_compare(&site, found);
    return true;
}
