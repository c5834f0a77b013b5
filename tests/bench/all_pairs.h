/* The events of a trace in memory, and all bounds between its threads by the sweep. */
#ifndef BENCH_ALL_PAIRS_H
#define BENCH_ALL_PAIRS_H

#include <cellsync/cellsync.h>

/* In buffer order.  x: see order/rebase.h; last: of its thread. */
struct pair_event {
    uint32_t thread;
    bool last;
    int64_t x;
};

struct pair_events {
    struct pair_event *items;
    size_t count, capacity, nthreads;
    uint32_t tau;
};

/* Read the events of the .pex at path, which has a PPE.  The caller frees items, after a failure
 * too. */
csy_status pair_events_read(const char *path, struct pair_events *out, csy_error *error);

/* Sources whose rows are made together. */
enum { ALL_PAIRS_SOURCES = 16 };

/* Takes wbar(s,t) = rows[t * ALL_PAIRS_SOURCES + s - first] of up to that many sources from first
 * on, for all threads t. */
typedef void (*all_pairs_take)(void *user, size_t first, const int64_t *rows);

/* Sweep the events and make the bounds of every ordered pair, in rows: nthreads * ALL_PAIRS_SOURCES
 * cells, 64-byte aligned, used over and over.  take may be NULL.  One thread; O(T^2 W). */
csy_status all_pairs_sweep(const struct pair_events *events, int64_t *rows, all_pairs_take take,
                           void *user, csy_error *error);

#endif
