/* What events of well-known names mean. */
#include "meaning/vocabulary.h"

#include <stddef.h>

#define TYPE(name, says) "<recordType name=\"" name "\" " says "/>"
#define TYPE_OF(name, says, fields) "<recordType name=\"" name "\" " says ">" fields "</recordType>"
#define FIELD(name, role) "<field name=\"" name "\" role=\"" role "\"/>"
#define SIZED FIELD("bytes", "bytes") FIELD("tag", "tag")
#define MESSAGE                                                                                    \
    "<field name=\"peer\" role=\"partner\" of=\"rank\"/>"                                          \
    "<field name=\"partner\" role=\"partner\" of=\"rank\"/>" FIELD("tag", "tag")                   \
        FIELD("bytes", "bytes") FIELD("count", "count") FIELD("communicator", "comm")              \
            FIELD("datatype", "datatype")
#define SEND(name) TYPE_OF(name, "role=\"send\" class=\"message\"", MESSAGE)
#define SEND_AT_ONCE(name) TYPE_OF(name, "role=\"send\" class=\"message\" stall=\"no\"", MESSAGE)
#define COLLECTIVE(name)                                                                           \
    TYPE_OF(name, "role=\"collective\" class=\"message\"",                                         \
            FIELD("root", "root") "<field name=\"instance\"/>" FIELD("sent", "bytes")              \
                FIELD("received", "bytes") FIELD("communicator", "comm"))
/* A call of MPI in which a process may be blocked. */
#define WAITS(name) TYPE("MPI_" name, "stall=\"yes\" class=\"message\"")
/* A region of MPI in which a process may be blocked, and where it takes large counts. */
#define BLOCKS(name, class)                                                                        \
    TYPE("MPI_" name, "stall=\"yes\" class=\"" class "\"")                                         \
    TYPE("MPI_" name "_c", "stall=\"yes\" class=\"" class "\"")

const char *const vocabulary[] = {
    "<events version=\"1\">",
    /* PDT: the MFC, mailboxes, libsync, libspe2. */
    TYPE_OF("MFC_GET*", "role=\"transfer\" class=\"dma\"", SIZED),
    TYPE_OF("MFC_PUT*", "role=\"transfer\" class=\"dma\"", SIZED),
    TYPE("MFC_READ_TAG_STATUS*", "role=\"wait\" class=\"dma\""),
    TYPE("SPU_READ_IN_MBOX", "role=\"wait\" class=\"mailbox\" state=\"idle\""),
    TYPE("SPU_WRITE_OUT_MBOX", "role=\"wait\" class=\"mailbox\""),
    TYPE_OF("SPE_OUT_MBOX_READ", "role=\"wait\" class=\"mailbox\"", FIELD("ctx", "partner")),
    TYPE_OF("SPE_IN_MBOX_WRITE", "role=\"post\" class=\"mailbox\"", FIELD("ctx", "partner")),
    TYPE_OF("MUTEX_LOCK", "role=\"acquire\" class=\"mutex\"",
            FIELD("lock", "object") FIELD("miss", "value")),
    TYPE_OF("MUTEX_UNLOCK", "role=\"release\" class=\"mutex\"", FIELD("lock", "object")),
    TYPE("BARRIER", "role=\"barrier\" class=\"barrier\""),
    TYPE_OF("SPE_CONTEXT_CREATE", "role=\"create\"", FIELD("ctx", "task")),
    TYPE_OF("SPE_THREAD_START", "role=\"start\"", FIELD("ctx", "task")),
    TYPE_OF("SPE_THREAD_STOP", "role=\"stop\"", FIELD("ctx", "task")),
    TYPE_OF("SPE_CONTEXT_RUN", "role=\"wait\" class=\"task\"", FIELD("ctx", "task")),
    /* CML and MPI. */
    SEND("MPI_SEND"), SEND("MPI_BSEND"), SEND("MPI_SSEND"), SEND("MPI_RSEND"),
    SEND_AT_ONCE("MPI_ISEND"), SEND_AT_ONCE("MPI_IBSEND"), SEND_AT_ONCE("MPI_ISSEND"),
    SEND_AT_ONCE("MPI_IRSEND"), TYPE_OF("MPI_RECV", "role=\"recv\" class=\"message\"", MESSAGE),
    /* Where it is called, or where it is done: the source knows which. */
    TYPE_OF("MPI_IRECV", "", MESSAGE),
    TYPE_OF("MPI_BARRIER", "role=\"collective\" class=\"barrier\"",
            "<field name=\"root\"/><field name=\"instance\"/><field name=\"sent\"/>" FIELD(
                "communicator", "comm")),
    COLLECTIVE("MPI_BCAST"), COLLECTIVE("MPI_GATHER"), COLLECTIVE("MPI_GATHERV"),
    COLLECTIVE("MPI_SCATTER"), COLLECTIVE("MPI_SCATTERV"), COLLECTIVE("MPI_ALLGATHER"),
    COLLECTIVE("MPI_ALLGATHERV"), COLLECTIVE("MPI_ALLTOALL"), COLLECTIVE("MPI_ALLTOALLV"),
    COLLECTIVE("MPI_ALLTOALLW"), COLLECTIVE("MPI_REDUCE"), COLLECTIVE("MPI_ALLREDUCE"),
    COLLECTIVE("MPI_REDUCE_SCATTER"), COLLECTIVE("MPI_REDUCE_SCATTER_BLOCK"),
    COLLECTIVE("MPI_SCAN"), COLLECTIVE("MPI_EXSCAN"), WAITS("MRECV"), WAITS("SENDRECV"),
    WAITS("SENDRECV_REPLACE"), WAITS("PROBE"), WAITS("MPROBE"), WAITS("WAIT"), WAITS("WAITALL"),
    WAITS("WAITANY"), WAITS("WAITSOME"),
    /* Regions of OTF2; of collective operations there are events. */
    BLOCKS("Send", "message"), BLOCKS("Bsend", "message"), BLOCKS("Ssend", "message"),
    BLOCKS("Rsend", "message"), BLOCKS("Recv", "message"), BLOCKS("Mrecv", "message"),
    BLOCKS("Sendrecv", "message"), BLOCKS("Sendrecv_replace", "message"),
    BLOCKS("Probe", "message"), BLOCKS("Mprobe", "message"), BLOCKS("Wait", "message"),
    BLOCKS("Waitall", "message"), BLOCKS("Waitany", "message"), BLOCKS("Waitsome", "message"),
    TYPE("PROFILE_START", "role=\"profile-start\""), TYPE("PROFILE_STOP", "role=\"profile-stop\""),
    /* Tasks and loops of Cedar Fortran. */
    TYPE_OF("CREATE_TASK", "role=\"create\"", FIELD("task", "task")),
    TYPE("CDOALL_BEGIN", "role=\"loop-enter\" class=\"cdoall\""),
    TYPE("CDOALL_END", "role=\"loop-exit\" class=\"cdoall\""),
    TYPE("CDOACROSS_BEGIN", "role=\"loop-enter\" class=\"cdoacross\""),
    TYPE("CDOACROSS_END", "role=\"loop-exit\" class=\"cdoacross\""),
    TYPE("SDOALL_BEGIN", "role=\"loop-enter\" class=\"sdoall\""),
    TYPE("SDOALL_END", "role=\"loop-exit\" class=\"sdoall\""),
    TYPE("SDOACROSS_BEGIN", "role=\"loop-enter\" class=\"sdoacross\""),
    TYPE("SDOACROSS_END", "role=\"loop-exit\" class=\"sdoacross\""),
    /* That a program of an SPE begins and ends is no call of a routine. */
    TYPE("SPE_ENTRY", "role=\"mark\""), TYPE("SPE_EXIT", "role=\"mark\""),
    /* Whatever enters and exits by name. */
    TYPE("*_ENTRY", "role=\"enter\""), TYPE("*_ENTER", "role=\"enter\""),
    TYPE("*_BEGIN", "role=\"enter\""), TYPE("*_EXIT", "role=\"exit\""),
    TYPE("*_LEAVE", "role=\"exit\""), TYPE("*_END", "role=\"exit\""),
    TYPE_OF("E", "role=\"enter\"", FIELD("enx", "routine") FIELD("exx", "caller")),
    TYPE_OF("X", "role=\"exit\"", FIELD("enx", "routine")),
    TYPE_OF("ENTER", "role=\"enter\"", FIELD("routine", "routine")),
    TYPE_OF("EXIT", "role=\"exit\"", FIELD("routine", "routine")),
    /* States. */
    TYPE("RUNNING", "role=\"state\" state=\"running\""),
    TYPE("READY", "role=\"state\" state=\"ready\""),
    TYPE("BLOCK", "role=\"state\" state=\"blocked\""),
    TYPE("IDLE", "role=\"state\" state=\"idle\""),
    "<state name=\"running\" kind=\"active\" part=\"user\"/>",
    "<state name=\"active\" kind=\"active\" part=\"user\"/>",
    "<state name=\"block\" kind=\"blocked\"/>", "</events>", NULL};
