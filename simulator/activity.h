/* The activity of the program in true time, for --truth-activity.
 *
 *      SPE   absent | ready | switch | active [ wait ] active | switch | ready ... | absent
 *            ----START------IN-------record--begin----record-record----OUT----------STOP----
 *
 * States change at the true times of records, which are the moments when clocks were read, and at
 * the true begins of waits. Events that are not traced change no state. A context stays on an SPE
 * from its loading to its unloading; if switches are not traced, a context has a single stay. A
 * context is active from the first to the last record of each stay. A thread of the PPE or a rank
 * is active from its first to its last record. No actor is active while it waits.
 *
 * Records of an actor must be added in order. Records of the PPE show the switches of contexts. The
 * module stores sums, the begin and end of each wait, and the send and receive of each message. */
#ifndef PDTSIM_ACTIVITY_H
#define PDTSIM_ACTIVITY_H

#include "simulator/machine.h"
#include "simulator/sink.h"
#include "simulator/vocabulary.h"

#include <stddef.h>

/* The names of actors: the word `spe` and a number for a context, and the tid for a thread of the
 * PPE. Numbers count from first_spe, and tids from first_tid. */
struct activity_names {
    const char *spe;
    size_t first_spe, first_tid;
};

/* A trace record of a context or thread. Times are in cycles. */
struct activity_record {
    uint32_t stay; /* number of times that the context was loaded on an SPE so far */
    enum event_wait wait;
    int64_t begin, time; /* begin of the wait, and time of the record that ends the wait */
};

struct activity_message {
    bool word;       /* true: a word through a mailbox; false: a message between ranks */
    size_t from, to; /* indices of the actors that send and receive */
    int64_t tag, bytes;
    int64_t time; /* begin of the send, or end of the receive, in cycles */
    size_t turn;
};

struct activity;

/* Create the activity of nspes contexts and nppes threads of the PPE. Contexts are the actors from
 * 0 on, and threads are the next actors. zero_ticks is the reading of the PPE's timebase at cycle
 * 0. */
csy_status activity_new(const struct machine *machine, int64_t zero_ticks, size_t nspes,
                        size_t nppes, struct activity **out, csy_error *error);
void activity_free(struct activity *activity);

void activity_record(struct activity *activity, size_t index, const struct activity_record *record);

/* Note that an actor entered or left a function. The actor's record must be added before. Names are
 * not copied, and are compared by address. */
void activity_enter(struct activity *activity, size_t index, const char *name, int64_t time);
void activity_leave(struct activity *activity, size_t index, int64_t time);

/* Note that a thread of the PPE recorded an event of a context: EVENT_THREAD_START,
 * EVENT_SWITCH_IN, EVENT_SWITCH_OUT, or EVENT_THREAD_STOP. */
void activity_switch(struct activity *activity, size_t index, enum event event, int64_t time);

/* Add the send or the receive of a message. The k-th send with a tag from one actor to another
 * belongs to the k-th receive with this tag. Words through mailboxes are paired in the same way. A
 * send or receive without a partner is ignored. */
void activity_message(struct activity *activity, bool send, struct activity_message message);

/* Write the activity; see doc/simulator.md, What the program did. Call no other function
 * afterwards, except activity_free. */
csy_status activity_write(struct activity *activity, const struct activity_names *names,
                          struct sink *sink, csy_error *error);

#endif
