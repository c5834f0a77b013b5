/*
 * What the ranks of a cluster do: for each a list of steps, of which some are one round, done again
 * and again.  Programs are those of [DBK09]: Sweep3D, also as its authors have modified it, with
 * one SPE of each Cell that sends for all, molecular dynamics, lattice Boltzmann, and the ping-pong
 * of Table 2.
 */
#ifndef PDTSIM_CLUSTER_SCRIPT_H
#define PDTSIM_CLUSTER_SCRIPT_H

#include "pdtsim/cluster/wires.h"
#include "pdtsim/workloads.h"

/* The types of event80, in their order, and what is not recorded. */
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
    STEP_COMPUTE = STEP_TYPES, /* so many cycles, more or less */
    STEP_ROUND,                /* a round begins */
    STEP_AGAIN,                /* and ends: another one, or on */
    STEP_END
};

struct step {
    enum step_kind kind;
    int32_t
        peer; /* of a message; of a collective operation its root, or -1; of E and X the caller */
    int32_t tag;
    int64_t amount; /* bytes, cycles; of E and X the function */
};

/* The root of operations that have one. */
enum { ROOT = 0 };

struct script {
    struct step *steps;
    size_t count, capacity;
    size_t round; /* where one begins */
};

/* Functions that E and X name: NULL after the last.  With calls there are more of them, and work is
 * done by functions that call themselves. */
const char *script_function(const struct workload *workload, bool calls, size_t function);

/* What a rank does; false on no memory.  script_fini frees it, also then. */
bool script_make(const struct workload *workload, bool calls, const struct places *places,
                 size_t rank, struct script *out);
void script_fini(struct script *script);

/* Whether a step is recorded, where functions are, and transfers. */
bool script_is_traced(enum step_kind kind, bool functions, bool transfers);

#endif
