/*
 * Channels with a message that was sent and not recorded, as while recording was stopped.  Which of
 * the later messages is which cannot be told from their order, so that these are of another
 * channel, from which nothing is received.
 */
#ifndef CELLTRACE_MPI_MPI_CHANNELS_H
#define CELLTRACE_MPI_MPI_CHANNELS_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

/* In place of a communicator's id, that and the id. */
#define COMM_ID_BROKEN (UINT64_C(1) << 63)

struct mpi_channel {
    uint64_t comm, partner, tag;
};

extern atomic_bool channels_any_broken;

bool channels_find_broken(const struct mpi_channel *channel);
void channels_break(const struct mpi_channel *channel);

static inline bool channels_are_broken(const struct mpi_channel *channel)
{
    return atomic_load_explicit(&channels_any_broken, memory_order_relaxed) &&
           channels_find_broken(channel);
}

#endif
