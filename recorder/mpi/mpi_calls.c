/* MPI functions without a count of elements: begin and end, probes, and communicators. */
#include "recorder/clock.h"
#include "recorder/mpi/mpi_requests.h"
#include "recorder/session.h"

/* Parameters of MPI functions have our own names:
 * NOLINTBEGIN(readability-inconsistent-declaration-parameter-name) */

/* --- Begin and end -------------------------------------------------------------------------- */

int MPI_Init(int *argc, char ***argv)
{
    uint64_t begin = clock_now();
    int result = PMPI_Init(argc, argv);
    if (result == MPI_SUCCESS)
        mpi_begin(begin);
    return result;
}

int MPI_Init_thread(int *argc, char ***argv, int required, int *provided)
{
    uint64_t begin = clock_now();
    int result = PMPI_Init_thread(argc, argv, required, provided);
    if (result == MPI_SUCCESS && *provided == MPI_THREAD_MULTIPLE)
        requests_share();
    if (result == MPI_SUCCESS)
        mpi_begin(begin);
    return result;
}

int MPI_Finalize(void)
{
    uint64_t begin = clock_now();
    int result = PMPI_Finalize();
    if (mpi_wanted())
        mpi_record(MPI_E_FINALIZE, begin, NULL, 0);
    atomic_store(&mpi_is_wanted, false);
    return result;
}

/* Level 0 stops recording, and any other level starts recording. Other arguments are for other
 * tools. */
int MPI_Pcontrol(const int level, ...)
{
    if (level == 0)
        session_stop();
    else
        session_start();
    return PMPI_Pcontrol(level);
}

/* --- Probes --------------------------------------------------------------------------------- */

static struct mpi_message probe_of(MPI_Comm comm, int from, int tag)
{
    return (struct mpi_message){
        .comm = comms_find(comm), .partner = from, .tag = tag, .begin = clock_now()};
}

/* Keep a probed message until it is received. MPI reserves the message for the handle `found`. */
static void keep_found(const struct mpi_message *message, MPI_Message found)
{
    if (found != MPI_MESSAGE_NO_PROC)
        requests_add(&(struct mpi_request){
            .handle = requests_found(found), .kind = REQUEST_FOUND, .message = *message});
}

int MPI_Probe(int from, int tag, MPI_Comm comm, MPI_Status *status)
{
    MPI_Status own;
    if (!mpi_wanted())
        return PMPI_Probe(from, tag, comm, status);
    status = mpi_status(status, &own);
    struct mpi_message message = probe_of(comm, from, tag);
    int result = PMPI_Probe(from, tag, comm, status);
    mpi_record_status(MPI_E_PROBE, &message, status, result);
    return result;
}

/* A probe that finds nothing is not recorded, because programs repeat it. */
int MPI_Iprobe(int from, int tag, MPI_Comm comm, int *flag, MPI_Status *status)
{
    MPI_Status own;
    if (!mpi_wanted())
        return PMPI_Iprobe(from, tag, comm, flag, status);
    status = mpi_status(status, &own);
    struct mpi_message message = probe_of(comm, from, tag);
    int result = PMPI_Iprobe(from, tag, comm, flag, status);
    if (result == MPI_SUCCESS && *flag)
        mpi_record_status(MPI_E_IPROBE, &message, status, result);
    return result;
}

int MPI_Mprobe(int from, int tag, MPI_Comm comm, MPI_Message *found, MPI_Status *status)
{
    MPI_Status own;
    if (!mpi_wanted())
        return PMPI_Mprobe(from, tag, comm, found, status);
    status = mpi_status(status, &own);
    struct mpi_message message = probe_of(comm, from, tag);
    int result = PMPI_Mprobe(from, tag, comm, found, status);
    if (result == MPI_SUCCESS)
        keep_found(&message, *found);
    mpi_record_status(MPI_E_MPROBE, &message, status, result);
    return result;
}

int MPI_Improbe(int from, int tag, MPI_Comm comm, int *flag, MPI_Message *found, MPI_Status *status)
{
    MPI_Status own;
    if (!mpi_wanted())
        return PMPI_Improbe(from, tag, comm, flag, found, status);
    status = mpi_status(status, &own);
    struct mpi_message message = probe_of(comm, from, tag);
    int result = PMPI_Improbe(from, tag, comm, flag, found, status);
    if (result != MPI_SUCCESS || !*flag)
        return result;
    keep_found(&message, *found);
    mpi_record_status(MPI_E_IMPROBE, &message, status, result);
    return result;
}

/* --- Communicators -------------------------------------------------------------------------- */

/* Add and record a new communicator. */
static void make(MPI_Comm handle, uint64_t begin)
{
    enum { LISTED_MAX = 250 }; /* the most ranks that the record lists */
    const struct mpi_comm *comm = handle == MPI_COMM_NULL ? NULL : comms_make(handle);
    if (!comm)
        return;
    uint64_t values[3 + LISTED_MAX] = {comm->id, (uint64_t)comm->size, (uint64_t)comm->rank};
    unsigned n = 3;
    for (int i = 0; i < comm->partners && i < LISTED_MAX; i++)
        values[n++] = (uint64_t)(int64_t)comms_world(comm, i);
    mpi_record(MPI_E_COMM_NEW, begin, values, n);
}

/* Defines functions that make a communicator and wait for all its processes. TAKES and GIVES: the
 * parameters and arguments before the new communicator. */
#define TAKES(...) __VA_ARGS__
#define GIVES(...) __VA_ARGS__
#define MAKES_COMM(name, takes, gives)                                                             \
    int MPI_##name(takes, MPI_Comm *made)                                                          \
    {                                                                                              \
        uint64_t begin = clock_now();                                                              \
        int result = PMPI_##name(gives, made);                                                     \
        if (mpi_wanted() && result == MPI_SUCCESS)                                                 \
            make(*made, begin);                                                                    \
        return result;                                                                             \
    }

MAKES_COMM(Comm_dup, TAKES(MPI_Comm comm), GIVES(comm))
MAKES_COMM(Comm_dup_with_info, TAKES(MPI_Comm comm, MPI_Info info), GIVES(comm, info))
MAKES_COMM(Comm_create, TAKES(MPI_Comm comm, MPI_Group group), GIVES(comm, group))
MAKES_COMM(Comm_create_group, TAKES(MPI_Comm comm, MPI_Group group, int tag),
           GIVES(comm, group, tag))
MAKES_COMM(Comm_split, TAKES(MPI_Comm comm, int color, int key), GIVES(comm, color, key))
MAKES_COMM(Comm_split_type, TAKES(MPI_Comm comm, int type, int key, MPI_Info info),
           GIVES(comm, type, key, info))
MAKES_COMM(Cart_create,
           TAKES(MPI_Comm comm, int ndims, const int dims[], const int periods[], int reorder),
           GIVES(comm, ndims, dims, periods, reorder))
MAKES_COMM(Cart_sub, TAKES(MPI_Comm comm, const int remain[]), GIVES(comm, remain))
MAKES_COMM(Graph_create,
           TAKES(MPI_Comm comm, int n, const int index[], const int edges[], int reorder),
           GIVES(comm, n, index, edges, reorder))
MAKES_COMM(Dist_graph_create,
           TAKES(MPI_Comm comm, int n, const int sources[], const int degrees[],
                 const int targets[], const int weights[], MPI_Info info, int reorder),
           GIVES(comm, n, sources, degrees, targets, weights, info, reorder))
MAKES_COMM(Dist_graph_create_adjacent,
           TAKES(MPI_Comm comm, int indegree, const int sources[], const int source_weights[],
                 int outdegree, const int targets[], const int weights[], MPI_Info info,
                 int reorder),
           GIVES(comm, indegree, sources, source_weights, outdegree, targets, weights, info,
                 reorder))
MAKES_COMM(Intercomm_create,
           TAKES(MPI_Comm local, int leader, MPI_Comm peer, int remote_leader, int tag),
           GIVES(local, leader, peer, remote_leader, tag))
MAKES_COMM(Intercomm_merge, TAKES(MPI_Comm comm, int high), GIVES(comm, high))

static void keep_copy(MPI_Comm comm, MPI_Comm *made, const MPI_Request *request)
{
    struct mpi_comm *from = comms_find(comm);
    if (from)
        requests_add(&(struct mpi_request){.handle = MPI_NUMBER(*request),
                                           .kind = REQUEST_COPY,
                                           .copy = made,
                                           .id = comms_next_idup(from)});
}

int MPI_Comm_idup(MPI_Comm comm, MPI_Comm *made, MPI_Request *request)
{
    int result = PMPI_Comm_idup(comm, made, request);
    if (mpi_wanted() && result == MPI_SUCCESS)
        keep_copy(comm, made, request);
    return result;
}

#if MPI_VERSION >= 4
int MPI_Comm_idup_with_info(MPI_Comm comm, MPI_Info info, MPI_Comm *made, MPI_Request *request)
{
    int result = PMPI_Comm_idup_with_info(comm, info, made, request);
    if (mpi_wanted() && result == MPI_SUCCESS)
        keep_copy(comm, made, request);
    return result;
}
#endif

static int end_comm(int (*end)(MPI_Comm *), MPI_Comm *comm)
{
    MPI_Comm old = *comm;
    const struct mpi_comm *known = mpi_wanted() ? comms_find(old) : NULL;
    const uint64_t values[] = {known ? known->id : 0};
    uint64_t begin = clock_now();
    if (known)
        comms_remove(old); /* its handle may be reused immediately */
    int result = end(comm);
    if (known)
        mpi_record(MPI_E_COMM_FREE, begin, values, 1);
    return result;
}

int MPI_Comm_free(MPI_Comm *comm)
{
    return end_comm(PMPI_Comm_free, comm);
}

int MPI_Comm_disconnect(MPI_Comm *comm)
{
    return end_comm(PMPI_Comm_disconnect, comm);
}
/* NOLINTEND(readability-inconsistent-declaration-parameter-name) */
