/* Sends of a channel that were visited. */
#include "order/replay_sends.h"

#include "base/array.h"

#include <stdlib.h>

enum { SENDS_MIN = 4 };

struct replay_sent {
    struct replay_source send;
    enum { SENT_NOT, SENT_WAITS, SENT_RECEIVED } state; /* it, or its receive, was visited */
};

void replay_sends_fini(struct replay_sends *sends)
{
    free(sends->ring);
}

static struct replay_sent *sent_at(const struct replay_sends *sends, uint64_t number)
{
    return &sends->ring[number & (sends->room - 1)];
}

bool replay_sends_add(struct replay_sends *sends, uint64_t number, const struct replay_source *send)
{
    for (; sends->end <= number; sends->end++) {
        if (sends->end - sends->first == sends->room &&
            !RING_GROW(sends->ring, sends->room, SENDS_MIN, sends->first, sends->end))
            return false;
        sent_at(sends, sends->end)->state = SENT_NOT;
    }
    *sent_at(sends, number) = (struct replay_sent){*send, SENT_WAITS};
    return true;
}

struct replay_source *replay_sends_find(const struct replay_sends *sends, uint64_t number)
{
    if (number < sends->first || number >= sends->end ||
        sent_at(sends, number)->state != SENT_WAITS)
        return NULL;
    return &sent_at(sends, number)->send;
}

void replay_sends_take(struct replay_sends *sends, uint64_t number)
{
    sent_at(sends, number)->state = SENT_RECEIVED;
    while (sends->first < sends->end && sent_at(sends, sends->first)->state == SENT_RECEIVED)
        sends->first++;
}
