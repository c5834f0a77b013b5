/* Times with so many active, with clocks moved. */
#include "analysis/attained.h"

#include "base/array.h"
#include "base/error.h"
#include "base/heap.h"

#include <stdlib.h>

/* An actor begins to be active, or ceases. */
struct step {
    int64_t ticks;
    uint64_t number; /* of those at one time the first comes first */
    int sign;
};

/* What happens with clocks moved by x. */
struct course {
    const int64_t *x;
    int64_t least;      /* of x */
    struct step *steps; /* that others may still come before, as a heap */
    size_t nsteps, capacity;
    uint64_t next; /* number */
    int64_t active, since;
    int64_t first, last; /* records */
    int128 *times;       /* by number of active actors */
    bool any, lost;      /* lost: one came too late */
};

struct walk {
    const struct levels_run *run;
    bool *active; /* by actor */
    int64_t now;
    struct course *courses;
    size_t ncourses;
};

static bool is_before(const void *left, const void *right)
{
    const struct step *a = left, *b = right;
    return a->ticks != b->ticks ? a->ticks < b->ticks : a->number < b->number;
}

static bool put(struct course *c, const struct step *step)
{
    if (!ARRAY_RESERVE(c->steps, c->capacity, c->nsteps + 1))
        return false;
    heap_put(c->steps, &c->nsteps, sizeof *step, step, is_before);
    return true;
}

/* All that nothing can come before any more. */
static void pass(struct course *c, size_t nactors, int64_t until)
{
    while (!c->lost && c->nsteps > 0 && c->steps[0].ticks < until) {
        struct step step;
        heap_take(c->steps, &c->nsteps, sizeof step, &step, is_before);
        if (c->active > 0)
            c->times[c->active] += (int128)step.ticks - c->since;
        c->since = step.ticks;
        c->active += step.sign;
        c->lost = c->active < 0 || (size_t)c->active > nactors;
    }
}

static bool move(struct course *c, const struct walk *w, const struct actor_instant *instant,
                 int sign)
{
    struct step step = {.number = c->next++, .sign = sign};
    int64_t until;
    if (__builtin_add_overflow(instant->at.global_ticks, c->x[instant->at.clock], &step.ticks) ||
        __builtin_add_overflow(w->now, c->least, &until)) {
        c->lost = true;
        return true;
    }
    if (instant->is_record && instant->own) {
        c->first = !c->any || step.ticks < c->first ? step.ticks : c->first;
        c->last = !c->any || step.ticks > c->last ? step.ticks : c->last;
        c->any = true;
    }
    c->lost |= sign != 0 && step.ticks < c->since;
    bool good = c->lost || sign == 0 || put(c, &step);
    pass(c, w->run->nactors, until);
    return good;
}

static csy_status take(void *user, const struct actor_instant *instant, csy_error *error)
{
    struct walk *w = user;
    bool active, good = true;
    if (!levels_find_active(w->run, instant, &active))
        return error_memory(error);
    int sign = active - w->active[instant->actor];
    w->active[instant->actor] = active;
    w->now = instant->at.global_ticks > w->now ? instant->at.global_ticks : w->now;
    for (size_t i = 0; good && i < w->ncourses; i++)
        good = w->courses[i].lost || move(&w->courses[i], w, instant, sign);
    return good ? CSY_OK : error_memory(error);
}

static csy_status begin(struct walk *w, csy_error *error)
{
    const struct moves_met *met = w->run->moves.met;
    size_t n = w->run->moves.n;
    w->active = calloc(w->run->instants->actors.count + 1, sizeof *w->active);
    w->courses = calloc(met->count + 1, sizeof *w->courses);
    if (!w->active || !w->courses)
        return error_memory(error);
    for (; w->ncourses < met->count; w->ncourses++) {
        struct course *c = &w->courses[w->ncourses];
        c->x = met->items + w->ncourses * n;
        c->since = INT64_MIN;
        for (size_t t = 0; t < n; t++)
            c->least = c->x[t] < c->least ? c->x[t] : c->least;
        c->times = calloc(w->run->nactors + 1, sizeof *c->times);
        if (!c->times)
            return error_memory(error);
    }
    return CSY_OK;
}

static void widen(struct attained_times *times, bool any, int128 time)
{
    int64_t ticks = (int64_t)time; /* no more than the time from the first record to the last */
    times->from = !any || ticks < times->from ? ticks : times->from;
    times->to = !any || ticks > times->to ? ticks : times->to;
}

static void add(const struct course *c, size_t nactors, struct attained *out)
{
    int128 above = 0, whole = (int128)c->last - c->first;
    if (c->lost || !c->any || !fits_int64(whole))
        return;
    for (size_t i = nactors; i > 0; i--) {
        above += c->times[i];
        widen(&out->exactly[i], out->known, c->times[i]);
        widen(&out->at_least[i], out->known, above);
    }
    widen(&out->exactly[0], out->known, whole - above);
    widen(&out->at_least[0], out->known, whole);
    out->known = true;
}

static csy_status walk(struct walk *w, const csy_meaning *meaning, csy_error *error)
{
    struct instants in;
    csy_status status = instants_open(&in, w->run->instants->sync, meaning, INSTANTS_AHEAD, error);
    if (status)
        return status;
    status = begin(w, error);
    if (!status)
        status = instants_merge(&in, take, w, error);
    for (size_t i = 0; !status && i < w->ncourses; i++)
        pass(&w->courses[i], w->run->nactors, INT64_MAX);
    instants_fini(&in);
    return status;
}

csy_status attained_find(const struct levels_run *run, const csy_meaning *meaning,
                         struct attained *out, csy_error *error)
{
    struct walk w = {.run = run, .now = INT64_MIN};
    size_t n = run->nactors + 1;
    *out = (struct attained){.at_least = calloc(n, sizeof *out->at_least),
                             .exactly = calloc(n, sizeof *out->exactly)};
    csy_status status = out->at_least && out->exactly ? CSY_OK : error_memory(error);
    if (!status && run->ranged && !run->moves.star && run->reach.added_ticks == 0)
        status = walk(&w, meaning, error);
    for (size_t i = 0; w.courses && i < w.ncourses; i++) {
        if (!status)
            add(&w.courses[i], run->nactors, out);
        free(w.courses[i].steps);
        free(w.courses[i].times);
    }
    free(w.courses);
    free(w.active);
    return status;
}

void attained_fini(struct attained *attained)
{
    free(attained->at_least);
    free(attained->exactly);
    *attained = (struct attained){0};
}
