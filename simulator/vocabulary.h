/* The types of records that the simulator writes. pex(5) defines the ids of the group GENERAL and
 * of MUTEX_LOCK. Other ids are private to the simulator. */
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
    EVENT_CLOCK_PROBE, /* an extra record (sim.c) */
    EVENT_MPI_SEND,
    EVENT_MPI_SSEND, /* a send that waits until its receive begins */
    EVENT_MPI_RECV,
    EVENT_MPI_BARRIER,
    EVENT_BUFFER_FLUSH,
    EVENT_E, /* enter a function (routines.h) */
    EVENT_X,
    EVENTS
};

/* The values of --level, as bits. */
enum level { LEVEL_BASIC = 1, LEVEL_OUTER = 2, LEVEL_STALLS = 4, LEVEL_FULL = 8 };

enum { PAYLOAD_MAX = 3 };

struct event_type {
    uint16_t id;
    const char *name;
    unsigned levels; /* the levels that trace the event, as bits of enum level */
    bool interval, stall;
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
