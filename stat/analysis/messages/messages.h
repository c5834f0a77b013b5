/* Messages between actors, of three kinds:
 *
 * - Messages have a send and a receive. They are matched by the order of the trace (order/match.h)
 *   if it has one, otherwise by the meaning of events: the k-th send with a communicator, a sender,
 *   a receiver, and a tag belongs to the k-th receive with them, in the order of posting.
 * - Words go through the mailboxes of SPE contexts. The k-th word that is written is the k-th word
 *   that is read.
 * - Transfers are between a context and memory. One event has both ends of a transfer.
 *
 * The trace is read once, or twice if ends completed in another order than they were posted.
 * Memory grows with the ends that wait for their other end; with two passes, with all ends. */
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
    uint64_t bytes;                 /* MESSAGE_NO_BYTES: unknown */
    uint64_t datatype;              /* MESSAGE_NO_DATATYPE: unknown */
    uint32_t function;              /* name of the sending event: a text of messages.functions */
    /* the bounds of clocks assume that the message was sent before it was received */
    bool ordered;
    /* the end is unknown: a transfer has no duration, or a channel lacks receives */
    bool untimed;
};

/* Messages of one kind and class of place form a group. Messages of unknown size (counted as 0
 * bytes) or unknown duration are in groups of their own, to which no line is fitted. */
enum { GROUPS_APART = (int)MESSAGE_KINDS * (int)SITE_CLASSES };

/* Find the group of a message. Unknown sizes add GROUPS_APART, unknown durations twice as many. */
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

/* Returns true if a message overlaps a window. Without a duration, its send counts. */
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
    /* patterns of names of included actors (actor_fits); NULL: all actors */
    const char *actors_meant;
    bool left_out; /* messages were skipped because no end fits actors_meant */
    struct senses senses;
    struct actors actors; /* the `unit` of an actor is the last SPE of a context */
    struct partners partners;
    struct sites sites;
    struct texts functions; /* names of sending events */
    /* for each kind: numbers of unmatched sends and receives */
    uint64_t unmatched[MESSAGE_KINDS][2];
};

/* Receives messages. `begin` is called before the first message of each of one or two passes. */
struct messages_sink {
    csy_status (*begin)(void *user, csy_error *error);
    csy_status (*take)(void *user, const struct message *message, csy_error *error);
    void *user;
};

/* Read all messages. If `actors` is not NULL, read only messages to or from an actor that fits
 * these patterns (actor_fits), and return CSY_USAGE if no actor fits. The caller calls
 * messages_fini even after a failure. */
csy_status messages_read(struct messages *messages, csy_sync *sync, const csy_meaning *meaning,
                         const char *actors, const struct messages_sink *sink, csy_error *error);

/* messages_check returns CSY_INPUT if there are neither messages nor unmatched ends.
 * messages_refuse sets the error for this case. */
csy_status messages_refuse(const csy_sync *sync, csy_error *error);
csy_status messages_check(const struct messages *messages, bool some, csy_error *error);
extern const char *const message_kind_names[MESSAGE_KINDS];
void messages_fini(struct messages *messages);

#endif
