/* Mailboxes of an SPE: queues of a few words, written by one side and read by the other. */
#ifndef PDTSIM_MAILBOX_H
#define PDTSIM_MAILBOX_H

#include <stdbool.h>

/* Only the number of words matters here. */
struct mailbox {
    int count, depth;
};

static inline bool mailbox_put(struct mailbox *mailbox)
{
    return mailbox->count < mailbox->depth && ++mailbox->count;
}

static inline bool mailbox_take(struct mailbox *mailbox)
{
    return mailbox->count > 0 && mailbox->count--;
}

#endif
