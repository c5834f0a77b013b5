/* MPI functions with a count of elements. Each has a form with an int and, since MPI 4, a form
 * NAME_c with an MPI_Count.
 *
 * mpi_counted.c includes this file once for each form. COUNT and DISPLACEMENT are types; HOOK and
 * REAL make names of functions. Each function does what MPI defines for it. */

/* --- Messages ------------------------------------------------------------------------------- */

#define SEND(name, event)                                                                          \
    int HOOK(name)(const void *buffer, COUNT count, MPI_Datatype type, int to, int tag,            \
                   MPI_Comm comm)                                                                  \
    {                                                                                              \
        if (!mpi_wanted())                                                                         \
            return REAL(name)(buffer, count, type, to, tag, comm);                                 \
        struct mpi_message message = message_of(comm, to, tag, count, type);                       \
        int result = REAL(name)(buffer, count, type, to, tag, comm);                               \
        mpi_record_send(event, &message, result);                                                  \
        return result;                                                                             \
    }
SEND(Send, MPI_E_SEND)
SEND(Bsend, MPI_E_BSEND)
SEND(Ssend, MPI_E_SSEND)
SEND(Rsend, MPI_E_RSEND)
#undef SEND

#define ISEND(name, event)                                                                         \
    int HOOK(name)(const void *buffer, COUNT count, MPI_Datatype type, int to, int tag,            \
                   MPI_Comm comm, MPI_Request *request)                                            \
    {                                                                                              \
        if (!mpi_wanted())                                                                         \
            return REAL(name)(buffer, count, type, to, tag, comm, request);                        \
        struct mpi_message message = message_of(comm, to, tag, count, type);                       \
        int result = REAL(name)(buffer, count, type, to, tag, comm, request);                      \
        message.request = MPI_NUMBER(*request);                                                    \
        mpi_record_send(event, &message, result);                                                  \
        return result;                                                                             \
    }
ISEND(Isend, MPI_E_ISEND)
ISEND(Ibsend, MPI_E_IBSEND)
ISEND(Issend, MPI_E_ISSEND)
ISEND(Irsend, MPI_E_IRSEND)
#undef ISEND

#define SEND_INIT(name)                                                                            \
    int HOOK(name)(const void *buffer, COUNT count, MPI_Datatype type, int to, int tag,            \
                   MPI_Comm comm, MPI_Request *request)                                            \
    {                                                                                              \
        int result = REAL(name)(buffer, count, type, to, tag, comm, request);                      \
        if (mpi_wanted() && result == MPI_SUCCESS)                                                 \
            keep_persistent(REQUEST_SEND, message_of(comm, to, tag, count, type), request);        \
        return result;                                                                             \
    }
SEND_INIT(Send_init)
SEND_INIT(Bsend_init)
SEND_INIT(Ssend_init)
SEND_INIT(Rsend_init)
#undef SEND_INIT

int HOOK(Recv_init)(void *buffer, COUNT count, MPI_Datatype type, int from, int tag, MPI_Comm comm,
                    MPI_Request *request)
{
    int result = REAL(Recv_init)(buffer, count, type, from, tag, comm, request);
    if (mpi_wanted() && result == MPI_SUCCESS)
        keep_persistent(REQUEST_RECV, message_of(comm, from, tag, count, type), request);
    return result;
}

int HOOK(Recv)(void *buffer, COUNT count, MPI_Datatype type, int from, int tag, MPI_Comm comm,
               MPI_Status *status)
{
    MPI_Status own;
    if (!mpi_wanted())
        return REAL(Recv)(buffer, count, type, from, tag, comm, status);
    status = mpi_status(status, &own);
    struct mpi_message message = message_of(comm, from, tag, 0, type);
    int result = REAL(Recv)(buffer, count, type, from, tag, comm, status);
    mpi_record_status(MPI_E_RECV, &message, status, result);
    return result;
}

int HOOK(Irecv)(void *buffer, COUNT count, MPI_Datatype type, int from, int tag, MPI_Comm comm,
                MPI_Request *request)
{
    if (!mpi_wanted())
        return REAL(Irecv)(buffer, count, type, from, tag, comm, request);
    struct mpi_message message = message_of(comm, from, tag, count, type);
    int result = REAL(Irecv)(buffer, count, type, from, tag, comm, request);
    keep_receive(&message, from, request, result);
    mpi_record_message(MPI_E_IRECV, &message, result);
    return result;
}

int HOOK(Mrecv)(void *buffer, COUNT count, MPI_Datatype type, MPI_Message *found,
                MPI_Status *status)
{
    MPI_Status own;
    struct mpi_request request;
    if (!mpi_wanted() || !requests_take(requests_found(*found), &request))
        return REAL(Mrecv)(buffer, count, type, found, status);
    status = mpi_status(status, &own);
    int result = REAL(Mrecv)(buffer, count, type, found, status);
    mpi_record_status(MPI_E_MRECV, &request.message, status, result);
    comms_release(request.message.comm);
    return result;
}

int HOOK(Imrecv)(void *buffer, COUNT count, MPI_Datatype type, MPI_Message *found,
                 MPI_Request *request)
{
    struct mpi_request probed;
    if (!mpi_wanted() || !requests_take(requests_found(*found), &probed))
        return REAL(Imrecv)(buffer, count, type, found, request);
    uint64_t begin = clock_now();
    int result = REAL(Imrecv)(buffer, count, type, found, request);
    keep_found(&probed, begin, request, result);
    return result;
}

int HOOK(Sendrecv)(const void *buffer, COUNT count, MPI_Datatype type, int to, int tag,
                   void *received, COUNT received_count, MPI_Datatype received_type, int from,
                   int received_tag, MPI_Comm comm, MPI_Status *status)
{
    MPI_Status own;
    if (!mpi_wanted())
        return REAL(Sendrecv)(buffer, count, type, to, tag, received, received_count, received_type,
                              from, received_tag, comm, status);
    status = mpi_status(status, &own);
    struct mpi_message message = message_of(comm, to, tag, count, type);
    int result = REAL(Sendrecv)(buffer, count, type, to, tag, received, received_count,
                                received_type, from, received_tag, comm, status);
    record_both(MPI_E_SENDRECV, &message, status, result);
    return result;
}

int HOOK(Sendrecv_replace)(void *buffer, COUNT count, MPI_Datatype type, int to, int tag, int from,
                           int received_tag, MPI_Comm comm, MPI_Status *status)
{
    MPI_Status own;
    if (!mpi_wanted())
        return REAL(Sendrecv_replace)(buffer, count, type, to, tag, from, received_tag, comm,
                                      status);
    status = mpi_status(status, &own);
    struct mpi_message message = message_of(comm, to, tag, count, type);
    int result =
        REAL(Sendrecv_replace)(buffer, count, type, to, tag, from, received_tag, comm, status);
    record_both(MPI_E_SENDRECV_REPLACE, &message, status, result);
    return result;
}

#if MPI_VERSION >= 4
int HOOK(Isendrecv)(const void *buffer, COUNT count, MPI_Datatype type, int to, int tag,
                    void *received, COUNT received_count, MPI_Datatype received_type, int from,
                    int received_tag, MPI_Comm comm, MPI_Request *request)
{
    if (!mpi_wanted())
        return REAL(Isendrecv)(buffer, count, type, to, tag, received, received_count,
                               received_type, from, received_tag, comm, request);
    struct mpi_message message = message_of(comm, to, tag, count, type);
    int result = REAL(Isendrecv)(buffer, count, type, to, tag, received, received_count,
                                 received_type, from, received_tag, comm, request);
    keep_receive(&message, from, request, result);
    mpi_record_send(MPI_E_ISENDRECV, &message, result);
    return result;
}

int HOOK(Isendrecv_replace)(void *buffer, COUNT count, MPI_Datatype type, int to, int tag, int from,
                            int received_tag, MPI_Comm comm, MPI_Request *request)
{
    if (!mpi_wanted())
        return REAL(Isendrecv_replace)(buffer, count, type, to, tag, from, received_tag, comm,
                                       request);
    struct mpi_message message = message_of(comm, to, tag, count, type);
    int result =
        REAL(Isendrecv_replace)(buffer, count, type, to, tag, from, received_tag, comm, request);
    keep_receive(&message, from, request, result);
    mpi_record_send(MPI_E_ISENDRECV_REPLACE, &message, result);
    return result;
}
#endif

/* --- Collective operations ------------------------------------------------------------------- */

/* Defines the blocking and nonblocking functions of an operation. takes and gives: parameters and
 * arguments before the communicator, in TAKES() and GIVES(). at_root: the rank of the root. sends
 * and receives: numbers of bytes; these expressions may use the member `m`. */
#define TAKES(...) __VA_ARGS__
#define GIVES(...) __VA_ARGS__
#define BEGIN_MEMBER(at_root, sends, receives)                                                     \
    mpi_member_init(&m, comm);                                                                     \
    m.root = at_root;                                                                              \
    m.sent = counts_bytes(&m) ? (sends) : 0;                                                       \
    m.received = counts_bytes(&m) ? (receives) : 0;                                                \
    m.begin = clock_now()
#define COLLECTIVE(name, iname, NAME, takes, gives, at_root, sends, receives)                      \
    int HOOK(name)(takes, MPI_Comm comm)                                                           \
    {                                                                                              \
        struct mpi_member m;                                                                       \
        if (!mpi_wanted())                                                                         \
            return REAL(name)(gives, comm);                                                        \
        BEGIN_MEMBER(at_root, sends, receives);                                                    \
        int result = REAL(name)(gives, comm);                                                      \
        mpi_record_member(MPI_E_##NAME, &m, result);                                               \
        return result;                                                                             \
    }                                                                                              \
    int HOOK(iname)(takes, MPI_Comm comm, MPI_Request * request)                                   \
    {                                                                                              \
        struct mpi_member m;                                                                       \
        if (!mpi_wanted())                                                                         \
            return REAL(iname)(gives, comm, request);                                              \
        BEGIN_MEMBER(at_root, sends, receives);                                                    \
        int result = REAL(iname)(gives, comm, request);                                            \
        keep_member(MPI_E_I##NAME, MPI_E_I##NAME##_DONE, &m, request, result);                     \
        return result;                                                                             \
    }

COLLECTIVE(Bcast, Ibcast, BCAST, TAKES(void *buffer, COUNT count, MPI_Datatype type, int root),
           GIVES(buffer, count, type, root), root, is_root(&m) ? mpi_bytes(count, type) : 0,
           is_root(&m) ? 0 : mpi_bytes(count, type))

COLLECTIVE(Gather, Igather, GATHER,
           TAKES(const void *buffer, COUNT count, MPI_Datatype type, void *received,
                 COUNT received_count, MPI_Datatype received_type, int root),
           GIVES(buffer, count, type, received, received_count, received_type, root), root,
           is_root(&m) ? 0 : mpi_bytes(count, type),
           is_root(&m) ? times(&m, mpi_bytes(received_count, received_type)) : 0)

COLLECTIVE(Gatherv, Igatherv, GATHERV,
           TAKES(const void *buffer, COUNT count, MPI_Datatype type, void *received,
                 const COUNT received_counts[], const DISPLACEMENT displacements[],
                 MPI_Datatype received_type, int root),
           GIVES(buffer, count, type, received, received_counts, displacements, received_type,
                 root),
           root, is_root(&m) ? 0 : mpi_bytes(count, type),
           is_root(&m) ? mpi_bytes(SUM(&m, received_counts), received_type) : 0)

COLLECTIVE(Scatter, Iscatter, SCATTER,
           TAKES(const void *buffer, COUNT count, MPI_Datatype type, void *received,
                 COUNT received_count, MPI_Datatype received_type, int root),
           GIVES(buffer, count, type, received, received_count, received_type, root), root,
           is_root(&m) ? times(&m, mpi_bytes(count, type)) : 0,
           is_root(&m) ? 0 : mpi_bytes(received_count, received_type))

COLLECTIVE(Scatterv, Iscatterv, SCATTERV,
           TAKES(const void *buffer, const COUNT counts[], const DISPLACEMENT displacements[],
                 MPI_Datatype type, void *received, COUNT received_count,
                 MPI_Datatype received_type, int root),
           GIVES(buffer, counts, displacements, type, received, received_count, received_type,
                 root),
           root, is_root(&m) ? mpi_bytes(SUM(&m, counts), type) : 0,
           is_root(&m) ? 0 : mpi_bytes(received_count, received_type))

COLLECTIVE(Allgather, Iallgather, ALLGATHER,
           TAKES(const void *buffer, COUNT count, MPI_Datatype type, void *received,
                 COUNT received_count, MPI_Datatype received_type),
           GIVES(buffer, count, type, received, received_count, received_type), -1,
           buffer == MPI_IN_PLACE ? mpi_bytes(received_count, received_type)
                                  : mpi_bytes(count, type),
           times(&m, mpi_bytes(received_count, received_type)))

COLLECTIVE(Allgatherv, Iallgatherv, ALLGATHERV,
           TAKES(const void *buffer, COUNT count, MPI_Datatype type, void *received,
                 const COUNT received_counts[], const DISPLACEMENT displacements[],
                 MPI_Datatype received_type),
           GIVES(buffer, count, type, received, received_counts, displacements, received_type), -1,
           buffer == MPI_IN_PLACE ? mpi_bytes(OWN(&m, received_counts), received_type)
                                  : mpi_bytes(count, type),
           mpi_bytes(SUM(&m, received_counts), received_type))

COLLECTIVE(Alltoall, Ialltoall, ALLTOALL,
           TAKES(const void *buffer, COUNT count, MPI_Datatype type, void *received,
                 COUNT received_count, MPI_Datatype received_type),
           GIVES(buffer, count, type, received, received_count, received_type), -1,
           times(&m, buffer == MPI_IN_PLACE ? mpi_bytes(received_count, received_type)
                                            : mpi_bytes(count, type)),
           times(&m, mpi_bytes(received_count, received_type)))

COLLECTIVE(Alltoallv, Ialltoallv, ALLTOALLV,
           TAKES(const void *buffer, const COUNT counts[], const DISPLACEMENT displacements[],
                 MPI_Datatype type, void *received, const COUNT received_counts[],
                 const DISPLACEMENT received_displacements[], MPI_Datatype received_type),
           GIVES(buffer, counts, displacements, type, received, received_counts,
                 received_displacements, received_type),
           -1,
           buffer == MPI_IN_PLACE ? mpi_bytes(SUM(&m, received_counts), received_type)
                                  : mpi_bytes(SUM(&m, counts), type),
           mpi_bytes(SUM(&m, received_counts), received_type))

COLLECTIVE(Alltoallw, Ialltoallw, ALLTOALLW,
           TAKES(const void *buffer, const COUNT counts[], const W_DISPLACEMENT displacements[],
                 const MPI_Datatype types[], void *received, const COUNT received_counts[],
                 const W_DISPLACEMENT received_displacements[],
                 const MPI_Datatype received_types[]),
           GIVES(buffer, counts, displacements, types, received, received_counts,
                 received_displacements, received_types),
           -1,
           buffer == MPI_IN_PLACE ? SUM_OF_TYPES(&m, received_counts, received_types)
                                  : SUM_OF_TYPES(&m, counts, types),
           SUM_OF_TYPES(&m, received_counts, received_types))

COLLECTIVE(Reduce, Ireduce, REDUCE,
           TAKES(const void *buffer, void *received, COUNT count, MPI_Datatype type, MPI_Op op,
                 int root),
           GIVES(buffer, received, count, type, op, root), root, mpi_bytes(count, type),
           is_root(&m) ? mpi_bytes(count, type) : 0)

COLLECTIVE(Allreduce, Iallreduce, ALLREDUCE,
           TAKES(const void *buffer, void *received, COUNT count, MPI_Datatype type, MPI_Op op),
           GIVES(buffer, received, count, type, op), -1, mpi_bytes(count, type),
           mpi_bytes(count, type))

COLLECTIVE(Reduce_scatter, Ireduce_scatter, REDUCE_SCATTER,
           TAKES(const void *buffer, void *received, const COUNT counts[], MPI_Datatype type,
                 MPI_Op op),
           GIVES(buffer, received, counts, type, op), -1, mpi_bytes(SUM(&m, counts), type),
           mpi_bytes(OWN(&m, counts), type))

COLLECTIVE(Reduce_scatter_block, Ireduce_scatter_block, REDUCE_SCATTER_BLOCK,
           TAKES(const void *buffer, void *received, COUNT count, MPI_Datatype type, MPI_Op op),
           GIVES(buffer, received, count, type, op), -1, times(&m, mpi_bytes(count, type)),
           mpi_bytes(count, type))

COLLECTIVE(Scan, Iscan, SCAN,
           TAKES(const void *buffer, void *received, COUNT count, MPI_Datatype type, MPI_Op op),
           GIVES(buffer, received, count, type, op), -1, mpi_bytes(count, type),
           mpi_bytes(count, type))

COLLECTIVE(Exscan, Iexscan, EXSCAN,
           TAKES(const void *buffer, void *received, COUNT count, MPI_Datatype type, MPI_Op op),
           GIVES(buffer, received, count, type, op), -1, mpi_bytes(count, type),
           m.comm &&m.comm->rank > 0 ? mpi_bytes(count, type) : 0)

#undef COLLECTIVE
#undef TAKES
#undef GIVES
