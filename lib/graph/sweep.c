/* Computes bounds in one pass over the events of a buffer. See graph/sweep.h for the algorithm and
 * its letters C, D, and H. */
#include "graph/sweep.h"

#include "base/array.h"
#include "base/error.h"
#include "base/slots.h"

#include <stdlib.h>
#include <string.h>

enum { LANES = MINPLUS_LANES, ALIGNMENT = 64, FIRST_SLOTS = 24 };

struct sweep {
    int64_t added_ticks;
    size_t live_max;
    struct eliminations graph;
    struct slots slots;
    size_t stride;           /* number of entries in a row */
    int64_t *d;              /* matrix D of graph/sweep.h */
    int64_t *carrier, *lead; /* C and H of graph/sweep.h, used if added_ticks > 0 */
    uint32_t previous;
    int64_t previous_x;
    bool broken; /* true if sweep_take_run has found a contradiction */
    uint32_t late;
};

static void *aligned(size_t bytes)
{
    size_t whole = (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    return aligned_alloc(ALIGNMENT, whole ? whole : ALIGNMENT);
}

static void set_row(int64_t *row, size_t n, int64_t value)
{
    for (size_t i = 0; i < n; i++)
        row[i] = value;
}

static bool widen(struct sweep *s, size_t stride)
{
    int64_t *d = aligned(stride * stride * sizeof *d);
    int64_t *carrier = aligned(2 * stride * sizeof *carrier);
    if (!d || !carrier) {
        FREE_ALL(d, carrier);
        return false;
    }
    int64_t *lead = carrier + stride;
    set_row(d, stride * stride, WALK_INF);
    set_row(carrier, 2 * stride, WALK_INF);
    for (size_t i = 0; i < s->stride; i++) {
        memcpy(d + i * stride, s->d + i * s->stride, s->stride * sizeof *d);
        carrier[i] = s->carrier[i];
        lead[i] = s->lead[i];
    }
    FREE_ALL(s->d, s->carrier);
    s->d = d;
    s->carrier = carrier;
    s->lead = lead;
    s->stride = stride;
    return true;
}

csy_status sweep_new(int64_t added_ticks, size_t live_max, struct sweep **out, csy_error *error)
{
    struct sweep *s = calloc(1, sizeof *s);
    if (!s)
        return error_memory(error);
    s->added_ticks = added_ticks;
    s->live_max = live_max;
    s->graph.has_carrier = added_ticks > 0;
    s->previous = s->late = SWEEP_NONE;
    if (!widen(s, FIRST_SLOTS)) {
        sweep_free(s);
        return error_memory(error);
    }
    *out = s;
    return CSY_OK;
}

void sweep_free(struct sweep *s)
{
    if (!s)
        return;
    eliminations_fini(&s->graph);
    slots_fini(&s->slots);
    FREE_ALL(s->d, s->carrier, s);
}

bool sweep_is_live(const struct sweep *s, uint32_t thread)
{
    return slots_find(&s->slots, thread) != SLOTS_NONE && s->late != thread;
}

size_t sweep_live(const struct sweep *s)
{
    return s->slots.live;
}

static inline void keep_entry(const struct sweep *s, size_t v, size_t b, size_t n,
                              const struct elimination_room *elimination)
{
    elimination->ids[n] = s->slots.ids[b];
    elimination->row[n] = s->d[v * s->stride + b];
    elimination->column[n] = s->d[b * s->stride + v];
    if (s->graph.has_carrier)
        elimination->carrier[1 + n] = s->lead[b];
}

/* Remove a thread from the matrix. Paths through it replace longer paths between other threads, and
 * its slot becomes free. Sets *feasible to false if the path from a thread to itself becomes
 * negative, which is a contradiction. */
static csy_status eliminate(struct sweep *s, uint32_t thread, bool *feasible, csy_error *error)
{
    size_t v = s->slots.slot_of[thread], used = s->slots.used;
    bool fits = true;
    struct eliminations *graph = &s->graph;
    struct elimination_room elimination;
    csy_status status =
        eliminations_add(graph, s->slots.ids[v], s->slots.live, &elimination, error);
    if (status)
        return status;
    size_t n = 0;
    /* without a branch, for speed: the next iteration overwrites an entry that is not to be kept */
    for (size_t b = 0; b < s->slots.used; b++) {
        keep_entry(s, v, b, n, &elimination);
        n += b != v && !slots_is_free(&s->slots, b);
    }
    keep_entry(s, v, v, n, &elimination);
    if (graph->has_carrier)
        elimination.carrier[0] = s->carrier[v];

    s->d[v * s->stride + v] = WALK_INF;
    for (size_t a = 0; s->graph.has_carrier && a < used; a++)
        if (a != v)
            walk_lower(&s->carrier[a], walk_add(s->d[a * s->stride + v], s->carrier[v]));
    *feasible = minplus_through(s->d, s->stride, used, v, &fits) && *feasible;
    for (size_t a = 0; a < used; a++)
        s->d[a * s->stride + v] = WALK_INF;
    set_row(s->d + v * s->stride, s->stride, WALK_INF);
    s->carrier[v] = WALK_INF;
    set_row(s->lead, used, WALK_INF);
    slots_give_back(&s->slots, v);
    if (s->previous == v)
        s->previous = SWEEP_NONE;
    return fits ? CSY_OK : walk_range_error(error);
}

static bool carry(struct sweep *s, size_t j, int64_t x)
{
    int64_t hi = x + s->added_ticks;
    for (size_t a = 0; a < s->slots.used; a++)
        walk_lower(&s->d[a * s->stride + j], walk_add(s->carrier[a], hi));
    bool feasible = s->d[j * s->stride + j] >= 0;
    walk_lower(&s->carrier[j], -x);
    walk_lower(&s->lead[j], hi);
    return feasible;
}

csy_status sweep_event(struct sweep *s, uint32_t thread, int64_t x, bool *feasible,
                       csy_error *error)
{
    if (thread == s->graph.nthreads) {
        size_t v;
        if (s->slots.live == s->live_max)
            return error_set(error, CSY_MEMORY, "more than %zu threads are active at once",
                             s->live_max);
        if (!ARRAY_RESERVE(s->graph.born, s->graph.born_capacity, (size_t)thread + 1) ||
            !slots_take(&s->slots, thread, &v) ||
            (v == s->stride && !widen(s, (s->stride + s->stride / 4 + LANES - 1) / LANES * LANES)))
            return error_memory(error);
        s->d[v * s->stride + v] = 0;
        s->graph.born[thread] = (uint32_t)s->graph.count;
        s->graph.nthreads = (size_t)thread + 1;
    }
    size_t j = s->slots.slot_of[thread];
    if (s->graph.has_carrier) {
        *feasible = carry(s, j, x) && !s->broken && *feasible;
    } else if (s->previous == j) {
        *feasible = x >= s->previous_x && *feasible;
    } else if (s->previous != SWEEP_NONE) {
        walk_lower(&s->d[s->previous * s->stride + j], x - s->previous_x);
    }
    s->previous = (uint32_t)j;
    s->previous_x = x;
    uint32_t late = s->late;
    s->late = SWEEP_NONE;
    return late == SWEEP_NONE ? CSY_OK : eliminate(s, late, feasible, error);
}

csy_status sweep_ended(struct sweep *s, uint32_t thread, bool *feasible, csy_error *error)
{
    bool last = !s->graph.has_carrier && s->slots.slot_of[thread] == s->previous;
    if (!last)
        return eliminate(s, thread, feasible, error);
    s->late = thread; /* eliminated later, because its last event makes a constraint with the next
                       * event */
    return CSY_OK;
}

csy_status sweep_finish(struct sweep *s, uint32_t tau, struct eliminations *out, bool *feasible,
                        csy_error *error)
{
    csy_status status = CSY_OK;
    s->late = SWEEP_NONE;
    *feasible = *feasible && !s->broken;
    for (size_t v = 0; v < s->slots.used && !status; v++)
        if (s->slots.ids[v] != SWEEP_NONE && s->slots.ids[v] != tau)
            status = eliminate(s, s->slots.ids[v], feasible, error);
    if (!status)
        status = eliminate(s, tau, feasible, error);
    if (!status && *feasible) {
        *out = s->graph;
        s->graph = (struct eliminations){.nthreads = out->nthreads};
    }
    return status;
}

static csy_status take_event(void *engine, const struct point *event, csy_error *error)
{
    struct sweep_feed *feed = engine;
    return feed->feasible
               ? sweep_event(feed->sweep, event->thread, event->x, &feed->feasible, error)
               : CSY_OK;
}

static csy_status take_ended(void *engine, uint32_t thread, csy_error *error)
{
    struct sweep_feed *feed = engine;
    return feed->feasible ? sweep_ended(feed->sweep, thread, &feed->feasible, error) : CSY_OK;
}

struct sink sweep_sink(struct sweep_feed *feed)
{
    return (struct sink){.engine = feed, .event = take_event, .ended = take_ended};
}

bool sweep_may_run(const struct sweep *s, uint32_t *last, int64_t *last_x)
{
    *last = s->previous;
    *last_x = s->previous_x;
    return s->late == SWEEP_NONE && s->previous != SWEEP_NONE;
}

bool sweep_carries(const struct sweep *s)
{
    return s->graph.has_carrier;
}

bool sweep_run_begin(struct sweep_run *run, const struct sweep *s, bool apart)
{
    bool carries = s->graph.has_carrier;
    size_t n = s->stride, entries = carries ? n * n + 2 * n : n * n;
    run->stride = n;
    run->apart = apart;
    run->carries = carries;
    run->walks = s->d;
    if (!carries && !apart)
        return true;
    if (entries > run->entries) {
        free(run->room);
        run->room = aligned(entries * sizeof *run->room);
        run->entries = run->room ? entries : 0;
        if (!run->room)
            return false;
    }
    run->carry = minplus_carry_fastest();
    run->walks = run->room;
    run->carrier = run->room + n * n;
    run->least = run->carrier + n;
    if (!carries) {
        set_row(run->walks, n * n, WALK_INF);
        return true;
    }
    set_row(run->least, n, WALK_INF);
    if (apart)
        set_row(run->carrier, n, WALK_INF);
    else
        memcpy(run->carrier, s->carrier, n * sizeof *run->carrier);
    return true;
}

void sweep_run_fini(struct sweep_run *run)
{
    free(run->room);
    *run = (struct sweep_run){0};
}

void sweep_take_run(struct sweep *s, const struct sweep_run *run, const struct ends *ends)
{
    int64_t step = ends->first_x - s->previous_x;
    if (run->carries) {
        for (size_t j = 0; j < s->slots.used; j++) {
            const int64_t *walks = run->walks + j * run->stride;
            if (run->least[j] == WALK_INF)
                continue;
            int64_t hi = run->least[j] + s->added_ticks;
            for (size_t a = 0; a < s->slots.used; a++) {
                int64_t *walk = &s->d[a * s->stride + j];
                walk_lower(walk, walk_add(walks[a], s->added_ticks));
                if (run->apart)
                    walk_lower(walk, walk_add(s->carrier[a], hi));
            }
            walk_lower(&s->lead[j], hi);
            s->broken = s->broken || s->d[j * s->stride + j] < 0;
        }
        for (size_t a = 0; a < s->slots.used; a++)
            walk_lower(&s->carrier[a], run->carrier[a]);
    } else if (run->apart) {
        for (size_t i = 0; i < run->stride * run->stride; i++)
            s->d[i] = run->walks[i] < s->d[i] ? run->walks[i] : s->d[i];
        if (ends->first != s->previous)
            walk_lower(&s->d[s->previous * s->stride + ends->first], step);
    }
    s->previous = ends->last;
    s->previous_x = ends->last_x;
}

uint32_t sweep_slot(const struct sweep *s, uint32_t thread)
{
    return s->slots.slot_of[thread];
}

uint32_t sweep_thread(const struct sweep *s, uint32_t slot)
{
    return s->slots.ids[slot];
}
