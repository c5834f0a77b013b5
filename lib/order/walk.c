/* Visits sends, receives, and operations, each after its predecessors. */
#include "order/walk.h"

#include "base/array.h"
#include "base/error.h"
#include "base/sort.h"
#include "clock/points.h"
#include "order/operations.h"
#include "order/rebase.h"
#include "order/shared_ends.h"
#include "trace/streams.h"
#include "trace/trace.h"

#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

struct order_walk_sent;

struct order_walk_sends {
    struct order_walk_sent *ring; /* a ring; its size is a power of 2 */
    /* `ring` has the sends with numbers from `first` to `end` - 1 */
    uint64_t first, end;
    size_t room;
};

struct order_walk_sent {
    struct order_walk_source send;
    uint64_t position, place;
    int64_t end_ticks;
    enum { SENT_NOT, SENT_WAITS, SENT_RECEIVED } state;
};

static struct order_walk_sent *sent_at(const struct order_walk_sends *sends, uint64_t number)
{
    return &sends->ring[number & (sends->room - 1)];
}

/* Returns the send `number` if it waits for its receive, or NULL. Valid until a send is added. */
static struct order_walk_source *order_walk_sends_find(const struct order_walk_sends *sends,
                                                       uint64_t number)
{
    bool known = number >= sends->first && number < sends->end;
    return known && sent_at(sends, number)->state == SENT_WAITS ? &sent_at(sends, number)->send
                                                                : NULL;
}

/* Collective operations. Operation k of each member of a group belongs to instance k. At its end, a
 * member waits until the members that give it data have begun. An instance is stored until all
 * members have ended it. fast_streams_read (fast/fast.h) has checked that none is missing. */

struct operation_at {
    uint64_t instance;
    uint32_t group, member;
};

#define NONE UINT32_MAX

/* The part of one location in a collective operation. */
struct member_record {
    struct order_walk_source begin, hub;
    /* location that stops before the end of this record until others have begun the operation,
     * or NO_LOCATION */
    uint32_t waits;
    bool begun;
    bool known;
    /* true if this begin must come before the ends at other locations */
    bool enters;
    /* true if this end must come after the begins at other locations */
    bool leaves;
    bool interval; /* true if the record has a begin */
    bool early;    /* true if the begin is before the end of the previous event of its location */
    bool has_hub;
};

struct instance {
    struct member_record *records; /* indexed by member */
    struct stream_item first;      /* the operation that was read first */
    uint32_t nread, nenters, nleaves;
    struct order_walk_source hub;
    uint32_t nknown, nended, nwaiting;
    uint32_t low;  /* index of the first record with a false `known` */
    uint32_t root; /* index of the member that is the root, or NONE */
    bool has_hub;
    bool visited;
};

struct group {
    const struct stream_member *members;
    uint32_t nmembers;
    uint64_t *counts;      /* for each member: number of operations read */
    struct instance *open; /* a ring of operations that are not complete; its size is a power of
                            * 2 */
    uint64_t first, end;
    size_t room;
    uint32_t key; /* number of the group in the trace */
};

/* Number of file descriptors for other files. Each location also needs one. */
enum { SPARE_FILES = 24 };

/* If an event must be inserted before more events than this, all are sorted instead. */
enum { LATE_MOST = 32 };

#define NO_CHANNEL UINT32_MAX

/* An event that was read ahead. The visitor's function `visit` was not called for it yet. */
struct waiting {
    uint64_t position, place;
    int64_t ticks;
    union {
        /* number of a receive in its channel, in the order of posting; unused if shared */
        uint64_t number;
        struct operation_at at;
    } of;
    int64_t begin_ticks; /* time of the begin, if the event has one */
    uint32_t key;        /* number of a message's channel, or of an operation's group */
    uint8_t role;
    /* interval: the event has a begin; early: the begin is before the end of the previous event */
    bool interval, early;
};

struct location {
    /* events that were read ahead, sorted by position. `visit` was not called yet for items[first]
     * and later ones. */
    struct waiting *items;
    size_t first, count, capacity;
    uint64_t known; /* all events with a position below `known` have been read */
    uint64_t next;
    /* lower limit of the times of all events from position `next` on */
    int64_t reached_ticks;
    bool queued; /* true if the location is in the list `ready` */
    /* true if the location waits for a send, and is in the list of the send's channel */
    bool waits;
    uint32_t next_waiter; /* next location in the list of the channel, or NO_LOCATION */
    /* for sends and receives in shared channels: their numbers in the channel; a ring of size
     * `room` */
    uint64_t *numbers;
    uint64_t first_number, end_number;
    size_t room;
};

struct channel {
    struct order_walk_sends sends;
    /* how many sends (index 0, if shared) and receives (1) got a number */
    uint64_t numbered[2];
    bool shared;     /* true if several locations of one clock send, or several receive */
    uint32_t waiter; /* first location that waits for a send of the channel, or NO_LOCATION */
    /* number of the channel found last time after this one, to try first */
    uint32_t next;
};

struct order_walk {
    const struct stream_reading *source;
    struct order_walk_visitor visitor;
    struct streams *streams;
    struct location *locations;
    size_t nlocations;
    uint32_t *ready;
    size_t nready;
    struct group *groups; /* sorted by key */
    size_t ngroups;
    struct order_walk_before before[WALK_LOCATIONS_MOST + 1], before_hub[WALK_LOCATIONS_MOST + 1];
    struct order_walk_source *begun;
    uint32_t *clocks;
    int64_t *starts;            /* for each clock: time of its earliest event (trace/streams.h) */
    struct shared_ends *shared; /* sorts ends in shared channels; NULL if there are none */
    struct channel *channels;   /* indexed by their numbers in visitor.keys */
    size_t nchannels;
    uint32_t last_channel; /* channel of the last event that was read, or NO_CHANNEL */
    struct order_walk_counts counts;
    bool stop, failed;
};

static int by_key(const void *a, const void *b)
{
    const struct group *x = a, *y = b;
    return COMPARE(x->key, y->key);
}

static struct instance *instance_at(const struct group *g, uint64_t number)
{
    return &g->open[number & (g->room - 1)];
}

/* --- Records -------------------------------------------------------------------------------- */

/* Returns the member with this rank, or NONE. */
static uint32_t find_member(const struct group *g, uint32_t rank)
{
    uint32_t low = 0, high = g->nmembers;
    BISECT(low, high, middle, g->members[middle].rank < rank);
    return low < g->nmembers && g->members[low].rank == rank ? low : NONE;
}

/* Find the group's operation with this number, which must not be complete. The number g->end makes
 * a new operation. Returns NULL if memory runs out. */
static struct instance *find_open(struct group *g, uint64_t number)
{
    if (number < g->end)
        return instance_at(g, number);
    struct member_record *records = calloc(g->nmembers, sizeof *records);
    if (!records)
        return NULL;
    for (uint32_t i = 0; i < g->nmembers; i++) {
        records[i].waits = NO_LOCATION;
        records[i].begin.point = records[i].hub.point = NO_POINT;
    }
    if (!RING_PUSH(g->open, g->room, g->first, g->end,
                   (struct instance){.records = records, .hub = {.point = NO_POINT}})) {
        free(records);
        return NULL;
    }
    return instance_at(g, number);
}

static bool may_end(const struct group *g, const struct instance *instance, uint32_t member)
{
    const struct member_record *record = &instance->records[member];
    if (!record->leaves)
        return true;
    if (operation_goes_up((enum collective_kind)instance->first.kind))
        return instance->low >= member;
    if (operation_comes_of_root((enum collective_kind)instance->first.kind))
        return instance->root != NONE && instance->records[instance->root].known;
    return instance->nknown == g->nmembers;
}

static csy_status tell(const struct order_walk *r, const struct order_walk_event *event,
                       csy_error *error)
{
    return r->visitor.visit(r->visitor.user, event, error);
}

static void wake(struct order_walk *r, uint32_t location)
{
    if (location == NO_LOCATION || r->locations[location].queued)
        return;
    r->locations[location].queued = true;
    r->ready[r->nready++] = location;
}

static void note_known(struct order_walk *r, const struct group *g, struct instance *instance,
                       struct member_record *record)
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
        wake(r, waits);
    }
}

/* --- Visiting ------------------------------------------------------------------------------- */

static csy_status operations_begin(struct order_walk *r, const struct operation_at *at,
                                   const struct order_walk_event *event, csy_error *error)
{
    struct group *g = &r->groups[at->group];
    struct instance *instance = instance_at(g, at->instance);
    struct member_record *record = &instance->records[at->member];
    struct order_walk_event made = *event;
    if (record->begun || !record->interval)
        return CSY_OK;
    record->begun = instance->visited = true;
    record->begin.ticks = event->ticks;
    record->begin.location = event->location;
    made.own = &record->begin;
    made.kind = WALK_BEGIN;
    made.chained = false;
    made.early = record->early;
    csy_status status = tell(r, &made, error);
    note_known(r, g, instance, record);
    return status;
}

/* Returns true if two operations of an instance agree about kind, root, and instance number. */
static bool agrees(const struct stream_item *x, const struct stream_item *y)
{
    return x->kind == y->kind && x->has_instance == y->has_instance &&
           (!x->has_instance || x->key[2] == y->key[2]) &&
           (!operation_is_rooted((enum collective_kind)x->kind) ||
            (x->has_root && y->has_root && x->key[1] == y->key[1]));
}

static csy_status operations_read(struct order_walk *r, const struct stream_item *item,
                                  const struct order_walk_event *event, struct operation_at *at,
                                  bool *good, csy_error *error)
{
    const struct event_collective is = stream_item_collective(item);
    size_t at_group = 0, high = r->ngroups;
    BISECT(at_group, high, middle, r->groups[middle].key < item->key[0]);
    struct group *g = &r->groups[at_group];
    g = at_group < r->ngroups && g->key == item->key[0] ? g : NULL;
    uint32_t member = g ? find_member(g, item->key[3]) : NONE;
    *good = member != NONE;
    if (!*good)
        return CSY_OK;
    *at = (struct operation_at){g->counts[member]++, (uint32_t)(g - r->groups), member};
    struct instance *instance = find_open(g, at->instance);
    if (!instance)
        return error_memory(error);
    struct member_record *record = &instance->records[member];
    bool up = operation_goes_up(is.kind);
    record->enters = up ? operation_gives(&is) : operation_enters(&is);
    record->leaves = up ? operation_gets(&is) : operation_leaves(&is);
    record->interval = item->interval;
    record->early = stream_is_early(item);
    if (instance->nread++ == 0)
        instance->first = *item;
    *good = agrees(&instance->first, item);
    if (!*good)
        return CSY_OK;
    instance->nenters += operation_enters(&is);
    instance->nleaves += operation_leaves(&is);
    instance->root = find_member(g, item->key[1]);
    if (!record->enters)
        note_known(r, g, instance, record);
    return record->early ? operations_begin(r, at, event, error) : CSY_OK;
}

static void forget(const struct order_walk *r, struct order_walk_source *source)
{
    if (source->point != NO_POINT && r->visitor.forget)
        r->visitor.forget(r->visitor.user, source);
    source->point = NO_POINT;
}

static csy_status visit_hub(struct order_walk *r, const struct order_walk_event *end,
                            size_t nbefore, struct order_walk_source *own, csy_error *error)
{
    own->location = NO_LOCATION;
    const struct order_walk_event hub = {.walk = end->walk,
                                         .own = own,
                                         .before = r->before_hub,
                                         .nbefore = nbefore,
                                         .kind = WALK_HUB,
                                         .location = end->location,
                                         .key = end->key,
                                         .position = UINT64_MAX,
                                         .place = end->place};
    return tell(r, &hub, error);
}

/* Add edges to `event`, the end of a collective operation at one location, from the begins of this
 * operation at other locations. If several begins precede several ends, all edges lead through one
 * additional point, the hub. This avoids an edge from each begin to each end. */
static csy_status come_after(struct order_walk *r, const struct group *g, struct instance *instance,
                             struct order_walk_event *event, csy_error *error)
{
    uint32_t nenters = 0, nleaves = 0;
    csy_status status = CSY_OK;
    for (uint32_t i = 0; i < g->nmembers; i++) {
        nenters += instance->records[i].enters;
        nleaves += instance->records[i].leaves;
    }
    bool hub = nenters > 1 && nleaves > 1;
    struct order_walk_before *before = hub ? r->before_hub : r->before + event->nbefore;
    size_t n = 0;
    for (uint32_t i = 0; i < g->nmembers && !instance->has_hub; i++)
        if (instance->records[i].enters)
            before[n++] = (struct order_walk_before){&instance->records[i].begin, EDGE_ENTER};
    if (!hub) {
        event->nbefore += n;
        return CSY_OK;
    }
    if (!instance->has_hub)
        status = visit_hub(r, event, n, &instance->hub, error);
    instance->has_hub = true;
    r->before[event->nbefore++] = (struct order_walk_before){&instance->hub, EDGE_LEAVE};
    return status;
}

/* Add the edges to the end of a record of a scan, which follows the begins of lower ranks. The hub
 * of a rank, a point without a record, follows the rank's begin and the next lower hub. */
static csy_status come_after_lower(struct order_walk *r, struct instance *instance, uint32_t member,
                                   struct order_walk_event *event, csy_error *error)
{
    uint32_t end = member + (instance->first.kind == COLLECTIVE_SCAN);
    struct order_walk_source *last = NULL;
    csy_status status = CSY_OK;
    for (uint32_t i = 0; i < end && !status; i++) {
        struct member_record *record = &instance->records[i];
        size_t n = 0;
        if (!record->enters)
            continue;
        if (!record->has_hub) {
            r->before_hub[n++] = (struct order_walk_before){&record->begin, EDGE_ENTER};
            if (last)
                r->before_hub[n++] = (struct order_walk_before){last, EDGE_LEAVE};
            status = visit_hub(r, event, n, &record->hub, error);
            record->has_hub = true;
        }
        last = &record->hub;
    }
    if (last)
        r->before[event->nbefore++] = (struct order_walk_before){last, EDGE_LEAVE};
    return status;
}

static csy_status operations_end(struct order_walk *r, const struct operation_at *at,
                                 const struct order_walk_event *event, bool *blocked,
                                 csy_error *error)
{
    struct group *g = &r->groups[at->group];
    struct instance *instance = instance_at(g, at->instance);
    struct member_record *record = &instance->records[at->member];
    struct order_walk_event made = *event;
    csy_status status = CSY_OK;
    *blocked = !may_end(g, instance, at->member);
    if (*blocked) {
        instance->nwaiting += record->waits == NO_LOCATION;
        record->waits = event->location;
        return CSY_OK;
    }
    instance->visited = true;
    made.kind = WALK_END;
    made.before = r->before;
    if (record->interval)
        r->before[made.nbefore++] = (struct order_walk_before){&record->begin, EDGE_INTERVAL};
    if (record->leaves)
        status = operation_goes_up((enum collective_kind)instance->first.kind)
                     ? come_after_lower(r, instance, at->member, &made, error)
                     : come_after(r, g, instance, &made, error);
    if (!status)
        status = tell(r, &made, error);
    if (++instance->nended == g->nmembers) {
        r->counts.groups += instance->nenters > 0;
        r->counts.enters += instance->nenters;
        r->counts.leaves += instance->nleaves;
        /* The ordinary path reports operations that are only entered or only left. */
        r->failed |= (instance->nenters > 0) != (instance->nleaves > 0);
        forget(r, &instance->hub);
        for (uint32_t i = 0; i < g->nmembers; i++) {
            forget(r, &instance->records[i].begin);
            forget(r, &instance->records[i].hub);
        }
        free(instance->records);
        instance->records = NULL;
        while (g->first < g->end && !instance_at(g, g->first)->records)
            g->first++;
    }
    return status;
}

bool order_walk_can(struct csy_trace *trace)
{
    struct rlimit limit;
    const struct stream_reading *source = trace->source->streams;
    size_t n = source ? source->count(trace) : SIZE_MAX;
    if (n > WALK_LOCATIONS_MOST)
        return false;
    return getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY ||
           limit.rlim_cur >= SPARE_FILES + n;
}

static bool find_channel(struct order_walk *r, const uint32_t key[4], uint32_t *out)
{
    uint32_t last = r->last_channel;
    *out = last != NO_CHANNEL ? r->channels[last].next : NO_CHANNEL;
    const struct texts *keys = r->visitor.keys;
    bool right =
        *out < keys->count && memcmp(keys->bytes + keys->items[*out].at, key, 4 * sizeof *key) == 0;
    if ((!right && !texts_look(keys, (const char *)key, 4 * sizeof *key, out)) ||
        *out >= r->nchannels)
        return false;
    r->last_channel = *out;
    r->channels[last != NO_CHANNEL ? last : *out].next = *out;
    return true;
}

struct stream_item order_walk_item(const struct order_walk_event *event)
{
    const struct texts *keys = event->walk->visitor.keys;
    bool send = event->kind == WALK_SEND, recv = event->kind == WALK_RECV;
    struct stream_item item = {.position = event->position,
                               .place = event->place,
                               .time_ticks = event->ticks,
                               .other_ticks = event->ticks,
                               .role = send   ? STREAM_SEND
                                       : recv ? STREAM_RECV
                                              : STREAM_MEMBER};
    if (send || recv)
        memcpy(item.key, keys->bytes + keys->items[event->key].at, sizeof item.key);
    else
        item.key[0] = event->key;
    return item;
}

/* --- Sends under way -------------------------------------------------------------------------- */

void order_walk_stop(struct order_walk *walk)
{
    walk->stop = true;
}

void order_walk_each_source(struct order_walk *walk,
                            void (*each)(void *user, struct order_walk_source *source), void *user)
{
    for (size_t g = 0; g < walk->ngroups; g++)
        for (uint64_t k = walk->groups[g].first; k < walk->groups[g].end; k++) {
            struct instance *instance = instance_at(&walk->groups[g], k);
            if (!instance->records || !instance->visited)
                continue;
            for (uint32_t m = 0; m < walk->groups[g].nmembers; m++) {
                each(user, &instance->records[m].begin);
                each(user, &instance->records[m].hub);
            }
            each(user, &instance->hub);
        }
    if (walk->begun)
        each(user, walk->begun);
    for (size_t c = 0; c < walk->nchannels; c++) {
        const struct order_walk_sends *sends = &walk->channels[c].sends;
        for (uint64_t i = sends->first; i < sends->end; i++) {
            struct order_walk_source *send = order_walk_sends_find(sends, i);
            if (send)
                each(user, send);
        }
    }
}

void order_walk_each_location(const struct order_walk *walk,
                              void (*each)(void *user, uint32_t location, int64_t least_ticks),
                              void *user)
{
    for (uint32_t i = 0; i < walk->nlocations; i++) {
        const struct location *l = &walk->locations[i];
        if (l->known < UINT64_MAX || l->first < l->count)
            each(user, i, l->reached_ticks);
    }
}

/* --- Visiting --------------------------------------------------------------------------------- */

/* Get the number of a send or receive in its channel. Returns false if it is not known yet. */
static bool number_of(const struct order_walk *r, uint32_t location, const struct waiting *item,
                      uint64_t *out)
{
    const struct location *l = &r->locations[location];
    const struct channel *channel = &r->channels[item->key];
    *out = item->role == STREAM_RECV ? item->of.number : channel->sends.end;
    if (!channel->shared)
        return true;
    if (l->first_number == l->end_number)
        return false;
    *out = l->numbers[l->first_number & (l->room - 1)];
    return true;
}

/* Describe an event for the visitor, without edges to other events. */
static struct order_walk_event event_of(struct order_walk *r, uint32_t location,
                                        const struct waiting *item)
{
    return (struct order_walk_event){.walk = r,
                                     .chained = true,
                                     .location = location,
                                     .key = item->key,
                                     .position = item->position,
                                     .place = item->place,
                                     .ticks = item->ticks};
}

/* Returns true if it is unknown which location sent or received a message of the channel. */
static bool is_loose(const struct order_walk *r, const struct channel *channel)
{
    return channel->shared && !r->visitor.exact;
}

static csy_status visit_apart(struct order_walk *r, const struct order_walk_event *event,
                              csy_error *error)
{
    return r->visitor.all ? tell(r, event, error) : CSY_OK;
}

static csy_status visit_begin(struct order_walk *r, const struct waiting *item,
                              const struct order_walk_event *event, struct order_walk_source *own,
                              csy_error *error)
{
    struct order_walk_event begin = *event;
    begin.kind = WALK_BEGIN;
    begin.ticks = own->ticks = item->begin_ticks;
    begin.chained = false;
    begin.early = item->early;
    begin.own = r->begun = own;
    begin.leaves = 1;
    return tell(r, &begin, error);
}

static csy_status visit_send(struct order_walk *r, const struct waiting *item,
                             const struct order_walk_event *event, bool *blocked, csy_error *error)
{
    struct channel *channel = &r->channels[item->key];
    struct order_walk_event made = *event;
    uint64_t number;
    *blocked = !number_of(r, event->location, item, &number);
    if (*blocked)
        return CSY_OK;
    made.kind = WALK_SEND;
    made.begins = item->interval;
    made.loose = is_loose(r, channel) && !item->interval;
    made.chained = !item->interval && !made.loose;
    made.early = item->early;
    made.leaves = item->interval ? 2 : 1;
    made.ticks = item->interval ? item->begin_ticks : item->ticks;
    struct order_walk_source send = {
        .ticks = made.ticks, .point = NO_POINT, .location = event->location};
    made.own = &send;
    csy_status status = made.loose ? visit_apart(r, event, error) : CSY_OK;
    if (!status)
        status = tell(r, &made, error);
    struct order_walk_sends *sends = &channel->sends;
    bool good = !status;
    /* make room for sends with lower numbers, too, which may be visited later */
    while (good && sends->end <= number)
        good = RING_PUSH(sends->ring, sends->room, sends->first, sends->end,
                         (struct order_walk_sent){.state = SENT_NOT});
    if (good)
        *sent_at(sends, number) =
            (struct order_walk_sent){send, item->position, item->place, item->ticks, SENT_WAITS};
    else if (!status)
        status = error_memory(error);
    /* Wake all locations that wait for a send of this channel. */
    while (channel->waiter != NO_LOCATION) {
        uint32_t location = channel->waiter;
        channel->waiter = r->locations[location].next_waiter;
        r->locations[location].waits = false;
        wake(r, location);
    }
    r->locations[event->location].first_number += channel->shared;
    if (status || r->stop || !item->interval)
        return status;
    const struct order_walk_before before = {order_walk_sends_find(&channel->sends, number),
                                             EDGE_INTERVAL};
    struct order_walk_event end = *event;
    end.kind = WALK_END;
    end.before = &before;
    end.nbefore = 1;
    return tell(r, &end, error);
}

static csy_status visit_receive(struct order_walk *r, const struct waiting *item,
                                const struct order_walk_event *event, bool *blocked,
                                csy_error *error)
{
    struct channel *channel = &r->channels[item->key];
    struct order_walk_source begin = {.point = NO_POINT, .location = event->location};
    uint64_t number;
    *blocked = !number_of(r, event->location, item, &number);
    if (*blocked)
        return CSY_OK;
    const struct order_walk_source *sent = order_walk_sends_find(&channel->sends, number);
    *blocked = !sent;
    if (*blocked) {
        struct location *l = &r->locations[event->location];
        if (!l->waits) {
            l->waits = true;
            l->next_waiter = channel->waiter;
            channel->waiter = event->location;
        }
        return CSY_OK;
    }
    csy_status status = item->interval ? visit_begin(r, item, event, &begin, error) : CSY_OK;
    r->begun = NULL;
    if (status || r->stop)
        return status;
    struct order_walk_source send = *sent;
    const struct order_walk_before before[] = {{&begin, EDGE_INTERVAL}, {&send, EDGE_MESSAGE}};
    sent_at(&channel->sends, number)->state = SENT_RECEIVED;
    while (channel->sends.first < channel->sends.end &&
           sent_at(&channel->sends, channel->sends.first)->state == SENT_RECEIVED)
        channel->sends.first++;
    r->locations[event->location].first_number += channel->shared;
    struct order_walk_event made = *event;
    made.kind = WALK_RECV;
    made.loose = is_loose(r, channel);
    made.chained = !made.loose;
    made.before = item->interval ? before : before + 1;
    made.nbefore = item->interval ? 2 : 1;
    if (made.loose)
        status = visit_apart(r, event, error);
    return status ? status : tell(r, &made, error);
}

static csy_status visit(struct order_walk *r, uint32_t location, const struct waiting *item,
                        bool *blocked, csy_error *error)
{
    const struct order_walk_event event = event_of(r, location, item);
    struct order_walk_source own = {.point = NO_POINT, .location = location};
    csy_status status = CSY_OK;
    if (item->role == STREAM_SEND)
        return visit_send(r, item, &event, blocked, error);
    if (item->role == STREAM_RECV)
        return visit_receive(r, item, &event, blocked, error);
    if (item->role == STREAM_MEMBER) {
        struct order_walk_event begin = event;
        begin.ticks = item->begin_ticks;
        status = operations_begin(r, &item->of.at, &begin, error);
        return status ? status : operations_end(r, &item->of.at, &event, blocked, error);
    }
    if (item->interval)
        status = visit_begin(r, item, &event, &own, error);
    r->begun = NULL;
    return status || r->stop ? status : tell(r, &event, error);
}

static csy_status go_on(struct order_walk *r, uint32_t number, csy_error *error)
{
    struct location *l = &r->locations[number];
    csy_status status = CSY_OK;
    bool blocked = false;
    while (l->first < l->count && l->items[l->first].position < l->known && !r->stop) {
        const struct waiting *item = &l->items[l->first];
        if (item->position >= l->next) {
            status = visit(r, number, item, &blocked, error);
            if (status || blocked)
                return status;
            l->next = item->position + 1;
            raise_ticks(&l->reached_ticks, item->ticks);
        }
        l->first++;
    }
    return status;
}

/* --- Reading ---------------------------------------------------------------------------------- */

/* If several items belong to one event, the item with the role STREAM_PLAIN comes last. */
static int by_position(const void *a, const void *b)
{
    const struct waiting *x = a, *y = b;
    return COMPARE_THEN(x->position, y->position, COMPARE(x->role, y->role));
}

/* Insert an item by position. Returns false if more than LATE_MOST items come after it. */
static bool put_item(struct location *l, const struct waiting *item)
{
    size_t at = l->count++, least = at > LATE_MOST ? at - LATE_MOST : 0;
    for (; at > least && by_position(&l->items[at - 1], item) > 0; at--)
        l->items[at] = l->items[at - 1];
    l->items[at] = *item;
    return at == 0 || by_position(&l->items[at - 1], item) <= 0;
}

static bool number_shared(struct order_walk *r, const struct stream_batch *batch)
{
    struct shared_end end;
    if (!r->shared)
        return true;
    shared_ends_reach(r->shared, batch->location, batch->known_ticks);
    while (shared_ends_next(r->shared, batch->location, &end)) {
        struct location *l = &r->locations[end.location];
        uint64_t number = r->channels[end.channel].numbered[end.recv]++;
        if (!RING_PUSH(l->numbers, l->room, l->first_number, l->end_number, number))
            return false;
        wake(r, end.location);
    }
    return true;
}

static csy_status add_batch(struct order_walk *r, const struct stream_batch *batch, bool *good,
                            csy_error *error)
{
    uint32_t location = (uint32_t)batch->location;
    struct location *l = &r->locations[location];
    bool sorted = true;
    csy_status status = CSY_OK;
    if (l->first > 0) {
        memmove(l->items, l->items + l->first, (l->count - l->first) * sizeof *l->items);
        l->count -= l->first;
        l->first = 0;
    }
    *good = ARRAY_RESERVE(l->items, l->capacity, l->count + batch->count + 1);
    for (size_t i = 0; i < batch->count && *good && !status && !r->stop; i++) {
        const struct stream_item *item = &batch->items[i];
        struct waiting waiting = {.position = item->position,
                                  .place = item->place,
                                  .ticks = item->time_ticks,
                                  .begin_ticks = item->other_ticks,
                                  .key = NO_CHANNEL,
                                  .role = item->role,
                                  .interval = item->interval,
                                  .early = stream_is_early(item)};
        if (item->role == STREAM_MEMBER) {
            waiting.key = item->key[0];
            struct order_walk_event event = event_of(r, location, &waiting);
            event.ticks = item->other_ticks;
            status = operations_read(r, item, &event, &waiting.of.at, good, error);
        } else if (item->role != STREAM_PLAIN) {
            *good = find_channel(r, item->key, &waiting.key);
            struct channel *channel = *good ? &r->channels[waiting.key] : NULL;
            bool recv = item->role == STREAM_RECV;
            const struct shared_end end = {item->time_ticks, item->position, item->place,
                                           waiting.key,      location,       recv};
            /* In a shared channel, number_shared gives the end its number later. */
            if (channel && channel->shared)
                *good = shared_ends_put(r->shared, &end);
            else if (channel && recv)
                waiting.of.number = channel->numbered[recv]++;
        }
        sorted &= put_item(l, &waiting);
    }
    if (!sorted)
        SORT(l->items, l->count, by_position);
    l->known = batch->known;
    if (l->count == 0)
        raise_ticks(&l->reached_ticks, batch->known_ticks);
    return status;
}

/* Returns true if more events of a location must be read. */
static bool wants(const void *user, size_t location)
{
    const struct order_walk *r = user;
    const struct location *l = &r->locations[location];
    return l->first == l->count || l->items[l->first].position >= l->known ||
           (r->shared && shared_ends_want(r->shared, location));
}

static csy_status start(struct order_walk *r, struct csy_trace *trace, csy_error *error)
{
    bool shared = false;
    r->nlocations = r->source->count(trace);
    r->locations = calloc(r->nlocations + 1, sizeof *r->locations);
    r->ready = malloc((r->nlocations + 1) * sizeof *r->ready);
    r->clocks = calloc(r->nlocations + 1, sizeof *r->clocks);
    r->starts = malloc((r->nlocations + 1) * sizeof *r->starts);
    r->channels = malloc((r->visitor.keys->count + 1) * sizeof *r->channels);
    if (!r->locations || !r->ready || !r->clocks || !r->starts || !r->channels)
        return error_memory(error);
    for (; r->nchannels < r->visitor.keys->count; r->nchannels++) {
        bool of_several = r->visitor.channels[r->nchannels].shared;
        r->channels[r->nchannels] =
            (struct channel){.shared = of_several, .waiter = NO_LOCATION, .next = NO_CHANNEL};
        shared |= of_several;
    }
    for (size_t l = 0; l < r->nlocations; l++) {
        r->starts[l] = INT64_MAX;
        r->locations[l].reached_ticks = INT64_MIN;
    }
    size_t held =
        STREAMS_HELD / (r->nlocations + 1); /* smaller chunks if there are many locations */
    const struct streams_part part = {.first = 0,
                                      .step = 1,
                                      .open_most = r->nlocations + 1,
                                      .chunk = held < STREAMS_CHUNK ? held : STREAMS_CHUNK,
                                      .clocks = r->clocks,
                                      .starts = shared ? r->starts : NULL,
                                      .all = r->visitor.all,
                                      .wants = wants,
                                      .user = r};
    csy_status status = r->source->clocks(trace, r->clocks, error);
    if (!status && shared) {
        r->shared = shared_ends_new(r->clocks, r->nlocations);
        status = r->shared ? CSY_OK : error_memory(error);
    }
    if (!status) {
        const struct order_walk_visitor *visitor = &r->visitor;
        size_t n = 0;
        for (size_t i = 0; i < visitor->nmembers; i++)
            n += i == 0 || visitor->members[i].group != visitor->members[i - 1].group;
        r->groups = calloc(n + 1, sizeof *r->groups);
        if (!r->groups)
            return error_memory(error);
        for (size_t i = 0, end; i < visitor->nmembers; i = end) {
            struct group *g = &r->groups[r->ngroups++];
            for (end = i; end < visitor->nmembers &&
                          visitor->members[end].group == visitor->members[i].group;)
                end++;
            *g = (struct group){.members = &visitor->members[i],
                                .nmembers = (uint32_t)(end - i),
                                .counts = calloc(end - i, sizeof *g->counts),
                                .key = visitor->members[i].group};
            if (!g->counts)
                return error_memory(error);
        }
        SORT(r->groups, r->ngroups, by_key);
    }
    return status ? status : streams_start(trace, &part, &r->streams, error);
}

static csy_status read_all(struct order_walk *r, bool *good, csy_error *error)
{
    struct stream_batch batch;
    csy_status status = CSY_OK;
    while (!status && !r->stop && streams_next(r->streams, &batch)) {
        bool read;
        status = add_batch(r, &batch, &read, error);
        if (!status && read && !number_shared(r, &batch))
            status = error_memory(error);
        if (status || !read)
            return status;
        wake(r, (uint32_t)batch.location);
        while (r->nready > 0 && !status && !r->stop) {
            uint32_t number = r->ready[--r->nready];
            r->locations[number].queued = false;
            status = go_on(r, number, error);
        }
    }
    *good = r->stop || (!r->failed && !r->streams->failed);
    for (size_t l = 0; l < r->nlocations && !r->stop; l++)
        *good &= r->locations[l].first == r->locations[l].count;
    return status;
}

static int by_place(const struct order_walk_unmatched *x, const struct order_walk_unmatched *y,
                    bool whole)
{
    int of_positions = COMPARE(x->item.position, y->item.position);
    return whole ? of_positions : COMPARE_THEN(x->location, y->location, of_positions);
}

/* Count a send without a receive. List it if it is one of the first in the order of the trace. */
static void note_unmatched(struct order_walk *r, size_t channel, const struct order_walk_sent *sent)
{
    bool whole = r->source->whole;
    struct order_walk_unmatched made = {sent->send.location,
                                        r->channels[channel].shared,
                                        {.position = sent->position,
                                         .place = sent->place,
                                         .time_ticks = sent->end_ticks,
                                         .other_ticks = sent->send.ticks,
                                         .role = STREAM_SEND}};
    memcpy(made.item.key, texts_text(r->visitor.keys, channel).bytes, sizeof made.item.key);
    struct order_walk_unmatched *listed = r->counts.unmatched;
    uint64_t n = r->counts.nunmatched++;
    size_t at = n < CSY_UNUSED_LISTED ? (size_t)n : CSY_UNUSED_LISTED - 1;
    if (n >= CSY_UNUSED_LISTED && by_place(&listed[at], &made, whole) < 0)
        return;
    for (; at > 0 && by_place(&listed[at - 1], &made, whole) > 0; at--)
        listed[at] = listed[at - 1];
    listed[at] = made;
}

csy_status order_walk_run(struct csy_trace *trace, const struct order_walk_visitor *visitor,
                          bool *good, csy_error *error)
{
    struct order_walk *r = calloc(1, sizeof *r);
    *good = false;
    if (!r)
        return error_memory(error);
    r->source = trace->source->streams;
    r->last_channel = NO_CHANNEL;
    r->visitor = *visitor;
    csy_status status = start(r, trace, error);
    if (!status)
        status = read_all(r, good, error);
    if (visitor->counts && !status && *good) {
        for (size_t c = 0; c < r->nchannels; c++)
            for (uint64_t i = r->channels[c].sends.first; i < r->channels[c].sends.end; i++)
                if (order_walk_sends_find(&r->channels[c].sends, i))
                    note_unmatched(r, c, sent_at(&r->channels[c].sends, i));
        *visitor->counts = r->counts;
    }
    if (r->streams)
        streams_stop(r->streams);
    for (size_t l = 0; r->locations && l < r->nlocations; l++) {
        FREE_ALL(r->locations[l].items, r->locations[l].numbers);
    }
    for (size_t c = 0; c < r->nchannels; c++)
        free(r->channels[c].sends.ring);
    for (size_t g = 0; g < r->ngroups; g++) {
        for (uint64_t k = r->groups[g].first; k < r->groups[g].end; k++)
            free(instance_at(&r->groups[g], k)->records);
        FREE_ALL(r->groups[g].open, r->groups[g].counts);
    }
    FREE_ALL(r->groups, r->locations, r->ready);
    FREE_ALL(r->channels, r->clocks, r->starts);
    shared_ends_free(r->shared);
    free(r);
    return status;
}
