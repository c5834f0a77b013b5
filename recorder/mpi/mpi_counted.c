/* MPI functions with a count of elements: messages and collective operations. */
#include "recorder/clock.h"
#include "recorder/mpi/mpi_requests.h"

static struct mpi_message message_of(MPI_Comm comm, int partner, int tag, MPI_Count count,
                                     MPI_Datatype type)
{
    struct mpi_message message = {
        .comm = comms_find(comm), .partner = partner, .tag = tag, .bytes = mpi_bytes(count, type)};
    message.begin = clock_now();
    return message;
}

static void keep_persistent(enum request_kind kind, struct mpi_message message,
                            const MPI_Request *request)
{
    message.request = MPI_NUMBER(*request);
    requests_add(&(struct mpi_request){.handle = message.request,
                                       .kind = kind,
                                       .event = kind == REQUEST_SEND ? MPI_E_START : MPI_E_DONE,
                                       .persistent = true,
                                       .idle = true,
                                       .message = message});
}

/* Keep a nonblocking receive, which is recorded when it is done. */
static void keep_receive(struct mpi_message *message, int from, const MPI_Request *request,
                         int result)
{
    message->request = MPI_NUMBER(*request);
    if (result == MPI_SUCCESS && from != MPI_PROC_NULL)
        requests_add(&(struct mpi_request){.handle = message->request,
                                           .kind = REQUEST_RECV,
                                           .event = MPI_E_DONE,
                                           .message = *message});
}

/* Keep a nonblocking receive of a message that a probe has reserved. */
static void keep_found(struct mpi_request *probed, uint64_t begin, const MPI_Request *request,
                       int result)
{
    struct mpi_message call = probed->message;
    call.begin = begin;
    call.request = probed->message.request = probed->handle = MPI_NUMBER(*request);
    probed->kind = REQUEST_RECV;
    probed->event = MPI_E_DONE;
    if (result == MPI_SUCCESS)
        requests_add(probed);
    mpi_record_message(MPI_E_IMRECV, &call, result);
    comms_release(probed->message.comm);
}

/* --- Collective operations ------------------------------------------------------------------- */

/* Returns true if the number of bytes can be computed. In an intercommunicator it cannot, because
 * MPI ignores some arguments, and they may be invalid. */
static bool counts_bytes(const struct mpi_member *m)
{
    return m->comm && !m->comm->inter;
}

static bool is_root(const struct mpi_member *m)
{
    return m->comm->rank == m->root;
}

static uint64_t times(const struct mpi_member *m, uint64_t bytes)
{
    uint64_t all;
    return __builtin_mul_overflow(bytes, (uint64_t)m->comm->size, &all) ? INT64_MAX : all;
}

/* SUM: total count of all members. OWN: count of the calling process. SUM_OF_TYPES: total number of
 * bytes if each count has a datatype of its own. */
#define SUM(m, counts) SIZED(sum)((m), (counts))
#define OWN(m, counts) ((MPI_Count)(counts)[(m)->comm->rank])
#define SUM_OF_TYPES(m, counts, types) SIZED(sum_of_types)((m), (counts), (types))

#define SUMS                                                                                       \
    static MPI_Count SIZED(sum)(const struct mpi_member *m, const COUNT counts[])                  \
    {                                                                                              \
        MPI_Count sum = 0;                                                                         \
        for (int i = 0; i < m->comm->size; i++)                                                    \
            sum += (MPI_Count)counts[i];                                                           \
        return sum;                                                                                \
    }                                                                                              \
    static uint64_t SIZED(sum_of_types)(const struct mpi_member *m, const COUNT counts[],          \
                                        const MPI_Datatype types[])                                \
    {                                                                                              \
        uint64_t sum = 0;                                                                          \
        for (int i = 0; i < m->comm->size; i++)                                                    \
            if (counts[i] > 0)                                                                     \
                sum += mpi_bytes(counts[i], types[i]);                                             \
        return sum;                                                                                \
    }

static void keep_member(enum mpi_event event, enum mpi_event done, const struct mpi_member *m,
                        const MPI_Request *request, int result)
{
    if (result == MPI_SUCCESS)
        requests_add(&(struct mpi_request){
            .handle = MPI_NUMBER(*request), .kind = REQUEST_MEMBER, .event = done, .member = *m});
    mpi_record_member(event, m, result);
}

/* Defines a hook that records a member (the part of one rank in a collective operation). at_root:
 * the rank of the root; sends and receives: numbers of bytes, which may depend on the member `m`;
 * after: the code that records it. */
#define MEMBER(function, real, takes, gives, at_root, sends, receives, after)                      \
    RECORDED(function, real, TAKES(takes), GIVES(gives), struct mpi_member m;                      \
             mpi_member_init(&m, comm); m.root = at_root; m.sent = counts_bytes(&m) ? (sends) : 0; \
             m.received = counts_bytes(&m) ? (receives) : 0; m.begin = clock_now(), after)

RECORDED(MPI_Barrier, PMPI_Barrier, TAKES(MPI_Comm comm), GIVES(comm), struct mpi_member m;
         mpi_member_init(&m, comm);
         m.begin = clock_now(), mpi_record_member(MPI_E_BARRIER, &m, result))
RECORDED(MPI_Ibarrier, PMPI_Ibarrier, TAKES(MPI_Comm comm, MPI_Request *request),
         GIVES(comm, request), struct mpi_member m;
         mpi_member_init(&m, comm);
         m.begin = clock_now(),
         keep_member(MPI_E_IBARRIER, MPI_E_IBARRIER_DONE, &m, request, result))

#define COUNT int
#define DISPLACEMENT int
#define W_DISPLACEMENT int
#define HOOK(name) MPI_##name
#define REAL(name) PMPI_##name
#define SIZED(name) name##_of_ints
SUMS
#include "recorder/mpi/mpi_counted.h"

#if MPI_VERSION >= 4
#undef COUNT
#undef DISPLACEMENT
#undef W_DISPLACEMENT
#undef HOOK
#undef REAL
#undef SIZED
#define COUNT MPI_Count
#define DISPLACEMENT MPI_Aint
#define W_DISPLACEMENT MPI_Aint
#define HOOK(name) MPI_##name##_c
#define REAL(name) PMPI_##name##_c
#define SIZED(name) name##_of_counts
    SUMS
#include "recorder/mpi/mpi_counted.h"
#endif
