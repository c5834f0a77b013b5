/*
 * Communicators, by their handles: a name that all their processes know, and who their ranks are in
 * MPI_COMM_WORLD.
 *
 * Finding one takes no lock.
 */
#ifndef CELLTRACE_MPI_MPI_COMMS_H
#define CELLTRACE_MPI_MPI_COMMS_H

/* What is declared there takes the place of functions of the same names. */
#pragma GCC visibility push(default)
#include <mpi.h>
#pragma GCC visibility pop

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

/* Ids; others are those of the process that made the communicator, plus 1, times 2^32, plus how
 * many it has made. */
enum { COMM_ID_WORLD = 1, COMM_ID_SELF = 2 };

struct mpi_comm {
    uint64_t id;
    int rank, size; /* of the calling process, and how many are in its group */
    int partners;   /* whom messages can be from: as many, but of an intercommunicator */
    bool inter;     /* it is one */
    bool ascending; /* who has a higher rank has one in MPI_COMM_WORLD, too */
    int *world;     /* ranks of partners there; NULL: the same; negative: not in it */
    atomic_uint_fast64_t instances; /* of collective operations so far */
    atomic_uint_fast64_t idups;
    atomic_uint users; /* the table is one */
};

/* Once, after MPI_Init. */
bool comms_begin(void);

/* NULL: it is not known, or MPI_COMM_NULL.  It stays until it is freed. */
struct mpi_comm *comms_find(MPI_Comm handle);

/* The rank of a partner in MPI_COMM_WORLD; negative: it has none. */
int comms_world(const struct mpi_comm *comm, int partner);

/* A communicator was made, by a call that all its processes are in: they agree on its id.  NULL
 * without memory. */
struct mpi_comm *comms_make(MPI_Comm handle);

/* The same of one with this id. */
struct mpi_comm *comms_add(MPI_Comm handle, uint64_t id);

/* Of the next copy that is made without waiting. */
uint64_t comms_next_idup(struct mpi_comm *comm);

/* It is freed: take it out of the table; who uses it still may. */
void comms_remove(MPI_Comm handle);

void comms_use(struct mpi_comm *comm);
void comms_release(struct mpi_comm *comm);

#endif
