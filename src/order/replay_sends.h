/* Sends of a channel that were visited (order/replay.h), by their numbers, until they are
 * received. */
#ifndef ORDER_REPLAY_SENDS_H
#define ORDER_REPLAY_SENDS_H

#include "order/replay_event.h"

struct replay_sent;

struct replay_sends {
    struct replay_sent *ring; /* a power of 2 */
    uint64_t first, end;      /* numbers of those in it, some of which may be still to come */
    size_t room;
};

void replay_sends_fini(struct replay_sends *sends);

/* One that was visited; others before it may come later.  false: no memory. */
bool replay_sends_add(struct replay_sends *sends, uint64_t number,
                      const struct replay_source *send);

/* That of a number, which holds until the next one is added; NULL: it was not visited, or is
 * received. */
struct replay_source *replay_sends_find(const struct replay_sends *sends, uint64_t number);

/* It is received; it was there. */
void replay_sends_take(struct replay_sends *sends, uint64_t number);

#endif
