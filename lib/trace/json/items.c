/* See items.h. */
#include "trace/json/items.h"

#include "base/array.h"
#include "base/error.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void items_fini(struct items *items)
{
    for (size_t i = 0; i < items->ntracks; i++)
        free(items->tracks[i].name);
    for (size_t i = 0; i < items->nclocks; i++)
        free(items->clocks[i].name);
    FREE_ALL(items->tracks, items->clocks, items->all, items->first_role, items->roles,
             items->parts);
    texts_fini(&items->names);
    texts_fini(&items->clock_names);
    *items = (struct items){0};
}

csy_status items_read_part(struct items *items, size_t part, struct json_reading *json,
                           csy_error *error)
{
    struct csy_trace *trace = items->parts[part].trace;
    bytes_rewind(trace->bytes);
    items->parts[part].first = items->count;
    items->first_place = (uint64_t)part << ITEMS_PART_SHIFT;
    items->prefix = trace->part_name;
    json->name = trace->name;
    return json_read(trace->bytes, json, error);
}

csy_status items_add(struct items *items, const struct json_item *item, const char *name,
                     size_t name_size, csy_error *error)
{
    if (items->count == ITEMS_MAX)
        return error_set(error, CSY_INPUT, "more than %d events", ITEMS_MAX);
    if (!ARRAY_RESERVE(items->all, items->capacity, items->count + 1))
        return error_memory(error);
    items->all[items->count] = *item;
    if (!texts_find(&items->names, name, name_size, &items->all[items->count].name, NULL))
        return error_memory(error);
    items->count++;
    return CSY_OK;
}

csy_status items_add_track(struct items *items, uint32_t clock, uint32_t *out, csy_error *error)
{
    *out = (uint32_t)items->ntracks;
    return ARRAY_PUSH(items->tracks, items->ntracks, items->tracks_capacity,
                      (struct json_track){.clock = clock})
               ? CSY_OK
               : error_memory(error);
}

csy_status items_add_clock(struct items *items, const char *prefix, const char *name, uint32_t *out,
                           csy_error *error)
{
    char text[1024];
    const char *slash = prefix ? "/" : "";
    bool added = false;
    uint32_t number;
    prefix = prefix ? prefix : "";
    snprintf(text, sizeof text, "%.200s%s%s", prefix, slash, name);
    for (unsigned n = 2; !added; n++) {
        if (!texts_find(&items->clock_names, text, strlen(text), &number, &added))
            return error_memory(error);
        if (!added)
            snprintf(text, sizeof text, "%.200s%s%s#%u", prefix, slash, name, n);
    }
    char *copy = strdup(text);
    *out = (uint32_t)items->nclocks;
    if (!copy || !ARRAY_PUSH(items->clocks, items->nclocks, items->clocks_capacity,
                             (struct json_clock){copy, 0})) {
        free(copy);
        return error_memory(error);
    }
    return CSY_OK;
}

void items_role(struct items *items, size_t item, enum item_role role, uint32_t key)
{
    uint32_t *at = &items->first_role[item];
    if (items->roles)
        items->roles[*at] = key << ITEM_ROLE_BITS | role;
    ++*at;
}

csy_status items_tie(struct items *items, void (*tie)(struct items *items, void *user), void *user,
                     csy_error *error)
{
    uint32_t sum = 0;
    items->first_role = calloc(items->count + 1, sizeof *items->first_role);
    if (!items->first_role)
        return error_memory(error);
    items->nkeys = 0;
    tie(items, user);
    for (size_t i = 0; i <= items->count; i++) {
        uint32_t n = items->first_role[i];
        items->first_role[i] = sum;
        if (n > UINT32_MAX - sum)
            return error_set(error, CSY_INPUT, "more than %u relations between events", UINT32_MAX);
        sum += n;
    }
    if (items->nkeys >= UINT32_MAX >> ITEM_ROLE_BITS)
        return error_set(error, CSY_INPUT, "more than %u relations between events",
                         UINT32_MAX >> ITEM_ROLE_BITS);
    items->roles = malloc((sum + (size_t)1) * sizeof *items->roles);
    if (!items->roles)
        return error_memory(error);
    items->nkeys = 0;
    tie(items, user);
    memmove(items->first_role + 1, items->first_role, items->count * sizeof *items->first_role);
    items->first_role[0] = 0;
    return CSY_OK;
}

unsigned items_parts(const struct items *items, size_t item)
{
    unsigned seen = 0;
    for (uint32_t i = items->first_role[item]; i < items->first_role[item + 1]; i++)
        seen |= 1U << (items->roles[i] & ((1U << ITEM_ROLE_BITS) - 1));
    return 1U + (seen >> ITEM_RECV_BEGIN & 1U) + (seen >> ITEM_SEND_END & 1U);
}

void items_find_steps(struct items *items)
{
    enum { CHANCE_DIGITS = 6 }; /* 6 random decimals are all 0 only once in a million */
    uint32_t finest = 0;
    for (size_t i = 0; i < items->count; i++) {
        const struct json_item *item = &items->all[i];
        struct json_track *track = &items->tracks[item->track];
        uint32_t digits =
            item->begin_ticks == 0 ? 0 : 9; /* decimals of the begin in seconds, without final
                                             * zeros */
        for (int64_t rest = item->begin_ticks % 1000000000; digits > 0 && rest % 10 == 0;
             rest /= 10)
            digits--;
        track->items += item->begin_ticks != 0;
        track->steps = digits > track->steps ? digits : track->steps;
        finest = digits > finest ? digits : finest;
    }
    for (size_t i = 0; i < items->nclocks; i++)
        items->clocks[i].steps = 0;
    for (size_t i = 0; i < items->ntracks; i++) {
        const struct json_track *track = &items->tracks[i];
        struct json_clock *clock = &items->clocks[track->clock];
        uint64_t steps = 1;
        bool coarse = (finest - track->steps) * track->items >= CHANCE_DIGITS;
        for (uint32_t n = 0; n < finest; n++)
            steps *= n < track->steps || !coarse ? 10 : 1;
        if (track->items > 0 && (clock->steps == 0 || steps < clock->steps))
            clock->steps = steps;
    }
}
