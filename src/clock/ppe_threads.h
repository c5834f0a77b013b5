/*
 * Threads of the PPE, all of which have one clock: which record of each is the first, and which the
 * last.
 *
 * They are found by the low bits of their ids, so that a record costs next to nothing.  Where two
 * have these in common it is not known whose records they are.
 */
#ifndef CLOCK_PPE_THREADS_H
#define CLOCK_PPE_THREADS_H

#include <stdbool.h>
#include <stdint.h>

enum { PPE_THREADS = 256 };

struct ppe_threads {
    uint32_t ids[PPE_THREADS]; /* of a place that is free none that leads here */
    uint64_t firsts[PPE_THREADS], lasts[PPE_THREADS];
    bool known; /* all records were noted, and no two threads have a place in common */
};

/* No record yet. */
void ppe_threads_init(struct ppe_threads *threads);

static inline bool ppe_threads_has(const struct ppe_threads *threads, uint32_t place)
{
    return threads->ids[place] != ~place;
}

/* The first record of a thread, or of one that finds its place taken. */
void ppe_threads_begin(struct ppe_threads *threads, uint32_t id, uint64_t position);

/* The next record of a thread. */
static inline void ppe_threads_note(struct ppe_threads *threads, uint32_t id, uint64_t position)
{
    uint32_t place = id % PPE_THREADS;
    if (__builtin_expect(threads->ids[place] != id, 0))
        ppe_threads_begin(threads, id, position);
    threads->lasts[place] = position;
}

/* Those of records that follow, which are counted from that position on. */
void ppe_threads_add(struct ppe_threads *threads, const struct ppe_threads *next,
                     uint64_t position);

#endif
