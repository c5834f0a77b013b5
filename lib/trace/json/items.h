/* The contents of a JSON trace in memory: spans, or slices of a profiler, in the order of the file.
 *
 * Each item has a begin and an end on a clock. Items of one clock are not ordered. Roles relate
 * items of different clocks:
 *
 *   ITEM_SEND        the begin of the item precedes the partner,
 *   ITEM_SEND_END    the end of the item precedes the partner,
 *   ITEM_RECV_BEGIN  the partner precedes the begin of the item,
 *   ITEM_RECV_END    the partner precedes the end of the item,
 *   ITEM_ENTER       the begin precedes the end of all items that leave the group,
 *   ITEM_LEAVE       the end is after the begin of all items that enter the group.
 *
 * A message has one key, and two roles. A group has one key.
 *
 * Memory: 44 bytes for each item, 4 bytes for each role, and each name once. A span needs another
 * 16 bytes of ids, and up to 11 bytes in the table of ids, until roles are known. */
#ifndef TRACE_JSON_ITEMS_H
#define TRACE_JSON_ITEMS_H

#include "base/texts.h"
#include "trace/trace.h"

enum item_role {
    ITEM_SEND,
    ITEM_SEND_END,
    ITEM_RECV_BEGIN,
    ITEM_RECV_END,
    ITEM_ENTER,
    ITEM_LEAVE,
    ITEM_ROLES
};

enum { ITEM_ROLE_BITS = 3, ITEMS_MAX = INT32_MAX };

struct json_item {
    int64_t begin_ticks, end_ticks; /* times of the item's clock; begin <= end */
    uint64_t place;                 /* offset of the item in the file */
    uint32_t name;                  /* number of the item's name in items.names */
    uint32_t track;
    uint8_t kind;   /* enum span_kind or enum slice_kind */
    uint16_t flags; /* flags of the format */
    uint32_t tag;   /* a value that only the reader of the format uses */
};

struct json_track {
    uint32_t clock;
    /* name of the track; NULL until all files were read */
    char *name;
    uint32_t steps; /* resolution: steps per second, from the begin with the most decimals */
    uint64_t items;
};

struct json_clock {
    char *name;
    uint64_t steps; /* resolution: `steps` of the clock's coarsest track */
};

/* A file of the trace. */
struct json_part {
    struct csy_trace *trace;
    size_t first;    /* first item of the part */
    size_t document; /* Chrome JSON: number of the file's first document */
};

struct items {
    struct json_item *all;
    size_t count, capacity;
    struct texts names, clock_names;
    struct json_track *tracks;
    size_t ntracks, tracks_capacity;
    struct json_clock *clocks;
    size_t nclocks, clocks_capacity;
    /* for each item: index of its first role in `roles`; the last element is the number of roles */
    uint32_t *first_role;
    uint32_t *roles; /* key << ITEM_ROLE_BITS | enum item_role */
    uint32_t nkeys;
    struct json_part *parts;
    size_t nparts;
};

/* The places of items in file k begin at k << ITEMS_PART_SHIFT. */
enum { ITEMS_PART_SHIFT = 44 };

/* Begin to read a part of the trace, and rewind the file of this part. */
struct csy_trace *items_begin_part(struct items *items, size_t part);

void items_fini(struct items *items);

csy_status items_add(struct items *items, const struct json_item *item, const char *name,
                     size_t name_size, csy_error *error);

csy_status items_add_track(struct items *items, uint32_t clock, uint32_t *out, csy_error *error);

/* Add a clock with the name PREFIX/NAME, or NAME if the prefix is NULL. If another clock has this
 * name, a number is appended. */
csy_status items_add_clock(struct items *items, const char *prefix, const char *name, uint32_t *out,
                           csy_error *error);

static inline uint32_t items_clock(const struct items *items, size_t item)
{
    return items->tracks[items->all[item].track].clock;
}

/* Give an item a role. Only the function `tie` of items_tie may call this function. */
void items_role(struct items *items, size_t item, enum item_role role, uint32_t key);

/* Give items their roles by calling `tie` twice: to count roles, and to store roles. `tie` calls
 * items_role for all roles, and sets items->nkeys. */
csy_status items_tie(struct items *items, void (*tie)(struct items *items, void *user), void *user,
                     csy_error *error);

/* Returns the number of events of an item: 1, plus 1 if the begin has separate roles, plus 1 if the
 * end has separate roles. */
unsigned items_parts(const struct items *items, size_t item);

/* Find the resolution of each clock from the begins of items on its coarsest track. */
void items_find_steps(struct items *items);

#endif
