/* Groups of actors by their Cell or by their node. */
#include "analysis/run/site_groups.h"

#include "analysis/run/skim.h"
#include "base/error.h"
#include "sync/events.h"

#include <stdlib.h>
#include <string.h>

const char *site_groups_column(csy_per by)
{
    return by == CSY_PER_CELL ? "cell" : "node";
}

csy_text site_groups_name(const struct site_groups *g, uint32_t group)
{
    return (csy_text){g->names.bytes + g->names.items[group].at, g->names.items[group].size};
}

static bool find_group(struct site_groups *g, const struct site *site, uint32_t *out)
{
    static const char unknown[] = "unknown";
    uint32_t name = g->by == CSY_PER_CELL ? site->cell : site->node;
    const struct texts *names = &g->sites.names;
    bool added;
    g->some |= name != NO_TEXT;
    return name == NO_TEXT ? texts_find(&g->names, unknown, sizeof unknown - 1, out, &added)
                           : texts_find(&g->names, names->bytes + names->items[name].at,
                                        names->items[name].size, out, &added);
}

bool site_groups_of(struct site_groups *g, uint32_t index, uint64_t unit, uint32_t *out)
{
    struct site_member *member = &g->actors[index];
    const struct actor *actor = &g->instants->actors.items[index];
    struct site site;
    unit = unit == NO_UNIT ? member->first : unit;
    if (!member->known || member->unit != unit) {
        member->known = sites_find_on(&g->sites, index, actor, unit, g->instants->sync, &site) &&
                        find_group(g, &site, &member->group);
        member->unit = unit;
    }
    *out = member->group;
    return member->known;
}

static struct site_stay stay_of(const struct site_groups *g, size_t index)
{
    struct site_stay stay;
    memcpy(&stay, g->stays.bytes + g->stays.items[index].at, sizeof stay);
    return stay;
}

bool site_groups_members(struct site_groups *g, uint32_t group, bool *members)
{
    uint32_t own;
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

/* Note that a context is switched to a physical SPE. */
static bool note_switch(struct site_groups *g, const csy_decoded *event)
{
    uint32_t actor, index, context;
    uint64_t unit;
    bool added;
    if (!event_switches_in(event, &context, &unit) ||
        !keys_look(&g->instants->actors.keys, keys_pair(ACTOR_SPE, context), &actor))
        return true;
    const struct site_stay stay = {actor, unit};
    if (g->actors[actor].first == NO_UNIT)
        g->actors[actor].first = stay.unit;
    return texts_find(&g->stays, (const char *)&stay, sizeof stay, &index, &added);
}

struct noting {
    struct site_groups *groups;
    struct event_pass pass;
};

/* Note the site that a record gives its writer. */
static csy_status note(void *user, const csy_decoded *event, csy_error *error)
{
    const struct noting *noting = user;
    struct site_groups *g = noting->groups;
    bool named = event->track != CSY_NO_TRACK;
    csy_text node = noting->pass.single ? noting->pass.events->event.stamp.node : (csy_text){"", 0};
    enum actor_kind kind = named                         ? ACTOR_NAMED
                           : event->core == CSY_CORE_SPE ? ACTOR_SPE
                                                         : ACTOR_PPE;
    uint32_t actor;
    bool known = keys_look(&g->instants->actors.keys,
                           keys_pair(kind, named ? event->track : event->tid), &actor);
    return note_switch(g, event) && (!known || sites_note(&g->sites, actor, event, node))
               ? CSY_OK
               : error_memory(error);
}

static csy_status number(struct site_groups *g, csy_error *error)
{
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

csy_status site_groups_read(struct site_groups *g, const struct instants *in, csy_per by,
                            csy_error *error)
{
    *g = (struct site_groups){.instants = in, .by = by};
    csy_status status = sites_init(&g->sites, &in->senses, error);
    g->actors = calloc(in->actors.count + 1, sizeof *g->actors);
    if (!status && !g->actors)
        status = error_memory(error);
    for (size_t i = 0; !status && i < in->actors.count; i++)
        g->actors[i].first = NO_UNIT;
    struct noting noting = {g, {.sync = in->sync, .single = in->sync->trace->partial}};
    if (!status)
        status = events_each(&noting.pass, note, &noting, error);
    return status ? status : number(g, error);
}

void site_groups_fini(struct site_groups *g)
{
    sites_fini(&g->sites);
    texts_fini(&g->names);
    texts_fini(&g->stays);
    free(g->actors);
    *g = (struct site_groups){0};
}
