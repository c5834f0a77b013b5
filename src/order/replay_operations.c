/* Collective operations while a trace is gone over again. */
#include "order/replay_operations.h"

#include "base/array.h"
#include "base/error.h"
#include "order/operations.h"

#include <stdlib.h>

#define NONE UINT32_MAX

/* Room for instances of a group at first. */
enum { OPEN_MIN = 4 };

/* A member's record of an instance. */
struct record {
    struct replay_source begin, hub; /* the latter in scans, of those up to it */
    uint32_t waits;                  /* its location, if its end does, or NO_LOCATION */
    bool begun;
    bool known;    /* it has begun, or is not one that enters */
    bool enters;   /* others may come after its begin */
    bool leaves;   /* its end may come after others' */
    bool interval; /* it has a begin, */
    bool early;    /* whose timestamp is lower than that of the event before it on its location */
    bool has_hub;
};

struct instance {
    struct record *records; /* by member */
    struct replay_source hub;
    uint32_t nknown, nended, nwaiting;
    uint32_t low; /* members before this one are known */
    uint32_t root;
    enum collective_kind kind;
    bool has_hub;
    bool visited; /* something of it was */
};

struct group {
    const struct meet_member *members;
    uint32_t nmembers;
    uint64_t *counts;      /* by member: of its records */
    struct instance *open; /* a ring of a power of 2 */
    uint64_t first, end;   /* numbers of those in it */
    size_t room;
    uint32_t key; /* the source's number */
};

struct operations {
    struct operations_rules rules;
    struct group *groups;
    size_t ngroups;
    struct replay_before before[REPLAY_LOCATIONS_MOST + 1], before_hub[REPLAY_LOCATIONS_MOST + 1];
};

static size_t count_groups(const struct replay_visitor *visitor)
{
    size_t n = 0;
    for (size_t i = 0; i < visitor->nmembers; i++)
        n += i == 0 || visitor->members[i].group != visitor->members[i - 1].group;
    return n;
}

static int by_key(const void *a, const void *b)
{
    const struct group *x = a, *y = b;
    return (x->key > y->key) - (x->key < y->key);
}

csy_status operations_new(const struct operations_rules *rules, struct operations **out,
                          csy_error *error)
{
    const struct replay_visitor *visitor = rules->visitor;
    struct operations *o = calloc(1, sizeof *o);
    *out = o;
    if (!o)
        return error_memory(error);
    o->rules = *rules;
    o->groups = calloc(count_groups(visitor) + 1, sizeof *o->groups);
    if (!o->groups)
        return error_memory(error);
    for (size_t i = 0, end; i < visitor->nmembers; i = end) {
        struct group *g = &o->groups[o->ngroups++];
        for (end = i;
             end < visitor->nmembers && visitor->members[end].group == visitor->members[i].group;)
            end++;
        *g = (struct group){.members = &visitor->members[i],
                            .nmembers = (uint32_t)(end - i),
                            .counts = calloc(end - i, sizeof *g->counts),
                            .key = visitor->members[i].group};
        if (!g->counts)
            return error_memory(error);
    }
    if (o->ngroups > 1)
        qsort(o->groups, o->ngroups, sizeof *o->groups, by_key);
    return CSY_OK;
}

static struct instance *instance_at(const struct group *g, uint64_t number)
{
    return &g->open[number & (g->room - 1)];
}

void operations_free(struct operations *o)
{
    if (!o)
        return;
    for (size_t i = 0; i < o->ngroups; i++) {
        for (uint64_t k = o->groups[i].first; k < o->groups[i].end; k++)
            free(instance_at(&o->groups[i], k)->records);
        free(o->groups[i].open);
        free(o->groups[i].counts);
    }
    free(o->groups);
    free(o);
}

/* --- Records -------------------------------------------------------------------------------- */

static struct group *find_group(const struct operations *o, uint32_t key)
{
    size_t low = 0, high = o->ngroups;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (o->groups[middle].key < key)
            low = middle + 1;
        else
            high = middle;
    }
    return low < o->ngroups && o->groups[low].key == key ? &o->groups[low] : NULL;
}

/* The number of the member that has a rank, or NONE. */
static uint32_t find_member(const struct group *g, uint32_t rank)
{
    uint32_t low = 0, high = g->nmembers;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (g->members[middle].rank < rank)
            low = middle + 1;
        else
            high = middle;
    }
    return low < g->nmembers && g->members[low].rank == rank ? low : NONE;
}

/* One that is open, by its number; the one after the last begins. */
static struct instance *find_open(struct group *g, uint64_t number)
{
    if (number < g->end)
        return instance_at(g, number);
    if (g->end - g->first == g->room && !RING_GROW(g->open, g->room, OPEN_MIN, g->first, g->end))
        return NULL;
    struct record *records = calloc(g->nmembers, sizeof *records);
    if (!records)
        return NULL;
    for (uint32_t i = 0; i < g->nmembers; i++) {
        records[i].waits = NO_LOCATION;
        records[i].begin.point = records[i].hub.point = NO_POINT;
    }
    struct instance *instance = instance_at(g, g->end++);
    *instance = (struct instance){.records = records, .hub = {.point = NO_POINT}};
    return instance;
}

/* Whether all whose begins come before its end are known. */
static bool may_end(const struct group *g, const struct instance *instance, uint32_t member)
{
    const struct record *record = &instance->records[member];
    if (!record->leaves)
        return true;
    if (operation_goes_up(instance->kind))
        return instance->low >= member;
    if (operation_comes_of_root(instance->kind))
        return instance->root != NONE && instance->records[instance->root].known;
    return instance->nknown == g->nmembers;
}

static void note_known(const struct operations *o, const struct group *g, struct instance *instance,
                       struct record *record)
{
    if (record->known)
        return;
    record->known = true;
    instance->nknown++;
    while (instance->low < g->nmembers && instance->records[instance->low].known)
        instance->low++;
    for (uint32_t i = 0; i < g->nmembers && instance->nwaiting > 0; i++) {
        uint32_t waits = instance->records[i].waits;
        if (waits == NO_LOCATION || !may_end(g, instance, i))
            continue;
        instance->records[i].waits = NO_LOCATION;
        instance->nwaiting--;
        o->rules.wake(o->rules.user, waits);
    }
}

/* --- Visiting ------------------------------------------------------------------------------- */

static csy_status visit(const struct operations *o, const struct replay_event *event,
                        csy_error *error)
{
    return o->rules.visitor->visit(o->rules.visitor->user, event, error);
}

csy_status operations_begin(struct operations *o, const struct operation_at *at,
                            const struct replay_event *event, csy_error *error)
{
    struct group *g = &o->groups[at->group];
    struct instance *instance = instance_at(g, at->instance);
    struct record *record = &instance->records[at->member];
    struct replay_event made = *event;
    if (record->begun || !record->interval)
        return CSY_OK;
    record->begun = instance->visited = true;
    record->begin.ticks = event->ticks;
    record->begin.location = event->location;
    made.own = &record->begin;
    made.kind = REPLAY_BEGIN;
    made.chained = false;
    made.early = record->early;
    csy_status status = visit(o, &made, error);
    note_known(o, g, instance, record);
    return status;
}

csy_status operations_read(struct operations *o, const struct stream_item *item,
                           const struct replay_event *event, struct operation_at *at, bool *good,
                           csy_error *error)
{
    const struct event_collective is = meet_members_collective(item);
    struct group *g = find_group(o, item->key[0]);
    uint32_t member = g ? find_member(g, item->key[3]) : NONE;
    *good = member != NONE;
    if (!*good)
        return CSY_OK;
    *at = (struct operation_at){g->counts[member]++, (uint32_t)(g - o->groups), member};
    struct instance *instance = find_open(g, at->instance);
    if (!instance)
        return error_memory(error);
    struct record *record = &instance->records[member];
    bool up = operation_goes_up(is.kind);
    record->enters = up ? operation_gives(&is) : operation_enters(&is);
    record->leaves = up ? operation_gets(&is) : operation_leaves(&is);
    record->interval = item->interval;
    record->early = stream_is_early(item);
    instance->kind = is.kind;
    instance->root = find_member(g, item->key[1]);
    if (!record->enters)
        note_known(o, g, instance, record);
    return record->early ? operations_begin(o, at, event, error) : CSY_OK;
}

static void forget(const struct operations *o, struct replay_source *source)
{
    if (source->point != NO_POINT && o->rules.visitor->forget)
        o->rules.visitor->forget(o->rules.visitor->user, source);
    source->point = NO_POINT;
}

static csy_status visit_hub(struct operations *o, const struct replay_event *end, size_t nbefore,
                            struct replay_source *own, csy_error *error)
{
    own->location = NO_LOCATION;
    const struct replay_event hub = {.replay = end->replay,
                                     .own = own,
                                     .before = o->before_hub,
                                     .nbefore = nbefore,
                                     .kind = REPLAY_HUB,
                                     .location = end->location,
                                     .key = end->key,
                                     .position = UINT64_MAX,
                                     .place = end->place};
    return visit(o, &hub, error);
}

/* All begins before the end: by a hub where there are several of both. */
static csy_status come_after(struct operations *o, const struct group *g, struct instance *instance,
                             struct replay_event *event, csy_error *error)
{
    uint32_t nenters = 0, nleaves = 0;
    csy_status status = CSY_OK;
    for (uint32_t i = 0; i < g->nmembers; i++) {
        nenters += instance->records[i].enters;
        nleaves += instance->records[i].leaves;
    }
    bool hub = nenters > 1 && nleaves > 1;
    struct replay_before *before = hub ? o->before_hub : o->before + event->nbefore;
    size_t n = 0;
    for (uint32_t i = 0; i < g->nmembers && !instance->has_hub; i++)
        if (instance->records[i].enters)
            before[n++] = (struct replay_before){&instance->records[i].begin, EDGE_ENTER};
    if (!hub) {
        event->nbefore += n;
        return CSY_OK;
    }
    if (!instance->has_hub)
        status = visit_hub(o, event, n, &instance->hub, error);
    instance->has_hub = true;
    o->before[event->nbefore++] = (struct replay_before){&instance->hub, EDGE_LEAVE};
    return status;
}

/* What members of lower ranks gave goes on from hub to hub. */
static csy_status come_after_lower(struct operations *o, struct instance *instance, uint32_t member,
                                   struct replay_event *event, csy_error *error)
{
    uint32_t end = member + (instance->kind == COLLECTIVE_SCAN);
    struct replay_source *last = NULL;
    csy_status status = CSY_OK;
    for (uint32_t i = 0; i < end && !status; i++) {
        struct record *record = &instance->records[i];
        size_t n = 0;
        if (!record->enters)
            continue;
        if (!record->has_hub) {
            o->before_hub[n++] = (struct replay_before){&record->begin, EDGE_ENTER};
            if (last)
                o->before_hub[n++] = (struct replay_before){last, EDGE_LEAVE};
            status = visit_hub(o, event, n, &record->hub, error);
            record->has_hub = true;
        }
        last = &record->hub;
    }
    if (last)
        o->before[event->nbefore++] = (struct replay_before){last, EDGE_LEAVE};
    return status;
}

/* One whose members have all ended. */
static void forget_instance(const struct operations *o, struct group *g, struct instance *instance)
{
    forget(o, &instance->hub);
    for (uint32_t i = 0; i < g->nmembers; i++) {
        forget(o, &instance->records[i].begin);
        forget(o, &instance->records[i].hub);
    }
    free(instance->records);
    instance->records = NULL;
    while (g->first < g->end && !instance_at(g, g->first)->records)
        g->first++;
}

csy_status operations_end(struct operations *o, const struct operation_at *at,
                          const struct replay_event *event, bool *blocked, csy_error *error)
{
    struct group *g = &o->groups[at->group];
    struct instance *instance = instance_at(g, at->instance);
    struct record *record = &instance->records[at->member];
    struct replay_event made = *event;
    csy_status status = CSY_OK;
    *blocked = !may_end(g, instance, at->member);
    if (*blocked) {
        instance->nwaiting += record->waits == NO_LOCATION;
        record->waits = event->location;
        return CSY_OK;
    }
    instance->visited = true;
    made.kind = REPLAY_END;
    made.before = o->before;
    if (record->interval)
        o->before[made.nbefore++] = (struct replay_before){&record->begin, EDGE_INTERVAL};
    if (record->leaves)
        status = operation_goes_up(instance->kind)
                     ? come_after_lower(o, instance, at->member, &made, error)
                     : come_after(o, g, instance, &made, error);
    if (!status)
        status = visit(o, &made, error);
    if (++instance->nended == g->nmembers)
        forget_instance(o, g, instance);
    return status;
}

void operations_each(const struct operations *o,
                     void (*each)(void *user, struct replay_source *source), void *user)
{
    for (size_t i = 0; i < o->ngroups; i++)
        for (uint64_t k = o->groups[i].first; k < o->groups[i].end; k++) {
            struct instance *instance = instance_at(&o->groups[i], k);
            if (!instance->records || !instance->visited)
                continue;
            for (uint32_t m = 0; m < o->groups[i].nmembers; m++) {
                each(user, &instance->records[m].begin);
                each(user, &instance->records[m].hub);
            }
            each(user, &instance->hub);
        }
}
