/* Changes of the number of active actors that others may be inverted with. */
#include "analysis/ranges/window.h"

#include "base/array.h"
#include "base/error.h"
#include "instants/actors.h"

#include <stdlib.h>

enum { WINDOW_MIN = 64 };

csy_status window_init(struct window *w, const struct reach *reach, csy_error *error)
{
    *w = (struct window){.reach = reach, .now = INT64_MIN};
    int128 limit = (int128)reach->greatest + 2 * (int128)reach->added_ticks + 1;
    w->limit = fits_int64(limit) ? (int64_t)limit : INT64_MAX;
    w->clocks = malloc((reach->n + 1) * sizeof *w->clocks);
    w->listed = malloc((reach->n + 1) * sizeof *w->listed);
    if (!w->clocks || !w->listed)
        return error_memory(error);
    for (size_t t = 0; t < reach->n; t++)
        w->clocks[t] =
            (struct held_clock){.change = WINDOW_NONE, .begin = WINDOW_NONE, .record = WINDOW_NONE};
    return CSY_OK;
}

void window_fini(struct window *w)
{
    free(w->items);
    free(w->clocks);
    free(w->listed);
    *w = (struct window){0};
}

static bool is_apart(int64_t most)
{
    return most == REACH_APART;
}

bool window_is_certain(const struct window *w, const struct change *a, const struct change *b)
{
    int64_t most = reach_of(w->reach, a->clock, b->clock);
    return is_apart(most) ||
           (int128)most + w->reach->added_ticks <= (int128)b->global_ticks - a->global_ticks;
}

/* Whether all of a clock up to some time come before a later one: of one clock stamps are in order
 * but for imprecision. */
static inline bool is_before(const struct window *w, int64_t most, int64_t global, int64_t later)
{
    return (int128)most + 2 * (int128)w->reach->added_ticks <= (int128)later - global;
}

/* Those of a clock that can be inverted with the new one b, from the last one back; at is that. */
static bool find_pairs(const struct window *w, uint64_t number, int64_t most, uint64_t at,
                       window_pair *pair, void *user)
{
    const struct change *b = &window_item(w, number)->change;
    while (at != WINDOW_NONE && at >= w->first) {
        const struct held *item = window_item(w, at);
        const struct change *a = &item->change;
        bool same = a->actor == b->actor && a->actor != NO_ACTOR;
        if (is_before(w, most, a->global_ticks, b->global_ticks))
            break;
        int128 over =
            (int128)most + w->reach->added_ticks - ((int128)b->global_ticks - a->global_ticks);
        if (over > 0 && !same && !pair(user, at, number))
            return false;
        at = b->ordered ? item->begin_before : item->change_before;
    }
    return true;
}

/* Of each clock that had something lately; most have nothing so near. */
static bool find_all(struct window *w, uint64_t number, const struct change *b, window_pair *pair,
                     void *user)
{
    size_t kept = 0;
    bool good = true;
    for (size_t i = 0; i < w->nlisted; i++) {
        uint32_t index = w->listed[i];
        struct held_clock *clock = &w->clocks[index];
        clock->listed = !window_is_past(w, clock->global_ticks, 2);
        if (!clock->listed)
            continue;
        w->listed[kept++] = index;
        if (!good || !pair)
            continue;
        uint64_t at = b->ordered ? clock->begin : clock->change;
        int64_t last = b->ordered ? clock->begin_ticks : clock->change_ticks;
        int64_t most = reach_of(w->reach, index, b->clock);
        if (at != WINDOW_NONE && !is_apart(most) && !is_before(w, most, last, b->global_ticks))
            good = find_pairs(w, number, most, at, pair, user);
    }
    w->nlisted = kept;
    return good;
}

/* All of it is in use. */
static bool make_room(struct window *w)
{
    return RING_GROW(w->items, w->capacity, WINDOW_MIN, w->first, w->next);
}

/* Add an item; one by one: what was just written in parts is slow to copy as a whole. */
static inline bool push(struct window *w, const struct change *change)
{
    const struct held_clock *clock = &w->clocks[change->clock];
    if (w->next - w->first == w->capacity && !make_room(w))
        return false;
    struct held *item = window_item(w, w->next++);
    item->change.global_ticks = change->global_ticks;
    item->change.clock = change->clock;
    item->change.actor = change->actor;
    item->change.sign = change->sign;
    item->change.edge = change->edge;
    item->change.ordered = change->ordered;
    item->change_before = clock->change;
    item->begin_before = clock->begin;
    item->record_before = clock->record;
    item->active = 0;
    item->counts = false;
    item->partners = 0;
    item->links = UINT32_MAX;
    item->later = WINDOW_NONE;
    item->mark = 0;
    w->now = change->global_ticks > w->now ? change->global_ticks : w->now;
    return true;
}

static inline void list(struct window *w, const struct change *change)
{
    struct held_clock *clock = &w->clocks[change->clock];
    clock->global_ticks = change->global_ticks;
    if (!clock->listed)
        w->listed[w->nlisted++] = change->clock;
    clock->listed = true;
}

/* Of such a one nothing else is looked at. */
bool window_add_record(struct window *w, const struct change *record)
{
    if (w->next - w->first == w->capacity && !make_room(w))
        return false;
    struct held_clock *clock = &w->clocks[record->clock];
    struct held *item = window_item(w, w->next);
    item->change.global_ticks = record->global_ticks;
    item->change.clock = record->clock;
    item->change.actor = record->actor;
    item->change.sign = 0;
    item->change.edge = 0;
    item->change.ordered = true;
    item->record_before = clock->record;
    item->links = UINT32_MAX;
    w->now = record->global_ticks > w->now ? record->global_ticks : w->now;
    clock->record = w->next++;
    list(w, record);
    return true;
}

bool window_add(struct window *w, const struct change *change, window_pair *pair, void *user)
{
    uint64_t number = window_next(w);
    bool matters = change_matters(change);
    if (!push(w, change))
        return false;
    struct held_clock *clock = &w->clocks[change->clock];
    bool good = !matters || find_all(w, number, change, pair, user);
    if (matters) {
        clock->change = number;
        clock->change_ticks = change->global_ticks;
    }
    if (matters && !change->ordered) {
        clock->begin = number;
        clock->begin_ticks = change->global_ticks;
    }
    if (change->ordered && !change->edge)
        clock->record = number;
    list(w, change);
    return good;
}
