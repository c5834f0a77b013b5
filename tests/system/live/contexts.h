/*
 * SPE contexts that share a few SPEs: each is a thread, and runs only while it holds an SPE.
 *
 * Taking and giving up an SPE write switch records, IN first and OUT last of a stay.  A context has
 * a decrementer of its own, which starts anywhere.  While the context is out it stands still in a
 * saved place, and coming back it is set forward by about the time that passed, as spufs does:
 * "about" is drawn anew each time, so each stay has an offset of its own to the timebase.  These
 * are the truth that a synchronizer has to find.
 */
#ifndef LIVE_CONTEXTS_H
#define LIVE_CONTEXTS_H

#include <pthread.h>
#include <stdio.h>

#include "recorder.h"

enum { SPES_MAX = 64 };

/* The SPEs.  Who waits for one is served in turn. */
struct spes {
    pthread_mutex_t mutex;
    pthread_cond_t changed;
    unsigned n;
    bool taken[SPES_MAX];
    uint64_t next_turn, turns_served;
};

void spes_init(struct spes *spes, unsigned n);
void spes_fini(struct spes *spes);

struct context {
    struct spes *spes;
    struct recorder *recorder;
    uint32_t id;
    uint32_t kernel_tid; /* switch records are PPE records: whose */
    unsigned spe;        /* that it holds */
    uint64_t zero;       /* the timebase when its decrementer passes zero: hidden */
    uint64_t since;      /* the timebase when its stay began */
    bool spoke;          /* in this stay */
    uint64_t random;     /* state, not 0 */
    uint64_t *offsets;   /* of its stays with records: the timebase at the first of them */
    size_t noffsets, room;
};

/* A context that is out; random: anything. */
void context_init(struct context *c, struct spes *spes, struct recorder *recorder, uint32_t id,
                  uint32_t kernel_tid, uint64_t random);
void context_fini(struct context *c);

/* Wait for an SPE and go there; leave it; leave it and queue for one again. */
void context_in(struct context *c);
void context_out(struct context *c);
void context_yield(struct context *c);

/* Write a record.  What began before this stay begins with it: the clock was another one. */
void context_event(struct context *c, struct event event);

/* A pseudo-random number below n. */
uint64_t context_draw(struct context *c, uint64_t n);

/* Write a line "spe3.2,OFFSET" for each stay of the context that has records, under the name that
 * cellsync gives it. */
void context_write_truth(const struct context *c, FILE *file);

#endif
