/* Counts collective operations while several locations are read at the same time. */
#include "order/stream_members.h"

#include "base/array.h"
#include "base/error.h"
#include "base/texts.h"
#include "order/operations.h"

#include <stdlib.h>
#include <string.h>

#define NONE UINT32_MAX

/* Limit of timestamps. Sums of a few smaller timestamps fit in 64 bits. */
#define TICKS_MAX ((int64_t)1 << 61)

struct instance {
    struct stream_item item; /* operation of the member that was the first to have this instance */
    uint32_t count, enters, leaves;
};

struct member {
    uint32_t location;
    uint64_t count; /* number of operations of the member that were read */
    int64_t began_ticks;
    uint32_t instance; /* instance number that the member's last operation states */
};

struct group {
    uint32_t *slots; /* index of the member of each rank, or NONE */
    size_t nslots, slots_capacity;
    struct member *members;
    size_t nmembers, members_capacity;
    uint32_t ranks; /* expected number of members */
    /* ring of incomplete instances, numbered from `first` to `end` - 1; its size is a power of 2 */
    struct instance *open;
    uint64_t first, end;
    size_t room;
};

struct stream_members {
    struct texts keys; /* numbers of groups in the trace, as texts; same index as `groups` */
    struct group *groups;
    size_t ngroups, capacity;
    uint64_t waiting, instances, enters, leaves;
    bool failed;
};

csy_status stream_members_new(struct stream_members **out, csy_error *error)
{
    *out = calloc(1, sizeof **out);
    return *out ? CSY_OK : error_memory(error);
}

void stream_members_free(struct stream_members *m)
{
    if (!m)
        return;
    for (size_t i = 0; i < m->ngroups; i++)
        FREE_ALL(m->groups[i].slots, m->groups[i].members, m->groups[i].open);
    texts_fini(&m->keys);
    FREE_ALL(m->groups, m);
}

uint64_t stream_members_waiting(const struct stream_members *m)
{
    return m->waiting;
}

static bool agrees(const struct stream_item *x, const struct stream_item *y)
{
    return x->kind == y->kind && x->has_instance == y->has_instance &&
           (!x->has_instance || x->key[2] == y->key[2]) &&
           (!operation_is_rooted((enum collective_kind)x->kind) ||
            (x->has_root && y->has_root && x->key[1] == y->key[1]));
}

/* Count an instance's enters and leaves. Returns false if it has enters or leaves only. */
static bool count(struct stream_members *m, const struct instance *instance)
{
    m->instances += instance->enters > 0 && instance->leaves > 0;
    m->enters += instance->enters;
    m->leaves += instance->leaves;
    return (instance->enters > 0) == (instance->leaves > 0);
}

/* Find or add the member of a rank. Returns NULL if it has several locations, or ranks are many. */
static struct member *find_member(struct group *g, uint32_t rank, uint32_t location)
{
    if (rank == NONE ||
        !ARRAY_EXTEND(g->slots, g->nslots, g->slots_capacity, (size_t)rank + 1, NONE))
        return NULL;
    if (g->slots[rank] == NONE) {
        if (g->nmembers == g->ranks || !ARRAY_PUSH(g->members, g->nmembers, g->members_capacity,
                                                   (struct member){.location = location}))
            return NULL;
        g->slots[rank] = (uint32_t)g->nmembers - 1;
    }
    struct member *member = &g->members[g->slots[rank]];
    return member->location == location ? member : NULL;
}

bool stream_members_item(struct stream_members *m, size_t location, const struct stream_item *item)
{
    const struct event_collective is = stream_members_collective(item);
    uint32_t number;
    if (m->failed)
        return false;
    m->failed = true; /* false again at the end, unless adding the item fails */
    if (!texts_find(&m->keys, (const char *)&item->key[0], sizeof item->key[0], &number, NULL) ||
        !ARRAY_EXTEND(m->groups, m->ngroups, m->capacity, (size_t)number + 1,
                      (struct group){.ranks = item->ranks}))
        return false;
    struct group *g = &m->groups[number];
    struct member *member = find_member(g, item->key[3], (uint32_t)location);
    if (!member || (member->count == g->end &&
                    !RING_PUSH(g->open, g->room, g->first, g->end, (struct instance){.count = 0})))
        return false;
    struct instance *instance = &g->open[member->count & (g->room - 1)];
    if (item->time_ticks < 0 || item->time_ticks >= TICKS_MAX || !agrees(item, item))
        return false;
    if (item->interval ? item->other_ticks < member->began_ticks : operation_enters(&is))
        return false;
    if (instance->count > 0 && !agrees(&instance->item, item))
        return false;
    if (item->has_instance && member->count > 0 && item->key[2] <= member->instance)
        return false;
    member->instance = item->key[2];
    if (instance->count == 0)
        instance->item = *item;
    member->count++;
    member->began_ticks = item->interval ? item->other_ticks : member->began_ticks;
    instance->count++;
    instance->enters += operation_enters(&is);
    instance->leaves += operation_leaves(&is);
    m->waiting++;
    m->failed = false;
    if (instance->count < g->ranks)
        return true;
    /* Instances become complete in order, so the first one is removed. */
    m->waiting -= instance->count;
    g->first++;
    m->failed = !count(m, instance);
    return !m->failed;
}

bool stream_members_finish(struct stream_members *m, struct stream_members_result *out)
{
    bool good = !m->failed;
    size_t n = 0;
    /* All members must have the same number of operations. Count the incomplete instances. */
    for (size_t i = 0; i < m->ngroups && good; i++) {
        const struct group *g = &m->groups[i];
        n += g->nmembers;
        for (size_t k = 1; k < g->nmembers; k++)
            good &= g->members[k].count == g->members[0].count;
        for (uint64_t k = g->first; k < g->end && good; k++)
            good = count(m, &g->open[k & (g->room - 1)]);
    }
    *out = (struct stream_members_result){
        .groups = m->instances, .enters = m->enters, .leaves = m->leaves};
    out->members = good ? malloc((n + 1) * sizeof *out->members) : NULL;
    for (size_t i = 0; i < m->ngroups && out->members; i++) {
        uint32_t group;
        memcpy(&group, m->keys.bytes + m->keys.items[i].at, sizeof group);
        for (uint32_t rank = 0; rank < m->groups[i].nslots; rank++)
            if (m->groups[i].slots[rank] != NONE)
                out->members[out->nmembers++] = (struct stream_member){group, rank};
    }
    return out->members != NULL;
}
