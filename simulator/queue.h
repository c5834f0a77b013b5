/* The event queue: a binary heap of actors by the time of their next action. An actor is the
 * kernel's side of an SPE, a context, or the main thread of the PPE. It has at most one time, which
 * can be changed. Actors with equal times act in the order in which these were set, so a run
 * depends only on its seed. */
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
    size_t *places; /* by actor: index in `heap` plus 1; 0: not in the heap */
    size_t count;
    /* The first place is free. The next entry fills it, usually for the same actor. */
    bool free_first;
    uint64_t turns;
};

/* Create a queue for actors 0 to nactors - 1. Returns false if memory runs out. */
bool queue_init(struct queue *queue, size_t nactors);
void queue_fini(struct queue *queue);

/* Set the time of an actor, and replace an earlier time. */
void queue_set(struct queue *queue, size_t actor, int64_t time);

/* Remove an actor. Returns its time, or NEVER if it had none. */
int64_t queue_cancel(struct queue *queue, size_t actor);

/* Returns the earliest time, or NEVER. */
int64_t queue_least(const struct queue *queue);

/* Remove the actor with the earliest time and return it. The queue must not be empty. */
size_t queue_pop(struct queue *queue);

#endif
