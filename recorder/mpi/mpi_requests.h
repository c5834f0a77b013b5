/* Requests, by handle, that are recorded when they are done: receives, collective operations,
 * persistent requests, and copies of communicators. Sends are recorded when they begin. Also
 * contains messages that were probed for and not yet received. */
#ifndef CELLTRACE_MPI_MPI_REQUESTS_H
#define CELLTRACE_MPI_MPI_REQUESTS_H

#include "recorder/mpi/mpi_events.h"

enum request_kind {
    REQUEST_RECV,
    REQUEST_SEND,   /* persistent: a send begins when started */
    REQUEST_MEMBER, /* of a collective operation */
    REQUEST_COPY,   /* of a communicator */
    REQUEST_FOUND   /* a probed message */
};

struct mpi_request {
    uint64_t handle;
    enum request_kind kind;
    enum mpi_event event; /* to record when done, or started */
    bool persistent, active;
    struct mpi_message message; /* for a receive: the time is when it was posted */
    struct mpi_member member;
    MPI_Comm *copy; /* where its handle is stored */
    uint64_t id;    /* its id */
};

/* The handle of a probed message, distinct from requests' handles. */
static inline uint64_t requests_found(uint64_t message)
{
    return message ^ UINT64_C(1) << 63;
}

/* Several threads may call at once. */
void requests_share(void);

/* Add a request, which uses its communicator until it is taken. If out of memory, it is ignored,
 * and what it receives is not recorded. */
void requests_add(const struct mpi_request *request);

/* The request with this handle is done (the first one if there are several). False if there is
 * none, or if it is not active. Unless persistent, it is removed, and the caller owns its
 * communicator. */
bool requests_take(uint64_t handle, struct mpi_request *out);

/* A persistent request begins; the caller must release its communicator. */
bool requests_start(uint64_t handle, uint64_t begin, struct mpi_request *out);

/* A request is freed; remove it. */
void requests_remove(uint64_t handle);

/* A request that was in use is done, with this status and result. */
void requests_done(uint64_t handle, const MPI_Status *status, int result);

#endif
