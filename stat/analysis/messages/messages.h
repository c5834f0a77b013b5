/*
 * Messages that actors send one another, in three kinds:
 *
 * - Messages have a send and a receive.  They are matched by the order of the trace
 *   (order/match.h), or, without it, by the meaning of events: the k-th send of a communicator, a
 *   sender, a receiver, and a tag goes with the k-th receive, in the order of posting.
 * - Words go through the mailboxes of SPE contexts: the k-th word that is written is the k-th that
 *   is read.
 * - Transfers are between a context and memory, and have both ends in one event.
 *
 * The trace is read once, or twice if ends were posted in another order than they completed in.
 * Memory grows with the ends that wait for their other end; in two passes with all ends.
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
    struct moment sent;             /* begin of the send */
    struct moment posted, received; /* begin and end of the receive */
    uint64_t bytes;                 /* a number, or MESSAGE_NO_BYTES */
    uint64_t datatype;              /* a number, or MESSAGE_NO_DATATYPE */
    uint32_t function;              /* of the send: a text of messages.functions */
    bool ordered;                   /* the bounds rest on its order: sent, then received */
    bool untimed; /* its end is unknown: a transfer as a moment, or a channel without receives */
};

/* Messages of one kind and class of place are a group.  Messages of unknown size (counted as 0
 * bytes), and of unknown duration, are groups of their own: no line goes through them. */
enum { GROUPS_APART = (int)MESSAGE_KINDS * (int)SITE_CLASSES };

/* The group of a message; unknown size adds 1 * GROUPS_APART, and unknown duration 2 *
 * GROUPS_APART. */
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

/* True if a message is in a window: under way there for some time, or, if it is a moment, at the
 * begin of the window or later and before its end. */
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
    bool left_out;            /* messages were skipped because actors_meant fits neither end */
    struct senses senses;
    struct actors actors; /* unit: the last SPE of a context */
    struct partners partners;
    struct sites sites;
    struct texts functions;               /* names of events */
    uint64_t unmatched[MESSAGE_KINDS][2]; /* sends and receives without another end */
};

/* The consumer of messages. begin: the first message comes next, perhaps once more. */
struct messages_sink {
    csy_status (*begin)(void *user, csy_error *error);
    csy_status (*take)(void *user, const struct message *message, csy_error *error);
    void *user;
};

/* Read all messages, or, if actors is not NULL, those with an actor that fits it (actor_fits);
 * CSY_USAGE if there is no such actor.  The caller calls messages_fini even after a failure. */
csy_status messages_read(struct messages *messages, csy_sync *sync, const csy_meaning *meaning,
                         const char *actors, const struct messages_sink *sink, csy_error *error);

/* CSY_INPUT if the trace has neither messages nor unmatched ends; messages_refuse makes that error.
 */
csy_status messages_refuse(const csy_sync *sync, csy_error *error);
csy_status messages_check(const struct messages *messages, bool some, csy_error *error);
extern const char *const message_kind_names[MESSAGE_KINDS];
void messages_fini(struct messages *messages);

#endif
