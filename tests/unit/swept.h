/* Sweeps over random events. Each thread is eliminated at some time after its last event. */
#ifndef UNIT_SWEPT_H
#define UNIT_SWEPT_H

#include "bounds/bounds.h"
#include "graph/exact.h"
#include "graph/sweep.h"
#include "graphs.h"

/* The eliminations: thread t is removed from the sweep immediately before event before[t], or at
 * the end if before[t] is the number of events. */
struct lasts {
    size_t before[THREADS_MAX];
    uint32_t tau; /* the reference, which is never eliminated */
};

struct lasts lasts_draw(struct random *r, const struct events *e);

/* Pass the events from index `from` to `to` - 1 to the sweep, with the eliminations before each. */
csy_status sweep_some(struct sweep *sweep, const struct events *e, const struct lasts *lasts,
                      size_t from, size_t to, bool *feasible, csy_error *error);

/* Sweep over all events. If they are feasible, fill *out. */
csy_status sweep_events(const struct events *e, const struct lasts *lasts, int64_t added,
                        struct eliminations *out, bool *feasible, csy_error *error);

/* Run one pass of exact_event over all events, or until the pass has its result. */
csy_status exact_events(struct exact *exact, const struct events *e, const struct lasts *lasts,
                        csy_error *error);

/* Returns true if offsets exist: after `added` is added to each edge, no cycle is negative. */
bool is_feasible(const struct constraints *c, csy_fraction added);

#endif
