/* Mailboxes of an SPE: queues of a few words. One side writes them, the other side reads them. */
#ifndef PDTSIM_MAILBOX_H
#define PDTSIM_MAILBOX_H

#include <stdbool.h>

/* A mailbox: the number of its words, and its capacity. The values of the words are not
 * simulated. */
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
