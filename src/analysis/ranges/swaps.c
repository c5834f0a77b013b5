/* What pairs of changes that may be in either order make of the time with at least i active. */
#include "analysis/ranges/swaps.h"

#include "base/array.h"
#include "instants/actors.h"

#include <stdlib.h>

#define NO_LINK UINT32_MAX

/* Of looking at partners: so much for each change, and in all. */
enum { WORK_OF_CHANGE = 1024, WORK_LEAST = 1 << 24, LINKS_MAX = 1 << 22 };

csy_status swaps_init(struct swaps *v, const struct reach *reach, size_t nlevels, int sign,
                      csy_error *error)
{
    *v = (struct swaps){.free = NO_LINK, .counts = true};
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
    uint32_t link = v->free;
    if (link == NO_LINK) {
        if (!ARRAY_RESERVE(v->links, v->links_capacity, v->nlinks + 1))
            return false;
        link = (uint32_t)v->nlinks++;
    } else {
        v->free = v->links[link].next;
    }
    v->links[link] = (struct swap_link){other, item->links};
    item->links = link;
    return true;
}

static bool link_pair(void *user, uint64_t before, uint64_t number)
{
    struct swaps *v = user;
    v->given_up |= v->may_give_up && v->nlinks >= LINKS_MAX && v->free == NO_LINK;
    if (v->given_up)
        return true;
    window_item(&v->window, before)->partners++;
    window_item(&v->window, number)->partners++;
    return link_to(v, before, number) && link_to(v, number, before);
}

/* What a third one c that can be inverted with a or b may add to those active before both.  One of
 * a's own actor is where it is; of b's own it is before both if it is before b. */
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
    for (uint32_t link = a->links; link != NO_LINK; link = v->links[link].next) {
        uint64_t number = v->links[link].partner;
        struct held *c = window_item(w, number);
        if (number != number_b)
            allow(&range, number_a, number_b, number, &a->change, &b->change, &c->change);
        c->mark = mark;
    }
    for (uint32_t link = b->links; link != NO_LINK; link = v->links[link].next) {
        uint64_t number = v->links[link].partner;
        const struct held *c = window_item(w, number);
        if (number != number_a && c->mark != mark)
            allow(&range, number_a, number_b, number, &a->change, &b->change, &c->change);
    }
    return majorants_invert(&v->majorants, w->reach, &a->change, &b->change, &range);
}

/* More has been looked at than is worth it. */
static void weigh(struct swaps *v)
{
    v->given_up |=
        v->may_give_up && v->work / WORK_OF_CHANGE > v->nchanges + WORK_LEAST / WORK_OF_CHANGE;
}

/* All pairs whose second one is this. */
static bool tell(struct swaps *v, uint64_t number)
{
    bool good = true;
    const struct held *item = window_item(&v->window, number);
    for (uint32_t link = item->links; good && !v->given_up && link != NO_LINK;
         link = v->links[link].next) {
        if (v->links[link].partner < number)
            good = tell_pair(v, v->links[link].partner, number);
        weigh(v);
    }
    return good;
}

/* Those before a number; far: that nothing which is still to come can be inverted with. */
static bool tell_next(struct swaps *v, uint64_t number, bool far)
{
    bool good = true;
    while (good && !v->given_up && v->told < number &&
           (!far ||
            window_is_past(&v->window, window_item(&v->window, v->told)->change.global_ticks, 2)))
        good = tell(v, v->told++);
    return good;
}

static void drop(struct swaps *v)
{
    uint32_t link = window_item(&v->window, v->window.first)->links;
    while (link != NO_LINK) {
        uint32_t next = v->links[link].next;
        v->links[link].next = v->free;
        v->free = link;
        link = next;
    }
    window_drop(&v->window);
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
        drop(v);
    }
    return good;
}

bool swaps_end(struct swaps *v)
{
    return tell_next(v, window_next(&v->window), false);
}
