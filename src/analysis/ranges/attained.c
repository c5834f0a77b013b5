/* Times with so many active, with clocks moved. */
#include "analysis/ranges/attained.h"

#include "base/array.h"
#include "base/error.h"
#include "base/heap.h"

#include <stdlib.h>
#include <string.h>

#define NO_BLOCK UINT32_MAX

/* An actor begins to be active, or ceases; or a block begins or ends. */
struct step {
    int64_t ticks;
    uint64_t number; /* of those at one time the first comes first */
    int32_t sign;
    uint32_t block; /* or NO_BLOCK */
};

/* Of a block that has begun: the times then. */
struct open_block {
    uint32_t block;
    int64_t since;
    int128 *times;
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
    struct open_block *open;
    size_t nopen, open_capacity;
};

/* An end of a block. */
struct block_edge {
    struct moment at;
    uint32_t block;
    int32_t sign;
};

struct walk {
    const struct levels_run *run;
    bool *active; /* by actor */
    int64_t now;
    struct course *courses;
    size_t ncourses;
    struct block_edge *edges; /* by their times */
    size_t nedges, next_edge;
    struct attained *out;
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

static void widen(struct attained_times *times, bool any, int128 time)
{
    int64_t ticks = (int64_t)time; /* no more than the time from begin to end */
    times->from = !any || ticks < times->from ? ticks : times->from;
    times->to = !any || ticks > times->to ? ticks : times->to;
}

/* Another way that it may have been: so long in all, with times since those before, if any. */
static void add(const struct course *c, const int128 *before, int128 whole, size_t nactors,
                struct attained *out)
{
    int128 above = 0;
    for (size_t i = nactors; i > 0; i--) {
        int128 time = c->times[i] - (before ? before[i] : 0);
        above += time;
        widen(&out->exactly[i], out->known, time);
        widen(&out->at_least[i], out->known, above);
    }
    widen(&out->exactly[0], out->known, whole - above);
    widen(&out->at_least[0], out->known, whole);
    out->known = true;
}

/* --- One course ----------------------------------------------------------------------------- */

static bool open_block(const struct walk *w, struct course *c, const struct step *step)
{
    size_t n = w->run->nactors + 1;
    if (!ARRAY_RESERVE(c->open, c->open_capacity, c->nopen + 1))
        return false;
    struct open_block open = {step->block, step->ticks, malloc(n * sizeof *c->times)};
    if (!open.times)
        return false;
    memcpy(open.times, c->times, n * sizeof *c->times);
    c->open[c->nopen++] = open;
    return true;
}

/* One that ends before it begins has no time. */
static bool close_block(const struct walk *w, struct course *c, const struct step *step)
{
    for (size_t i = 0; i < c->nopen; i++) {
        struct open_block open = c->open[i];
        if (open.block != step->block)
            continue;
        add(c, open.times, (int128)step->ticks - open.since, w->run->nactors, &w->out[open.block]);
        free(open.times);
        c->open[i] = c->open[--c->nopen];
        return true;
    }
    add(c, c->times, 0, w->run->nactors, &w->out[step->block]);
    return true;
}

/* All that nothing can come before any more. */
static bool pass(const struct walk *w, struct course *c, int64_t until)
{
    bool good = true;
    while (good && !c->lost && c->nsteps > 0 && c->steps[0].ticks < until) {
        struct step step;
        heap_take(c->steps, &c->nsteps, sizeof step, &step, is_before);
        if (c->active > 0)
            c->times[c->active] += (int128)step.ticks - c->since;
        c->since = step.ticks;
        if (step.block != NO_BLOCK) {
            good = step.sign > 0 ? open_block(w, c, &step) : close_block(w, c, &step);
            continue;
        }
        c->active += step.sign;
        c->lost = c->active < 0 || (size_t)c->active > w->run->nactors;
    }
    return good;
}

/* Ends of blocks that have come. */
static bool put_edges(struct walk *w)
{
    bool good = true;
    for (; good && w->next_edge < w->nedges; w->next_edge++) {
        const struct block_edge *edge = &w->edges[w->next_edge];
        if (edge->at.global_ticks > w->now)
            break;
        for (size_t i = 0; good && i < w->ncourses; i++) {
            struct course *c = &w->courses[i];
            struct step step = {.number = c->next++, .sign = edge->sign, .block = edge->block};
            c->lost |=
                __builtin_add_overflow(edge->at.global_ticks, c->x[edge->at.clock], &step.ticks);
            good = c->lost || put(c, &step);
        }
    }
    return good;
}

static bool move(struct course *c, const struct walk *w, const struct actor_instant *instant,
                 int sign)
{
    struct step step = {.number = c->next++, .sign = sign, .block = NO_BLOCK};
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
    return good && pass(w, c, until);
}

static csy_status take(void *user, const struct actor_instant *instant, csy_error *error)
{
    struct walk *w = user;
    bool active;
    if (!levels_find_active(w->run, instant, &active))
        return error_memory(error);
    int sign = active - w->active[instant->actor];
    w->active[instant->actor] = active;
    w->now = instant->at.global_ticks > w->now ? instant->at.global_ticks : w->now;
    bool good = put_edges(w);
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

static int compare_edges(const void *left, const void *right)
{
    const struct block_edge *a = left, *b = right;
    if (a->at.global_ticks != b->at.global_ticks)
        return a->at.global_ticks < b->at.global_ticks ? -1 : 1;
    return a->block != b->block ? (a->block < b->block ? -1 : 1) : b->sign - a->sign;
}

/* Ends of all blocks, where the trace is not one. */
static csy_status find_edges(struct walk *w, csy_error *error)
{
    const struct levels_run *run = w->run;
    w->edges = calloc(2 * run->nblocks + 1, sizeof *w->edges);
    if (!w->edges)
        return error_memory(error);
    for (size_t i = 0; i < run->nblocks; i++) {
        const struct block *block = &run->blocks[i].block;
        if (!run->blocks[i].bounded)
            continue;
        w->edges[w->nedges++] = (struct block_edge){block->first.at, (uint32_t)i, 1};
        w->edges[w->nedges++] = (struct block_edge){block->last.at, (uint32_t)i, -1};
    }
    qsort(w->edges, w->nedges, sizeof *w->edges, compare_edges);
    return CSY_OK;
}

/* Of what is lost nothing is known, and not how much of the blocks before it was right. */
static csy_status end_courses(struct walk *w, csy_error *error)
{
    bool bounded = w->run->blocks[0].bounded, good, lost = false;
    w->now = INT64_MAX;
    good = put_edges(w);
    for (size_t i = 0; good && i < w->ncourses; i++) {
        struct course *c = &w->courses[i];
        int128 whole = (int128)c->last - c->first;
        good = pass(w, c, INT64_MAX);
        lost |= c->lost;
        if (!bounded && !c->lost && c->any && fits_int64(whole))
            add(c, NULL, whole, w->run->nactors, &w->out[0]);
    }
    for (size_t i = 0; bounded && lost && i < w->run->nblocks; i++)
        w->out[i].known = false;
    return good ? CSY_OK : error_memory(error);
}

static csy_status walk(struct walk *w, const csy_meaning *meaning, csy_error *error)
{
    struct instants in;
    csy_status status = instants_open(&in, w->run->instants->sync, meaning, INSTANTS_AHEAD, error);
    if (status)
        return status;
    status = begin(w, error);
    if (!status)
        status = find_edges(w, error);
    if (!status)
        status = instants_merge(&in, take, w, error);
    if (!status)
        status = end_courses(w, error);
    instants_fini(&in);
    return status;
}

static void free_walk(struct walk *w)
{
    for (size_t i = 0; w->courses && i < w->ncourses; i++) {
        struct course *c = &w->courses[i];
        for (size_t k = 0; k < c->nopen; k++)
            free(c->open[k].times);
        free(c->open);
        free(c->steps);
        free(c->times);
    }
    free(w->courses);
    free(w->edges);
    free(w->active);
}

size_t attained_moves(size_t n, size_t nblocks)
{
    return ATTAINED_MOVES_MAX * n / nblocks;
}

csy_status attained_find(const struct levels_run *run, const csy_meaning *meaning,
                         struct attained **out, csy_error *error)
{
    struct walk w = {.run = run, .now = INT64_MIN};
    size_t n = run->nactors + 1;
    csy_status status = CSY_OK;
    w.out = calloc(run->nblocks + 1, sizeof *w.out);
    if (!w.out)
        return error_memory(error);
    for (size_t i = 0; !status && i < run->nblocks; i++) {
        w.out[i] = (struct attained){.at_least = calloc(n, sizeof *w.out[i].at_least),
                                     .exactly = calloc(n, sizeof *w.out[i].exactly)};
        status = w.out[i].at_least && w.out[i].exactly ? CSY_OK : error_memory(error);
    }
    if (!status && run->ranged && !run->moves.star && run->reach.added_ticks == 0)
        status = walk(&w, meaning, error);
    free_walk(&w);
    *out = w.out;
    if (!status)
        return CSY_OK;
    attained_free(w.out, run->nblocks);
    *out = NULL;
    return status;
}

void attained_free(struct attained *attained, size_t nblocks)
{
    for (size_t i = 0; attained && i < nblocks; i++) {
        free(attained[i].at_least);
        free(attained[i].exactly);
    }
    free(attained);
}
