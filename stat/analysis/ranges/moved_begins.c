/* Moves the begin of an interval to a record if its order relative to many changes is unknown. */
#include "analysis/ranges/moved_begins.h"

#include "base/array.h"
#include "base/error.h"
#include "base/team.h"

#include <stdatomic.h>
#include <stdlib.h>

/* GIVEN_MAX: most changes collected at a time; GIVEN_LEAST: fewest changes for several threads. */
enum { GIVEN_MAX = 4096, GIVEN_LEAST = 512 };

/* For each step: a begin is moved to a record if more changes than this may swap with it. */
static const uint32_t limits[MOVED_BEGINS] = {64, 3, 1};

static csy_status begin(struct moved_begins *s, const struct reach *reach, csy_error *error)
{
    csy_status status = window_init(&s->window, reach, error);
    s->free = NO_ITEM;
    s->passed = WINDOW_NONE;
    s->before = status ? NULL : malloc((s->nactors + 1) * sizeof *s->before);
    if (!status && !s->before)
        status = error_memory(error);
    for (size_t i = 0; !status && i < s->nactors; i++)
        s->before[i] = WINDOW_NONE;
    return status;
}

csy_status moved_begins_init_all(struct moved_begins *s, const struct reach *reach, size_t nactors,
                                 moved_begins_left *left, void *user, csy_error *error)
{
    *s = (struct moved_begins){.nactors = nactors, .left = left, .user = user};
    return begin(s, reach, error);
}

csy_status moved_begins_init(struct moved_begins *s, const struct reach *reach, size_t nlevels,
                             size_t nactors, bool some, unsigned workers, csy_error *error)
{
    *s = (struct moved_begins){
        .nactors = nactors, .nsteps = some ? MOVED_BEGINS : 1, .workers = workers};
    csy_status status = begin(s, reach, error);
    for (size_t i = 0; !status && i < MOVED_BEGINS && i < s->nsteps; i++) {
        status = swaps_init(&s->above[i], reach, nlevels, 1, error);
        if (!status)
            status = swaps_init(&s->below[i], reach, nlevels, -1, error);
    }
    for (size_t i = 0; !status && some && i < MOVED_BEGINS_SIDES; i++) {
        s->given[i].items = malloc(GIVEN_MAX * sizeof *s->given[i].items);
        status = s->given[i].items ? CSY_OK : error_memory(error);
    }
    return status;
}

void moved_begins_rest(struct moved_begins *s)
{
    window_fini(&s->window);
    for (size_t i = 0; i < MOVED_BEGINS_SIDES; i++) {
        free(s->given[i].items);
        s->given[i] = (struct given){.items = NULL};
    }
    for (size_t i = 0; i < MOVED_BEGINS && i < s->nsteps; i++) {
        swaps_rest(&s->above[i]);
        swaps_rest(&s->below[i]);
    }
    FREE_ALL(s->attached, s->pending, s->before);
    s->attached = NULL;
    s->pending = s->before = NULL;
}

void moved_begins_fini(struct moved_begins *s)
{
    moved_begins_rest(s);
    for (size_t i = 0; i < MOVED_BEGINS && i < s->nsteps; i++) {
        swaps_fini(&s->above[i]);
        swaps_fini(&s->below[i]);
    }
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

/* Returns the last record that certainly precedes a begin, or the first record in the window. */
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

/* The work that threads share. For each step, one part (a side) computes each end of the range. */
struct sides {
    struct moved_begins *moved_begins;
    atomic_size_t next; /* next side that no thread has taken */
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
        struct swaps *to = side < MOVED_BEGINS ? &s->above[side] : &s->below[side - MOVED_BEGINS];
        for (size_t i = 0; !given->failed && i < given->n; i++)
            given->failed = !swaps_take(to, &given->items[i]);
        given->n = 0;
    }
}

/* Process the changes of all sides of all steps. Returns false if out of memory. */
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

/* Add a record, with the begins that were moved to it, to the changes of a side. */
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

/* Returns true if nothing changes at a record, and no begin of an interval can be moved to it. */
static inline bool is_idle(const struct held *item)
{
    return item->change.ordered && item->links == NO_ITEM && !change_matters(&item->change);
}

/* Pass the oldest change in the window on to all sides. Returns false if out of memory. */
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
            good = give_record(s, item, i); /* other begins are moved to a record */
        }
    }
    if (s->left && !begin && !is_idle(item)) {
        /* If there are no steps, pass the record on with all begins that were moved to it. */
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
    for (; s->looked < number; s->looked++) { /* find the last record before all new changes */
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
    for (size_t i = 0; good && i < MOVED_BEGINS && i < s->nsteps; i++)
        good = swaps_end(&s->above[i]) && swaps_end(&s->below[i]);
    return good;
}
