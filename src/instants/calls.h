/*
 * Calls of an actor as its records are decoded: which routines it was in before it recorded, and
 * where calls that are intervals begin.
 *
 * An exit that finds nothing entered is of a routine that the actor was in from its first record
 * on, but not once an exit has been ignored, since then entries are missing.  Of two calls that
 * cross, the one that begins later begins where the other one ends.
 */
#ifndef INSTANTS_CALLS_H
#define INSTANTS_CALLS_H

#include "base/texts.h"
#include "meaning/words.h"

enum { CALLS_DEPTH_MAX = 65536, CALLS_DONE_MAX = 1024 };

/* An activation: when it began, or from when to when it was. */
struct call_span {
    int64_t begin, end;
    uint32_t routine;
};

/* An exit of what was not entered. */
struct missed_entry {
    uint32_t routine;
    int64_t global_ticks; /* of the exit */
};

struct calls {
    struct call_span *stack; /* of records that enter */
    size_t depth, stack_capacity, deeper;
    struct call_span *done; /* one after the other, none within another; the last ones */
    size_t ndone, done_capacity;
    struct missed_entry *missed; /* the innermost first */
    size_t nmissed, missed_capacity;
    bool ignored;
    bool known; /* all that was missed is, and stays as it is */
    uint64_t nclipped;
};

/* A record that enters, exits (routine: NO_TEXT: the innermost) or, as an interval, calls; of the
 * last *begin is put off as needed.  Global times.  False on no memory. */
bool calls_see(struct calls *calls, enum role role, uint32_t routine, int64_t *begin, int64_t at);

/* The same of one that enters, or exits. */
static inline bool calls_enter(struct calls *calls, uint32_t routine, int64_t at)
{
    if (calls->depth == calls->stack_capacity || calls->depth == CALLS_DEPTH_MAX)
        return calls_see(calls, ROLE_ENTER, routine, &at, at);
    struct call_span *span = &calls->stack[calls->depth++];
    span->begin = span->end = at;
    span->routine = routine;
    return true;
}

static inline bool calls_exit(struct calls *calls, uint32_t routine, int64_t at)
{
    size_t depth = calls->depth, n = calls->ndone;
    if (depth == 0 || calls->deeper > 0 || n == calls->done_capacity || n == CALLS_DONE_MAX ||
        (routine != NO_TEXT && calls->stack[depth - 1].routine != routine))
        return calls_see(calls, ROLE_EXIT, routine, &at, at);
    int64_t begin = calls->stack[depth - 1].begin;
    while (n > 0 && calls->done[n - 1].begin >= begin)
        n--;
    calls->done[n].begin = begin;
    calls->done[n].end = at;
    calls->done[n].routine = NO_TEXT;
    calls->ndone = n + 1;
    calls->depth = depth - 1;
    return true;
}

/* To the first record again: entries that were missed stay known. */
void calls_again(struct calls *calls);
void calls_fini(struct calls *calls);

#endif
