/* Messages between actors, of three kinds:
 *
 * - A message has a send and a receive. They are matched by the order of the trace (order/match.h)
 *   if it has one. Otherwise, the k-th send with a given communicator, sender, receiver, and tag
 *   belongs to the k-th receive with the same four values, in the order of posting.
 * - A word goes through a mailbox of an SPE context. The k-th word written is the k-th word read.
 * - A transfer moves data between an SPE context and memory. One event describes all of it.
 *
 * The trace is read twice if sends or receives completed in another order than they were posted.
 * Memory grows with the number of sends and receives: those that wait for their partner if the
 * trace is read once, otherwise all. */
#ifndef ANALYSIS_MESSAGES_MESSAGES_H
#define ANALYSIS_MESSAGES_MESSAGES_H

#include "analysis/run/sites.h"
#include "analysis/window/window.h"
#include "sync/solution.h"

enum message_kind { MESSAGE_SENT, MESSAGE_WORD, MESSAGE_TRANSFER, MESSAGE_KINDS };

#define MESSAGE_NO_BYTES EVENT_KINDS_NO_BYTES
#define MESSAGE_NO_DATATYPE UINT64_MAX

struct message {
    enum message_kind kind;
    uint32_t sender, receiver;      /* indices of actors */
    struct moment sent;             /* begin of the send */
    struct moment posted, received; /* begin and end of the receive */
    uint64_t bytes;                 /* size, or MESSAGE_NO_BYTES if unknown */
    uint64_t datatype;              /* datatype, or MESSAGE_NO_DATATYPE if unknown */
    uint32_t function;              /* index of the sending event's name in messages.functions */
    bool ordered;                   /* true if the send is assumed to precede the receive */
    bool untimed;                   /* true if the end is unknown: no duration, or no receive */
};

/* The number of a group is made from the kind of the messages and the class of their sender's and
 * receiver's sites (enum site_class). Messages of unknown size or duration have group numbers from
 * GROUPS_APART on. No least-squares line is computed for them. */
enum { GROUPS_APART = (int)MESSAGE_KINDS * (int)SITE_CLASSES };

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

/* Returns true if a message overlaps the part of the trace that the user requested. `as` selects
 * the estimated, least, or greatest extent of this part. If the end of the message is unknown, only
 * the time of its send counts. */
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
    const char *actors_meant; /* name patterns of the included actors, or NULL for all actors */
    bool met;                 /* true if some message was passed to messages_sink.take */
    bool left_out;            /* true if actors_meant excluded some messages */
    struct event_kinds event_kinds;
    struct actors actors; /* in an SPE context, the member `unit` is the SPE on which it ran last */
    struct partners partners;
    struct sites sites;
    struct texts functions;               /* names of sending events */
    uint64_t unmatched[MESSAGE_KINDS][2]; /* unmatched sends [0] and receives [1] */
};

/* Receives messages in one or two passes over the trace. `begin` is called before each pass. */
struct messages_sink {
    csy_status (*begin)(void *user, csy_error *error);
    csy_status (*take)(void *user, const struct message *message, csy_error *error);
    void *user;
};

/* Read all messages, and pass them to `sink`. `actors` are patterns for the name of the sender or
 * the receiver, or NULL. Returns CSY_USAGE if none matches, and CSY_INPUT if the trace has no
 * messages. Always call messages_fini later. */
csy_status messages_read(struct messages *messages, csy_sync *sync, const csy_meaning *meaning,
                         const char *actors, const struct messages_sink *sink, csy_error *error);

/* Returns CSY_INPUT: the trace has no messages. */
csy_status messages_refuse(const csy_sync *sync, csy_error *error);
extern const char *const message_kind_names[MESSAGE_KINDS];
void messages_fini(struct messages *messages);

#endif
