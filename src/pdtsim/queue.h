/*
 * The event queue: when each actor acts next.  An actor (an SPE's kernel side, a context, the PPE's
 * main thread) has one next moment at most, so the queue is a binary heap of actors, and moments
 * can be moved.  Of equal moments the one that was set first comes first, so that a run depends on
 * its seed alone.
 */
#ifndef PDTSIM_QUEUE_H
#define PDTSIM_QUEUE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct queue_entry {
    int64_t time; /* cycles */
    uint64_t turn;
    size_t actor;
};

struct queue {
    struct queue_entry *heap;
    size_t *places; /* of each actor: its index in heap plus 1, or 0 */
    size_t count;
    /* The first of the heap was popped.  Its place is kept for the next that is set, which mostly
     * is the same actor. */
    bool free_first;
    uint64_t turns;
};

/* For actors 0 to nactors - 1; false on no memory. */
bool queue_init(struct queue *queue, size_t nactors);
void queue_fini(struct queue *queue);

/* Let an actor act at that time, whatever was set before. */
void queue_set(struct queue *queue, size_t actor, int64_t time);

/* Take an actor's moment away: when it was, or NEVER. */
int64_t queue_cancel(struct queue *queue, size_t actor);

/* The next moment, NEVER if there is none. */
int64_t queue_least(const struct queue *queue);

/* Whose it is; only if there is one.  It is taken away. */
size_t queue_pop(struct queue *queue);

#endif
