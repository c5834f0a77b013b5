/* Threads of the PPE. */
#include "clock/ppe_threads.h"

void ppe_threads_init(struct ppe_threads *threads)
{
    for (uint32_t i = 0; i < PPE_THREADS; i++)
        threads->ids[i] = ~i;
    threads->known = true;
}

void ppe_threads_begin(struct ppe_threads *threads, uint32_t id, uint64_t position)
{
    uint32_t place = id % PPE_THREADS;
    if (ppe_threads_has(threads, place)) {
        threads->known = false;
        return;
    }
    threads->ids[place] = id;
    threads->firsts[place] = position;
}

void ppe_threads_add(struct ppe_threads *threads, const struct ppe_threads *next, uint64_t position)
{
    threads->known &= next->known;
    for (uint32_t i = 0; i < PPE_THREADS; i++) {
        if (!ppe_threads_has(next, i))
            continue;
        ppe_threads_note(threads, next->ids[i], position + next->firsts[i]);
        ppe_threads_note(threads, next->ids[i], position + next->lasts[i]);
    }
}
