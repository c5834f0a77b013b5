/* How often and how long a clock has no record. */
#include "diagnosis/silence.h"

#include "base/number.h"

/* A clock is silent for long, again and again: so many times at least, each so many times longer
 * than between its records on average, and in all this part of its time. */
enum { SILENT_TIMES = 3, SILENT_FACTOR = 8, SILENT_PART = 4 };

void silence_note(struct silence *silence, const struct thread *thread, uint64_t records,
                  uint64_t position)
{
    uint64_t gap = position - silence->previous;
    uint128 span = thread->last_record - thread->first_record;
    if (position > thread->first_record && (uint128)gap * records > SILENT_FACTOR * span) {
        silence->times++;
        silence->total += gap;
    }
    silence->previous = position;
}

bool silence_is_long(const struct silence *silence, const struct thread *thread)
{
    return silence->times >= SILENT_TIMES &&
           SILENT_PART * silence->total >= thread->last_record - thread->first_record;
}
