/* A solution: what the pipeline has found out about a trace. */
#ifndef SYNC_SOLUTION_H
#define SYNC_SOLUTION_H

#include "clock/timeline.h"
#include "graph/dense.h"

struct csy_sync {
    const struct csy_trace *trace;
    uint64_t records;
    uint32_t original_crc32; /* .pex only */
    struct threads threads;
    struct ppe_windows windows; /* to read the trace again with */
    csy_thread *views;          /* one a thread, for the caller */
    char *names;
    int128 *rough; /* local time + rough is what the bounds are between */
    size_t reference;
    csy_fraction alpha;
    struct dense bounds;
    csy_imprecision imprecision;
    csy_clock_report clock_report;
    csy_summary summary;
    csy_witness witness; /* length 0: feasible */
    csy_witness_edge *witness_edges;
};

/* Public views of the threads with their names; offsets are still 0. */
csy_status solution_name_threads(struct csy_sync *sync, csy_error *error);

#endif
