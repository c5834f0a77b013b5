/* Recording calls of MPI: shared by all replaced functions. */
#ifndef CELLTRACE_MPI_MPI_EVENTS_H
#define CELLTRACE_MPI_MPI_EVENTS_H

#include "recorder/mpi/mpi_comms.h"

/* MPI_E_NAME for each event of mpi.def. */
enum mpi_event {
#define MPI_EVENT(number, name, kind, shape) MPI_E_##name,
#include "recorder/mpi/mpi.def"
#undef MPI_EVENT
    MPI_EVENTS
};

extern atomic_bool mpi_is_wanted;

/* True if calls are recorded, or were until recording was stopped: the meaning of later calls
 * depends on them. False before MPI_Init. */
static inline bool mpi_wanted(void)
{
    return atomic_load_explicit(&mpi_is_wanted, memory_order_relaxed);
}

/* MPI is initialized, by a call that began at this time. */
void mpi_begin(uint64_t begin);

/* A handle as a number. */
#if defined(OPEN_MPI)
#define MPI_NUMBER(handle) ((uint64_t)(uintptr_t)(handle))
#else
#define MPI_NUMBER(handle) ((uint64_t)(uint32_t)(handle))
#endif

/* A status for callers that pass none. */
static inline MPI_Status *mpi_status(MPI_Status *status, MPI_Status *own)
{
    return status == MPI_STATUS_IGNORE ? own : status;
}

/* Size of n elements; 2^63 - 1 if it is larger. */
uint64_t mpi_bytes(MPI_Count n, MPI_Datatype type);

/* One end of a message, or the future result of a request; request 0: none. */
struct mpi_message {
    struct mpi_comm *comm; /* NULL: unknown */
    int partner, tag;
    uint64_t bytes, request, begin;
};

/* Record a finished call of this kind and its result. Calls that failed or have no partner do not
 * order anything. */
void mpi_record_message(enum mpi_event event, const struct mpi_message *message, int result);
void mpi_record_send(enum mpi_event event, const struct mpi_message *message, int result);

/* The same for a message described by a status, in this communicator. event may be a receive. */
void mpi_record_status(enum mpi_event event, const struct mpi_message *message,
                       const MPI_Status *status, int result);

/* The instance-th collective operation of a communicator. */
struct mpi_member {
    struct mpi_comm *comm;
    int root; /* -1: none */
    uint64_t instance, sent, received, begin;
};

/* The calling process takes part in the next operation. */
void mpi_member_init(struct mpi_member *member, MPI_Comm comm);
void mpi_record_member(enum mpi_event event, const struct mpi_member *member, int result);

/* Record any other event with these values. */
void mpi_record(enum mpi_event event, uint64_t begin, const uint64_t *values, unsigned n);

#endif
