/* The programs of the ranks of a cluster: a list of steps for each rank; a part of the list is a
 * round, which is repeated. The programs of [DBK09]: Sweep3D, also as modified by its
 * authors, with one SPE of each Cell that sends for all, molecular dynamics, lattice Boltzmann, and
 * the ping-pong of Table 2. */
#ifndef PDTSIM_CLUSTER_SCRIPT_H
#define PDTSIM_CLUSTER_SCRIPT_H

#include "simulator/cluster/wires.h"
#include "simulator/workloads.h"

/* The event types of event80, in order, followed by steps that are not recorded. */
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
    STEP_COMPUTE = STEP_TYPES, /* approximately this many cycles */
    STEP_ROUND,                /* begin a round */
    STEP_AGAIN,                /* end a round: repeat it, or continue */
    STEP_END
};

struct step {
    enum step_kind kind;
    int32_t
        peer; /* of a message; the root of a collective operation, or -1; the caller for E and X */
    int32_t tag;
    int64_t amount; /* bytes, cycles; the function for E and X */
};

/* The root of operations that have one. */
enum { ROOT = 0 };

struct script {
    struct step *steps;
    size_t count, capacity;
    size_t round; /* index of its first step */
};

/* Functions named by E and X; NULL after the last. With calls, there are more of them, and work is
 * done by recursive functions. */
const char *script_function(const struct workload *workload, bool calls, size_t function);

/* Make the steps of a rank. False if out of memory; call script_fini even then. */
bool script_make(const struct workload *workload, bool calls, const struct places *places,
                 size_t rank, struct script *out);
void script_fini(struct script *script);

/* True if a step is recorded, given whether functions and transfers are. */
bool script_is_traced(enum step_kind kind, bool functions, bool transfers);

#endif
