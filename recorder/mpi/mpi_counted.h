/* MPI functions with a count of elements. Each has a form with an int and, since MPI 4, a form
 * NAME_c with an MPI_Count.
 *
 * mpi_counted.c includes this file once for each form. COUNT and DISPLACEMENT are types; HOOK and
 * REAL make names of functions. Each function does what MPI defines for it. */

/* --- Messages ------------------------------------------------------------------------------- */

#define MESSAGE(name, partner, takes, gives, after)                                                \
    RECORDED(HOOK(name), REAL(name), TAKES(takes), GIVES(gives),                                   \
             struct mpi_message message = message_of(comm, partner, tag, count, type), after)

#define FROM const void *buffer, COUNT count, MPI_Datatype type
#define INTO void *buffer, COUNT count, MPI_Datatype type
#define SEND(name, event)                                                                          \
    MESSAGE(name, to, TAKES(FROM, int to, int tag, MPI_Comm comm),                                 \
            GIVES(buffer, count, type, to, tag, comm), mpi_record_send(event, &message, result))
SEND(Send, MPI_E_SEND)
SEND(Bsend, MPI_E_BSEND)
SEND(Ssend, MPI_E_SSEND)
SEND(Rsend, MPI_E_RSEND)
#undef SEND

#define ISEND(name, after)                                                                         \
    MESSAGE(name, to, TAKES(FROM, int to, int tag, MPI_Comm comm, MPI_Request *request),           \
            GIVES(buffer, count, type, to, tag, comm, request), after)
#define SEND_NOW(event)                                                                            \
    message.request = MPI_NUMBER(*request);                                                        \
    mpi_record_send(event, &message, result)
ISEND(Isend, SEND_NOW(MPI_E_ISEND))
ISEND(Ibsend, SEND_NOW(MPI_E_IBSEND))
ISEND(Issend, SEND_NOW(MPI_E_ISSEND))
ISEND(Irsend, SEND_NOW(MPI_E_IRSEND))
#undef ISEND
#undef SEND_NOW

#define PERSISTENT(name, kind, takes, partner)                                                     \
    RECORDED(HOOK(name), REAL(name), TAKES(takes, int tag, MPI_Comm comm, MPI_Request *request),   \
             GIVES(buffer, count, type, partner, tag, comm, request), ,                            \
             if (result == MPI_SUCCESS)                                                            \
                 keep_persistent(kind, message_of(comm, partner, tag, count, type), request))
PERSISTENT(Send_init, REQUEST_SEND, TAKES(FROM, int to), to)
PERSISTENT(Bsend_init, REQUEST_SEND, TAKES(FROM, int to), to)
PERSISTENT(Ssend_init, REQUEST_SEND, TAKES(FROM, int to), to)
PERSISTENT(Rsend_init, REQUEST_SEND, TAKES(FROM, int to), to)
PERSISTENT(Recv_init, REQUEST_RECV, TAKES(INTO, int from), from)
#undef PERSISTENT

RECORDED(HOOK(Recv), REAL(Recv), TAKES(INTO, int from, int tag, MPI_Comm comm, MPI_Status *status),
         GIVES(buffer, count, type, from, tag, comm, status), WITH_STATUS;
         struct mpi_message message = message_of(comm, from, tag, 0, type),
         mpi_record_status(MPI_E_RECV, &message, status, result))

MESSAGE(Irecv, from, TAKES(INTO, int from, int tag, MPI_Comm comm, MPI_Request *request),
        GIVES(buffer, count, type, from, tag, comm, request),
        keep_receive(&message, from, request, result);
        mpi_record_message(MPI_E_IRECV, &message, result))

RECORDED(
    HOOK(Mrecv), REAL(Mrecv), TAKES(INTO, MPI_Message *found, MPI_Status *status),
    GIVES(buffer, count, type, found, status), WITH_STATUS;
    struct mpi_request request;
    bool known = requests_take(requests_found(*found), &request), if (known) {
        mpi_record_status(MPI_E_MRECV, &request.message, status, result);
        comms_release(request.message.comm);
    })

RECORDED(HOOK(Imrecv), REAL(Imrecv), TAKES(INTO, MPI_Message *found, MPI_Request *request),
         GIVES(buffer, count, type, found, request), struct mpi_request probed;
         const bool known = requests_take(requests_found(*found), &probed);
         const uint64_t begin = clock_now(), if (known) keep_found(&probed, begin, request, result))

#define EXCHANGE                                                                                   \
    FROM, int to, int tag, void *received, COUNT received_count, MPI_Datatype received_type,       \
        int from, int received_tag, MPI_Comm comm
#define EXCHANGE_REPLACE INTO, int to, int tag, int from, int received_tag, MPI_Comm comm
#define EXCHANGED                                                                                  \
    buffer, count, type, to, tag, received, received_count, received_type, from, received_tag, comm
#define EXCHANGED_REPLACE buffer, count, type, to, tag, from, received_tag, comm
#define SENDRECV(name, event, takes, gives)                                                        \
    RECORDED(HOOK(name), REAL(name), TAKES(takes, MPI_Status *status), GIVES(gives, status),       \
             WITH_STATUS;                                                                          \
             struct mpi_message message = message_of(comm, to, tag, count, type),                  \
             mpi_record_send(event, &message, result);                                             \
             mpi_record_status(MPI_E_SENDRECV_DONE, &message, status, result))
SENDRECV(Sendrecv, MPI_E_SENDRECV, TAKES(EXCHANGE), GIVES(EXCHANGED))
SENDRECV(Sendrecv_replace, MPI_E_SENDRECV_REPLACE, TAKES(EXCHANGE_REPLACE),
         GIVES(EXCHANGED_REPLACE))

#if MPI_VERSION >= 4
#define ISENDRECV(name, event, takes, gives)                                                       \
    MESSAGE(name, to, TAKES(takes, MPI_Request *request), GIVES(gives, request),                   \
            keep_receive(&message, from, request, result);                                         \
            mpi_record_send(event, &message, result))
ISENDRECV(Isendrecv, MPI_E_ISENDRECV, TAKES(EXCHANGE), GIVES(EXCHANGED))
ISENDRECV(Isendrecv_replace, MPI_E_ISENDRECV_REPLACE, TAKES(EXCHANGE_REPLACE),
          GIVES(EXCHANGED_REPLACE))
#undef ISENDRECV
#endif
#undef MESSAGE
#undef FROM
#undef INTO
#undef SENDRECV
#undef EXCHANGE
#undef EXCHANGE_REPLACE
#undef EXCHANGED
#undef EXCHANGED_REPLACE

/* --- Collective operations ------------------------------------------------------------------- */

/* Defines the blocking function `name` and the nonblocking function `iname` of an operation.
 * TAKES(takes) and GIVES(gives) are the parameters and arguments before the communicator. The macro
 * MEMBER explains the last three parameters. */
#define COLLECTIVE(name, iname, NAME, takes, gives, at_root, sends, receives)                      \
    MEMBER(HOOK(name), REAL(name), TAKES(takes, MPI_Comm comm), GIVES(gives, comm), at_root,       \
           sends, receives, mpi_record_member(MPI_E_##NAME, &m, result))                           \
    MEMBER(HOOK(iname), REAL(iname), TAKES(takes, MPI_Comm comm, MPI_Request *request),            \
           GIVES(gives, comm, request), at_root, sends, receives,                                  \
           keep_member(MPI_E_I##NAME, MPI_E_I##NAME##_DONE, &m, request, result))

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
