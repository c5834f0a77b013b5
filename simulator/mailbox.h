/* Mailboxes of an SPE: queues of a few words, written by one side and read by the other. */
#ifndef PDTSIM_MAILBOX_H
#define PDTSIM_MAILBOX_H

#include <stdbool.h>

/* The number of words in a mailbox, and the most that it can contain. The simulation does not need
 * the values of words. */
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
