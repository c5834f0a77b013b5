/* Finds the node and the Cell of each actor, and groups actors by node or Cell. */
#include "analysis/run/sites.h"

#include "analysis/run/skim.h"
#include "base/array.h"
#include "base/error.h"
#include "base/sort.h"
#include "sync/events.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Numbers of Cells per node and of SPEs per Cell on the blades QS20, QS21, and QS22. */
enum { CELLS_A_NODE = 2, SPES_A_CELL = 8 };

enum { NUMBER_BYTES = 24 };

static bool add_known(struct sites *sites, enum field_of of, uint64_t number,
                      const struct said_place *said)
{
    return number == NO_NUMBER || said->node == NO_NUMBER ||
           ARRAY_PUSH(sites->known, sites->nknown, sites->known_capacity,
                      {of, number, said, sites->nknown});
}

static int compare(const struct known_place *x, const struct known_place *y)
{
    return 2 * COMPARE(x->of, y->of) + COMPARE(x->number, y->number);
}

static int compare_known(const void *a, const void *b)
{
    const struct known_place *x = a, *y = b;
    return 2 * compare(x, y) + COMPARE(x->order, y->order);
}

/* Missing numbers of the topology are taken from a QS20 blade. */
bool sites_init(struct sites *sites, const struct event_kinds *event_kinds)
{
    const struct rules *rules;
    struct topology found = event_kinds->meaning->topology;
    bool good = true;
    *sites = (struct sites){.event_kinds = event_kinds, .asked = found.spes > 0};
    for (size_t d = 0; (rules = event_kinds_document(event_kinds, d)) != NULL; d++) {
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
    SORT(sites->known, sites->nknown, compare_known);
    return good;
}

void sites_fini(struct sites *sites)
{
    texts_fini(&sites->names);
    FREE_ALL(sites->said, sites->known, sites->found);
    *sites = (struct sites){0};
}

/* Find or add the names of a node and a Cell. Returns false if out of memory. */
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
    const struct columns *columns = &sites->event_kinds->columns;
    const csy_text nothing = {"", 0};
    bool cell = event->texts && columns->cell < event->nfields;
    if (event->texts && columns->node < event->nfields)
        node = event->texts[columns->node];
    if (node.size == 0 || (actor < sites->nsaid && sites->said[actor].node != NO_TEXT))
        return true;
    if (!ARRAY_EXTEND(sites->said, sites->nsaid, sites->said_capacity, (size_t)actor + 1,
                      {NO_TEXT, NO_TEXT}))
        return false;
    return set_names(sites, node, cell ? event->texts[columns->cell] : nothing,
                     &sites->said[actor]);
}

/* `of` and `number` identify an actor. Returns NULL if no document states where it runs. */
static const struct said_place *find_known(const struct sites *sites, enum field_of of,
                                           uint64_t number)
{
    const struct known_place wanted = {.of = of, .number = number};
    size_t low = 0, high = sites->nknown;
    BISECT(low, high, middle, compare(&sites->known[middle], &wanted) < 0);
    return low < sites->nknown && compare(&sites->known[low], &wanted) == 0 ? sites->known[low].said
                                                                            : NULL;
}

bool sites_find(struct sites *sites, uint32_t index, const struct actor *actor, uint64_t unit,
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
    /* Documents may state Cells by numbers of SPE contexts, or by numbers of ranks. For a context
     * or a thread named "spe...", contexts are tried first; for other named threads, ranks. */
    const struct said_place *said = NULL;
    bool context = actor->kind == ACTOR_SPE || strncmp(name, "spe", 3) == 0;
    if (actor->kind == ACTOR_PPE)
        said = find_known(sites, OF_TID, actor->id);
    else if (numbered)
        said = find_known(sites, context ? OF_CONTEXT : OF_RANK, number);
    if (!said && numbered)
        said = find_known(sites, context ? OF_RANK : OF_CONTEXT, number);
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

bool sites_class(struct sites *sites, const struct actors *actors, const csy_sync *sync, uint32_t a,
                 uint32_t b, enum site_class *out)
{
    const uint32_t both[] = {a, b};
    bool memory = false;
    if (!ARRAY_EXTEND_ZERO(sites->found, sites->nfound, sites->found_capacity, actors->count))
        return false;
    for (size_t i = 0; i < 2; i++) {
        const struct actor *actor = &actors->items[both[i]];
        struct found_site *found = &sites->found[both[i]];
        memory |= actor->kind == ACTOR_MEMORY;
        if (found->known && found->unit == actor->unit)
            continue;
        found->known = sites_find(sites, both[i], actor, actor->unit, sync, &found->site);
        found->unit = actor->unit;
        if (!found->known)
            return false;
    }
    *out = memory ? SITE_MEMORY : sites_compare(&sites->found[a].site, &sites->found[b].site);
    return true;
}

/* --- Groups of actors ----------------------------------------------------------------------- */

const char *site_groups_column(csy_per by)
{
    return by == CSY_PER_CELL ? "cell" : "node";
}

bool site_groups_of(struct site_groups *g, uint32_t index, uint64_t unit, uint32_t *out)
{
    struct site_member *member = &g->actors[index];
    const struct actor *actor = &g->instants->actors.items[index];
    struct site site;
    bool added;
    unit = unit == NO_UNIT ? member->first : unit;
    if (!member->known || member->unit != unit) {
        member->unit = unit;
        member->known = sites_find(&g->sites, index, actor, unit, g->instants->sync, &site);
        if (!member->known)
            return false;
        uint32_t name = g->by == CSY_PER_CELL ? site.cell : site.node;
        csy_text text = {"unknown", strlen("unknown")};
        if (name != NO_TEXT)
            text = texts_text(&g->sites.names, name);
        g->some |= name != NO_TEXT;
        member->known = texts_find(&g->names, text.bytes, text.size, &member->group, &added);
    }
    *out = member->group;
    return member->known;
}

static struct site_stay stay_of(const struct site_groups *g, size_t index)
{
    struct site_stay stay;
    memcpy(&stay, texts_text(&g->stays, (uint32_t)index).bytes, sizeof stay);
    return stay;
}

bool site_groups_members(struct site_groups *g, uint32_t group, bool *members)
{
    uint32_t own = NO_TEXT;
    bool good = true;
    for (uint32_t i = 0; good && i < g->instants->actors.count; i++) {
        good = site_groups_of(g, i, NO_UNIT, &own);
        members[i] = own == group;
    }
    for (size_t i = 0; good && i < g->stays.count; i++) {
        const struct site_stay stay = stay_of(g, i);
        good = site_groups_of(g, (uint32_t)stay.actor, stay.unit, &own);
        members[stay.actor] |= own == group;
    }
    return good;
}

bool site_groups_units(struct site_groups *g, uint32_t group, const bool *of, size_t *out)
{
    struct texts units = {0};
    uint32_t own, index;
    bool good = true, added;
    for (size_t i = 0; good && i < g->stays.count; i++) {
        const struct site_stay stay = stay_of(g, i);
        good = site_groups_of(g, (uint32_t)stay.actor, stay.unit, &own);
        if (good && own == group && of[stay.actor])
            good = texts_find(&units, (const char *)&stay.unit, sizeof stay.unit, &index, &added);
    }
    *out = units.count;
    texts_fini(&units);
    return good;
}

struct groups_pass {
    struct site_groups *groups;
    struct event_pass pass;
};

/* Store the node and Cell that an event contains. If it switches a context in, also store the
 * SPE. */
static csy_status note(void *user, const csy_decoded *event, csy_error *error)
{
    const struct groups_pass *own = user;
    struct site_groups *g = own->groups;
    bool named = event->track != CSY_NO_TRACK, added;
    csy_text node = own->pass.single ? own->pass.events->event.stamp.node : (csy_text){"", 0};
    enum actor_kind kind = named                         ? ACTOR_NAMED
                           : event->core == CSY_CORE_SPE ? ACTOR_SPE
                                                         : ACTOR_PPE;
    const struct keys *keys = &g->instants->actors.keys;
    uint32_t actor, index, context;
    uint64_t unit;
    if (event_switches_in(event, &context, &unit) &&
        keys_look(keys, keys_pair(ACTOR_SPE, context), &actor)) {
        const struct site_stay stay = {actor, unit};
        if (g->actors[actor].first == NO_UNIT)
            g->actors[actor].first = unit;
        if (!texts_find(&g->stays, (const char *)&stay, sizeof stay, &index, &added))
            return error_memory(error);
    }
    bool known = keys_look(keys, keys_pair(kind, named ? event->track : event->tid), &actor);
    return !known || sites_note(&g->sites, actor, event, node) ? CSY_OK : error_memory(error);
}

csy_status site_groups_read(struct site_groups *g, const struct instants *in, csy_per by,
                            csy_error *error)
{
    *g = (struct site_groups){.instants = in, .by = by};
    g->actors = calloc(in->actors.count + 1, sizeof *g->actors);
    if (!sites_init(&g->sites, &in->event_kinds) || !g->actors)
        return error_memory(error);
    for (size_t i = 0; i < in->actors.count; i++)
        g->actors[i].first = NO_UNIT;
    struct groups_pass own = {g, {.sync = in->sync, .single = in->sync->trace->partial}};
    csy_status status = events_each(&own.pass, note, &own, error);
    if (status)
        return status;
    bool *members = calloc(g->instants->actors.count + 1, sizeof *members);
    bool good = members && site_groups_members(g, 0, members);
    free(members);
    if (!good)
        return error_memory(error);
    return g->some ? CSY_OK
                   : error_set(error, CSY_USAGE,
                               "%s: the node and Cell of the actors are unknown; pass --topology "
                               "for numbered actors, or a document with --events for any actor",
                               g->instants->sync->trace->name);
}

void site_groups_fini(struct site_groups *g)
{
    sites_fini(&g->sites);
    texts_fini(&g->names);
    texts_fini(&g->stays);
    free(g->actors);
    *g = (struct site_groups){0};
}
