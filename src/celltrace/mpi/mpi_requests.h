/*
 * Requests, by their handles, of which more is to be recorded when they are done: receives,
 * collective operations, persistent ones, and communicators that are being copied.  Sends are
 * recorded when they begin.  And messages that were probed for to be received.
 */
#ifndef CELLTRACE_MPI_MPI_REQUESTS_H
#define CELLTRACE_MPI_MPI_REQUESTS_H

#include "celltrace/mpi/mpi_events.h"

enum request_kind {
    REQUEST_RECV,
    REQUEST_SEND,   /* persistent: a send begins when it is started */
    REQUEST_MEMBER, /* of a collective operation */
    REQUEST_COPY,   /* of a communicator */
    REQUEST_FOUND   /* a message that was probed for */
};

struct mpi_request {
    uint64_t handle;
    enum request_kind kind;
    enum mpi_event event; /* when it is done, or started */
    bool persistent, active;
    struct mpi_message message; /* the times of a receive: when it was posted */
    struct mpi_member member;
    MPI_Comm *copy; /* where its handle is put, */
    uint64_t id;    /* and its id */
};

/* The handle of a message that was probed for, which no request has. */
static inline uint64_t requests_found(uint64_t message)
{
    return message ^ UINT64_C(1) << 63;
}

/* Several threads may call at once. */
void requests_share(void);

/* Add it; its communicator is used until it is taken.  Without memory it is forgotten: what it
 * receives is not recorded. */
void requests_add(const struct mpi_request *request);

/* The one with this handle, of several the first, is done; false: there is none, or it is not
 * active.  Unless it is persistent it is taken out, and its communicator is the caller's. */
bool requests_take(uint64_t handle, struct mpi_request *out);

/* A persistent one begins; the caller must release its communicator. */
bool requests_start(uint64_t handle, uint64_t begin, struct mpi_request *out);

/* It is freed, and nothing is known of it any more. */
void requests_remove(uint64_t handle);

/* A request that was in use is done, as status says; result is what MPI says of that. */
void requests_done(uint64_t handle, const MPI_Status *status, int result);

#endif
