/* Implements kind.h and run.h: begins runs, and passes on their effects. */
#include "fast/kind.h"

#include "clock/global.h"

#include <stdlib.h>

int64_t fast_shift(const struct fast *fast, uint32_t thread)
{
    return fast->offsets
               ? placement_shift(fast->offsets[thread].offset_ticks, fast->rebase->offset[thread])
               : 0;
}

bool fast_last(const struct fast *fast, uint32_t *slot, int64_t *x)
{
    if (fast->sweep)
        return sweep_may_run(fast->sweep, slot, x);
    *slot = fast->previous;
    *x = fast->previous_x;
    if (fast->purpose == MEASURING && fast->previous != NO_THREAD)
        *x = (int64_t)placement_global(fast_shift(fast, fast->previous), fast->previous_x);
    return fast->previous != NO_THREAD;
}

bool run_new(struct run *run, bool apart, enum purpose purpose)
{
    *run = (struct run){.apart = apart, .purpose = purpose};
    if (apart && purpose == MEASURING)
        run->kept = malloc(sizeof *run->kept);
    return run->kept || !apart || purpose != MEASURING;
}

void run_fini(struct run *run)
{
    sweep_run_fini(&run->sweep);
    free(run->kept);
    *run = (struct run){0};
}

static bool begin(struct run *run, const struct fast *fast)
{
    run->purpose = fast->purpose;
    run->records = run->same = run->wrong = 0;
    run->least_step = 0;
    run->least_ticks = INT64_MAX;
    run->by_time = true;
    return !fast->sweep || sweep_run_begin(&run->sweep, fast->sweep, run->apart);
}

bool run_begin(struct run *run, const struct fast *fast)
{
    if (!begin(run, fast) || !fast_last(fast, &run->ends.last, &run->ends.last_x))
        return false;
    if (fast->purpose == MEASURING) {
        run->inversions = fast->measured->inversions;
        run->last_local = fast->measured->last_local_ticks;
    }
    return true;
}

bool run_begin_apart(struct run *run, const struct fast *fast)
{
    if (run->kept)
        inversions_apart_begin(run->kept);
    return begin(run, fast);
}

bool run_follows(const struct run *run, struct fast *fast)
{
    uint32_t slot;
    int64_t x;
    if (!fast_last(fast, &slot, &x))
        return false;
    if (run->purpose == MEASURING)
        return inversions_add(&fast->measured->inversions, run->kept);
    return run->purpose >= WRITING || slot != run->ends.first || x <= run->ends.first_x;
}

void run_settle(const struct run *run, struct fast *fast)
{
    uint32_t slot;
    int64_t x, shift = 0;
    struct disorder *disorder = &fast->rebase->disorder;
    /* neighbouring records are not compared for WRITING and TIMING */
    if (run->purpose >= WRITING)
        return;
    if (run->purpose == MEASURING) {
        disorder = &fast->measured->disorder;
        shift = fast_shift(fast, run->ends.last);
        struct measured *measured = fast->measured;
        if (!run->apart)
            measured->inversions = run->inversions;
        measured->by_time = measured->by_time && run->by_time &&
                            (!run->apart || run->first_local >= measured->last_local_ticks);
        measured->last_local_ticks = run->last_local;
        measured->last_ticks = run->ends.last_x;
        if (run->least_ticks < measured->least_ticks)
            measured->least_ticks = run->least_ticks;
    }
    fast_last(fast, &slot, &x);
    if (run->apart && slot != run->ends.first)
        disorder_note(disorder, run->ends.first_x - x);
    disorder_add(disorder,
                 &(struct disorder){run->records - run->same, run->wrong, -run->least_step});
    if (fast->sweep)
        sweep_take_run(fast->sweep, &run->sweep, &run->ends);
    fast->previous = fast_thread(fast, run->ends.last);
    fast->previous_x = fast->rebase->previous_x = run->ends.last_x - shift;
}
