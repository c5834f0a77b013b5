/* Whether clocks were read in steps of many ticks. */
#include "base/number.h"
#include "cellsync/cellsync.h"
#include "sync/solution.h"

#include <inttypes.h>
#include <stdio.h>

enum {
    RECORDS_MIN = 20, /* fewer are made by hand */
    DIVISOR_MIN = 10,
    CHANCE = 1000000 /* to one, that times without such steps would not look like this */
};

struct coarse {
    uint64_t divisor; /* of all so far; 0: none, or only 0 */
    unsigned times;   /* that are not 0 */
};

static void take(struct coarse *coarse, int64_t ticks)
{
    uint64_t size = ticks < 0 ? -(uint64_t)ticks : (uint64_t)ticks;
    coarse->times += size > 0;
    coarse->divisor = (uint64_t)common_divisor(size, coarse->divisor);
}

/* The first times and the last of each clock, and its bounds, which are made of times where nothing
 * is added: all times need not be looked at. */
static struct coarse look_at(const struct csy_sync *sync)
{
    struct coarse coarse = {0};
    for (size_t t = 0; t < sync->survey.threads.count && coarse.divisor != 1; t++) {
        const struct thread *thread = &sync->survey.threads.items[t];
        const csy_thread *view = &sync->views[t];
        if (thread->records == 0)
            continue;
        take(&coarse, thread->first_ticks);
        take(&coarse, thread->last_ticks);
        if (sync->drift || sync->imprecision.added_ticks > 0 || view->earliest_ticks == INT64_MIN ||
            view->latest_ticks == INT64_MAX)
            continue;
        take(&coarse, view->earliest_ticks);
        take(&coarse, view->latest_ticks);
    }
    return coarse;
}

static bool is_no_chance(const struct coarse *coarse)
{
    double odds = 1;
    for (unsigned i = 0; i < coarse->times && odds < CHANCE; i++)
        odds *= (double)coarse->divisor;
    return odds >= CHANCE;
}

const char *csy_sync_coarse_warning(const csy_sync *sync, char text[CSY_WARNING_TEXT_MAX])
{
    const csy_imprecision *imprecision = &sync->imprecision;
    uint64_t hz = sync->trace->timebase_hz;
    char step[CSY_TIME_TEXT_MAX], delta[CSY_TIME_TEXT_MAX];
    if (sync->survey.records < RECORDS_MIN || imprecision->relax == CSY_RELAX_GIVEN)
        return NULL;
    struct coarse coarse = look_at(sync);
    if (coarse.divisor < DIVISOR_MIN || coarse.divisor > hz || !is_no_chance(&coarse) ||
        2 * (int128)imprecision->delta.num >= (int128)coarse.divisor * imprecision->delta.den)
        return NULL;
    csy_fraction half = coarse.divisor % 2 == 0 ? (csy_fraction){(int64_t)(coarse.divisor / 2), 1}
                                                : (csy_fraction){(int64_t)coarse.divisor, 2};
    csy_time_text((csy_fraction){(int64_t)coarse.divisor, 1}, hz, step);
    csy_time_text(half, hz, delta);
    snprintf(text, CSY_WARNING_TEXT_MAX,
             "clocks look as if they were read in steps of %" PRIu64
             " ticks (%s): if they were, bounds hold only with --delta=%" PRId64 "%s (%s) or more",
             coarse.divisor, step, half.num, half.den == 2 ? "/2" : "", delta);
    return text;
}
