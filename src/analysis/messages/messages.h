/*
 * Messages: what actors send one another, one by one.
 *
 * There are three kinds.  Messages have a send and a receive, which are met as the order of the
 * trace has it (order/match.h), or, where that says nothing of them, by what events mean: the k-th
 * send of a communicator, a sender, a receiver and a tag goes with the k-th receive, in the order
 * of posting.  Words go through the mailboxes of SPE contexts, and the k-th that is written is the
 * k-th that is read.  Transfers are between a context and memory, and have both ends in one event.
 *
 * The trace is read once, or twice where ends were posted in another order than they completed in.
 * Memory goes with ends that wait for the other one, except where it is read twice.
 */
#ifndef ANALYSIS_MESSAGES_MESSAGES_H
#define ANALYSIS_MESSAGES_MESSAGES_H

#include "analysis/run/sites.h"
#include "analysis/window/window.h"
#include "sync/solution.h"

enum message_kind { MESSAGE_SENT, MESSAGE_WORD, MESSAGE_TRANSFER, MESSAGE_KINDS };

#define MESSAGE_NO_BYTES SENSES_NO_BYTES
#define MESSAGE_NO_DATATYPE UINT64_MAX

struct message {
    enum message_kind kind;
    uint32_t sender, receiver;      /* actors */
    struct moment sent;             /* where the send began */
    struct moment posted, received; /* where the receive began, and where it ended */
    uint64_t bytes;                 /* a number, or MESSAGE_NO_BYTES */
    uint64_t datatype;              /* a number, or MESSAGE_NO_DATATYPE */
    uint32_t function;              /* that sends it: one of messages.functions */
    bool ordered; /* that it was sent before it was received is one of what gave the bounds */
    bool untimed; /* a transfer that is recorded as a moment: when it ended is not known; or one of
                     a channel of which receives are missing, so that its own is not known */
};

/* Messages of one kind and class of place are a group, and apart from these those whose bytes are
 * not known, which count as none, and those of which it is not known how long they took: no line
 * goes through them. */
enum { GROUPS_APART = (int)MESSAGE_KINDS * (int)SITE_CLASSES };

/* How it is apart: 1 for its bytes, and 2 for its time. */
static inline uint32_t message_group(const struct message *message, enum site_class class)
{
    uint32_t apart = (message->bytes == MESSAGE_NO_BYTES) + 2 * (uint32_t)message->untimed;
    return apart * GROUPS_APART + (uint32_t)message->kind * (uint32_t)SITE_CLASSES +
           (uint32_t) class;
}

static inline uint64_t message_bytes(const struct message *message)
{
    return message->bytes == MESSAGE_NO_BYTES ? 0 : message->bytes;
}

/* Whether it is in a window: under way there for some time, or, if it is a moment, from the begin
 * of the window on and before its end. */
static inline bool message_meets(const struct message *message, const struct clip *clip,
                                 enum clip_as as)
{
    return message->untimed ? clip_has(clip, as, &message->sent)
                            : clip_meets(clip, as, &message->sent, &message->received);
}

static inline bool message_group_sized(uint32_t group)
{
    return group / GROUPS_APART % 2 == 0;
}

static inline bool message_group_timed(uint32_t group)
{
    return group / GROUPS_APART < 2;
}

struct messages {
    csy_sync *sync;
    const char *actors_meant; /* patterns of actor_fits, or NULL */
    bool left_out;            /* some messages, as no actor of theirs is meant */
    struct senses senses;
    struct actors actors; /* unit: the last SPE that a context was switched in to */
    struct partners partners;
    struct sites sites;
    struct texts functions;               /* names of events */
    uint64_t unmatched[MESSAGE_KINDS][2]; /* sends and receives that have no other end */
};

/* What takes messages.  begin: none has come yet, or they come again from the start. */
struct messages_sink {
    csy_status (*begin)(void *user, csy_error *error);
    csy_status (*take)(void *user, const struct message *message, csy_error *error);
    void *user;
};

/* Read them all, or, where actors is not NULL, those that one sends or receives whose name fits it
 * (actor_fits); CSY_USAGE where there is none.  The caller calls messages_fini even after a
 * failure. */
csy_status messages_read(struct messages *messages, csy_sync *sync, const csy_meaning *meaning,
                         const char *actors, const struct messages_sink *sink, csy_error *error);

/* CSY_INPUT where there were no messages, and no ends of any; and that error. */
csy_status messages_refuse(const csy_sync *sync, csy_error *error);
csy_status messages_check(const struct messages *messages, bool some, csy_error *error);
extern const char *const message_kind_names[MESSAGE_KINDS];
void messages_fini(struct messages *messages);

#endif
