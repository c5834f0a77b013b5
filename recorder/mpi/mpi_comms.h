/* Finds communicators by handle, without a lock. A communicator has an id, which is equal in all
 * its processes, and the ranks of its members in MPI_COMM_WORLD. */
#ifndef CELLTRACE_MPI_MPI_COMMS_H
#define CELLTRACE_MPI_MPI_COMMS_H

/* This library defines the functions of mpi.h, so they must have default visibility. */
#pragma GCC visibility push(default)
#include <mpi.h>
#pragma GCC visibility pop

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

/* Ids of the predefined communicators. The id of any other communicator is 2^32 times (1 + rank of
 * the process that made it), plus a count. */
enum { COMM_ID_WORLD = 1, COMM_ID_SELF = 2 };

struct mpi_comm {
    uint64_t id;
    /* rank of the calling process, and size of the group that contains it */
    int rank, size;
    /* number of possible partners: size of the group or, in an intercommunicator, of the other
     * group */
    int partners;
    bool inter;     /* true for an intercommunicator */
    bool ascending; /* true if ranks increase in the same order as in MPI_COMM_WORLD */
    /* array by partner: rank in MPI_COMM_WORLD, negative for a process outside of it; NULL: ranks
     * are equal in both */
    int *world;
    atomic_uint_fast64_t instances; /* number of its collective operations so far */
    atomic_uint_fast64_t idups;
    atomic_uint users; /* number of users of this struct, including the table */
};

/* Initialize the table. Call this once, after MPI_Init. */
bool comms_begin(void);

/* Returns the communicator with a handle, which is valid until the program frees the communicator.
 * Returns NULL if the handle is unknown or MPI_COMM_NULL. */
struct mpi_comm *comms_find(MPI_Comm handle);

/* Returns the partner's rank in MPI_COMM_WORLD, or a negative number if it has none. */
int comms_world(const struct mpi_comm *comm, int partner);

/* Add a new communicator. All its processes must call this function, because they agree on the id
 * of the communicator. Returns NULL if memory runs out. */
struct mpi_comm *comms_make(MPI_Comm handle);

struct mpi_comm *comms_add(MPI_Comm handle, uint64_t id);

/* Returns the id for the next copy by MPI_Comm_idup, which does not wait. */
uint64_t comms_next_idup(struct mpi_comm *comm);

/* Remove a freed communicator from the table. The memory of the communicator remains until the last
 * user releases it. */
void comms_remove(MPI_Comm handle);

void comms_use(struct mpi_comm *comm);
void comms_release(struct mpi_comm *comm);

#endif
