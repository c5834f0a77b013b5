/* The program's activity in true time: --truth-activity.
 *
 *      SPE   absent | ready | switch | active [ wait ] active | switch | ready ... | absent
 *            ----START------IN-------record--begin----record-record----OUT----------STOP----
 *
 * States change at the true times of records, which are when clocks were read, and at the true
 * begins of waits; events that are not traced change nothing. An SPE context is active from the
 * first to the last record of each stay on an SPE (a single stay if switches are not traced), a
 * thread of the PPE and a rank from its first to its last record; none is active while it waits.
 *
 * Records of an actor are added in order; switches are known from the PPE. Only sums are stored,
 * besides two moments of each wait, for the levels, and both ends of each message. */
#ifndef PDTSIM_ACTIVITY_H
#define PDTSIM_ACTIVITY_H

#include "simulator/machine.h"
#include "simulator/sink.h"

#include <stddef.h>

/* The object of a wait. A context is idle in WAIT_INBOX, the wait for a word to an SPE, and blocked
 * in other waits. */
enum activity_wait {
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

/* Names of actors: contexts are a word and a number from 1 on, threads of the PPE are tids. */
struct activity_names {
    const char *spe;
    size_t first_spe, first_tid;
};

/* Times are in cycles. */
struct activity_record {
    uint32_t stay; /* number of its stay on an SPE */
    enum activity_wait wait;
    int64_t begin, time; /* begin: of a wait */
};

struct activity_message {
    bool word;       /* through a mailbox; otherwise between ranks */
    size_t from, to; /* actors */
    int64_t tag, bytes;
    int64_t time; /* the begin of the send, or the end of the receive */
    size_t turn;
};

struct activity;

/* Actors are contexts from 0 on, then threads of the PPE. zero_ticks is the PPE's timebase at cycle
 * 0. */
csy_status activity_new(const struct machine *machine, int64_t zero_ticks, size_t nspes,
                        size_t nppes, struct activity **out, csy_error *error);
void activity_free(struct activity *activity);

void activity_record(struct activity *activity, size_t index, const struct activity_record *record);

/* An actor has entered or left a function; call this after the record of that. Names are not
 * copied, and are compared by address. */
void activity_enter(struct activity *activity, size_t index, const char *name, int64_t time);
void activity_leave(struct activity *activity, size_t index, int64_t time);

/* A thread of the PPE has recorded that a context is started, loaded, taken off, or stopped. */
void activity_start(struct activity *activity, size_t index, int64_t time);
void activity_in(struct activity *activity, size_t index, int64_t time);
void activity_out(struct activity *activity, size_t index, int64_t time);
void activity_stop(struct activity *activity, size_t index, int64_t time);

/* Add one end of a message. The k-th send between two actors with a tag belongs to the k-th
 * receive, as do words; a message with only one end is ignored. */
void activity_message(struct activity *activity, bool send, struct activity_message message);

/* Write the activity: see doc/simulator.md, What the program did. Nothing may be added after it. */
csy_status activity_write(struct activity *activity, const struct activity_names *names,
                          struct sink *sink, csy_error *error);

#endif
