/* Stairs: begins that can be inverted with many others become records. */
#include "analysis/stairs.h"

#include "base/array.h"
#include "base/error.h"
#include "instants/actors.h"

#include <stdlib.h>

#define NO_ITEM UINT32_MAX

/* More than so many that it can be inverted with. */
static const uint32_t limits[STAIRS] = {64, 3, 1};

static csy_status begin(struct stairs *s, const struct reach *reach, csy_error *error)
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

csy_status stairs_init_all(struct stairs *s, const struct reach *reach, size_t nactors,
                           stairs_left *left, void *user, csy_error *error)
{
    *s = (struct stairs){.nactors = nactors, .left = left, .user = user};
    return begin(s, reach, error);
}

csy_status stairs_init(struct stairs *s, const struct reach *reach, size_t nlevels, size_t nactors,
                       bool some, csy_error *error)
{
    *s = (struct stairs){.nactors = nactors, .nsteps = some ? STAIRS : 1};
    csy_status status = begin(s, reach, error);
    for (size_t i = 0; !status && i < STAIRS && i < s->nsteps; i++) {
        status = inversions_init(&s->above[i], reach, nlevels, 1, error);
        if (!status)
            status = inversions_init(&s->below[i], reach, nlevels, -1, error);
    }
    return status;
}

void stairs_rest(struct stairs *s)
{
    window_fini(&s->window);
    for (size_t i = 0; i < STAIRS && i < s->nsteps; i++) {
        inversions_rest(&s->above[i]);
        inversions_rest(&s->below[i]);
    }
    free(s->attached);
    free(s->pending);
    free(s->before);
    s->attached = NULL;
    s->pending = s->before = NULL;
}

void stairs_fini(struct stairs *s)
{
    stairs_rest(s);
    for (size_t i = 0; i < STAIRS && i < s->nsteps; i++) {
        majorants_fini(&s->above[i].majorants);
        majorants_fini(&s->below[i].majorants);
    }
    *s = (struct stairs){0};
}

static bool count_pair(void *user, uint64_t before, uint64_t number)
{
    struct stairs *s = user;
    window_item(&s->window, before)->partners++;
    window_item(&s->window, number)->partners++;
    return true;
}

static bool attach(struct stairs *s, uint64_t record, uint64_t begin, bool later)
{
    struct held *to = window_item(&s->window, record);
    const struct held *item = window_item(&s->window, begin);
    uint32_t index = s->free;
    if (index == NO_ITEM) {
        if (!ARRAY_RESERVE(s->attached, s->attached_capacity, s->nattached + 1))
            return false;
        index = (uint32_t)s->nattached++;
    } else {
        s->free = s->attached[index].next;
    }
    s->attached[index] = (struct attached){item->change, begin, later, item->partners, to->links};
    to->links = index;
    return true;
}

/* The first record that is held, before that. */
static uint64_t find_first(const struct window *w, uint64_t number)
{
    for (uint64_t at = w->first; at < number; at++) {
        const struct change *change = &window_item(w, at)->change;
        if (change->ordered && !change->edge)
            return at;
    }
    return WINDOW_NONE;
}

/* The last record that certainly precedes a begin: of its actor, or of a clock that had some
 * lately, or the last that is long past.  Where none does, as before an actor's first record, it
 * cannot count from before the first of all. */
static uint64_t find_before(const struct stairs *s, uint64_t number)
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
    return best == WINDOW_NONE ? find_first(w, number) : best;
}

/* A record certainly follows some of the begins before it. */
static void settle(struct stairs *s, uint64_t number)
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

/* Give n changes of one kind to the steps of one side. */
static bool give(struct inversions *to, const struct change *change, int64_t n)
{
    struct change one = *change;
    bool good = true;
    one.sign = n > 0 ? 1 : -1;
    for (int64_t i = n > 0 ? n : -n; good && i > 0; i--)
        good = inversions_take(to, &one);
    return good;
}

/* What a record is with the begins that become it, for one limit and side. */
static bool give_record(const struct stairs *s, const struct held *item, size_t step, int side,
                        struct inversions *to)
{
    struct change change = item->change;
    int64_t n = change.sign;
    if (change.edge)
        return inversions_take(to, &change);
    for (uint32_t i = item->links; i != NO_ITEM; i = s->attached[i].next) {
        const struct attached *a = &s->attached[i];
        uint32_t partners = a->later ? a->partners : window_item(&s->window, a->number)->partners;
        bool longer = a->later == (a->change.sign < 0);
        if (partners <= limits[step] || longer != (side > 0))
            continue;
        n += a->change.sign;
        change.actor = NO_ACTOR;
    }
    return give(to, &change, n);
}

/* What a record is with all begins that become it. */
static bool tell_record(const struct stairs *s, const struct held *item)
{
    int64_t above = item->change.sign, below = above;
    for (uint32_t i = item->links; i != NO_ITEM; i = s->attached[i].next) {
        const struct attached *a = &s->attached[i];
        if (a->later == (a->change.sign < 0))
            above += a->change.sign;
        else
            below += a->change.sign;
    }
    return s->left(s->user, s->window.first, &item->change, above, below);
}

/* Whether an item changes nothing, and no begin becomes it. */
static inline bool is_idle(const struct held *item)
{
    return item->change.ordered && item->links == NO_ITEM && !change_matters(&item->change);
}

/* The first one leaves. */
static bool leave(struct stairs *s)
{
    struct window *w = &s->window;
    const struct held *item = window_item(w, w->first);
    bool good = true, begin = !item->change.ordered && !item->change.edge;
    for (size_t i = 0; good && i < STAIRS && i < s->nsteps; i++) {
        if (begin && item->partners > limits[i])
            continue;
        good =
            give_record(s, item, i, 1, &s->above[i]) && give_record(s, item, i, -1, &s->below[i]);
    }
    if (s->left && !begin && !is_idle(item))
        good = tell_record(s, item);
    if (good && begin && item->later != WINDOW_NONE)
        good = attach(s, item->later, w->first, true);
    for (uint32_t i = window_item(w, w->first)->links; i != NO_ITEM;) {
        uint32_t next = s->attached[i].next;
        s->attached[i].next = s->free;
        s->free = i;
        i = next;
    }
    window_drop(w);
    return good;
}

/* What is long past now that another one was added, with that number. */
static inline void look(struct stairs *s, uint64_t number)
{
    const struct window *w = &s->window;
    for (; s->looked < number; s->looked++) {
        const struct change *change = &window_item(w, s->looked)->change;
        if (!window_is_past(w, change->global_ticks, 2))
            break;
        if (change->ordered && !change->edge)
            s->passed = s->looked;
    }
}

static inline bool leave_past(struct stairs *s)
{
    struct window *w = &s->window;
    bool good = true;
    while (good && s->passed != WINDOW_NONE && w->first < s->passed) {
        const struct held *item = window_item(w, w->first);
        if (is_idle(item)) {
            window_drop(w);
            continue;
        }
        if (!item->change.ordered && !item->change.edge && item->later == WINDOW_NONE)
            break;
        good = leave(s);
    }
    return good;
}

bool stairs_take(struct stairs *s, const struct change *change)
{
    struct window *w = &s->window;
    uint64_t number = window_next(w);
    bool record = change->ordered && !change->edge;
    if (!(record && change->sign == 0
              ? window_add_record(w, change)
              : window_add(w, change, s->nsteps > 0 ? count_pair : NULL, s)))
        return false;
    look(s, number);
    if (record) {
        if (s->npending > 0)
            settle(s, number);
        if (change->actor != NO_ACTOR)
            s->before[change->actor] = number;
    } else if (!change->edge) {
        uint64_t before = find_before(s, number);
        if (!ARRAY_RESERVE(s->pending, s->pending_capacity, s->npending + 1) ||
            (before != WINDOW_NONE && !attach(s, before, number, false)))
            return false;
        s->pending[s->npending++] = number;
    }
    return leave_past(s);
}

bool stairs_end(struct stairs *s)
{
    bool good = true;
    while (good && s->window.first < window_next(&s->window))
        good = leave(s);
    for (size_t i = 0; good && i < STAIRS && i < s->nsteps; i++)
        good = inversions_end(&s->above[i]) && inversions_end(&s->below[i]);
    return good;
}
