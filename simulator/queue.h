/* The event queue. It stores for each actor the moment when the actor acts next. An actor is the
 * kernel's side of an SPE, a context, or the main thread of the PPE. Since an actor has at most one
 * next moment, the queue is a binary heap of actors, and moments can be changed. Actors with equal
 * moments act in the order in which the moments were set, so a run depends only on its seed. */
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
    size_t *places; /* by actor: its index in `heap` plus 1; 0: not in the heap */
    size_t count;
    /* The first entry was removed. Its place stays free for the next entry that is set, because
     * that entry is usually for the same actor. */
    bool free_first;
    uint64_t turns;
};

/* For actors 0 to nactors - 1. False if out of memory. */
bool queue_init(struct queue *queue, size_t nactors);
void queue_fini(struct queue *queue);

/* Set the next moment of an actor, replacing an earlier one. */
void queue_set(struct queue *queue, size_t actor, int64_t time);

/* Remove an actor's moment and return it, or NEVER. */
int64_t queue_cancel(struct queue *queue, size_t actor);

/* The next moment, or NEVER. */
int64_t queue_least(const struct queue *queue);

/* Remove the next moment and return its actor; there must be one. */
size_t queue_pop(struct queue *queue);

#endif
