/* Fits offsets by least squares. */
#include "sync/methods/leastsq.h"

#include "base/array.h"
#include "base/error.h"

#include <stdlib.h>
#include <string.h>

#define NO_RANK UINT32_MAX

/* Usually, the result is final after two or three rounds. More than ROUNDS_MAX can be necessary
 * only if an offset is halfway between two integers. */
enum { ROUNDS_MAX = 64 };

void leastsq_init(struct leastsq *l)
{
    *l = (struct leastsq){0};
}

void leastsq_fini(struct leastsq *l)
{
    for (size_t t = 0; t < l->count; t++)
        free(l->threads[t].pairs);
    free(l->threads);
    leastsq_init(l);
}

static csy_status birth(void *engine, uint32_t thread, csy_error *error)
{
    struct leastsq *l = engine;
    return ARRAY_EXTEND(l->threads, l->count, l->capacity, (size_t)thread + 1,
                        (struct leastsq_thread){0})
               ? CSY_OK
               : error_memory(error);
}

static csy_status take_pair(void *engine, const struct point *from, const struct point *to,
                            csy_error *error)
{
    struct leastsq *l = engine;
    bool in_order = from->thread < to->thread;
    const struct point *s = in_order ? from : to, *t = in_order ? to : from;
    if (s->thread == t->thread)
        return CSY_OK;
    struct leastsq_thread *thread = &l->threads[t->thread];
    size_t i = 0;
    while (i < thread->count && thread->pairs[i].earlier != s->thread)
        i++;
    if (i == thread->count) {
        if (!ARRAY_PUSH(thread->pairs, thread->count, thread->capacity,
                        (struct leastsq_pair){.earlier = s->thread}))
            return error_memory(error);
    } else if (i > 0) { /* move pairs that occur often to the front, where they are found faster */
        struct leastsq_pair found = thread->pairs[i];
        thread->pairs[i] = thread->pairs[i - 1];
        thread->pairs[--i] = found;
    }
    thread->pairs[i].n++;
    thread->pairs[i].d_ticks += s->x - t->x;
    return CSY_OK;
}

struct sink leastsq_sink(struct leastsq *l)
{
    return (struct sink){.engine = l, .birth = birth, .pair = take_pair};
}

/* A coefficient of the equations. It connects a thread to `thread`, which is eliminated later. */
struct tie {
    uint32_t thread;
    double weight;
};

struct column {
    struct tie *ties;
    size_t count, capacity;
    double degree; /* sum of the weights in this column */
};

struct elimination {
    size_t n;
    const uint32_t *order;
    uint32_t anchor;
    /* for each thread: its index in `order`; NO_RANK for the anchor, which has the offset 0 */
    uint32_t *rank;
    struct column *columns;
    size_t *where;
};

static bool add_tie(struct column *column, uint32_t thread, double weight)
{
    return ARRAY_PUSH(column->ties, column->count, column->capacity, (struct tie){thread, weight});
}

/* Eliminate thread v from the equations, which changes the coefficients of all pairs of threads
 * that v had a coefficient with. */
static bool eliminate(struct elimination *e, uint32_t v)
{
    struct column *from = &e->columns[v];
    bool good = true;
    for (size_t i = 0; i < from->count; i++)
        from->degree += from->ties[i].weight;
    for (size_t k = 0; k < from->count && good; k++) {
        const struct tie *a = &from->ties[k];
        struct column *column = &e->columns[a->thread];
        for (size_t i = 0; i < column->count; i++)
            e->where[column->ties[i].thread] = i + 1;
        for (size_t i = 0; i < from->count && good; i++) {
            const struct tie *b = &from->ties[i];
            double weight = a->weight * b->weight / from->degree;
            if (e->rank[b->thread] <= e->rank[a->thread])
                continue;
            if (e->where[b->thread])
                column->ties[e->where[b->thread] - 1].weight += weight;
            else
                good = add_tie(column, b->thread, weight);
        }
        for (size_t i = 0; i < column->count; i++)
            e->where[column->ties[i].thread] = 0;
    }
    return good;
}

static bool fill_columns(struct elimination *e, const struct leastsq *l)
{
    for (uint32_t t = 0; t < l->count; t++) {
        for (size_t i = 0; i < l->threads[t].count; i++) {
            const struct leastsq_pair *pair = &l->threads[t].pairs[i];
            uint32_t s = pair->earlier;
            bool t_first = e->rank[t] < e->rank[s];
            if (!add_tie(&e->columns[t_first ? t : s], t_first ? s : t, (double)pair->n))
                return false;
        }
    }
    return true;
}

/* Set rest[t] to the exact error of the equation of each thread t for the offsets g. Returns false
 * on overflow. */
static bool residual(const struct leastsq *l, const int128 *g, int128 *rest)
{
    memset(rest, 0, l->count * sizeof *rest);
    for (uint32_t t = 0; t < l->count; t++) {
        for (size_t i = 0; i < l->threads[t].count; i++) {
            const struct leastsq_pair *pair = &l->threads[t].pairs[i];
            uint32_t s = pair->earlier;
            int128 given, taken, part;
            if (__builtin_mul_overflow(pair->d_ticks, (int128)1 << LEASTSQ_BITS, &given) ||
                __builtin_mul_overflow(g[t] - g[s], (int128)pair->n, &taken) ||
                __builtin_sub_overflow(given, taken, &part) ||
                __builtin_add_overflow(rest[t], part, &rest[t]) ||
                __builtin_sub_overflow(rest[s], part, &rest[s]))
                return false;
        }
    }
    return true;
}

/* Add the corrections `found` to the offsets g. *moved becomes true if an offset changed. Returns
 * false if an offset becomes too large. */
static bool correct(const double *found, size_t n, int128 *g, bool *moved)
{
    const double most = 0x1p100;
    *moved = false;
    for (size_t t = 0; t < n; t++) {
        if (!(found[t] < most && found[t] > -most))
            return false;
        double value = found[t];
        double magnitude = value < 0 ? -value : value;
        int128 whole = (int128)(magnitude + 0.5);
        whole -= (double)whole - magnitude == 0.5;
        int128 step = value < 0 ? -whole : whole;
        *moved = *moved || step != 0;
        g[t] += step;
        if (g[t] >= (int128)1 << 100 || g[t] <= -((int128)1 << 100))
            return false;
    }
    return true;
}

csy_status leastsq_solve(const struct leastsq *l, const uint32_t *order, uint32_t anchor,
                         int64_t *g, csy_error *error)
{
    int128 *fine = calloc(l->count, sizeof *fine), *rest = malloc(l->count * sizeof *rest);
    double *found = malloc(l->count * sizeof *found);
    struct elimination e = {.n = l->count, .order = order, .anchor = anchor};
    e.rank = malloc(e.n * sizeof *e.rank);
    e.columns = calloc(e.n, sizeof *e.columns);
    e.where = calloc(e.n, sizeof *e.where);
    csy_status status = e.rank && e.columns && e.where ? CSY_OK : error_memory(error);
    if (!status) {
        for (size_t i = 0; i < e.n; i++)
            e.rank[order[i]] = order[i] == anchor ? NO_RANK : (uint32_t)i;
        bool good = fill_columns(&e, l);
        for (size_t i = 0; i < e.n && good; i++)
            if (order[i] != anchor)
                good = eliminate(&e, order[i]);
        status = good ? CSY_OK : error_memory(error);
    }
    if (!status && (!fine || !rest || !found))
        status = error_memory(error);
    bool moved = true, good = true;
    for (int round = 0; !status && round < ROUNDS_MAX && moved && good; round++) {
        good = residual(l, fine, rest);
        for (size_t t = 0; t < l->count; t++)
            found[t] = (double)rest[t];
        for (size_t i = 0; i < e.n; i++) {
            const struct column *column = &e.columns[e.order[i]];
            for (size_t k = 0; k < column->count; k++) {
                const struct tie *tie = &column->ties[k];
                found[tie->thread] += tie->weight / column->degree * found[e.order[i]];
            }
        }
        found[e.anchor] = 0;
        for (size_t i = e.n; i-- > 0;) {
            const struct column *column = &e.columns[e.order[i]];
            double sum = found[e.order[i]];
            for (size_t k = 0; k < column->count; k++)
                sum += column->ties[k].weight * found[column->ties[k].thread];
            if (e.order[i] != e.anchor)
                found[e.order[i]] = sum / column->degree;
        }
        good = good && correct(found, l->count, fine, &moved);
    }
    const int128 unit = (int128)1 << LEASTSQ_BITS;
    for (size_t t = 0; !status && t < l->count && good; t++) {
        int128 whole = floor_div(fine[t] + unit / 2, unit);
        good = fits_int64(whole);
        g[t] = (int64_t)whole;
    }
    if (!status && !good)
        status =
            error_set(error, CSY_INPUT, "the differences between clocks are too large for a fit");
    for (size_t t = 0; e.columns && t < e.n; t++)
        free(e.columns[t].ties);
    FREE_ALL(e.columns, e.rank, e.where, found, rest, fine);
    return status;
}
