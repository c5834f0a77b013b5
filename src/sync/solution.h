/* A solution: what the pipeline has found out about a trace. */
#ifndef SYNC_SOLUTION_H
#define SYNC_SOLUTION_H

#include "graph/bounds.h"
#include "sync/pass.h"

struct csy_sync {
    const struct csy_trace *trace;
    struct survey survey;
    csy_thread *views; /* one a thread, for the caller */
    char *names;
    size_t reference;
    csy_fraction alpha;
    struct bounds bounds;   /* n 0: infeasible */
    struct bound_rows rows; /* of csy_bounds */
    csy_imprecision imprecision;
    csy_summary summary;
    csy_witness witness; /* length 0: there is none */
    csy_witness_edge *witness_edges;
};

/* Public views of the threads with their names; offsets are still 0. */
csy_status solution_name_threads(struct csy_sync *sync, csy_error *error);

/* Forget all but how to unwrap the trace. */
void solution_reset(struct csy_sync *sync);

/* CSY_USAGE unless there are offsets and bounds. */
csy_status solution_check_feasible(const struct csy_sync *sync, csy_error *error);

/* Make the cycle of n edges the witness. */
csy_status solution_set_witness(struct csy_sync *sync, const struct walk_edge *edges, size_t n,
                                csy_error *error);

#endif
