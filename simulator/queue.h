/* The event queue: a binary heap of actors, ordered by the time of their next action. An actor is
 * the kernel's side of an SPE, a context, the main thread of the PPE, or a writer of extra records.
 * Each actor has at most one time, which can be changed. If times are equal, the time that was set
 * first comes first, so a run depends only on its seed. */
#ifndef PDTSIM_QUEUE_H
#define PDTSIM_QUEUE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct queue_entry {
    int64_t time; /* in cycles */
    uint64_t turn;
    size_t actor;
};

struct queue {
    struct queue_entry *heap;
    size_t *places; /* for each actor: its index in `heap` plus 1, or 0 if it is not in the heap */
    size_t count;
    /* true if heap[0] is free after queue_pop; queue_set then uses it for the next entry */
    bool free_first;
    uint64_t turns;
};

/* Create a queue for actors 0 to nactors - 1. Returns false if memory runs out. */
bool queue_init(struct queue *queue, size_t nactors);
void queue_fini(struct queue *queue);

/* Set the time of an actor. A time that was set before is replaced. */
void queue_set(struct queue *queue, size_t actor, int64_t time);

/* Remove an actor. Returns its time, or NEVER if the actor was not in the queue. */
int64_t queue_cancel(struct queue *queue, size_t actor);

/* Returns the earliest time in the queue, or NEVER if the queue is empty. */
int64_t queue_least(const struct queue *queue);

/* Remove the actor with the earliest time and return it. The queue must not be empty. */
size_t queue_pop(struct queue *queue);

#endif
