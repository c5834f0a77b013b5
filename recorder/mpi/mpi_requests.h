/* Requests that are recorded when they are done, found by handle: receives, collective operations,
 * persistent requests, and copies of communicators. Sends are not among them, because they are
 * recorded when they begin. The table also has messages that were probed and not yet received. */
#ifndef CELLTRACE_MPI_MPI_REQUESTS_H
#define CELLTRACE_MPI_MPI_REQUESTS_H

#include "recorder/mpi/mpi_events.h"

enum request_kind {
    REQUEST_RECV,
    REQUEST_SEND,   /* a persistent send, which begins whenever it is started */
    REQUEST_MEMBER, /* a collective operation */
    REQUEST_COPY,   /* a copy of a communicator */
    REQUEST_FOUND   /* a message that was probed */
};

struct mpi_request {
    uint64_t handle;
    enum request_kind kind;
    /* the event to record when the request is done or, for a persistent send, started */
    enum mpi_event event;
    bool persistent, active;
    struct mpi_message message; /* for a receive, its time is the time when it was posted */
    struct mpi_member member;
    MPI_Comm *copy; /* the place where MPI stores the handle of the copy */
    uint64_t id;    /* the id of the copy */
};

/* The key of a probed message. It differs from the keys of all requests. */
static inline uint64_t requests_found(uint64_t message)
{
    return message ^ UINT64_C(1) << 63;
}

/* Note that several threads may use requests at the same time. */
void requests_share(void);

/* Add a request. It uses its communicator until it is taken. If memory runs out, the request is
 * ignored, and the message that it receives is not recorded. */
void requests_add(const struct mpi_request *request);

/* Get a request that is done: the first one with this handle. Returns false if there is none, or if
 * it is not active. A request that is not persistent is removed from the table; the caller must
 * then release its communicator. */
bool requests_take(uint64_t handle, struct mpi_request *out);

/* Note that a persistent request begins. The caller must release the communicator of *out. */
bool requests_start(uint64_t handle, uint64_t begin, struct mpi_request *out);

/* Remove a request that was freed. */
void requests_remove(uint64_t handle);

/* Note that an active request is done, with this status and result. */
void requests_done(uint64_t handle, const MPI_Status *status, int result);

#endif
