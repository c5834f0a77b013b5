/* Records calls of MPI. All replaced functions use this module. */
#ifndef CELLTRACE_MPI_MPI_EVENTS_H
#define CELLTRACE_MPI_MPI_EVENTS_H

#include "recorder/mpi/mpi_comms.h"

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

/* Note that MPI was initialized by a call that began at `begin`. */
void mpi_begin(uint64_t begin);

#if defined(OPEN_MPI)
#define MPI_NUMBER(handle) ((uint64_t)(uintptr_t)(handle))
#else
#define MPI_NUMBER(handle) ((uint64_t)(uint32_t)(handle))
#endif

/* Returns the status to pass to MPI: the caller's, or `own` if the caller ignores it. */
static inline MPI_Status *mpi_status(MPI_Status *status, MPI_Status *own)
{
    return status == MPI_STATUS_IGNORE ? own : status;
}

/* Returns the size of n elements in bytes, at most 2^63 - 1. */
uint64_t mpi_bytes(MPI_Count n, MPI_Datatype type);

/* One end of a message. `request` identifies the request that will receive the message, or is 0. */
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

/* Record any other event. */
void mpi_record(enum mpi_event event, uint64_t begin, const uint64_t *values, unsigned n);

#endif
