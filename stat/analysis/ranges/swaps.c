/* Finds pairs of changes whose order is unknown (swaps). */
#include "analysis/ranges/swaps.h"

#include "base/array.h"
#include "base/error.h"
#include "instants/actors.h"

#include <stdlib.h>

/* --- The window of changes that others may swap with ------------------------------------------ */

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

bool window_is_certain(const struct window *w, const struct change *a, const struct change *b)
{
    int64_t most = reach_of(w->reach, a->clock, b->clock);
    return most == REACH_APART ||
           (int128)most + w->reach->added_ticks <= (int128)b->global_ticks - a->global_ticks;
}

/* Returns true if changes of a clock up to `global` certainly precede the time `later` of another
 * clock. `most` limits the error of the difference of both clocks. */
static inline bool is_before(const struct window *w, int64_t most, int64_t global, int64_t later)
{
    return (int128)most + 2 * (int128)w->reach->added_ticks <= (int128)later - global;
}

/* Call `pair` for each change of a clock that can swap with the change `number`, from `at`
 * backwards. */
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

/* Call `pair` for each change that can swap with b, on all clocks with recent changes. */
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
        if (at != WINDOW_NONE && most != REACH_APART && !is_before(w, most, last, b->global_ticks))
            good = find_pairs(w, number, most, at, pair, user);
    }
    w->nlisted = kept;
    return good;
}

static inline bool make_room(struct window *w)
{
    return w->next - w->first < w->capacity ||
           RING_GROW(w->items, w->capacity, WINDOW_MIN, w->first, w->next);
}

static inline void list(struct window *w, const struct change *change)
{
    struct held_clock *clock = &w->clocks[change->clock];
    clock->global_ticks = change->global_ticks;
    if (!clock->listed)
        w->listed[w->nlisted++] = change->clock;
    clock->listed = true;
}

/* Add a record at which nothing changes. Only the members set here are used. */
bool window_add_record(struct window *w, const struct change *record)
{
    if (!make_room(w))
        return false;
    struct held_clock *clock = &w->clocks[record->clock];
    struct held *item = window_item(w, w->next);
    item->change.global_ticks = record->global_ticks;
    item->change.local_ticks = record->local_ticks;
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
    struct held_clock *clock = &w->clocks[change->clock];
    if (!make_room(w))
        return false;
    /* copying a struct that was just written in parts is slow, so members are copied one by one */
    struct held *item = window_item(w, w->next++);
    item->change.global_ticks = change->global_ticks;
    item->change.local_ticks = change->local_ticks;
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

/* --- Swaps ----------------------------------------------------------------------------------- */

/* Greatest numbers of swaps examined for each change and at least, and of stored links. */
enum { WORK_OF_CHANGE = 1024, WORK_LEAST = 1 << 24, LINKS_MAX = 1 << 22 };

csy_status swaps_init(struct swaps *v, const struct reach *reach, size_t nlevels, int sign,
                      csy_error *error)
{
    *v = (struct swaps){.free = NO_ITEM, .counts = true};
    csy_status status = majorants_init(&v->majorants, nlevels, reach->n, sign, error);
    return status ? status : window_init(&v->window, reach, error);
}

void swaps_rest(struct swaps *v)
{
    window_fini(&v->window);
    free(v->links);
    v->links = NULL;
}

void swaps_fini(struct swaps *v)
{
    swaps_rest(v);
    majorants_fini(&v->majorants);
    *v = (struct swaps){0};
}

static bool link_to(struct swaps *v, uint64_t one, uint64_t other)
{
    struct held *item = window_item(&v->window, one);
    uint32_t link;
    if (!ARRAY_TAKE(v->links, v->links_capacity, v->nlinks, next, v->free, &link))
        return false;
    v->links[link] = (struct swap_link){other, item->links};
    item->links = link;
    return true;
}

static bool link_pair(void *user, uint64_t before, uint64_t number)
{
    struct swaps *v = user;
    v->given_up |= v->may_give_up && v->nlinks >= LINKS_MAX && v->free == NO_ITEM;
    if (v->given_up)
        return true;
    window_item(&v->window, before)->partners++;
    window_item(&v->window, number)->partners++;
    return link_to(v, before, number) && link_to(v, number, before);
}

/* Extend the range of the actors that are active before both a and b, because a third change c may
 * swap with a or b. */
static void allow(struct before_both *range, uint64_t number_a, uint64_t number_b,
                  uint64_t number_c, const struct change *a, const struct change *b,
                  const struct change *c)
{
    bool first = number_c < number_a;
    int64_t more = first ? -c->sign : c->sign;
    if (c->edge)
        range->may_count = range->may_not = true;
    if (c->actor != NO_ACTOR && c->actor == a->actor)
        return;
    if (c->actor != NO_ACTOR && c->actor == b->actor) {
        if (number_c > number_a && number_c < number_b) {
            range->least += more;
            range->greatest += more;
        }
        return;
    }
    if (more < 0)
        range->least += more;
    else
        range->greatest += more;
}

static bool tell_pair(struct swaps *v, uint64_t number_a, uint64_t number_b)
{
    const struct window *w = &v->window;
    const struct held *a = window_item(w, number_a), *b = window_item(w, number_b);
    struct before_both range = {a->active, a->active, a->counts, !a->counts};
    uint64_t mark = ++v->mark;
    v->work += (uint64_t)a->partners + b->partners;
    for (uint32_t link = a->links; link != NO_ITEM; link = v->links[link].next) {
        uint64_t number = v->links[link].partner;
        struct held *c = window_item(w, number);
        if (number != number_b)
            allow(&range, number_a, number_b, number, &a->change, &b->change, &c->change);
        c->mark = mark;
    }
    for (uint32_t link = b->links; link != NO_ITEM; link = v->links[link].next) {
        uint64_t number = v->links[link].partner;
        const struct held *c = window_item(w, number);
        if (number != number_a && c->mark != mark)
            allow(&range, number_a, number_b, number, &a->change, &b->change, &c->change);
    }
    return majorants_invert(&v->majorants, w->reach, &a->change, &b->change, &range);
}

/* Process the swaps of all changes before `number` or, if `far`, before a change that can swap with
 * a later one. Returns false if out of memory. */
static bool tell_next(struct swaps *v, uint64_t number, bool far)
{
    bool good = true;
    while (good && !v->given_up && v->told < number &&
           (!far ||
            window_is_past(&v->window, window_item(&v->window, v->told)->change.global_ticks, 2))) {
        uint64_t told = v->told++; /* process all swaps of this change with earlier changes */
        for (uint32_t link = window_item(&v->window, told)->links;
             good && !v->given_up && link != NO_ITEM; link = v->links[link].next) {
            if (v->links[link].partner < told)
                good = tell_pair(v, v->links[link].partner, told);
            v->given_up |= v->may_give_up &&
                           v->work / WORK_OF_CHANGE > v->nchanges + WORK_LEAST / WORK_OF_CHANGE;
        }
    }
    return good;
}

bool swaps_take(struct swaps *v, const struct change *change)
{
    struct window *w = &v->window;
    uint64_t number = window_next(w);
    v->nchanges++;
    if (v->given_up)
        return true;
    bool good = majorants_take(&v->majorants, v->active, v->counts, change) &&
                window_add(w, change, link_pair, v);
    if (!good)
        return false;
    window_item(w, number)->active = v->active;
    window_item(w, number)->counts = v->counts;
    v->active += change->sign;
    if (change->edge)
        v->counts = change->edge > 0;
    good = tell_next(v, number, true);
    while (w->first < v->told) {
        int64_t first = window_item(w, w->first)->change.global_ticks;
        if ((int128)window_item(w, v->told)->change.global_ticks - first < 4 * (int128)w->limit)
            break;
        uint32_t link = window_item(&v->window, v->window.first)->links;
        while (link != NO_ITEM) {
            uint32_t next = v->links[link].next;
            v->links[link].next = v->free;
            v->free = link;
            link = next;
        }
        window_drop(&v->window);
    }
    return good;
}

bool swaps_end(struct swaps *v)
{
    return tell_next(v, window_next(&v->window), false);
}
