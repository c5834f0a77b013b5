/* MPI functions without a count of elements: begin and end, probes, and communicators. */
#include "recorder/clock.h"
#include "recorder/mpi/mpi_requests.h"
#include "recorder/session.h"

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

/* Record a probe, and keep the message until it is received. MPI reserves the message for the
 * handle `found`. */
static void record_found(enum mpi_event event, const struct mpi_message *message,
                         const MPI_Message *found, const MPI_Status *status, int result)
{
    if (result == MPI_SUCCESS && *found != MPI_MESSAGE_NO_PROC)
        requests_add(&(struct mpi_request){
            .handle = requests_found(*found), .kind = REQUEST_FOUND, .message = *message});
    mpi_record_status(event, message, status, result);
}

#define PROBE(name, takes, gives, after)                                                           \
    RECORDED(MPI_##name, PMPI_##name, TAKES(takes), GIVES(gives), WITH_STATUS;                     \
             struct mpi_message message = probe_of(comm, from, tag), after)

/* A probe that finds nothing is not recorded, because programs repeat it. */
PROBE(Probe, TAKES(int from, int tag, MPI_Comm comm, MPI_Status *status),
      GIVES(from, tag, comm, status), mpi_record_status(MPI_E_PROBE, &message, status, result))
PROBE(Iprobe, TAKES(int from, int tag, MPI_Comm comm, int *flag, MPI_Status *status),
      GIVES(from, tag, comm, flag, status),
      if (result == MPI_SUCCESS && *flag) mpi_record_status(MPI_E_IPROBE, &message, status, result))
PROBE(Mprobe, TAKES(int from, int tag, MPI_Comm comm, MPI_Message *found, MPI_Status *status),
      GIVES(from, tag, comm, found, status),
      record_found(MPI_E_MPROBE, &message, found, status, result))
PROBE(Improbe,
      TAKES(int from, int tag, MPI_Comm comm, int *flag, MPI_Message *found, MPI_Status *status),
      GIVES(from, tag, comm, flag, found, status),
      if (result == MPI_SUCCESS && *flag)
          record_found(MPI_E_IMPROBE, &message, found, status, result))

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

/* Defines a function that makes a communicator and waits for all its processes. TAKES and GIVES:
 * the parameters and arguments before the new communicator. */
#define MAKES_COMM(name, takes, gives)                                                             \
    RECORDED(MPI_##name, PMPI_##name, TAKES(takes, MPI_Comm *made), GIVES(gives, made),            \
             const uint64_t begin = clock_now(), if (result == MPI_SUCCESS) make(*made, begin))

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

/* Defines a function that copies a communicator without waiting. */
#define COPIES_COMM(name, takes, gives)                                                            \
    RECORDED(MPI_##name, PMPI_##name, TAKES(takes), GIVES(gives),                                  \
             struct mpi_comm *from = comms_find(comm),                                             \
             if (result == MPI_SUCCESS && from)                                                    \
                 requests_add(&(struct mpi_request){.handle = MPI_NUMBER(*request),                \
                                                    .kind = REQUEST_COPY,                          \
                                                    .copy = made,                                  \
                                                    .id = comms_next_idup(from)}))

COPIES_COMM(Comm_idup, TAKES(MPI_Comm comm, MPI_Comm *made, MPI_Request *request),
            GIVES(comm, made, request))
#if MPI_VERSION >= 4
COPIES_COMM(Comm_idup_with_info,
            TAKES(MPI_Comm comm, MPI_Info info, MPI_Comm *made, MPI_Request *request),
            GIVES(comm, info, made, request))
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
