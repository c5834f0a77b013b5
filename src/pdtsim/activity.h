/*
 * What the program did, in true time: --truth-activity.
 *
 *      SPE   absent | ready | switch | active [ wait ] active | switch | ready ... | absent
 *            ----START------IN-------record--begin----record-record----OUT----------STOP----
 *
 * It is the truth of what records say: states change at the true times of records, which are when
 * clocks were read, and of begins of waits; what is not traced changes nothing.  An SPE context is
 * active from the first to the last record of each stay on an SPE, which is one where switches are
 * not traced, a thread of the PPE and a rank from its first record to its last one, but while they
 * wait.
 *
 * Records of an actor are noted in their order; switches are known from the PPE.  Sums are kept; of
 * each wait two moments remain, for the levels, and of each message both ends.
 */
#ifndef PDTSIM_ACTIVITY_H
#define PDTSIM_ACTIVITY_H

#include "pdtsim/machine.h"
#include "pdtsim/sink.h"

#include <stddef.h>

/* What is waited for; WAIT_INBOX, for a word to an SPE, makes its context idle, others blocked. */
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

/* What actors are called: contexts by a word and a number from one on, threads of the PPE by their
 * tids. */
struct activity_names {
    const char *spe;
    size_t first_spe, first_tid;
};

/* Times are in cycles. */
struct activity_record {
    uint32_t stay; /* on an SPE, of its context */
    enum activity_wait wait;
    int64_t begin, time; /* begin: of a wait */
};

struct activity_message {
    bool word;       /* through a mailbox; else between ranks */
    size_t from, to; /* actors */
    int64_t tag, bytes;
    int64_t time; /* the begin of the send, the end of the receive */
    size_t turn;
};

struct activity;

/* Actors are contexts from 0, then threads of the PPE.  zero_ticks is what the PPE's timebase shows
 * at cycle 0. */
csy_status activity_new(const struct machine *machine, int64_t zero_ticks, size_t nspes,
                        size_t nppes, struct activity **out, csy_error *error);
void activity_free(struct activity *activity);

void activity_record(struct activity *activity, size_t index, const struct activity_record *record);

/* After the record that says so: an actor has entered or left a function.  Names are kept, not
 * copied, and told apart by their addresses. */
void activity_enter(struct activity *activity, size_t index, const char *name, int64_t time);
void activity_leave(struct activity *activity, size_t index, int64_t time);

/* A thread of the PPE has recorded that a context is started, loaded, taken off or stopped. */
void activity_start(struct activity *activity, size_t index, int64_t time);
void activity_in(struct activity *activity, size_t index, int64_t time);
void activity_out(struct activity *activity, size_t index, int64_t time);
void activity_stop(struct activity *activity, size_t index, int64_t time);

/* The k-th send from one to another with a tag goes with the k-th receive, or word with word; what
 * has only one end that is noted is none. */
void activity_message(struct activity *activity, bool send, struct activity_message message);

/* pdtsim(1), What the program did.  It ends all that is noted. */
csy_status activity_write(struct activity *activity, const struct activity_names *names,
                          struct sink *sink, csy_error *error);

#endif
