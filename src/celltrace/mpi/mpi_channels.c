/* See mpi_channels.h. */
#include "celltrace/mpi/mpi_channels.h"

#include "celltrace/system.h"

enum { PLACES = 4096, MOST = 3072 };

static struct {
    struct system_lock lock;
    unsigned count;
    bool all;                          /* there were too many of them */
    struct mpi_channel places[PLACES]; /* communicator 0: none */
} broken;

atomic_bool channels_any_broken;

/* Its place, or the one that it would have. */
static struct mpi_channel *find(const struct mpi_channel *channel)
{
    uint64_t mixed = (channel->comm ^ channel->partner << 20 ^ channel->tag << 40) *
                     UINT64_C(0x9e3779b97f4a7c15);
    for (size_t at = mixed >> 40;; at++) {
        struct mpi_channel *place = &broken.places[at % PLACES];
        if (place->comm == 0 || (place->comm == channel->comm &&
                                 place->partner == channel->partner && place->tag == channel->tag))
            return place;
    }
}

bool channels_find_broken(const struct mpi_channel *channel)
{
    system_lock(&broken.lock);
    bool found = broken.all || find(channel)->comm != 0;
    system_unlock(&broken.lock);
    return found;
}

void channels_break(const struct mpi_channel *channel)
{
    system_lock(&broken.lock);
    struct mpi_channel *place = find(channel);
    if (place->comm == 0 && broken.count == MOST) {
        broken.all = true;
    } else if (place->comm == 0) {
        *place = *channel;
        broken.count++;
    }
    system_unlock(&broken.lock);
    atomic_store(&channels_any_broken, true);
}
