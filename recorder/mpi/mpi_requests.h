/* A table of requests that are recorded when they are done: receives, collective operations,
 * persistent requests, and copies of communicators. Sends are not in the table, because they are
 * recorded when they begin. The table also holds messages that were probed but not yet received. */
#ifndef CELLTRACE_MPI_MPI_REQUESTS_H
#define CELLTRACE_MPI_MPI_REQUESTS_H

#include "recorder/mpi/mpi_events.h"

enum request_kind {
    REQUEST_RECV,
    REQUEST_SEND,   /* a persistent send, recorded each time it is started */
    REQUEST_MEMBER, /* a collective operation */
    REQUEST_COPY,   /* a copy of a communicator */
    REQUEST_FOUND   /* a message that was probed */
};

struct mpi_request {
    uint64_t handle;
    enum request_kind kind;
    /* the event to record when the request is done or, for a persistent send, started */
    enum mpi_event event;
    bool persistent, idle;      /* idle: true if not started since the last completion */
    struct mpi_message message; /* for a receive, message.begin is the time when it was posted */
    struct mpi_member member;
    MPI_Comm *copy; /* the place where MPI stores the handle of the copy */
    uint64_t id;
};

/* Returns the key of a probed message, which differs from the keys of all requests. */
static inline uint64_t requests_found(MPI_Message message)
{
    return MPI_NUMBER(message) ^ UINT64_C(1) << 63;
}

void requests_share(void);

/* Add a copy of a request. The copy holds the communicator until the request is taken. If memory
 * runs out, the request is ignored, and its message is not recorded. */
void requests_add(const struct mpi_request *request);

/* Get the first request with a handle, when the request is done. Returns false if no request has
 * the handle, or if the request is inactive. Removes the request unless it is persistent. The
 * caller must release the communicator of *out. */
bool requests_take(uint64_t handle, struct mpi_request *out);

/* Start a persistent request. The caller must release the communicator of *out. */
bool requests_start(uint64_t handle, uint64_t begin, struct mpi_request *out);

void requests_remove(uint64_t handle);

/* Record an active request that is done, with its status and result. */
void requests_done(uint64_t handle, const MPI_Status *status, int result);

#endif
