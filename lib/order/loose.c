/* Matches the events of a trace where only roles such as send and recv order the events
 * (order/loose.h). */
#include "order/loose.h"

#include "base/array.h"
#include "base/error.h"
#include "base/memory.h"
#include "order/matching.h"
#include "order/rebase.h"
#include "trace/trace.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* --- A store of ends by key ------------------------------------------------------------------- */

/* A stored end takes units of UNIT bytes. Its number is the index of the first, and is never 0. */
enum {
    UNIT = 8,
    BLOCK_UNITS = 8192,
    KEY_BYTES_MAX = 32 * 1024,
    SIZES = KEY_BYTES_MAX / UNIT + 16,
    SLOTS_LEAST = 256
};

enum end_flag {
    END_RECV = 1,
    END_JOINT = 2,
    END_BEGIN = 4,
    END_INTERVAL = 8,  /* the event has a begin and an end */
    END_NO_BEGIN = 16, /* a send with a begin at an unknown time; it makes no constraint */
    END_MORE = 32,     /* the struct is followed by two numbers, called `more` */
    END_LATENCY = 64,
    END_LATENCY_MAX = 128,
    /* the event must come after another event, which was not read yet; its id is known */
    END_AWAITS = 256,
    END_GROUP = 512
};

/* The begin or the end of an event that waits for another event, such as a send for its receive.
 * The two numbers called `more` follow if END_MORE is set, and then the bytes of the key. */
struct stored {
    int64_t x;
    uint64_t position : 40;
    uint64_t clock : 24;
    uint64_t place;
    uint32_t location;
    uint16_t key_size, flags;
};

_Static_assert(sizeof(struct stored) == (size_t)4 * UNIT, "the memory of a pending message");

struct store {
    uint64_t **blocks;
    size_t nblocks, capacity;
    uint32_t next;
    /* for each size: number of the first free piece of memory, or 0; a free piece begins with the
     * number of the next one */
    uint32_t free[SIZES];
};

/* A hash table that finds stored instants (struct stored) by their keys. */
struct keyed {
    uint32_t *slots; /* number of a struct stored (its first unit of memory), or 0 for a free
                      * slot */
    size_t nslots, count;
};

/* The events that enter or leave one group, or the rows of one moment. A moment is an instant at
 * which several clocks were read. */
struct group {
    struct loose_end *ends[2];
    int64_t *values[2];
    size_t counts[2], capacity[2];
    uint64_t rows, enters, leaves;
    size_t next; /* number of the next free group plus 1, or 0 */
};

/* A measured offset between the clock of an event and another clock, which has had no event yet. */
struct compared {
    struct loose_end begin, end;
    int64_t other_ticks, within_ticks;
    uint32_t name;
};

/* A clock with a name. `shift` is its rough offset, which is added to times (order/rebase.h). */
struct named_clock {
    bool known;
    uint32_t clock;
    int128 shift;
};

/* Roles of events that order nothing, for example sends without a receive: their number, and the
 * first of them in the file. */
struct left_out {
    uint64_t count;
    size_t nlisted;
    struct {
        struct loose_end end;
        char *key;
        size_t key_size;
    } listed[CSY_UNUSED_LISTED];
};

struct loose {
    struct loose_rules rules;
    struct store store;
    struct keyed messages, ids, groups, moments;
    struct group *all_groups;
    size_t ngroups, groups_capacity, free_group;
    bool names_clocks;
    struct texts clock_names;
    struct named_clock *clocks; /* indexed by the number of the clock's name */
    size_t clocks_capacity;
    struct compared *compared;
    size_t ncompared, compared_capacity;
    csy_matched report;
    csy_backward raw;
    struct left_out left[CSY_END_LEAVE + 1][LEFT_REASONS];
    const struct event *event;
    struct loose_end begin, end; /* equal if the event has no begin */
    bool no_begin;
};

static uint64_t *unit_at(const struct store *store, uint32_t at)
{
    return store->blocks[at / BLOCK_UNITS] + at % BLOCK_UNITS;
}

static struct stored *stored_at(const struct loose *loose, uint32_t at)
{
    return (struct stored *)(void *)unit_at(&loose->store, at);
}

static int64_t *more_of(struct stored *stored)
{
    return (int64_t *)(void *)(stored + 1);
}

static char *key_of(struct stored *stored)
{
    return (char *)(stored + 1) + (stored->flags & END_MORE ? 2 * sizeof(int64_t) : 0);
}

static size_t units_of(size_t key_size, unsigned flags)
{
    size_t bytes = sizeof(struct stored) + (flags & END_MORE ? 2 * sizeof(int64_t) : 0) + key_size;
    return (bytes + UNIT - 1) / UNIT;
}

/* Allocate units of memory. Returns 0 if out of memory. */
static uint32_t store_take(struct store *store, size_t units)
{
    uint32_t at = store->free[units];
    if (at) {
        memcpy(&store->free[units], unit_at(store, at), sizeof at);
        return at;
    }
    if (store->next == 0 || store->next % BLOCK_UNITS + units > BLOCK_UNITS ||
        store->next / BLOCK_UNITS == store->nblocks) {
        if (store->nblocks >= UINT32_MAX / BLOCK_UNITS ||
            !memory_allows((uint128)(store->nblocks + 1) * BLOCK_UNITS * UNIT) ||
            !ARRAY_RESERVE(store->blocks, store->capacity, store->nblocks + 1))
            return 0;
        store->blocks[store->nblocks] = malloc((size_t)BLOCK_UNITS * UNIT);
        if (!store->blocks[store->nblocks])
            return 0;
        store->next = (uint32_t)(store->nblocks++ * BLOCK_UNITS);
        store->next += store->next == 0;
    }
    at = store->next;
    store->next += (uint32_t)units;
    return at;
}

static inline uint64_t hash_of(const char *key, size_t size)
{
    uint64_t value = size * UINT64_C(0x9e3779b97f4a7c15), word;
    for (; size >= sizeof word; size -= sizeof word, key += sizeof word) {
        memcpy(&word, key, sizeof word);
        value = (value ^ word) * UINT64_C(0x9e3779b97f4a7c15);
        value ^= value >> 29;
    }
    for (word = 0; size > 0; size--)
        word = word << 8 | (unsigned char)*key++;
    value = (value ^ word) * UINT64_C(0xbf58476d1ce4e5b9);
    return value ^ value >> 32;
}

/* Returns the slot of a key, or the free slot where the key can be added. */
static inline size_t find_slot(const struct loose *loose, const struct keyed *keyed, csy_text key)
{
    size_t at = hash_of(key.bytes, key.size) & (keyed->nslots - 1);
    for (;; at = (at + 1) & (keyed->nslots - 1)) {
        if (!keyed->slots[at])
            return at;
        struct stored *stored = stored_at(loose, keyed->slots[at]);
        if (stored->key_size == key.size && memcmp(key_of(stored), key.bytes, key.size) == 0)
            return at;
    }
}

/* Find the slot of a key, or a free one. *slot is valid until a key is added or removed. */
static csy_status keyed_find(struct loose *loose, struct keyed *keyed, csy_text key, size_t *slot,
                             csy_error *error)
{
    *slot = 0;
    if (key.size > KEY_BYTES_MAX)
        return error_set(error, CSY_INPUT, "a key has more than %d bytes", KEY_BYTES_MAX);
    if ((keyed->count + 1) * 4 > keyed->nslots * 3) {
        /* at least a quarter of the slots remains free */
        struct keyed grown = {.nslots = keyed->nslots ? keyed->nslots * 2 : SLOTS_LEAST,
                              .count = keyed->count};
        if (!memory_allows((uint128)grown.nslots * sizeof *grown.slots) ||
            !(grown.slots = calloc(grown.nslots, sizeof *grown.slots)))
            return error_memory(error);
        for (size_t i = 0; i < keyed->nslots; i++) {
            if (!keyed->slots[i])
                continue;
            struct stored *stored = stored_at(loose, keyed->slots[i]);
            grown.slots[find_slot(loose, &grown, (csy_text){key_of(stored), stored->key_size})] =
                keyed->slots[i];
        }
        free(keyed->slots);
        *keyed = grown;
    }
    *slot = find_slot(loose, keyed, key);
    return CSY_OK;
}

/* Empty a slot. Later keys move back, so that searches still find them. */
static void keyed_remove(struct loose *loose, struct keyed *keyed, size_t slot)
{
    size_t mask = keyed->nslots - 1;
    keyed->count--;
    for (size_t at = (slot + 1) & mask; keyed->slots[at]; at = (at + 1) & mask) {
        struct stored *stored = stored_at(loose, keyed->slots[at]);
        size_t home = hash_of(key_of(stored), stored->key_size) & mask;
        if (((at - home) & mask) < ((at - slot) & mask))
            continue;
        keyed->slots[slot] = keyed->slots[at];
        slot = at;
    }
    keyed->slots[slot] = 0;
}

/* *out becomes the number of the new struct stored. `more` may be NULL. */
static csy_status store_end(struct loose *loose, const struct loose_end *end, csy_text key,
                            unsigned flags, const int64_t more[2], uint32_t *out, csy_error *error)
{
    enum { POSITIONS = 40, CLOCKS = 24 };
    flags |= (end->joint ? END_JOINT : 0) | (end->kind == INSTANT_BEGIN ? END_BEGIN : 0) |
             (end->interval ? END_INTERVAL : 0) | (more ? END_MORE : 0);
    *out = 0;
    if (end->position >> POSITIONS || end->clock >> CLOCKS)
        return error_set(error, CSY_MEMORY, "more than 2^40 events, or 2^24 clocks");
    *out = store_take(&loose->store, units_of(key.size, flags));
    if (!*out)
        return error_memory(error);
    struct stored *stored = stored_at(loose, *out);
    *stored = (struct stored){.x = end->x,
                              .position = end->position & ((UINT64_C(1) << POSITIONS) - 1),
                              .clock = end->clock & ((1u << CLOCKS) - 1),
                              .place = end->place,
                              .location = end->location,
                              .key_size = (uint16_t)key.size,
                              .flags = (uint16_t)flags};
    if (more)
        memcpy(more_of(stored), more, 2 * sizeof *more);
    memcpy(key_of(stored), key.bytes, key.size);
    return CSY_OK;
}

static void store_free(struct loose *loose, uint32_t at)
{
    const struct stored *stored = stored_at(loose, at);
    size_t units = units_of(stored->key_size, stored->flags);
    memcpy(unit_at(&loose->store, at), &loose->store.free[units], sizeof at);
    loose->store.free[units] = at;
}

static struct loose_end end_of(const struct stored *stored)
{
    return (struct loose_end){.x = stored->x,
                              .position = stored->position,
                              .place = stored->place,
                              .clock = (uint32_t)stored->clock,
                              .location = stored->location,
                              .kind = stored->flags & END_BEGIN ? INSTANT_BEGIN : INSTANT_END,
                              .interval = stored->flags & END_INTERVAL,
                              .joint = stored->flags & END_JOINT};
}

/* --- Constraints ------------------------------------------------------------------------------ */

static csy_status leave_out(struct loose *loose, csy_end kind, csy_left_out why,
                            const struct loose_end *end, csy_text key, csy_error *error)
{
    struct left_out *left = &loose->left[kind][why];
    size_t at = left->nlisted;
    left->count++;
    if (!loose->rules.match)
        return CSY_OK;
    if (at == CSY_UNUSED_LISTED) {
        if (left->listed[at - 1].end.position <= end->position)
            return CSY_OK;
        free(left->listed[--at].key);
        left->nlisted--;
    }
    char *copy = malloc(key.size + 1);
    if (!copy)
        return error_memory(error);
    memcpy(copy, key.bytes, key.size);
    for (; at > 0 && left->listed[at - 1].end.position > end->position; at--)
        left->listed[at] = left->listed[at - 1];
    left->listed[at].end = *end;
    left->listed[at].key = copy;
    left->listed[at].key_size = key.size;
    left->nlisted++;
    return CSY_OK;
}

static csy_status take(const struct loose *loose, const struct loose_edge *edge, csy_error *error)
{
    if (loose->rules.directions)
        loose->rules.directions->mixed |= edge->limit || edge->kind != EDGE_MESSAGE ||
                                          edge->latency_ticks != loose->rules.latency_ticks;
    return loose->rules.take(loose->rules.user, edge, error);
}

static csy_status take_limit(struct loose *loose, const struct loose_end *later,
                             const struct loose_end *earlier, int64_t most_ticks,
                             enum limit_kind kind, csy_text key, uint64_t place, csy_error *error)
{
    loose->report.limits++;
    return take(loose,
                &(struct loose_edge){.from = *later,
                                     .to = *earlier,
                                     .latency_ticks = -most_ticks,
                                     .key = key,
                                     .kind = (uint16_t)kind,
                                     .limit = true,
                                     .place = place},
                error);
}

/* --- Messages --------------------------------------------------------------------------------- */

void directions_fini(struct directions *directions)
{
    texts_fini(&directions->ends);
    free(directions->messages);
    *directions = (struct directions){.messages = NULL};
}

/* Count a message by its direction. Returns false if out of memory. */
static bool count_direction(struct directions *directions, uint32_t from, uint32_t to)
{
    const struct direction_ends ends = {from, to};
    uint32_t *recent = &directions->recent[(31 * from + to) % DIRECTIONS_RECENT];
    const struct texts *known = &directions->ends;
    uint32_t index = *recent - 1;
    bool added = false;
    if (*recent == 0 || memcmp(known->bytes + known->items[index].at, &ends, sizeof ends) != 0) {
        if (!texts_find(&directions->ends, (const char *)&ends, sizeof ends, &index, &added) ||
            !ARRAY_RESERVE(directions->messages, directions->capacity, known->count))
            return false;
        *recent = index + 1;
    }
    directions->messages[index] = added ? 1 : directions->messages[index] + 1;
    return true;
}

/* Make the constraint of a message. more[0] is its least latency if `flags` has END_LATENCY, and
 * more[1] its longest latency if `flags` has END_LATENCY_MAX. */
static csy_status take_message(struct loose *loose, const struct loose_end *send, bool no_begin,
                               const struct loose_end *recv, unsigned flags, const int64_t *more,
                               csy_text key, csy_error *error)
{
    const struct loose_rules *rules = &loose->rules;
    int64_t latency = flags & END_LATENCY && more ? more[0] : rules->latency_ticks;
    int64_t most = flags & END_LATENCY_MAX && more ? more[1] : rules->latency_max_ticks;
    if (no_begin || (send->position == recv->position && send->kind == recv->kind))
        return leave_out(loose, CSY_END_SEND, CSY_LEFT_NO_BEGIN, send, key, error);
    if (latency > most)
        return error_set(error, CSY_INPUT,
                         "%s of %" PRId64 " ticks is below the latency of the message, %" PRId64
                         " ticks",
                         flags & END_LATENCY_MAX ? "latency_max" : "--max-latency", most, latency);
    loose->report.messages++;
    if (rules->directions && send->clock != recv->clock &&
        !count_direction(rules->directions, send->clock, recv->clock))
        return error_memory(error);
    match_note_passage(&loose->raw, (int128)rebase_local(rules->rough, recv->clock, recv->x) -
                                        rebase_local(rules->rough, send->clock, send->x));
    const struct loose_edge edge = {
        .from = *send, .to = *recv, .latency_ticks = latency, .key = key, .kind = EDGE_MESSAGE};
    csy_status status = take(loose, &edge, error);
    return status || most == INT64_MAX
               ? status
               : take_limit(loose, recv, send, most, LIMIT_LATENCY, key, recv->place, error);
}

/* Handle a send or a receive: complete the message with this key, or wait for the other end. */
static inline csy_status take_end(struct loose *loose, bool recv, csy_text key, csy_error *error)
{
    const struct event_roles *roles = loose->event->roles;
    const struct loose_end *end = recv ? &loose->end : &loose->begin;
    const int64_t more[2] = {roles->latency_ticks, roles->latency_max_ticks};
    unsigned flags = 0;
    size_t slot = 0;
    uint32_t at = 0;
    if (recv)
        flags = END_RECV | (roles->has_latency ? END_LATENCY : 0) |
                (roles->has_latency_max ? END_LATENCY_MAX : 0);
    else if (loose->no_begin)
        flags = END_NO_BEGIN;
    csy_status status = keyed_find(loose, &loose->messages, key, &slot, error);
    if (status)
        return status;
    uint32_t pending = loose->messages.slots[slot];
    if (!pending) {
        bool has_more = flags & (END_LATENCY | END_LATENCY_MAX);
        status = store_end(loose, end, key, flags, has_more ? more : NULL, &at, error);
        if (!status) {
            loose->messages.slots[slot] = at;
            loose->messages.count++;
        }
        return status;
    }
    struct stored *other = stored_at(loose, pending);
    if (!(other->flags & END_RECV) == !recv) {
        const struct csy_trace *trace = loose->rules.trace;
        uint64_t place = other->place, own = loose->event->place;
        bool foreign = trace_place(trace, &own) != trace_place(trace, &place);
        char escaped[ERROR_ESCAPED_MAX], where[CSY_PLACE_TEXT_MAX];
        return error_set(
            error, CSY_INPUT,
            "the key '%s' is %s a second time, but the message of %s is not complete: if "
            "rows are in no order, each message needs its own key%s",
            error_escape(escaped, key.bytes, key.size),
            other->flags & END_RECV ? "received" : "sent",
            csy_trace_place_text(trace, other->place, where),
            foreign ? "; pass --table if each file is a separate recording" : "");
    }
    const struct loose_end first = end_of(other);
    status = recv ? take_message(loose, &first, other->flags & END_NO_BEGIN, end, flags, more, key,
                                 error)
                  : take_message(loose, end, loose->no_begin, &first, other->flags,
                                 other->flags & END_MORE ? more_of(other) : NULL, key, error);
    keyed_remove(loose, &loose->messages, slot);
    store_free(loose, pending);
    return status;
}

/* --- Ids -------------------------------------------------------------------------------------- */

static csy_status take_after(struct loose *loose, const struct loose_end *from,
                             const struct loose_end *to, int64_t latency_ticks, csy_error *error)
{
    return take(loose,
                &(struct loose_edge){
                    .from = *from, .to = *to, .latency_ticks = latency_ticks, .kind = EDGE_AFTER},
                error);
}

static csy_status take_named(struct loose *loose, csy_text key, csy_error *error)
{
    const struct event_roles *roles = loose->event->roles;
    int64_t more[2] = {roles->has_latency ? roles->latency_ticks : 0, 0};
    size_t slot;
    uint32_t at;
    csy_status status = keyed_find(loose, &loose->ids, key, &slot, error);
    if (status)
        return status;
    uint32_t known = loose->ids.slots[slot];
    loose->report.afters++;
    if (known && !(stored_at(loose, known)->flags & END_AWAITS)) {
        const struct loose_end from = end_of(stored_at(loose, known));
        return take_after(loose, &from, &loose->end, more[0], error);
    }
    more[1] = known;
    status = store_end(loose, &loose->end, key, END_AWAITS, more, &at, error);
    if (!status) {
        loose->ids.slots[slot] = at;
        loose->ids.count += known == 0;
    }
    return status;
}

/* Returns CSY_INPUT if `after` of an event names an id that was never read. *place becomes the
 * place of the first such event in the file. */
static csy_status forget_ids(struct loose *loose, uint64_t *place, csy_error *error)
{
    struct keyed *ids = &loose->ids;
    uint32_t least = 0;
    for (size_t i = 0; i < ids->nslots; i++) {
        uint32_t at = ids->slots[i];
        if (!at)
            continue;
        struct stored *stored = stored_at(loose, at);
        if (!(stored->flags & END_AWAITS))
            store_free(loose, at);
        else if (!least || stored->position < stored_at(loose, least)->position)
            least = at;
    }
    if (least) {
        char escaped[ERROR_ESCAPED_MAX];
        struct stored *waiting = stored_at(loose, least);
        *place = waiting->place;
        for (uint32_t at = least; at; at = (uint32_t)more_of(stored_at(loose, at))[1])
            if (stored_at(loose, at)->place < *place)
                *place = stored_at(loose, at)->place;
        return error_set(error, CSY_INPUT, "after: no row has the id '%s'",
                         error_escape(escaped, key_of(waiting), waiting->key_size));
    }
    if (ids->nslots > 0)
        memset(ids->slots, 0, ids->nslots * sizeof *ids->slots);
    ids->count = 0;
    return CSY_OK;
}

/* --- Groups and moments ----------------------------------------------------------------------- */

static csy_status find_group(struct loose *loose, struct keyed *keyed, csy_text key,
                             struct group **out, size_t *slot, csy_error *error)
{
    csy_status status = keyed_find(loose, keyed, key, slot, error);
    if (status)
        return status;
    uint32_t at = keyed->slots[*slot];
    if (at) {
        *out = &loose->all_groups[more_of(stored_at(loose, at))[0]];
        return CSY_OK;
    }
    size_t number = loose->free_group > 0 ? loose->free_group - 1 : loose->ngroups;
    if (!loose->free_group &&
        !ARRAY_RESERVE(loose->all_groups, loose->groups_capacity, loose->ngroups + 1))
        return error_memory(error);
    const int64_t more[2] = {(int64_t)number, 0};
    status = store_end(loose, &loose->end, key, END_GROUP, more, &at, error);
    if (status)
        return status;
    struct group *group = &loose->all_groups[number];
    if (loose->free_group)
        loose->free_group = group->next;
    else
        loose->ngroups++;
    *group = (struct group){.rows = 0};
    keyed->slots[*slot] = at;
    keyed->count++;
    *out = group;
    return CSY_OK;
}

static void group_fini(struct group *group)
{
    for (int side = 0; side < 2; side++)
        FREE_ALL(group->ends[side], group->values[side]);
    *group = (struct group){.rows = 0};
}

static csy_status group_add(struct group *group, int side, const struct loose_end *end,
                            int64_t value, csy_error *error)
{
    size_t n = group->counts[side], capacity = group->capacity[side];
    if (!ARRAY_RESERVE(group->ends[side], capacity, n + 1))
        return error_memory(error);
    if (!ARRAY_RESERVE(group->values[side], group->capacity[side], n + 1))
        return error_memory(error);
    group->ends[side][n] = *end;
    group->values[side][n] = value;
    group->counts[side]++;
    return CSY_OK;
}

/* After the first leave, one enter of each clock is enough: the latest one, because its constraints
 * imply the others. *implied becomes true if `end` is not needed for this reason. */
static csy_status group_enter(struct group *group, const struct loose_end *end, bool *implied,
                              csy_error *error)
{
    *implied = false;
    for (size_t i = 0; i < group->counts[0] && group->counts[1] > 0; i++) {
        struct loose_end *other = &group->ends[0][i];
        if (other->clock != end->clock || other->joint || end->joint)
            continue;
        *implied = other->x >= end->x;
        *other = *implied ? *other : *end;
        return CSY_OK;
    }
    return group_add(group, 0, end, 0, error);
}

static csy_status take_group_edge(const struct loose *loose, const struct loose_end *enter,
                                  const struct loose_end *leave, int64_t latency_ticks,
                                  csy_text key, csy_error *error)
{
    if (enter->position == leave->position)
        return CSY_OK;
    return take(loose,
                &(struct loose_edge){.from = *enter,
                                     .to = *leave,
                                     .latency_ticks = latency_ticks,
                                     .key = key,
                                     .kind = EDGE_ENTER},
                error);
}

static csy_status end_group(struct loose *loose, struct group *group, csy_text key,
                            csy_error *error)
{
    csy_status status = CSY_OK;
    if (group->enters > 0 && group->leaves > 0) {
        loose->report.groups++;
        loose->report.enters += group->enters;
        loose->report.leaves += group->leaves;
    } else {
        for (int side = 0; side < 2; side++) {
            csy_end kind = side == 0 ? CSY_END_ENTER : CSY_END_LEAVE;
            for (size_t i = 0; i < group->counts[side] && !status; i++)
                status =
                    leave_out(loose, kind, CSY_LEFT_UNMATCHED, &group->ends[side][i], key, error);
        }
    }
    group_fini(group);
    return status;
}

static csy_status take_group(struct loose *loose, bool leaves, csy_text key, csy_error *error)
{
    const struct event_roles *roles = loose->event->roles;
    const struct loose_end *end = leaves ? &loose->end : &loose->begin;
    bool states = roles->has_latency && roles->recv.size + roles->after.size == 0;
    int64_t latency = leaves && states ? roles->latency_ticks : 0;
    struct group *group;
    size_t slot;
    csy_status status = find_group(loose, &loose->groups, key, &group, &slot, error);
    if (status)
        return status;
    bool counts =
        leaves || !match_has_key(roles->leave, key); /* count a row with both roles, enter and
                                                      * leave, once */
    bool useless =
        !leaves && (loose->no_begin || (!loose->end.interval && match_has_key(roles->leave, key)));
    group->rows += counts;
    if (useless) {
        status = leave_out(loose, CSY_END_ENTER, CSY_LEFT_NO_BEGIN, end, key, error);
    } else {
        bool implied = false;
        *(leaves ? &group->leaves : &group->enters) += 1;
        status = leaves ? group_add(group, 1, end, latency, error)
                        : group_enter(group, end, &implied, error);
        for (size_t i = 0; i < group->counts[!leaves] && !status && !implied; i++) {
            const struct loose_end *other = &group->ends[!leaves][i];
            status = leaves ? take_group_edge(loose, other, end, latency, key, error)
                            : take_group_edge(loose, end, other, group->values[1][i], key, error);
        }
    }
    if (status || roles->group_rows == 0 || group->rows < roles->group_rows || !counts)
        return status;
    uint32_t at = loose->groups.slots[slot];
    status = end_group(loose, group, key, error);
    group->next = loose->free_group;
    loose->free_group = (size_t)(group - loose->all_groups) + 1;
    keyed_remove(loose, &loose->groups, slot);
    store_free(loose, at);
    return status;
}

/* Number of the first rows of a moment that are compared with all its rows. Comparing all pairs of
 * rows would take too long. */
enum { MOMENT_PAIRS_MAX = 64 };

/* Add a row of a moment, an instant when several clocks were read. */
static csy_status take_moment(struct loose *loose, csy_text key, csy_error *error)
{
    struct group *group;
    size_t slot;
    int64_t within = loose->event->roles->within_ticks;
    csy_status status = find_group(loose, &loose->moments, key, &group, &slot, error);
    for (size_t i = 0; !status && i < group->counts[0] && i < MOMENT_PAIRS_MAX; i++) {
        const struct loose_end *other = &group->ends[0][i];
        int64_t most = group->values[0][i] > within ? group->values[0][i] : within;
        if (other->position == loose->end.position)
            continue;
        status =
            take_limit(loose, other, &loose->end, most, LIMIT_SAME, key, loose->end.place, error);
        if (!status)
            status = take_limit(loose, &loose->end, other, most, LIMIT_SAME, key, loose->end.place,
                                error);
    }
    if (status)
        return status;
    group->rows++;
    return group->counts[0] < MOMENT_PAIRS_MAX ? group_add(group, 0, &loose->end, within, error)
                                               : CSY_OK;
}

/* --- Measured offsets ------------------------------------------------------------------------- */

static csy_status find_clock(struct loose *loose, const char *name, size_t size, uint32_t *out,
                             csy_error *error)
{
    bool added;
    if (!texts_find(&loose->clock_names, name, size, out, &added) ||
        !ARRAY_RESERVE(loose->clocks, loose->clocks_capacity, loose->clock_names.count))
        return error_memory(error);
    if (added)
        loose->clocks[*out] = (struct named_clock){.known = false};
    return CSY_OK;
}

static csy_status take_compared(struct loose *loose, const struct compared *compared,
                                csy_error *error)
{
    const struct named_clock *clock = &loose->clocks[compared->name];
    const struct text_item *item = &loose->clock_names.items[compared->name];
    const csy_text key = {loose->clock_names.bytes + item->at, item->size};
    struct loose_end reading = compared->end;
    if (!clock->known)
        return error_set(error, CSY_INPUT, "other_clock: no row has this clock");
    if (clock->clock == reading.clock)
        return error_set(error, CSY_INPUT, "other_clock: this is the clock of the row itself");
    int128 x = (int128)compared->other_ticks + clock->shift;
    if (x >= X_MAX || x <= -X_MAX)
        return error_set(error, CSY_INPUT,
                         "other_time is 2^58 ticks or more from the first time of its clock");
    reading.clock = clock->clock;
    reading.x = (int64_t)x;
    reading.kind = INSTANT_READING;
    reading.joint = false;
    csy_status status = take_limit(loose, &reading, &compared->end, compared->within_ticks,
                                   LIMIT_OFFSET, key, compared->end.place, error);
    return status ? status
                  : take_limit(loose, &compared->begin, &reading, compared->within_ticks,
                               LIMIT_OFFSET, key, compared->end.place, error);
}

/* --- Events ----------------------------------------------------------------------------------- */

csy_status loose_new(const struct loose_rules *rules, struct loose **out, csy_error *error)
{
    struct loose *loose = calloc(1, sizeof *loose);
    if (!loose)
        return error_memory(error);
    loose->rules = *rules;
    loose->raw.known = true;
    loose->names_clocks = rules->trace->limits;
    *out = loose;
    return CSY_OK;
}

void loose_free(struct loose *loose)
{
    if (!loose)
        return;
    for (size_t i = 0; i < loose->store.nblocks; i++)
        free(loose->store.blocks[i]);
    FREE_ALL(loose->store.blocks, loose->messages.slots, loose->ids.slots, loose->groups.slots,
             loose->moments.slots);
    for (size_t i = 0; i < loose->ngroups; i++)
        group_fini(&loose->all_groups[i]);
    free(loose->all_groups);
    texts_fini(&loose->clock_names);
    FREE_ALL(loose->clocks, loose->compared);
    for (size_t kind = 0; kind <= CSY_END_LEAVE; kind++)
        for (size_t why = 0; why < LEFT_REASONS; why++)
            for (size_t i = 0; i < loose->left[kind][why].nlisted; i++)
                free(loose->left[kind][why].listed[i].key);
    free(loose);
}

static inline csy_status set_ends(struct loose *loose, const struct event *event, int64_t x,
                                  csy_error *error)
{
    const struct event_roles *roles = event->roles;
    const struct named_stamp *stamp = &event->stamp;
    struct loose_end *end = &loose->end;
    loose->no_begin = stamp->interval ? stamp->begin_ticks > stamp->time_ticks : roles->late;
    *end = (struct loose_end){.x = x,
                              .position = event->position,
                              .place = event->place,
                              .clock = event->thread,
                              .kind = INSTANT_END,
                              .interval = stamp->interval && !loose->no_begin};
    csy_status status = loose->rules.match
                            ? match_find_location(loose->rules.match, event, &end->location, error)
                            : CSY_OK;
    bool into = roles->recv.size + roles->leave.size + roles->after.size > 0;
    bool out_of_begin = roles->send.size + roles->enter.size > 0;
    end->joint = into && (roles->id.size > 0 || (out_of_begin && !end->interval));
    loose->begin = *end;
    if (status || !end->interval)
        return status;
    int128 begin = (int128)stamp->begin_ticks - stamp->time_ticks + x;
    if (begin <= -X_MAX)
        return error_set(error, CSY_INPUT, "the begin is 2^58 ticks or more before other events");
    loose->begin.x = (int64_t)begin;
    loose->begin.kind = INSTANT_BEGIN;
    loose->begin.joint = false;
    return CSY_OK;
}

csy_status loose_event(struct loose *loose, const struct event *event, int64_t x, csy_error *error)
{
    const struct event_roles *roles = event->roles;
    csy_text keys, key;
    uint64_t place;
    csy_status status = CSY_OK;
    loose->event = event;
    bool more = roles->enter.size + roles->leave.size + roles->id.size + roles->after.size +
                    roles->same.size + roles->other_clock.size >
                0;
    if (loose->names_clocks) {
        /* Note the name of the event's clock. A clock without a name has the name of the thread. */
        const struct named_stamp *stamp = &loose->event->stamp;
        bool own = stamp->clock_size == 0;
        uint32_t name;
        status = find_clock(loose, own ? stamp->thread : stamp->clock,
                            own ? stamp->thread_size : stamp->clock_size, &name, error);
        if (!status && !loose->clocks[name].known)
            loose->clocks[name] =
                (struct named_clock){true, loose->event->thread, (int128)x - stamp->time_ticks};
    }
    if (!status && roles->send.size + roles->recv.size + more > 0)
        status = set_ends(loose, event, x, error);
    else if (!status && loose->rules.match)
        status = match_find_location(loose->rules.match, event, &(uint32_t){0}, error);
    for (keys = roles->send; !status && match_next_key(&keys, &key);)
        status = take_end(loose, false, key, error);
    for (keys = roles->recv; !status && match_next_key(&keys, &key);)
        status = take_end(loose, true, key, error);
    if (status || !more)
        return status || !roles->forgets_ids ? status : forget_ids(loose, &place, error);
    for (keys = roles->enter; !status && match_next_key(&keys, &key);)
        status = take_group(loose, false, key, error);
    for (keys = roles->leave; !status && match_next_key(&keys, &key);)
        status = take_group(loose, true, key, error);
    for (keys = roles->same; !status && match_next_key(&keys, &key);)
        status = take_moment(loose, key, error);
    if (!status && roles->other_clock.size > 0) {
        struct compared compared = {loose->begin, loose->end, roles->other_ticks,
                                    roles->within_ticks, 0};
        status = find_clock(loose, roles->other_clock.bytes, roles->other_clock.size,
                            &compared.name, error);
        if (!status && loose->clocks[compared.name].known)
            status = take_compared(loose, &compared, error);
        else if (!status &&
                 !ARRAY_RESERVE(loose->compared, loose->compared_capacity, loose->ncompared + 1))
            status = error_memory(error);
        else if (!status)
            loose->compared[loose->ncompared++] = compared;
    }
    for (keys = roles->id; !status && match_next_key(&keys, &key);) {
        /* Handle the id of the event: all events that wait for this id follow the present event. */
        size_t slot;
        uint32_t at;
        char escaped[ERROR_ESCAPED_MAX];
        status = keyed_find(loose, &loose->ids, key, &slot, error);
        if (status)
            return status;
        uint32_t next = loose->ids.slots[slot];
        if (next && !(stored_at(loose, next)->flags & END_AWAITS))
            return error_set(error, CSY_INPUT, "two rows have the id '%s'",
                             error_escape(escaped, key.bytes, key.size));
        loose->ids.count += next == 0;
        while (next && !status) {
            struct stored *waiting = stored_at(loose, next);
            const struct loose_end to = end_of(waiting);
            status = take_after(loose, &loose->end, &to, more_of(waiting)[0], error);
            uint32_t later = (uint32_t)more_of(waiting)[1];
            store_free(loose, next);
            next = later;
        }
        loose->ids.slots[slot] = 0;
        if (!status)
            status = store_end(loose, &loose->end, key, 0, NULL, &at, error);
        if (!status)
            loose->ids.slots[slot] = at;
    }
    for (keys = roles->after; !status && match_next_key(&keys, &key);)
        status = take_named(loose, key, error);
    return status || !roles->forgets_ids ? status : forget_ids(loose, &place, error);
}

csy_status loose_report(struct loose *loose, csy_error *error)
{
    struct matching *m = match_matching(loose->rules.match);
    const csy_matched *found = &loose->report;
    csy_status status = CSY_OK;
    m->report.limits += found->limits;
    m->report.afters += found->afters;
    for (size_t i = 0; i < loose->clock_names.count && !status; i++) {
        const struct text_item *item = &loose->clock_names.items[i];
        const struct named_clock *clock = &loose->clocks[i];
        if (clock->known && fits_int64(clock->shift))
            status = match_name_clock(loose->rules.match,
                                      (csy_text){loose->clock_names.bytes + item->at, item->size},
                                      clock->clock, (int64_t)clock->shift, error);
    }
    for (size_t kind = 0; kind <= CSY_END_LEAVE; kind++)
        for (size_t why = 0; why < LEFT_REASONS; why++) {
            const struct left_out *left = &loose->left[kind][why];
            for (size_t i = 0; i < left->nlisted && !status; i++) {
                const struct loose_end *end = &left->listed[i].end;
                struct match_end unused = {.key = 0};
                status = points_record(m->points,
                                       &(struct point_record){.position = end->position,
                                                              .place = end->place,
                                                              .clock = end->clock,
                                                              .location = end->location,
                                                              .buffer = NO_BUFFER,
                                                              .x = end->x,
                                                              .keyed = true,
                                                              .alone = true},
                                       &unused.begin, &unused.end, error);
                if (!status &&
                    !texts_find(&m->texts[matching_space((unsigned)kind)], left->listed[i].key,
                                left->listed[i].key_size, &unused.key, NULL))
                    status = error_memory(error);
                if (!status)
                    matching_leave_out(m, (csy_end)kind, (csy_left_out)why, &unused);
            }
            if (left->count > 0)
                m->unused.counts[kind][why] = left->count;
        }
    *match_thinned(loose->rules.match) = (struct match_thinned){.messages = found->messages,
                                                                .groups = found->groups,
                                                                .enters = found->enters,
                                                                .leaves = found->leaves,
                                                                .raw = loose->raw};
    return status;
}

csy_status loose_finish(struct loose *loose, uint64_t *place, csy_error *error)
{
    csy_status status = forget_ids(loose, place, error);
    if (!status) {
        uint64_t least = UINT64_MAX;
        for (size_t i = 0; i < loose->moments.nslots; i++) {
            if (!loose->moments.slots[i])
                continue;
            const struct group *group =
                &loose->all_groups[more_of(stored_at(loose, loose->moments.slots[i]))[0]];
            if (group->rows == 1 && group->ends[0]->place < least)
                least = group->ends[0]->place;
        }
        if (least != UINT64_MAX) {
            *place = least;
            status = error_set(error, CSY_INPUT, "same: no other row has the same key");
        }
    }
    for (size_t i = 0; i < loose->ncompared && !status; i++) {
        *place = loose->compared[i].end.place;
        status = take_compared(loose, &loose->compared[i], error);
    }
    for (size_t i = 0; i < loose->groups.nslots && !status; i++) {
        if (!loose->groups.slots[i])
            continue;
        struct stored *stored = stored_at(loose, loose->groups.slots[i]);
        status = end_group(loose, &loose->all_groups[more_of(stored)[0]],
                           (csy_text){key_of(stored), stored->key_size}, error);
    }
    for (size_t i = 0; i < loose->messages.nslots && !status; i++) {
        if (!loose->messages.slots[i])
            continue;
        struct stored *stored = stored_at(loose, loose->messages.slots[i]);
        const struct loose_end end = end_of(stored);
        status = leave_out(loose, stored->flags & END_RECV ? CSY_END_RECV : CSY_END_SEND,
                           CSY_LEFT_UNMATCHED, &end, (csy_text){key_of(stored), stored->key_size},
                           error);
    }
    return status;
}
