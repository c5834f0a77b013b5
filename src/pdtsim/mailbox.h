/* Mailboxes of an SPE: a few words that one side writes and the other reads, in order. */
#ifndef PDTSIM_MAILBOX_H
#define PDTSIM_MAILBOX_H

#include <stdbool.h>

/* Only how many words are in it matters here. */
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
