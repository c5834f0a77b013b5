/* See queue.h. */
#include "simulator/queue.h"

#include "simulator/machine.h"

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

/* Insert an entry into the heap; index i is free. Other entries move to make room. */
static void settle_entry(struct queue *queue, size_t i, struct queue_entry entry)
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
    size_t place = 0;
    if (queue->places[actor])
        place = queue->places[actor] - 1;
    else if (queue->free_first)
        queue->free_first = false;
    else
        place = queue->count++;
    settle_entry(queue, place, (struct queue_entry){time, queue->turns++, actor});
}

/* Fill a free index of the heap with the last entry. */
static void fill(struct queue *queue, size_t place)
{
    queue->count--;
    if (place < queue->count)
        settle_entry(queue, place, queue->heap[queue->count]);
}

int64_t queue_cancel(struct queue *queue, size_t actor)
{
    if (!queue->places[actor])
        return NEVER;
    size_t place = queue->places[actor] - 1;
    int64_t time = queue->heap[place].time;
    queue->places[actor] = 0;
    fill(queue, place);
    return time;
}

int64_t queue_least(const struct queue *queue)
{
    const struct queue_entry *heap = queue->heap;
    if (!queue->free_first)
        return queue->count > 0 ? heap[0].time : NEVER;
    int64_t least = queue->count > 1 ? heap[1].time : NEVER;
    return queue->count > 2 && heap[2].time < least ? heap[2].time : least;
}

size_t queue_pop(struct queue *queue)
{
    if (queue->free_first)
        fill(queue, 0);
    size_t actor = queue->heap[0].actor;
    queue->places[actor] = 0;
    /* Mark index 0 as free. The earliest possible time keeps other entries from moving up to it. */
    queue->heap[0].time = INT64_MIN;
    queue->free_first = true;
    return actor;
}
