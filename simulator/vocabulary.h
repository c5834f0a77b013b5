/* The record types of the simulator. The .pex, --level, and the buffer use this table. The format
 * (pex(5)) defines the ids of the group GENERAL and of MUTEX_LOCK; the other ids are private to the
 * simulator. */
#ifndef PDTSIM_VOCABULARY_H
#define PDTSIM_VOCABULARY_H

#include <stdbool.h>
#include <stdint.h>

enum event {
    EVENT_SWITCH_IN,
    EVENT_SWITCH_OUT,
    EVENT_TRACE_START,
    EVENT_TRACE_STOP,
    EVENT_THREAD_START,
    EVENT_THREAD_STOP,
    EVENT_SPE_ENTRY,
    EVENT_SPE_EXIT,
    EVENT_CONTEXT_CREATE,
    EVENT_IN_MBOX_WRITE,
    EVENT_OUT_MBOX_READ,
    EVENT_CONTEXT_RUN,
    EVENT_GET,
    EVENT_PUT,
    EVENT_TAG_WAIT,
    EVENT_IN_MBOX_READ,
    EVENT_OUT_MBOX_WRITE,
    EVENT_ATOMIC_ADD,
    EVENT_BARRIER,
    EVENT_MUTEX_LOCK,
    EVENT_MUTEX_UNLOCK,
    EVENT_OUTER_LOOP,
    EVENT_CLOCK_PROBE, /* an extra record (probe.c) */
    EVENT_MPI_SEND,
    EVENT_MPI_SSEND, /* a send that waits until its receive has begun */
    EVENT_MPI_RECV,
    EVENT_MPI_BARRIER,
    EVENT_BUFFER_FLUSH,
    EVENT_E, /* a function is entered or left: routines.h */
    EVENT_X,
    EVENTS
};

/* Bits of --level. */
enum level { LEVEL_BASIC = 1, LEVEL_OUTER = 2, LEVEL_STALLS = 4, LEVEL_FULL = 8 };

enum { PAYLOAD_MAX = 3 };

struct event_type {
    uint16_t id;
    const char *name;
    unsigned levels; /* the levels (bits of enum level) at which it is traced */
    bool interval, stall;
    uint16_t nfields;
    const char *fields[PAYLOAD_MAX];
};

extern const struct event_type event_types[EVENTS];

struct event_group {
    uint8_t id;
    const char *name;
};

/* The groups of events. The last group has messages and calls. */
enum { EVENT_GROUPS = 6 };
extern const struct event_group event_groups[EVENT_GROUPS];

#endif
