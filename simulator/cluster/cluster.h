/* Simulates a cluster, from options to files. */
#ifndef PDTSIM_CLUSTER_CLUSTER_H
#define PDTSIM_CLUSTER_CLUSTER_H

#include "simulator/session.h"

/* Does what session_run does, for workloads of clusters. Writes a log for each SPE, the .pex that
 * names the logs, and the truth. */
csy_status cluster_run(const struct options *options, struct session_result *out, csy_error *error);

#endif
