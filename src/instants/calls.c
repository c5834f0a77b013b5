/* Calls of an actor as its records are decoded. */
#include "instants/calls.h"

#include "base/array.h"

#include <stdlib.h>
#include <string.h>

/* Another one that is over, which may be around the last ones. */
static bool add_done(struct calls *calls, int64_t begin, int64_t end)
{
    while (calls->ndone > 0 && calls->done[calls->ndone - 1].begin >= begin)
        calls->ndone--;
    if (calls->ndone == CALLS_DONE_MAX) {
        calls->ndone /= 2;
        memmove(calls->done, calls->done + calls->ndone, calls->ndone * sizeof *calls->done);
    }
    if (!ARRAY_RESERVE(calls->done, calls->done_capacity, calls->ndone + 1))
        return false;
    calls->done[calls->ndone++] = (struct call_span){begin, end, NO_TEXT};
    return true;
}

/* Where a call begins that may cross one that is over. */
static int64_t clip(struct calls *calls, int64_t begin)
{
    size_t low = 0, high = calls->ndone;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (calls->done[middle].begin < begin)
            low = middle + 1;
        else
            high = middle;
    }
    if (low == 0 || calls->done[low - 1].end <= begin)
        return begin;
    calls->nclipped++;
    return calls->done[low - 1].end;
}

static bool miss(struct calls *calls, uint32_t routine, int64_t at)
{
    if (calls->ignored || routine == NO_TEXT || calls->nmissed == CALLS_DEPTH_MAX) {
        calls->ignored = true;
        return true;
    }
    if (!ARRAY_RESERVE(calls->missed, calls->missed_capacity, calls->nmissed + 1))
        return false;
    calls->missed[calls->nmissed++] = (struct missed_entry){routine, at};
    return true;
}

static bool leave(struct calls *calls, uint32_t routine, int64_t at)
{
    size_t depth = calls->depth;
    if (calls->deeper > 0) {
        calls->deeper--;
        return true;
    }
    if (depth == 0)
        return miss(calls, routine, at);
    while (depth > 0 && routine != NO_TEXT && calls->stack[depth - 1].routine != routine)
        depth--;
    calls->ignored |= depth == 0;
    if (depth == 0)
        return true;
    calls->depth = depth - 1;
    return add_done(calls, calls->stack[depth - 1].begin, at);
}

/* What exits within it found nothing entered were within it. */
static bool call(struct calls *calls, int64_t *begin, int64_t at)
{
    *begin = clip(calls, *begin);
    while (!calls->known && calls->nmissed > 0 &&
           calls->missed[calls->nmissed - 1].global_ticks > *begin &&
           calls->missed[calls->nmissed - 1].global_ticks <= at) {
        calls->nmissed--;
        calls->ignored = true;
    }
    return add_done(calls, *begin, at);
}

bool calls_see(struct calls *calls, enum role role, uint32_t routine, int64_t *begin, int64_t at)
{
    if (role == ROLE_CALL)
        return call(calls, begin, at);
    if (role == ROLE_EXIT)
        return leave(calls, routine, at);
    if (calls->depth == CALLS_DEPTH_MAX) {
        calls->deeper++;
        return true;
    }
    if (!ARRAY_RESERVE(calls->stack, calls->stack_capacity, calls->depth + 1))
        return false;
    calls->stack[calls->depth++] = (struct call_span){at, at, routine};
    return true;
}

void calls_again(struct calls *calls)
{
    calls->depth = calls->deeper = calls->ndone = 0;
    calls->ignored = calls->known = true;
    calls->nclipped = 0;
}

void calls_fini(struct calls *calls)
{
    free(calls->stack);
    free(calls->done);
    free(calls->missed);
    *calls = (struct calls){0};
}
