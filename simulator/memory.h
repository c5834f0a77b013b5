/* Main memory, transfers between it and SPEs, and mailboxes.
 *
 * A transfer passes through the port of its SPE and the memory of one Cell. Port and memory each
 * move DMA_BYTES_PER_CYCLE, and serve requests in order. The transfer is complete DMA_LATENCY
 * cycles after its last byte has moved. Successive transfers use the memories of the Cells in
 * turn. */
#ifndef PDTSIM_MEMORY_H
#define PDTSIM_MEMORY_H

#include "simulator/machine.h"

#include <stdbool.h>

struct memory {
    int ncells;
    int64_t free_at[CELLS_MAX];
    unsigned pages; /* number of transfers so far; decides which Cell is next */
};

/* The DMA controller of an SPE: a queue of commands, and tag groups that programs wait for. */
struct mfc {
    int64_t port_free_at;
    int64_t done_at[MFC_COMMANDS]; /* ring buffer: when the last commands are complete, in cycles */
    unsigned commands;             /* number of issued commands */
    int64_t tag_done_at[MFC_TAGS];
};

/* Returns the time when the queue has room for another command, not before `now`. */
static inline int64_t mfc_room_at(const struct mfc *mfc, int64_t now)
{
    return later(now, mfc->done_at[mfc->commands % MFC_COMMANDS]);
}

static inline void mfc_issue(struct mfc *mfc, struct memory *memory, int cell, int64_t bytes,
                             unsigned tag, int64_t now)
{
    int node = (int)(memory->pages++ % (unsigned)memory->ncells);
    int64_t moving = bytes / DMA_BYTES_PER_CYCLE;
    int64_t begin = later(later(now, mfc->port_free_at), memory->free_at[node]);
    mfc->port_free_at = memory->free_at[node] = begin + moving;
    int64_t crossing = node == cell ? 0 : LINE_OTHER_CELL - LINE_SAME_CELL;
    int64_t done = begin + moving + DMA_LATENCY + crossing;
    mfc->done_at[mfc->commands++ % MFC_COMMANDS] = done;
    mfc->tag_done_at[tag] = later(mfc->tag_done_at[tag], done);
}

/* A mailbox of an SPE: one side writes words, and the other side reads them. Only the number of
 * words is simulated, not their values. `depth` is the capacity. */
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
