/* A trace in partial order solved, and rows of its bounds by elimination. */
#ifndef BENCH_PARTIAL_ROWS_H
#define BENCH_PARTIAL_ROWS_H

#include <cellsync/cellsync.h>

/* The pairs that have constraints: of vertices, which are clocks and then groups, weights being
 * >= 0 between potentials. */
struct partial_rows {
    csy_trace *trace;
    csy_sync *sync;
    size_t nclocks, nvertices, npairs, reference;
    void *records; /* of the elimination */
};

struct partial_pair {
    uint32_t s, t;
    int64_t weight;
};

/* Solve the trace at path.  The caller calls partial_rows_close, after a failure too. */
csy_status partial_rows_open(const char *path, struct partial_rows *out, csy_error *error);
void partial_rows_close(struct partial_rows *rows);

struct partial_pair partial_rows_pair(const struct partial_rows *rows, size_t i);

/* Eliminate all vertices anew, the reference last. */
csy_status partial_rows_eliminate(struct partial_rows *rows, csy_error *error);

/* values[t] = walk(s,t), or INT64_MAX / 2 + 1 and more: there is none.  nvertices of them. */
void partial_rows_from(const struct partial_rows *rows, size_t s, int64_t *values);
/* values[t] = walk(t,s). */
void partial_rows_to(const struct partial_rows *rows, size_t s, int64_t *values);

/* PARTIAL_ROWS_LANES rows at once: values[t * PARTIAL_ROWS_LANES + i] = walk(first + i, t), 64-byte
 * aligned. */
enum { PARTIAL_ROWS_LANES = 16 };
void partial_rows_block(const struct partial_rows *rows, size_t first, int64_t *values);

#endif
