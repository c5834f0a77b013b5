/*
 * Main memory and the SPEs' way to it.
 *
 * A transfer goes through the port of its SPE and through the memory of one Cell, each of which
 * moves DMA_BYTES_PER_CYCLE and serves in turn; it is complete DMA_LATENCY after that.  Pages
 * alternate between the memories of the Cells.
 */
#ifndef PDTSIM_MEMORY_H
#define PDTSIM_MEMORY_H

#include "pdtsim/machine.h"

struct memory {
    int ncells;
    int64_t free_at[CELLS_MAX];
    unsigned pages; /* handed out so far */
};

/* The DMA side of an SPE: a queue of commands, and tag groups to wait for. */
struct mfc {
    int64_t port_free_at;
    int64_t done_at[MFC_COMMANDS]; /* a ring */
    unsigned commands;             /* issued so far */
    int64_t tag_done_at[MFC_TAGS];
};

/* When the queue takes another command: now, or later. */
int64_t mfc_room_at(const struct mfc *mfc, int64_t now);

/* Queue a command; there must be room. */
void mfc_issue(struct mfc *mfc, struct memory *memory, int cell, int64_t bytes, unsigned tag,
               int64_t now);

#endif
