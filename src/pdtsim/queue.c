/* The event queue: when each actor acts next. */
#include "pdtsim/queue.h"

#include "pdtsim/machine.h"

#include <stdlib.h>

bool queue_init(struct queue *queue, size_t nactors)
{
    *queue = (struct queue){
        .heap = calloc(nactors, sizeof *queue->heap),
        .places = calloc(nactors, sizeof *queue->places),
    };
    return queue->heap && queue->places;
}

void queue_fini(struct queue *queue)
{
    free(queue->heap);
    free(queue->places);
}

static bool before(const struct queue_entry *a, const struct queue_entry *b)
{
    return a->time < b->time || (a->time == b->time && a->turn < b->turn);
}

static void put(struct queue *queue, size_t i, struct queue_entry entry)
{
    queue->heap[i] = entry;
    queue->places[entry.actor] = i + 1;
}

/* Find the place of an entry, beginning at i, which is free. */
static void settle(struct queue *queue, size_t i, struct queue_entry entry)
{
    while (i > 0 && before(&entry, &queue->heap[(i - 1) / 2])) {
        put(queue, i, queue->heap[(i - 1) / 2]);
        i = (i - 1) / 2;
    }
    for (size_t child; (child = 2 * i + 1) < queue->count; i = child) {
        if (child + 1 < queue->count && before(&queue->heap[child + 1], &queue->heap[child]))
            child++;
        if (!before(&queue->heap[child], &entry))
            break;
        put(queue, i, queue->heap[child]);
    }
    put(queue, i, entry);
}

void queue_set(struct queue *queue, size_t actor, int64_t time)
{
    size_t place = queue->places[actor] ? queue->places[actor] - 1 : queue->count++;
    settle(queue, place, (struct queue_entry){time, queue->turns++, actor});
}

int64_t queue_cancel(struct queue *queue, size_t actor)
{
    if (!queue->places[actor])
        return NEVER;
    size_t place = queue->places[actor] - 1;
    int64_t time = queue->heap[place].time;
    queue->places[actor] = 0;
    queue->count--;
    if (place < queue->count)
        settle(queue, place, queue->heap[queue->count]);
    return time;
}

int64_t queue_least(const struct queue *queue)
{
    return queue->count ? queue->heap[0].time : NEVER;
}

size_t queue_pop(struct queue *queue)
{
    size_t actor = queue->heap[0].actor;
    queue_cancel(queue, actor);
    return actor;
}
