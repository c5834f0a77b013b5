/* The contents of a JSON trace in memory: spans, or slices of a profiler, in the order of the file.
 *
 * Each item has a begin and an end on a clock. Items of one clock are not ordered. Roles order
 * items of different clocks. Items with the same key belong to one message or one group:
 *
 *   ITEM_SEND        the message is sent at the begin of the item
 *   ITEM_SEND_END    the message is sent at the end of the item
 *   ITEM_RECV_BEGIN  the message is received at the begin of the item
 *   ITEM_RECV_END    the message is received at the end of the item
 *   ITEM_ENTER       the item begins before any item ends that leaves the group
 *   ITEM_LEAVE       the item ends after all items have begun that enter the group
 *
 * Memory: 44 bytes for each item, 4 bytes for each role, and each name once. A span needs another
 * 16 bytes of ids, and up to 11 bytes in the table of ids, until roles are known. */
#ifndef TRACE_JSON_ITEMS_H
#define TRACE_JSON_ITEMS_H

#include "base/texts.h"
#include "trace/json/json.h"
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
    uint8_t kind;   /* a value of enum span_kind or enum slice_kind */
    uint16_t flags; /* flags, which the reader of the format defines */
    uint32_t tag;   /* a value that only the reader of the format uses */
};

struct json_track {
    uint32_t clock;
    /* name of the track, or NULL until all files were read */
    char *name;
    uint32_t steps; /* greatest number of decimals of a begin in seconds */
    uint64_t items;
};

struct json_clock {
    char *name;
    uint64_t steps; /* resolution of the clock's coarsest track, in steps per second */
};

/* A file of the trace. */
struct json_part {
    struct csy_trace *trace;
    size_t first;    /* index of the part's first item */
    size_t document; /* for Chrome JSON: number of the file's first document */
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
    uint32_t *roles; /* roles of all items: key << ITEM_ROLE_BITS | enum item_role */
    uint32_t nkeys;
    struct json_part *parts;
    size_t nparts;
    /* of the part that is being read: place of the first byte, and prefix of clock names, or NULL */
    uint64_t first_place;
    const char *prefix;
};

/* Places of items in file number k begin at k << ITEMS_PART_SHIFT. */
enum { ITEMS_PART_SHIFT = 44 };

/* Read the file of a part, and note where its items begin. Sets json->name. */
csy_status items_read_part(struct items *items, size_t part, struct json_reading *json,
                           csy_error *error);

void items_fini(struct items *items);

csy_status items_add(struct items *items, const struct json_item *item, const char *name,
                     size_t name_size, csy_error *error);

csy_status items_add_track(struct items *items, uint32_t clock, uint32_t *out, csy_error *error);

/* Add a clock with the name PREFIX/NAME, or NAME if the prefix is NULL. A number is appended if
 * another clock has the same name. */
csy_status items_add_clock(struct items *items, const char *prefix, const char *name, uint32_t *out,
                           csy_error *error);

static inline uint32_t items_clock(const struct items *items, size_t item)
{
    return items->tracks[items->all[item].track].clock;
}

/* Give an item a role. Only the function `tie` of items_tie may call this function. */
void items_role(struct items *items, size_t item, enum item_role role, uint32_t key);

/* Give items their roles. This calls `tie` twice, first to count roles, and then to store them.
 * `tie` must call items_role for each role, and set items->nkeys. */
csy_status items_tie(struct items *items, void (*tie)(struct items *items, void *user), void *user,
                     csy_error *error);

/* Returns the number of events of an item: more than 1 if roles need its begin or its end. */
unsigned items_parts(const struct items *items, size_t item);

/* Set the resolution of each clock, which is the resolution of the begins on its coarsest track. */
void items_find_steps(struct items *items);

#endif
