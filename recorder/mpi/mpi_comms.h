/* Communicators, by handle: a name that all their processes agree on, and the ranks of their
 * members in MPI_COMM_WORLD.
 *
 * Finding a communicator takes no lock. */
#ifndef CELLTRACE_MPI_MPI_COMMS_H
#define CELLTRACE_MPI_MPI_COMMS_H

/* The functions declared in mpi.h are replaced by ours. */
#pragma GCC visibility push(default)
#include <mpi.h>
#pragma GCC visibility pop

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

/* Ids. Other ids are (rank of the process that made it + 1) times 2^32, plus a count. */
enum { COMM_ID_WORLD = 1, COMM_ID_SELF = 2 };

struct mpi_comm {
    uint64_t id;
    int rank, size; /* of the calling process; size of its group */
    int partners;   /* possible partners: size, except for intercommunicators */
    bool inter;     /* an intercommunicator */
    bool ascending; /* ranks ascend along with those in MPI_COMM_WORLD */
    int *world;     /* ranks of partners there; NULL: identical; negative: not in it */
    atomic_uint_fast64_t instances; /* collective operations so far */
    atomic_uint_fast64_t idups;
    atomic_uint users; /* the table counts as one */
};

/* Call once, after MPI_Init. */
bool comms_begin(void);

/* The communicator, valid until it is freed; NULL if it is unknown or MPI_COMM_NULL. */
struct mpi_comm *comms_find(MPI_Comm handle);

/* The rank of a partner in MPI_COMM_WORLD; negative if it has none. */
int comms_world(const struct mpi_comm *comm, int partner);

/* Add a communicator made by a call of all its processes, which agree on its id. NULL if out of
 * memory. */
struct mpi_comm *comms_make(MPI_Comm handle);

/* Add a communicator with this id. */
struct mpi_comm *comms_add(MPI_Comm handle, uint64_t id);

/* The id of the next copy made without waiting. */
uint64_t comms_next_idup(struct mpi_comm *comm);

/* Remove a freed communicator from the table; it stays valid for its users. */
void comms_remove(MPI_Comm handle);

void comms_use(struct mpi_comm *comm);
void comms_release(struct mpi_comm *comm);

#endif
