/* Main memory, and its use by SPEs.
 *
 * A transfer passes through two resources: the port of its SPE, and the memory of one Cell. Each of
 * them moves DMA_BYTES_PER_CYCLE and serves requests in order. The transfer is complete DMA_LATENCY
 * later. Successive pages are in the memories of different Cells in turn. */
#ifndef PDTSIM_MEMORY_H
#define PDTSIM_MEMORY_H

#include "simulator/machine.h"

struct memory {
    int ncells;
    int64_t free_at[CELLS_MAX];
    unsigned pages; /* allocated so far */
};

/* The DMA controller of an SPE: a queue of commands, and tag groups to wait for. */
struct mfc {
    int64_t port_free_at;
    int64_t done_at[MFC_COMMANDS]; /* a ring buffer */
    unsigned commands;             /* issued so far */
    int64_t tag_done_at[MFC_TAGS];
};

/* The time when the queue of commands has room for another command: now, or later. */
int64_t mfc_room_at(const struct mfc *mfc, int64_t now);

/* Queue a command; there must be room. */
void mfc_issue(struct mfc *mfc, struct memory *memory, int cell, int64_t bytes, unsigned tag,
               int64_t now);

#endif
