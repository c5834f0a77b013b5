/* The types of records that the simulator writes. pex(5) defines the ids of the group GENERAL and
 * of MUTEX_LOCK. Other ids are private to the simulator. */
#ifndef PDTSIM_VOCABULARY_H
#define PDTSIM_VOCABULARY_H

#include <stdbool.h>
#include <stdint.h>

/* All events: constant, id, name, levels that trace it, whether it is an interval, reason of the
 * wait that it ends, number of fields, and their names. CLOCK_PROBE is an extra record (sim.c),
 * MPI_SSEND is a send that waits until its receive begins, and E and X enter and leave a function
 * (routines.h). */
#define EVENT_TABLE(EVENT)                                                                         \
    EVENT(SWITCH_IN, 0x0100, "SPE_SWITCH_IN", BASIC, false, NONE, 2, "ctx", "spe")                 \
    EVENT(SWITCH_OUT, 0x0200, "SPE_SWITCH_OUT", BASIC, false, NONE, 2, "ctx", "spe")               \
    EVENT(TRACE_START, 0x0300, "TRACE_START", BASIC, false, NONE, 0, NULL)                         \
    EVENT(TRACE_STOP, 0x0400, "TRACE_STOP", BASIC, false, NONE, 0, NULL)                           \
    EVENT(THREAD_START, 0x0500, "SPE_THREAD_START", BASIC, false, NONE, 1, "ctx")                  \
    EVENT(THREAD_STOP, 0x0600, "SPE_THREAD_STOP", BASIC, false, NONE, 1, "ctx")                    \
    EVENT(SPE_ENTRY, 0x0700, "SPE_ENTRY", BASIC, false, NONE, 0, NULL)                             \
    EVENT(SPE_EXIT, 0x0800, "SPE_EXIT", BASIC, false, NONE, 0, NULL)                               \
    EVENT(CONTEXT_CREATE, 0x0101, "SPE_CONTEXT_CREATE", FULL, true, NONE, 1, "ctx")                \
    EVENT(IN_MBOX_WRITE, 0x0201, "SPE_IN_MBOX_WRITE", FULL, true, NONE, 1, "ctx")                  \
    EVENT(OUT_MBOX_READ, 0x0301, "SPE_OUT_MBOX_READ", STALLS, true, MAILBOX, 1, "ctx")             \
    EVENT(CONTEXT_RUN, 0x0401, "SPE_CONTEXT_RUN", STALLS, true, TASK, 1, "ctx")                    \
    EVENT(GET, 0x0102, "MFC_GET", FULL, false, NONE, 2, "bytes", "tag")                            \
    EVENT(PUT, 0x0202, "MFC_PUT", FULL, false, NONE, 2, "bytes", "tag")                            \
    EVENT(TAG_WAIT, 0x0302, "MFC_READ_TAG_STATUS", STALLS, true, DMA, 1, "tag")                    \
    EVENT(IN_MBOX_READ, 0x0402, "SPU_READ_IN_MBOX", STALLS, true, INBOX, 0, NULL)                  \
    EVENT(OUT_MBOX_WRITE, 0x0502, "SPU_WRITE_OUT_MBOX", STALLS, true, MAILBOX, 1, "interrupting")  \
    EVENT(ATOMIC_ADD, 0x0103, "ATOMIC_ADD", FULL, true, NONE, 1, "value")                          \
    EVENT(BARRIER, 0x0203, "BARRIER", STALLS, true, BARRIER, 0, NULL)                              \
    EVENT(MUTEX_LOCK, 0x0503, "MUTEX_LOCK", STALLS, true, MUTEX, 2, "lock", "miss")                \
    EVENT(MUTEX_UNLOCK, 0x0703, "MUTEX_UNLOCK", FULL, false, NONE, 1, "lock")                      \
    EVENT(OUTER_LOOP, 0x0105, "OUTER_LOOP", OUTER, false, NONE, 1, "round")                        \
    EVENT(CLOCK_PROBE, 0x0205, "CLOCK_PROBE", BASIC, false, NONE, 1, "index")                      \
    EVENT(MPI_SEND, 0x040b, "MPI_SEND", STALLS, true, MESSAGE, 3, "peer", "tag", "bytes")          \
    EVENT(MPI_SSEND, 0x140b, "MPI_SSEND", STALLS, true, MESSAGE, 3, "peer", "tag", "bytes")        \
    EVENT(MPI_RECV, 0x050b, "MPI_RECV", STALLS, true, MESSAGE, 3, "peer", "tag", "bytes")          \
    EVENT(MPI_BARRIER, 0x080b, "MPI_BARRIER", STALLS, true, BARRIER, 1, "round")                   \
    EVENT(BUFFER_FLUSH, 0x0900, "BUFFER_FLUSH", BASIC, true, NONE, 3, "records", "lost", "block")  \
    EVENT(E, 0x020b, "E", BASIC, false, NONE, 2, "enx", "exx")                                     \
    EVENT(X, 0x030b, "X", BASIC, false, NONE, 2, "enx", "exx")

enum event {
#define NUMBER(name, ...) EVENT_##name,
    EVENT_TABLE(NUMBER)
#undef NUMBER
        EVENTS
};

/* The values of --level, as bits. */
enum level { LEVEL_BASIC = 1, LEVEL_OUTER = 2, LEVEL_STALLS = 4, LEVEL_FULL = 8 };

enum { PAYLOAD_MAX = 3 };

/* The values of a record. Values that are left out are 0. */
#define PAYLOAD(...) ((const uint64_t[PAYLOAD_MAX]){__VA_ARGS__})

/* The reason of a wait that an event ends. A context is idle in WAIT_INBOX, where it waits for a
 * word from the PPE, and blocked in all other waits. */
enum event_wait {
    WAIT_NONE,
    WAIT_DMA,
    WAIT_INBOX,
    WAIT_MAILBOX,
    WAIT_MUTEX,
    WAIT_BARRIER,
    WAIT_TASK,
    WAIT_MESSAGE,
    WAITS
};

struct event_type {
    uint16_t id;
    const char *name;
    unsigned levels; /* the levels that trace the event, as bits of enum level */
    bool interval;
    enum event_wait wait; /* WAIT_NONE for an event that is no wait */
    uint16_t nfields;
    const char *fields[PAYLOAD_MAX];
};

extern const struct event_type event_types[EVENTS];

struct event_group {
    uint8_t id;
    const char *name;
};

/* Groups of events. Messages and calls are in the last group. */
enum { EVENT_GROUPS = 6 };
extern const struct event_group event_groups[EVENT_GROUPS];

#endif
