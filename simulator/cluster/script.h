/* The programs of the ranks of a cluster. Each rank has a list of steps. A part of the list, called
 * a round, is repeated. The programs are from [DBK09]: Sweep3D; Sweep3D as modified by its authors,
 * where one SPE of each Cell sends for all; molecular dynamics; lattice Boltzmann; and the
 * ping-pong of Table 2. */
#ifndef PDTSIM_CLUSTER_SCRIPT_H
#define PDTSIM_CLUSTER_SCRIPT_H

#include "simulator/cluster/wires.h"
#include "simulator/workloads.h"

/* The types of events in logs, in the order of their numbers, and then steps that are not
 * recorded. */
enum step_kind {
    STEP_PROFILE_START,
    STEP_PROFILE_STOP,
    STEP_E,
    STEP_X,
    STEP_MPI_SEND,
    STEP_MPI_RECV,
    STEP_MPI_ALLREDUCE,
    STEP_MPI_REDUCE,
    STEP_MPI_BARRIER,
    STEP_MPI_BCAST,
    STEP_MFC_PUT,
    STEP_MFC_PUT64,
    STEP_MFC_GET64,
    STEP_MFC_PUT32,
    STEP_MFC_GET32,
    STEP_TYPES,
    STEP_COMPUTE = STEP_TYPES, /* compute for about `amount` cycles */
    STEP_ROUND,                /* begin a round */
    STEP_AGAIN,                /* end a round; begin another one unless it was the last */
    STEP_END
};

struct step {
    enum step_kind kind;
    /* rank of the partner, or of the root of a collective operation (-1: none); in STEP_E and
     * STEP_X (enter and exit): number of the calling function */
    int32_t peer;
    int32_t tag;
    int64_t amount; /* bytes, or cycles of STEP_COMPUTE; for E and X, the number of the function */
};

enum { ROOT = 0 };

struct script {
    struct step *steps;
    size_t count, capacity;
    size_t round; /* index of the first step of a round */
};

/* Returns the name of a function, or NULL after the last one. With `calls`, there are more
 * functions, and recursive functions do the work. */
const char *script_function(const struct workload *workload, bool calls, size_t function);

/* Make the steps of a rank. Returns false if memory runs out. The caller frees the steps in
 * any case. */
bool script_make(const struct workload *workload, bool calls, const struct places *places,
                 size_t rank, struct script *out);

#endif
