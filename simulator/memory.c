/* See memory.h. */
#include "simulator/memory.h"

static int64_t later(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

int64_t mfc_room_at(const struct mfc *mfc, int64_t now)
{
    return later(now, mfc->done_at[mfc->commands % MFC_COMMANDS]);
}

void mfc_issue(struct mfc *mfc, struct memory *memory, int cell, int64_t bytes, unsigned tag,
               int64_t now)
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
