/* See mpi_events.h. */
#include "celltrace/mpi/mpi_events.h"

#include "celltrace/event.h"
#include "celltrace/mpi/mpi_channels.h"
#include "celltrace/mpi/mpi_fortran.h"
#include "celltrace/session.h"

#include <string.h>

/* Fields of each shape, how many they are, and what they say of order. */
#define MESSAGE "partner:partner tag bytes:bytes communicator request"
#define FIELDS_COMM 4, "communicator size rank world", "role=\"call\""
#define FIELDS_FREE 1, "communicator", "role=\"call\""
#define FIELDS_NOTHING 0, NULL, "role=\"call\""
#define FIELDS_BYTES 1, "bytes:bytes", "class=\"window\""
#define FIELDS_IO 1, "bytes:bytes", "class=\"io\""
#define FIELDS_REQUESTS 2, "requests done", "class=\"message\""
#define FIELDS_PLAIN 5, MESSAGE, "class=\"message\""
#define SENDS "class=\"message\" order=\"send\" match=\"communicator @self partner tag\""
#define FIELDS_SEND 5, MESSAGE, SENDS
/* A call that waits until the message is sent, or met. */
#define FIELDS_BLOCKING 5, MESSAGE, "role=\"send\" " SENDS
#define FIELDS_SYNC 5, MESSAGE, "role=\"send\" " SENDS " sync=\"yes\""
#define FIELDS_RECV                                                                                \
    5, MESSAGE, "class=\"message\" order=\"recv\" match=\"communicator partner @self tag\""
#define MEMBER_FIELDS "root instance sent:bytes communicator received:bytes"
#define FIELDS_MEMBER 5, MEMBER_FIELDS, "role=\"call\""
#define FIELDS_COLLECTIVE(kind, class) 5, MEMBER_FIELDS, "role=\"collective\" " MEETS(kind, class)
#define FIELDS_MET(kind, class) 5, MEMBER_FIELDS, MEETS(kind, class)
#define MEETS(kind, class)                                                                         \
    "class=\"" class "\" order=\"enter leave\" kind=\"" kind                                       \
                     "\" match=\"communicator\" instance=\"instance\" "                            \
                     "root=\"root\" size=\"sent received\""

/* What a program waits in is a call, too. */
#define CALLED_CT_INTERVAL
#define CALLED_KIND_DONE
#define CALLED_CT_WAIT "call=\"yes\" "
#define CALLED_CT_RECV CALLED_CT_WAIT

static struct ct_type types[] = {
#define MPI_EVENT(number, name, kind, shape)                                                       \
    TYPE(number, kind, CALLED_##kind, "MPI_" #name, FIELDS_##shape)
#define TYPE(...) TYPE_OF(__VA_ARGS__)
#define TYPE_OF(number, kind, called, name, nfields, fields, attributes)                           \
    {EVENT_ID(number, GROUP_MPI), kind, nfields, "MPI", name, fields, called attributes},
#include "celltrace/mpi/mpi.def"
#undef MPI_EVENT
};

static struct type_table table = {types, MPI_EVENTS, NULL};
static bool registered;
static atomic_bool begun; /* a call of ours has initialized MPI */
atomic_bool mpi_is_wanted;

__attribute__((constructor(HOOK_PRIORITY))) static void construct(void)
{
    if (!(session_events() & EVENTS_MPI))
        return;
    types_register(&table);
    mpi_take_fortran();
    registered = true;
}

/* Before the session ends. */
__attribute__((destructor(HOOK_PRIORITY))) static void destruct(void)
{
    int initialized = 0;
    if (registered && !atomic_load(&begun) && PMPI_Initialized(&initialized) == MPI_SUCCESS &&
        initialized)
        system_say(
            "MPI was initialized by a call that cannot be seen; no calls of MPI are recorded");
}

/* Processes that others have spawned have a MPI_COMM_WORLD of their own, whose ranks others have,
 * too. */
static bool is_spawned(void)
{
    MPI_Comm parent = MPI_COMM_NULL;
    return PMPI_Comm_get_parent(&parent) == MPI_SUCCESS && parent != MPI_COMM_NULL;
}

void mpi_begin(uint64_t begin)
{
    int rank = 0, size = 0;
    if (atomic_exchange(&begun, true) || !registered)
        return;
    int state = system_hold_cancel();
    bool spawned = is_spawned(), known = !spawned && comms_begin();
    system_release_cancel(state);
    if (spawned)
        system_say("MPI_Comm_spawn has started this process; no calls of MPI are recorded");
    if (!known)
        return;
    PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
    PMPI_Comm_size(MPI_COMM_WORLD, &size);
    session_set_rank((uint64_t)rank, (uint64_t)size);
    mpi_record(MPI_E_INIT, begin, NULL, 0);
    atomic_store(&mpi_is_wanted, true);
}

void mpi_record(enum mpi_event event, uint64_t begin, const uint64_t *values, unsigned n)
{
    event_record(&types[event], true, begin, 0, values, n);
}

uint64_t mpi_bytes(MPI_Count n, MPI_Datatype type)
{
    MPI_Count size = 0, bytes;
    if (n <= 0 || PMPI_Type_size_x(type, &size) != MPI_SUCCESS || size <= 0)
        return 0;
    return __builtin_mul_overflow(n, size, &bytes) ? INT64_MAX : (uint64_t)bytes;
}

/* --- Messages ------------------------------------------------------------------------------- */

/* Without a partner and where the call failed nothing is said of a communicator. */
static unsigned describe(const struct mpi_message *message, int result, uint64_t values[5])
{
    int partner = message->comm ? comms_world(message->comm, message->partner) : -1;
    bool said = result == MPI_SUCCESS && partner >= 0;
    values[0] = partner >= 0 ? (uint64_t)partner : UINT64_MAX;
    values[1] = (uint64_t)(int64_t)message->tag;
    values[2] = message->bytes;
    values[3] = said ? message->comm->id : 0;
    values[4] = message->request;
    return 5;
}

void mpi_record_message(enum mpi_event event, const struct mpi_message *message, int result)
{
    uint64_t values[5];
    unsigned n = describe(message, result, values);
    mpi_record(event, message->begin, values, n);
}

void mpi_record_send(enum mpi_event event, const struct mpi_message *message, int result)
{
    uint64_t values[5];
    unsigned n = describe(message, result, values);
    const struct mpi_channel channel = {values[3], values[0], values[1]};
    if (channel.comm && channels_are_broken(&channel))
        values[3] |= COMM_ID_BROKEN;
    if (!event_record(&types[event], true, message->begin, 0, values, n) && channel.comm)
        channels_break(&channel);
}

void mpi_record_status(enum mpi_event event, const struct mpi_message *message,
                       const MPI_Status *status, int result)
{
    struct mpi_message received = *message;
    MPI_Count bytes = 0;
    if (result == MPI_SUCCESS) {
        PMPI_Get_elements_x(status, MPI_BYTE, &bytes);
        received.bytes = bytes > 0 ? (uint64_t)bytes : 0;
        received.partner = status->MPI_SOURCE;
        received.tag = status->MPI_TAG;
    }
    mpi_record_message(event, &received, result);
}

/* --- Collective operations ------------------------------------------------------------------- */

void mpi_member_init(struct mpi_member *member, MPI_Comm comm)
{
    *member = (struct mpi_member){.comm = comms_find(comm), .root = -1};
    if (member->comm)
        member->instance = atomic_fetch_add(&member->comm->instances, 1);
}

/* Scans go by ranks of the communicator, and cellsync by those of MPI_COMM_WORLD. */
static bool is_scan(enum mpi_event event)
{
    return event == MPI_E_SCAN || event == MPI_E_EXSCAN || event == MPI_E_ISCAN_DONE ||
           event == MPI_E_IEXSCAN_DONE;
}

/* One that is alone waits for no other. */
static bool orders(enum mpi_event event, const struct mpi_member *member, int result)
{
    const struct mpi_comm *comm = member->comm;
    return result == MPI_SUCCESS && comm && !comm->inter && comm->size > 1 &&
           (comm->ascending || !is_scan(event));
}

void mpi_record_member(enum mpi_event event, const struct mpi_member *member, int result)
{
    int root = member->comm ? comms_world(member->comm, member->root) : -1;
    const uint64_t values[] = {root >= 0 ? (uint64_t)root : UINT64_MAX, member->instance,
                               member->sent, orders(event, member, result) ? member->comm->id : 0,
                               member->received};
    mpi_record(event, member->begin, values, 5);
}
