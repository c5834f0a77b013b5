/* Limits the time since a counter's last record, to find how often the counter has wrapped. */
#include "sync/closed_limits.h"

#include "base/array.h"
#include "base/error.h"
#include "graph/minplus.h"

#include <stdlib.h>
#include <string.h>

/* Row and column of the matrices that stand for all threads that have ended. */
enum { PAST, FIRST_STRIDE = 32 };

static void fill(int64_t *row, size_t n, int64_t value)
{
    for (size_t i = 0; i < n; i++)
        row[i] = value;
}

/* Copy the entries of a matrix of n rows to a larger matrix, with `stride` entries in a row. */
static int64_t *widened(const int64_t *from, size_t n, size_t from_stride, size_t stride)
{
    int64_t *matrix = malloc(stride * stride * sizeof *matrix);
    if (!matrix)
        return NULL;
    fill(matrix, stride * stride, WALK_INF);
    for (size_t i = 0; i < n; i++)
        memcpy(matrix + i * stride, from + i * from_stride, n * sizeof *matrix);
    return matrix;
}

static bool widen(struct closed_limits *v, size_t stride)
{
    int64_t *closed = widened(v->closed, v->stride, v->stride, stride);
    int64_t *noted = widened(v->noted, v->stride, v->stride, stride);
    uint32_t *shorter = realloc(v->shorter, stride * sizeof *shorter);
    if (shorter)
        v->shorter = shorter;
    int64_t *last_x = realloc(v->last_x, stride * sizeof *last_x);
    if (last_x)
        v->last_x = last_x;
    if (!closed || !noted || !shorter || !last_x) {
        FREE_ALL(closed, noted);
        return false;
    }
    FREE_ALL(v->closed, v->noted);
    v->closed = closed;
    v->noted = noted;
    v->stride = stride;
    return true;
}

csy_status closed_limits_init(struct closed_limits *v, const struct rebase *rough,
                              int64_t imprecision_ticks, csy_error *error)
{
    *v = (struct closed_limits){
        .rough = rough, .imprecision_ticks = imprecision_ticks, .ppe = NO_THREAD};
    size_t past;
    if (!widen(v, FIRST_STRIDE) || !slots_take(&v->slots, PAST, &past))
        return error_memory(error);
    v->closed[PAST] = 0;
    return CSY_OK;
}

void closed_limits_fini(struct closed_limits *v)
{
    slots_fini(&v->slots);
    FREE_ALL(v->last_x, v->closed, v->noted, v->edges, v->shorter);
    *v = (struct closed_limits){0};
}

static bool settle_edge(struct closed_limits *v, struct closed_limits_edge edge)
{
    int64_t *noted = &v->noted[edge.from * v->stride + edge.to], weight = *noted;
    *noted = WALK_INF;
    int64_t back = v->closed[edge.to * v->stride + edge.from];
    if (v->lost || weight >= v->closed[edge.from * v->stride + edge.to])
        return true;
    v->lost = back < WALK_FAR && weight + back < 0;
    size_t from = edge.from, to = edge.to;
    if (v->lost)
        return true;
    const int64_t *near = v->closed + from * v->stride, *through = v->closed + to * v->stride;
    size_t n = 0;
    bool fits = true;
    for (size_t b = 0; b < v->slots.used; b++)
        if (through[b] < WALK_FAR && weight + through[b] < near[b])
            v->shorter[n++] = (uint32_t)b;
    for (size_t a = 0; a < v->slots.used && fits; a++) {
        int64_t *row = v->closed + a * v->stride, first = row[from] + weight;
        if (row[from] >= WALK_FAR || first >= row[to])
            continue;
        if (n > v->slots.used / 4) {
            fits = minplus_row(row, through, first, v->slots.used);
            continue;
        }
        for (size_t i = 0; i < n; i++) {
            size_t b = v->shorter[i];
            walk_lower(&row[b], first + through[b]);
            fits = fits && row[b] >= -WALK_MAX && row[b] <= WALK_MAX;
        }
    }
    return fits;
}

static csy_status settle(struct closed_limits *v, csy_error *error)
{
    bool fits = true;
    if (v->nedges <= v->slots.used) {
        for (size_t i = 0; i < v->nedges && fits; i++)
            fits = settle_edge(v, v->edges[i]);
    } else {
        for (size_t i = 0; i < v->nedges; i++) {
            size_t at = v->edges[i].from * v->stride + v->edges[i].to;
            walk_lower(&v->closed[at], v->noted[at]);
            v->noted[at] = WALK_INF;
        }
        /* O(W^3) for W slots */
        for (size_t k = 0; k < v->slots.used && fits && !v->lost; k++) {
            const int64_t *through = v->closed + k * v->stride;
            for (size_t a = 0; a < v->slots.used && fits; a++) {
                int64_t *row = v->closed + a * v->stride;
                if (a == k || row[k] >= WALK_FAR)
                    continue;
                fits = minplus_row(row, through, row[k], v->slots.used);
                v->lost = v->lost || row[a] < 0;
            }
        }
        fits = fits || v->lost;
    }
    v->nedges = 0;
    return fits ? CSY_OK
                : error_set(error, CSY_INPUT,
                            "the differences between clocks are too large for 64-bit arithmetic");
}

static csy_status birth(void *engine, uint32_t thread, csy_error *error)
{
    struct closed_limits *v = engine;
    if (v->lost)
        return CSY_OK;
    size_t s, stride = v->stride;
    if (v->slots.live == stride)
        stride += stride / 4;
    csy_status status =
        error_check_memory(16 * (uint128)stride * stride, NULL, "unwrapping", error);
    if (status)
        return status;
    if ((stride > v->stride && !widen(v, stride)) || !slots_take(&v->slots, thread + 1, &s))
        return error_memory(error);
    v->closed[s * v->stride + s] = 0;
    return CSY_OK;
}

static uint32_t slot_of(const struct closed_limits *v, uint32_t thread)
{
    return v->lost || thread == NO_THREAD ? SLOTS_NONE : slots_find(&v->slots, thread + 1);
}

static csy_status take_pair(void *engine, const struct point *from, const struct point *to,
                            csy_error *error)
{
    struct closed_limits *v = engine;
    if (v->lost)
        return CSY_OK;
    uint32_t s = slot_of(v, from->thread), t = slot_of(v, to->thread);
    int64_t weight = to->x - from->x + v->imprecision_ticks;
    size_t at = s * v->stride + t;
    /* closed[at] is 0 if s == t, so this sets v->lost only for a negative weight. */
    if (weight >= v->closed[at] || weight >= v->noted[at])
        return CSY_OK;
    v->lost = s == t;
    if (v->noted[at] == WALK_INF) {
        if (!ARRAY_PUSH(v->edges, v->nedges, v->edges_capacity, (struct closed_limits_edge){s, t}))
            return error_memory(error);
    }
    v->noted[at] = weight;
    return CSY_OK;
}

static csy_status take_event(void *engine, const struct point *event, csy_error *error)
{
    struct closed_limits *v = engine;
    (void)error;
    if (!v->lost)
        v->last_x[slot_of(v, event->thread)] = event->x;
    return CSY_OK;
}

static csy_status take_ended(void *engine, uint32_t thread, csy_error *error)
{
    struct closed_limits *v = engine;
    uint32_t slot = slot_of(v, thread);
    if (slot == SLOTS_NONE)
        return CSY_OK;
    csy_status status = settle(v, error);
    for (size_t a = 0; a < v->slots.used; a++) {
        int64_t *row = v->closed + a * v->stride;
        if (a != slot && row[slot] < WALK_FAR)
            walk_lower(&row[PAST], row[slot] - v->last_x[slot]);
        row[slot] = WALK_INF;
    }
    fill(v->closed + slot * v->stride, v->slots.used, WALK_INF);
    slots_give_back(&v->slots, slot);
    return status;
}

struct sink closed_limits_sink(struct closed_limits *v)
{
    return (struct sink){
        .engine = v, .birth = birth, .pair = take_pair, .event = take_event, .ended = take_ended};
}

csy_status closed_limits_of(void *user, uint32_t thread, const int64_t *end_ticks,
                            struct elapsed_limits *out, bool *applies, csy_error *error)
{
    struct closed_limits *v = user;
    csy_status status = settle(v, error);
    uint32_t slot = slot_of(v, thread), ppe = slot_of(v, v->ppe);
    *applies = slot != SLOTS_NONE;
    if (status || !*applies)
        return status;
    const int64_t *row = v->closed + slot * v->stride;
    int64_t x = v->last_x[slot], latest = row[PAST] < WALK_FAR ? -row[PAST] : x;
    for (size_t k = PAST + 1; k < v->slots.used; k++)
        if (row[k] < WALK_FAR && v->last_x[k] - row[k] > latest)
            latest = v->last_x[k] - row[k];
    int64_t from_ppe = ppe == SLOTS_NONE ? WALK_INF : v->closed[ppe * v->stride + slot];
    *out = (struct elapsed_limits){(int128)latest - x, UNWRAP_NO_LIMIT};
    if (end_ticks && from_ppe < WALK_FAR)
        out->most_ticks = *end_ticks + v->rough->offset[v->ppe] + from_ppe - x;
    return CSY_OK;
}
