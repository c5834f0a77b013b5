/* What the functions that take the place of MPI's have in common: a record of each call. */
#ifndef CELLTRACE_MPI_MPI_EVENTS_H
#define CELLTRACE_MPI_MPI_EVENTS_H

#include "celltrace/mpi/mpi_comms.h"

/* MPI_E_NAME of each event of mpi.def. */
enum mpi_event {
#define MPI_EVENT(number, name, kind, shape) MPI_E_##name,
#include "celltrace/mpi/mpi.def"
#undef MPI_EVENT
    MPI_EVENTS
};

extern atomic_bool mpi_is_wanted;

/* Whether calls are recorded, or were until recording was stopped: what later ones mean depends on
 * them.  Not before MPI_Init. */
static inline bool mpi_wanted(void)
{
    return atomic_load_explicit(&mpi_is_wanted, memory_order_relaxed);
}

/* MPI is initialized, in a call that began then. */
void mpi_begin(uint64_t begin);

/* A handle as a number. */
#if defined(OPEN_MPI)
#define MPI_NUMBER(handle) ((uint64_t)(uintptr_t)(handle))
#else
#define MPI_NUMBER(handle) ((uint64_t)(uint32_t)(handle))
#endif

/* A status, where the caller wants none. */
static inline MPI_Status *mpi_status(MPI_Status *status, MPI_Status *own)
{
    return status == MPI_STATUS_IGNORE ? own : status;
}

/* Bytes of so many elements; of more than there are: 2^63 - 1. */
uint64_t mpi_bytes(MPI_Count n, MPI_Datatype type);

/* One end of a message, or what a request will get; of a request 0: there is none. */
struct mpi_message {
    struct mpi_comm *comm; /* NULL: it is not known */
    int partner, tag;
    uint64_t bytes, request, begin;
};

/* A call of this kind has ended, and result is what it returned.  Those that failed, or have no
 * partner, say nothing of order. */
void mpi_record_message(enum mpi_event event, const struct mpi_message *message, int result);
void mpi_record_send(enum mpi_event event, const struct mpi_message *message, int result);

/* The same of a message that status describes, of this communicator.  event may be a receive. */
void mpi_record_status(enum mpi_event event, const struct mpi_message *message,
                       const MPI_Status *status, int result);

/* A collective operation of a communicator, the instance-th of it. */
struct mpi_member {
    struct mpi_comm *comm;
    int root; /* -1: none */
    uint64_t instance, sent, received, begin;
};

/* The calling process takes part in the next one. */
void mpi_member_init(struct mpi_member *member, MPI_Comm comm);
void mpi_record_member(enum mpi_event event, const struct mpi_member *member, int result);

/* Any other event of MPI's, with these values. */
void mpi_record(enum mpi_event event, uint64_t begin, const uint64_t *values, unsigned n);

#endif
