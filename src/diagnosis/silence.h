/* Whether a clock is silent for long, again and again: then the line through what is known of it
 * says little of the time between. */
#ifndef DIAGNOSIS_SILENCE_H
#define DIAGNOSIS_SILENCE_H

#include "clock/threads.h"

/* Of one clock; begins as zeros. */
struct silence {
    uint64_t previous;     /* position of its last record so far */
    uint64_t times, total; /* how often it was silent; for how many records in all */
};

/* The next record of thread, which has so many, is at position. */
void silence_note(struct silence *silence, const struct thread *thread, uint64_t records,
                  uint64_t position);

bool silence_is_long(const struct silence *silence, const struct thread *thread);

#endif
