/* Records calls of MPI, and finds communicators. All replaced functions use this module. */
#ifndef CELLTRACE_MPI_MPI_EVENTS_H
#define CELLTRACE_MPI_MPI_EVENTS_H

/* This library defines the functions of mpi.h, so they must have default visibility. */
#pragma GCC visibility push(default)
#include <mpi.h>
#pragma GCC visibility pop

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

/* --- Communicators -------------------------------------------------------------------------- */

/* A communicator is found by its handle, without a lock. It has an id, which is equal in all its
 * processes, and the ranks of its members in MPI_COMM_WORLD. */

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
    /* for each partner: its rank in MPI_COMM_WORLD, negative if it is not in there; NULL: partner i
     * has the rank i in MPI_COMM_WORLD, too */
    int *world;
    atomic_uint_fast64_t instances; /* number of its collective operations so far */
    atomic_uint_fast64_t idups;
    atomic_uint users; /* number of users of this struct, including the table */
};

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

/* --- Events --------------------------------------------------------------------------------- */

/* A constant MPI_E_NAME for each event in mpi.def. */
enum mpi_event {
#define MPI_EVENT(number, name, kind, shape) MPI_E_##name,
#include "recorder/mpi/mpi.def"
#undef MPI_EVENT
    MPI_EVENTS
};

extern atomic_bool mpi_is_wanted;

/* Returns true if MPI is being recorded or was recorded before. Calls are followed even while
 * recording is stopped, since later calls depend on them. Returns false before MPI_Init. */
static inline bool mpi_wanted(void)
{
    return atomic_load_explicit(&mpi_is_wanted, memory_order_relaxed);
}

/* Defines a function that records its calls. real: the function of MPI; takes and gives:
 * parameters and arguments, in TAKES() and GIVES(); before and after: statements around the
 * call, which returns `result`. */
#define TAKES(...) __VA_ARGS__
#define GIVES(...) __VA_ARGS__
#define RECORDED(function, real, takes, gives, before, after)                                      \
    int function(takes)                                                                            \
    {                                                                                              \
        if (!mpi_wanted())                                                                         \
            return real(gives);                                                                    \
        before;                                                                                    \
        int result = real(gives);                                                                  \
        after;                                                                                     \
        return result;                                                                             \
    }

/* Note that MPI was initialized by a call that began at `begin`. */
void mpi_begin(uint64_t begin);

#if defined(OPEN_MPI)
#define MPI_NUMBER(handle) ((uint64_t)(uintptr_t)(handle))
#else
#define MPI_NUMBER(handle) ((uint64_t)(uint32_t)(handle))
#endif

/* Replaces the caller's status by our own if the caller ignores it. */
#define WITH_STATUS                                                                                \
    MPI_Status own = {0};                                                                          \
    status = status == MPI_STATUS_IGNORE ? &own : status

/* Returns the size of n elements in bytes, at most 2^63 - 1. */
uint64_t mpi_bytes(MPI_Count n, MPI_Datatype type);

/* One end of a message. `request` identifies the request that will receive the message; 0: none. */
struct mpi_message {
    struct mpi_comm *comm; /* NULL: the communicator is unknown */
    int partner, tag;
    uint64_t bytes, request, begin;
};

/* Record a call that returned `result`. If it failed or has no partner, the record does not affect
 * the order of the trace. */
void mpi_record_message(enum mpi_event event, const struct mpi_message *message, int result);
void mpi_record_send(enum mpi_event event, const struct mpi_message *message, int result);

/* Record a call with a message that a status describes, for example a receive. */
void mpi_record_status(enum mpi_event event, const struct mpi_message *message,
                       const MPI_Status *status, int result);

/* The calling process's part in a collective operation. `instance` numbers the operations of the
 * communicator. */
struct mpi_member {
    struct mpi_comm *comm;
    int root; /* rank of the root; -1: the operation has none */
    uint64_t instance, sent, received, begin;
};

/* Begin the next collective operation of the communicator. */
void mpi_member_init(struct mpi_member *member, MPI_Comm comm);

/* Record the call of a collective operation, which returned `result`. */
void mpi_record_member(enum mpi_event event, const struct mpi_member *member, int result);

void mpi_record(enum mpi_event event, uint64_t begin, const uint64_t *values, unsigned n);

#endif
