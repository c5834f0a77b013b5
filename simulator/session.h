/* Simulates one run, from options to files. */
#ifndef PDTSIM_SESSION_H
#define PDTSIM_SESSION_H

#include "simulator/options.h"

struct session_result {
    uint64_t records, intervals, switches, probed;
    int64_t run_ns; /* duration of the program, in nanoseconds */
    struct tracing_cost cost;
    int64_t pause_ns;
};

/* Simulate a run, and write the files that are named in `options`. After a failure, no file is
 * written. */
csy_status session_run(const struct options *options, struct session_result *out, csy_error *error);

/* Simulate a run of a workload of clusters, and write a log for each SPE, the .pex that names the
 * logs, and the true offsets. After a failure, no file is written. */
csy_status cluster_run(const struct options *options, struct session_result *out, csy_error *error);

#endif
