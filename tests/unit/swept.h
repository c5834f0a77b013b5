/* Events through a sweep, with threads that are eliminated at any time after their last event. */
#ifndef UNIT_SWEPT_H
#define UNIT_SWEPT_H

#include "bounds/bounds.h"
#include "graph/exact.h"
#include "graph/sweep.h"
#include "graphs.h"

/* When each thread is eliminated: before event before[t]; at the end where that is the number of
 * events. */
struct lasts {
    size_t before[THREADS_MAX];
    uint32_t tau; /* is never eliminated */
};

struct lasts lasts_draw(struct random *r, const struct events *e);

/* The events from `from` up to `to`, and the eliminations before each. */
csy_status sweep_some(struct sweep *sweep, const struct events *e, const struct lasts *lasts,
                      size_t from, size_t to, bool *feasible, csy_error *error);

/* Sweep everything; *out is filled where that is feasible. */
csy_status sweep_events(const struct events *e, const struct lasts *lasts, int64_t added,
                        struct eliminations *out, bool *feasible, csy_error *error);

/* One exact pass, until it is over. */
csy_status exact_events(struct exact *exact, const struct events *e, const struct lasts *lasts,
                        csy_error *error);

/* Whether offsets exist: no cycle, loops included, is negative with `added` an edge. */
bool is_feasible(const struct constraints *c, csy_fraction added);

#endif
