/* Computes upper bounds of the time during which at least i actors are active. They hold for all
 * clock offsets that are possible. */
#include "analysis/ranges/swaps.h"

#include "base/array.h"
#include "base/error.h"
#include "base/team.h"
#include "instants/actors.h"

#include <stdatomic.h>
#include <stdlib.h>

/* --- Upper bounds (upper sums) --------------------------------------------------------------- */

#define NO_ARC UINT32_MAX

bool upper_sums_init(struct upper_sums *sums, size_t nlevels, size_t nclocks, int sign)
{
    *sums = (struct upper_sums){.n = nlevels, .nclocks = nclocks, .sign = sign};
    sums->levels = calloc(nlevels + 1, sizeof *sums->levels);
    return sums->levels != NULL;
}

void upper_sums_fini(struct upper_sums *sums)
{
    for (size_t i = 0; sums->levels && i <= sums->n; i++) {
        struct upper_sum *level = &sums->levels[i];
        keys_fini(&level->pairs);
        FREE_ALL(level->c, level->arcs, level->next, level->firsts);
    }
    free(sums->levels);
    *sums = (struct upper_sums){0};
}

static bool has_clocks(const struct upper_sums *m, struct upper_sum *level)
{
    if (!level->c)
        level->c = calloc(m->nclocks, sizeof *level->c);
    return level->c != NULL;
}

static struct upper_sum *level_of(const struct upper_sums *m, int64_t level)
{
    return level < 1 || (uint64_t)level > m->n ? NULL : &m->levels[level - 1];
}

/* Subtract the time of a change, multiplied by `more`, from *to. To add the length of an interval,
 * call this for its begin with `more` = 1, and for its end with `more` = -1. */
static bool cross(const struct upper_sums *m, struct upper_sum *to, const struct change *change,
                  int64_t more)
{
    if (!to || more == 0)
        return true;
    if (!has_clocks(m, to))
        return false;
    int64_t amount = -(int64_t)m->sign * more * PARTS;
    to->c[change->clock] += amount;
    to->number += (int128)amount * change->global_ticks;
    to->turns += (uint64_t)(more < 0 ? -more : more);
    return true;
}

bool upper_sums_take(struct upper_sums *m, int64_t active, bool counts, const struct change *change)
{
    bool good = true;
    for (int64_t level = 1; good && change->edge && level <= active; level++)
        good = cross(m, level_of(m, level), change, change->edge);
    if (good && change->edge)
        good = cross(m, &m->levels[m->n], change, change->edge * active);
    if (good && change->sign && counts)
        good = cross(m, level_of(m, active + (change->sign > 0)), change, change->sign) &&
               cross(m, &m->levels[m->n], change, change->sign);
    return good;
}

/* y is the time from change b to change a. Add to *to the linear function of y that is at least
 * max(0, y) for all y from -u to v. */
static bool add_chord(const struct upper_sums *m, struct upper_sum *to, const struct change *a,
                      const struct change *b, int64_t added, int128 u, int128 v)
{
    if (!to)
        return true;
    int64_t slope = u <= 0 ? PARTS : (int64_t)((v * PARTS + (u + v) / 2) / (u + v));
    int128 distance = (int128)b->global_ticks - a->global_ticks;
    int128 low = slope * u, high = (PARTS - slope) * v;
    if (!has_clocks(m, to))
        return false;
    to->c[a->clock] += slope;
    to->c[b->clock] -= slope;
    to->number += (low > high ? low : high) + slope * (added - distance);
    return true;
}

/* Subtract max(0, y) from *to, where y is the time from change b to change a. This adds an arc to
 * to->arcs. If the two clocks have too many arcs, change an arc that subtracts less instead. */
static bool add_arc(struct upper_sum *to, const struct change *a, const struct change *b,
                    int64_t added)
{
    if (!to || a->clock == b->clock)
        return true;
    int128 cost = (int128)b->global_ticks - a->global_ticks + added;
    struct flow_arc *nearest = NULL;
    size_t same = 0;
    uint32_t pair;
    bool is_new;
    if (!fits_int64(cost))
        return true;
    if (!keys_find(&to->pairs, keys_pair(a->clock, b->clock), &pair, &is_new) ||
        !ARRAY_RESERVE(to->firsts, to->firsts_capacity, to->pairs.count))
        return false;
    uint32_t *first = &to->firsts[pair];
    if (is_new)
        *first = NO_ARC;
    for (uint32_t i = *first; i != NO_ARC; i = to->next[i]) {
        struct flow_arc *arc = &to->arcs[i];
        same++;
        if (arc->cost >= cost && (!nearest || arc->cost < nearest->cost))
            nearest = arc;
    }
    if (nearest && (nearest->cost == cost || same >= ARCS_OF_PAIR)) {
        nearest->capacity += PARTS;
        return true;
    }
    if (same >= ARCS_OF_PAIR)
        return true;
    if (to->narcs == NO_ARC || !ARRAY_RESERVE(to->arcs, to->arcs_capacity, to->narcs + 1) ||
        !ARRAY_RESERVE(to->next, to->next_capacity, to->narcs + 1))
        return false;
    to->arcs[to->narcs] = (struct flow_arc){a->clock, b->clock, (int64_t)cost, PARTS};
    to->next[to->narcs] = *first;
    *first = (uint32_t)to->narcs++;
    return true;
}

/*
 * Raise the bounds, because change a, recorded before change b, may come after it.  If two
 * events happened in the other order, y ticks apart, then the time with at least i active actors
 * changes by kappa * y.  If N actors are active before both events, kappa is:
 *
 *   both actors become active                  1 for i = N + 1, -1 for i = N + 2
 *   both actors become inactive                1 for i = N - 1, -1 for i = N
 *   one becomes active, the other inactive     1 for i = N + 1, -1 for i = N
 *   the block begins, an actor becomes active    -1 for i = N + 1
 *   the block begins, an actor becomes inactive   1 for i = N
 *   the block ends                                the negative of these values
 *
 * For all other i, kappa is 0.
 */
static bool upper_sums_invert(struct upper_sums *m, const struct reach *reach,
                              const struct change *a, const struct change *b,
                              const struct before_both *before)
{
    int64_t least = before->least, greatest = before->greatest;
    int64_t added = reach->added_ticks;
    int128 distance = (int128)b->global_ticks - a->global_ticks;
    int128 v = reach_of(reach, a->clock, b->clock) + (int128)added - distance;
    int128 u = reach_of(reach, b->clock, a->clock) + (int128)added + distance;
    bool good = true;
    if (a->edge && b->edge)
        return true;
    if (a->edge || b->edge) {
        int sign = a->sign + b->sign;
        bool raises = -sign * (a->edge + b->edge) * m->sign > 0;
        for (int64_t n = least; good && raises && n <= greatest; n++)
            good = add_chord(m, level_of(m, n + (sign > 0)), a, b, added, u, v);
        if (good && !raises && least == greatest)
            good = add_arc(level_of(m, least + (sign > 0)), a, b, added);
        if (good)
            good = raises ? add_chord(m, &m->levels[m->n], a, b, added, u, v)
                          : add_arc(&m->levels[m->n], a, b, added);
        return good;
    }
    if (!before->may_count)
        return true;
    int64_t more = a->sign < 0 && b->sign < 0 ? -1 : 1;
    int64_t less = a->sign > 0 && b->sign > 0 ? 2 : 0;
    for (int64_t n = least; good && n <= greatest; n++)
        good = add_chord(m, level_of(m, n + (m->sign > 0 ? more : less)), a, b, added, u, v);
    if (good && least == greatest && !before->may_not)
        good = add_arc(level_of(m, least + (m->sign > 0 ? less : more)), a, b, added);
    return good;
}

csy_status upper_sums_greatest(const struct weighted *sum, size_t n, const struct moves *moves,
                               int128 *out, bool *limited, csy_error *error)
{
    int64_t *c = calloc(moves->n + 1, sizeof *c);
    struct flow_arc *arcs = NULL;
    size_t narcs = 0, capacity = 0;
    bool any = false;
    int128 number = 0, flow = 0;
    csy_status status = c ? CSY_OK : error_memory(error);
    for (size_t i = 0; !status && i < n; i++) {
        const struct upper_sum *m = sum[i].upper_sum;
        int64_t weight = sum[i].weight;
        if (!m)
            continue;
        number += weight * (m->number +
                            (int128)m->turns * (PARTS / 2) * moves->sync->imprecision.added_ticks);
        any |= m->c != NULL;
        for (size_t t = 0; m->c && t < moves->n; t++)
            c[t] += weight * m->c[t];
        if (!ARRAY_RESERVE(arcs, capacity, narcs + m->narcs)) {
            status = error_memory(error);
            break;
        }
        for (size_t j = 0; j < m->narcs; j++) {
            arcs[narcs] = m->arcs[j];
            arcs[narcs++].capacity *= weight;
        }
    }
    *limited = true;
    if (!status && (any || narcs > 0))
        status = moves_greatest(moves, c, arcs, narcs, NULL, &flow, limited, error);
    *out = number + flow;
    FREE_ALL(arcs, c);
    return status;
}

/* --- The window of changes that others may swap with ------------------------------------------ */

enum { WINDOW_MIN = 64 };

typedef bool window_pair(void *user, uint64_t before, uint64_t number);

static inline struct held *window_item(const struct window *window, uint64_t number)
{
    return &window->items[(size_t)number & (window->capacity - 1)];
}

/* Returns true if the time `global` is at least `times` * limit ticks in the past. */
static inline bool window_is_past(const struct window *window, int64_t global, unsigned times)
{
    return (uint64_t)window->now - (uint64_t)global >= times * (uint64_t)window->limit;
}

static bool window_init(struct window *w, const struct reach *reach)
{
    *w = (struct window){.reach = reach, .now = INT64_MIN};
    w->limit = nearest_int64((int128)reach->greatest + 2 * (int128)reach->added_ticks + 1);
    w->clocks = malloc((reach->n + 1) * sizeof *w->clocks);
    w->listed = malloc((reach->n + 1) * sizeof *w->listed);
    for (size_t t = 0; w->clocks && t < reach->n; t++)
        w->clocks[t] =
            (struct held_clock){.change = WINDOW_NONE, .begin = WINDOW_NONE, .record = WINDOW_NONE};
    return w->clocks && w->listed;
}

static void window_fini(struct window *w)
{
    FREE_ALL(w->items, w->clocks, w->listed);
    *w = (struct window){0};
}

/* Returns true if change a, which is recorded before change b, cannot have happened after it. */
static bool window_is_certain(const struct window *w, const struct change *a,
                              const struct change *b)
{
    int64_t most = reach_of(w->reach, a->clock, b->clock);
    return most == REACH_APART ||
           (int128)most + w->reach->added_ticks <= (int128)b->global_ticks - a->global_ticks;
}

/* Returns true if a change at the time `global` on one clock certainly happened before a change at
 * the time `later` on another clock. `most` is the greatest error of the estimated difference
 * between the two clocks. */
static inline bool is_before(const struct window *w, int64_t most, int64_t global, int64_t later)
{
    return (int128)most + 2 * (int128)w->reach->added_ticks <= (int128)later - global;
}

/* Check the change number `at` and the earlier changes of its clock. Call `pair` for those that can
 * swap with the change `number`. */
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

/* Call `pair` for each earlier change in the window that can swap with change b. */
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

/* Call make_room first. */
static inline struct held *append(struct window *w, const struct change *change)
{
    /* copy single members: copying a struct that was just written in parts is slow */
    struct held *item = window_item(w, w->next++);
    item->change.global_ticks = change->global_ticks;
    item->change.local_ticks = change->local_ticks;
    item->change.clock = change->clock;
    item->change.actor = change->actor;
    item->change.sign = change->sign;
    item->change.edge = change->edge;
    item->change.ordered = change->ordered;
    item->record_before = w->clocks[change->clock].record;
    item->links = UINT32_MAX;
    w->now = change->global_ticks > w->now ? change->global_ticks : w->now;
    return item;
}

static bool window_add_record(struct window *w, const struct change *record)
{
    uint64_t number = w->next;
    if (!make_room(w))
        return false;
    (void)append(w, record);
    w->clocks[record->clock].record = number;
    list(w, record);
    return true;
}

/* Add a change to the window. Unless `pair` is NULL, call it for each change that can swap. */
static bool window_add(struct window *w, const struct change *change, window_pair *pair, void *user)
{
    uint64_t number = w->next;
    bool matters = change_matters(change);
    struct held_clock *clock = &w->clocks[change->clock];
    if (!make_room(w))
        return false;
    struct held *item = append(w, change);
    item->change_before = clock->change;
    item->begin_before = clock->begin;
    item->active = 0;
    item->counts = false;
    item->partners = 0;
    item->later = WINDOW_NONE;
    item->mark = 0;
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

/* Limits of work and memory in a partial order, where very many changes can swap: swaps.nlinks is
 * at most LINKS_MAX, and swaps.work at most WORK_LEAST + WORK_OF_CHANGE * nchanges. */
enum { WORK_OF_CHANGE = 1024, WORK_LEAST = 1 << 24, LINKS_MAX = 1 << 22 };

bool swaps_init(struct swaps *v, const struct reach *reach, size_t nlevels, int sign)
{
    *v = (struct swaps){.free = NO_ITEM, .counts = true};
    return upper_sums_init(&v->sums, nlevels, reach->n, sign) && window_init(&v->window, reach);
}

/* Free everything except v->sums. */
static void swaps_rest(struct swaps *v)
{
    window_fini(&v->window);
    free(v->links);
    v->links = NULL;
}

void swaps_fini(struct swaps *v)
{
    swaps_rest(v);
    upper_sums_fini(&v->sums);
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

/* Widen *range to allow for both orders of change c relative to changes a and b. */
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
    return upper_sums_invert(&v->sums, w->reach, &a->change, &b->change, &range);
}

/* Raise the bounds for all pairs of changes before `number` that can swap, so that the bounds hold
 * for both orders. If `far` is true, stop at the first change that may also swap with a later
 * one. */
static bool tell_next(struct swaps *v, uint64_t number, bool far)
{
    bool good = true;
    while (good && !v->given_up && v->told < number &&
           (!far ||
            window_is_past(&v->window, window_item(&v->window, v->told)->change.global_ticks, 2))) {
        uint64_t told = v->told++;
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
    uint64_t number = w->next;
    v->nchanges++;
    if (v->given_up)
        return true;
    bool good = upper_sums_take(&v->sums, v->active, v->counts, change) &&
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
        v->window.first++;
    }
    return good;
}

bool swaps_end(struct swaps *v)
{
    return tell_next(v, v->window.next, false);
}

/* --- Begins of intervals that are moved to records -------------------------------------------- */

/* given.items has room for GIVEN_MAX changes. With fewer than GIVEN_LEAST changes, starting threads
 * takes longer than it saves. */
enum { GIVEN_MAX = 4096, GIVEN_LEAST = 512 };

/* step i moves a begin to a record if more than limits[i] changes can swap with it */
static const uint32_t limits[MOVED_BEGINS] = {64, 3, 1};

bool moved_begins_init_all(struct moved_begins *s, const struct reach *reach, size_t nactors,
                           moved_begins_left *left, void *user)
{
    *s = (struct moved_begins){
        .nactors = nactors, .left = left, .user = user, .free = NO_ITEM, .passed = WINDOW_NONE};
    s->before = malloc((nactors + 1) * sizeof *s->before);
    for (size_t i = 0; s->before && i < nactors; i++)
        s->before[i] = WINDOW_NONE;
    return s->before && window_init(&s->window, reach);
}

bool moved_begins_init(struct moved_begins *s, const struct reach *reach, size_t nlevels,
                       size_t nactors, bool some, unsigned workers)
{
    bool good = moved_begins_init_all(s, reach, nactors, NULL, NULL);
    s->nsteps = some ? MOVED_BEGINS : 1;
    s->workers = workers;
    for (size_t i = 0; good && i < MOVED_BEGINS_SIDES; i++) {
        if (i % MOVED_BEGINS < s->nsteps)
            good = swaps_init(&s->sides[i], reach, nlevels, i < MOVED_BEGINS ? 1 : -1);
        s->given[i].items = some ? malloc(GIVEN_MAX * sizeof *s->given[i].items) : NULL;
        good = good && (!some || s->given[i].items);
    }
    return good;
}

void moved_begins_rest(struct moved_begins *s)
{
    window_fini(&s->window);
    for (size_t i = 0; i < MOVED_BEGINS_SIDES; i++) {
        free(s->given[i].items);
        s->given[i] = (struct given){.items = NULL};
        swaps_rest(&s->sides[i]);
    }
    FREE_ALL(s->attached, s->pending, s->before);
    s->attached = NULL;
    s->pending = s->before = NULL;
}

void moved_begins_fini(struct moved_begins *s)
{
    moved_begins_rest(s);
    for (size_t i = 0; i < MOVED_BEGINS_SIDES; i++)
        swaps_fini(&s->sides[i]);
    *s = (struct moved_begins){0};
}

static bool count_pair(void *user, uint64_t before, uint64_t number)
{
    struct moved_begins *s = user;
    window_item(&s->window, before)->partners++;
    window_item(&s->window, number)->partners++;
    return true;
}

static bool attach(struct moved_begins *s, uint64_t record, uint64_t begin, bool later)
{
    struct held *to = window_item(&s->window, record);
    const struct held *item = window_item(&s->window, begin);
    uint32_t index;
    if (!ARRAY_TAKE(s->attached, s->attached_capacity, s->nattached, next, s->free, &index))
        return false;
    s->attached[index] = (struct attached){item->change, begin, later, item->partners, to->links};
    to->links = index;
    return true;
}

/* Returns the number of the last record that certainly precedes the begin of an interval, which has
 * the number `number`. If there is none, returns the first record in the window, or WINDOW_NONE. */
static uint64_t find_before(const struct moved_begins *s, uint64_t number)
{
    const struct window *w = &s->window;
    const struct change *begin = &window_item(w, number)->change;
    uint64_t best = s->before[begin->actor];
    if (best == WINDOW_NONE || best < w->first || (s->passed != WINDOW_NONE && s->passed > best))
        best = s->passed;
    for (size_t i = 0; i < w->nlisted; i++) {
        uint64_t at = w->clocks[w->listed[i]].record;
        while (at != WINDOW_NONE && at >= w->first && (best == WINDOW_NONE || at > best)) {
            const struct held *item = window_item(w, at);
            if (window_is_certain(w, &item->change, begin)) {
                best = at;
                break;
            }
            at = item->record_before;
        }
    }
    for (uint64_t at = w->first; best == WINDOW_NONE && at < number; at++) {
        const struct change *change = &window_item(w, at)->change;
        if (change->ordered && !change->edge)
            best = at;
    }
    return best;
}

static void settle(struct moved_begins *s, uint64_t number)
{
    const struct window *w = &s->window;
    const struct change *record = &window_item(w, number)->change;
    size_t kept = 0;
    for (size_t i = 0; i < s->npending; i++) {
        struct held *item = window_item(w, s->pending[i]);
        if (item->change.actor == record->actor || window_is_certain(w, &item->change, record))
            item->later = number;
        else
            s->pending[kept++] = s->pending[i];
    }
    s->npending = kept;
}

struct sides {
    struct moved_begins *moved_begins;
    atomic_size_t next;
};

static void give_sides(void *user, struct team *team, unsigned self)
{
    struct sides *sides = user;
    struct moved_begins *s = sides->moved_begins;
    size_t side;
    (void)team;
    (void)self;
    while ((side = atomic_fetch_add(&sides->next, 1)) < MOVED_BEGINS_SIDES) {
        struct given *given = &s->given[side];
        for (size_t i = 0; !given->failed && i < given->n; i++)
            given->failed = !swaps_take(&s->sides[side], &given->items[i]);
        given->n = 0;
    }
}

static bool give_all(struct moved_begins *s)
{
    struct sides sides = {.moved_begins = s};
    bool many = s->given[0].n >= GIVEN_LEAST, good = true;
    unsigned most = s->workers < MOVED_BEGINS_SIDES ? s->workers : MOVED_BEGINS_SIDES;
    team_run(many ? most : 1, give_sides, &sides);
    for (size_t i = 0; i < MOVED_BEGINS_SIDES; i++)
        good = good && !s->given[i].failed;
    return good;
}

/* Append a record, with the begins of intervals that were moved to it, to s->given[side]. */
static bool give_record(struct moved_begins *s, const struct held *item, size_t side)
{
    const struct change *change = &item->change;
    uint32_t actor = change->actor;
    int64_t n = change->sign;
    for (uint32_t i = item->links; i != NO_ITEM; i = s->attached[i].next) {
        const struct attached *a = &s->attached[i];
        uint32_t partners = a->later ? a->partners : window_item(&s->window, a->number)->partners;
        bool longer = a->later == (a->change.sign < 0);
        if (partners <= limits[side % MOVED_BEGINS] || longer != (side < MOVED_BEGINS))
            continue;
        n += a->change.sign;
        actor = NO_ACTOR;
    }
    struct given *given = &s->given[side];
    bool good = true;
    for (int64_t left = n < 0 ? -n : n; good && left > 0; left--) {
        struct change *to = &given->items[given->n++];
        *to = *change;
        to->sign = n < 0 ? -1 : 1;
        to->actor = actor;
        good = given->n < GIVEN_MAX || give_all(s);
    }
    return good;
}

/* Returns true if no actor becomes active or inactive at a record, and no begin of an interval may
 * be moved to it. */
static inline bool is_idle(const struct held *item)
{
    return item->change.ordered && item->links == NO_ITEM && !change_matters(&item->change);
}

static bool leave(struct moved_begins *s)
{
    struct window *w = &s->window;
    const struct held *item = window_item(w, w->first);
    bool good = true, begin = !item->change.ordered && !item->change.edge;
    for (size_t i = 0; s->nsteps > 0 && good && i < MOVED_BEGINS_SIDES; i++) {
        struct given *given = &s->given[i];
        if (item->change.edge) {
            given->items[given->n++] = item->change;
            good = given->n < GIVEN_MAX || give_all(s);
        } else if (!begin || item->partners <= limits[i % MOVED_BEGINS]) {
            good = give_record(s, item, i);
        }
    }
    if (s->left && !begin && !is_idle(item)) {
        int64_t above = item->change.sign, below = above;
        for (uint32_t i = item->links; i != NO_ITEM; i = s->attached[i].next) {
            const struct attached *a = &s->attached[i];
            if (a->later == (a->change.sign < 0))
                above += a->change.sign;
            else
                below += a->change.sign;
        }
        good = s->left(s->user, s->window.first, &item->change, above, below);
    }
    if (good && begin && item->later != WINDOW_NONE)
        good = attach(s, item->later, w->first, true);
    for (uint32_t i = window_item(w, w->first)->links; i != NO_ITEM;) {
        uint32_t next = s->attached[i].next;
        s->attached[i].next = s->free;
        s->free = i;
        i = next;
    }
    w->first++;
    return good;
}

bool moved_begins_take(struct moved_begins *s, const struct change *change)
{
    struct window *w = &s->window;
    uint64_t number = w->next;
    bool record = change->ordered && !change->edge;
    if (!(record && change->sign == 0
              ? window_add_record(w, change)
              : window_add(w, change, s->nsteps > 0 ? count_pair : NULL, s)))
        return false;
    for (; s->looked < number; s->looked++) {
        const struct change *next = &window_item(w, s->looked)->change;
        if (!window_is_past(w, next->global_ticks, 2))
            break;
        if (next->ordered && !next->edge)
            s->passed = s->looked;
    }
    if (record) {
        if (s->npending > 0)
            settle(s, number);
        if (change->actor != NO_ACTOR)
            s->before[change->actor] = number;
    } else if (!change->edge) {
        uint64_t before = find_before(s, number);
        if ((before != WINDOW_NONE && !attach(s, before, number, false)) ||
            !ARRAY_PUSH(s->pending, s->npending, s->pending_capacity, number))
            return false;
    }
    bool good = true;
    while (good && s->passed != WINDOW_NONE && w->first < s->passed) {
        const struct held *item = window_item(w, w->first);
        if (is_idle(item)) {
            w->first++;
            continue;
        }
        if (!item->change.ordered && !item->change.edge && item->later == WINDOW_NONE)
            break;
        good = leave(s);
    }
    return good;
}

bool moved_begins_end(struct moved_begins *s)
{
    bool good = true;
    while (good && s->window.first < s->window.next)
        good = leave(s);
    good = good && give_all(s);
    for (size_t i = 0; good && i < MOVED_BEGINS_SIDES; i++)
        good = swaps_end(&s->sides[i]);
    return good;
}
