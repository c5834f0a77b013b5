/* Communicators, found by handle. For each communicator, there is an id that is the same in all its
 * processes, and the ranks of its members in MPI_COMM_WORLD.
 *
 * Finding a communicator takes no lock. */
#ifndef CELLTRACE_MPI_MPI_COMMS_H
#define CELLTRACE_MPI_MPI_COMMS_H

/* mpi.h must declare its functions with default visibility, because this library defines them again
 * for programs. */
#pragma GCC visibility push(default)
#include <mpi.h>
#pragma GCC visibility pop

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

/* Ids of communicators. Other ids are (rank of the process that made the id + 1) * 2^32 plus a
 * count. */
enum { COMM_ID_WORLD = 1, COMM_ID_SELF = 2 };

struct mpi_comm {
    uint64_t id;
    /* rank: rank of the calling process in it; size: size of the group of this process */
    int rank, size;
    /* number of processes that can be partners of messages: `size`, except in an
     * intercommunicator */
    int partners;
    bool inter;     /* an intercommunicator */
    bool ascending; /* a greater rank in this communicator means a greater rank in MPI_COMM_WORLD */
    /* by partner: its rank in MPI_COMM_WORLD, negative if it is not a member; NULL: all ranks
     * are equal */
    int *world;
    atomic_uint_fast64_t instances; /* number of its collective operations so far */
    atomic_uint_fast64_t idups;
    atomic_uint users; /* number of users; the table is one of them */
};

/* Initialize the table. Call this once, after MPI_Init. */
bool comms_begin(void);

/* The communicator with a handle, valid until the communicator is freed. NULL if it is unknown, or
 * for MPI_COMM_NULL. */
struct mpi_comm *comms_find(MPI_Comm handle);

/* The rank of a partner in MPI_COMM_WORLD; negative if it has none. */
int comms_world(const struct mpi_comm *comm, int partner);

/* Add a communicator that was made by a call of all its processes; they agree on its id in this
 * function. Returns NULL if memory runs out. */
struct mpi_comm *comms_make(MPI_Comm handle);

/* Add a communicator whose id is known. */
struct mpi_comm *comms_add(MPI_Comm handle, uint64_t id);

/* The id for the next copy of a communicator that is made without waiting (MPI_Comm_idup). */
uint64_t comms_next_idup(struct mpi_comm *comm);

/* Remove a communicator that was freed from the table. It stays valid as long as it has users. */
void comms_remove(MPI_Comm handle);

void comms_use(struct mpi_comm *comm);
void comms_release(struct mpi_comm *comm);

#endif
