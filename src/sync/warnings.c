/* What a solution must not be used without knowing, in words. */
#include "base/number.h"
#include "sync/solution.h"

#include <inttypes.h>
#include <stdio.h>

/* 2 delta of more than this part of a second is no imprecision of stamps. */
enum { GREAT_PER_SECOND = 100 };

/* What a diagnosis says it comes from, if one has been made and has found it; or NULL. */
static const char *say_cause(const struct diagnosis *diagnosis)
{
    static const char *const causes[] = {
        [CSY_DIAGNOSIS_DRIFT] = "; by the diagnosis clocks run at different rates",
        [CSY_DIAGNOSIS_EARLY_STAMPS] = "; by the diagnosis stamps are early",
        [CSY_DIAGNOSIS_STEPPED_CLOCK] = "; by the diagnosis a clock was set",
        [CSY_DIAGNOSIS_BAD_CLOCK] = "; by the diagnosis one clock contradicts all others",
        [CSY_DIAGNOSIS_STEPS_BACK] = "; by the diagnosis time goes back within one thread",
        [CSY_DIAGNOSIS_OTHER_UNIT] = "; by the diagnosis clocks count in different units"};
    return diagnosis ? causes[diagnosis->view.kind] : NULL;
}

/* What so great a delta looks like, that must not go unsaid; "" of a small one. */
static const char *say_great(const struct csy_sync *sync)
{
    const csy_imprecision *imprecision = &sync->imprecision;
    if (imprecision->beyond_unwrapping)
        return "; delta is so large that unwrapping may have taken imprecision for written "
               "decrementers";
    bool great = (int128)imprecision->added_ticks * GREAT_PER_SECOND > sync->trace->timebase_hz;
    if (sync->trace->source->contexts || !great)
        return "";
    const char *cause = say_cause(sync->diagnosis);
    return cause ? cause
                 : "; so great a delta may mean a wrapped clock, another unit, or rows that are in "
                   "no "
                   "one order";
}

const char *csy_sync_delta_warning(const csy_sync *sync, char text[CSY_WARNING_TEXT_MAX])
{
    const csy_imprecision *imprecision = &sync->imprecision;
    uint64_t hz = sync->trace->timebase_hz;
    char twice[CSY_TIME_TEXT_MAX], delta[CSY_TIME_TEXT_MAX];
    if (!imprecision->conditional)
        return NULL;
    time_text(2 * (int128)imprecision->delta.num, imprecision->delta.den, hz, twice);
    csy_time_text(imprecision->delta, hz, delta);
    bool paper = imprecision->relax == CSY_RELAX_PAPER;
    snprintf(text, CSY_WARNING_TEXT_MAX,
             "order and clocks contradict each other%s%s%s: bounds hold only if no stamp is off by "
             "more than %s%s",
             paper ? ", which the paper's relaxation met by " : " by up to ", twice,
             paper ? " for each constraint" : "", delta, say_great(sync));
    return text;
}

const char *csy_sync_assumed_warning(const csy_sync *sync, char text[CSY_WARNING_TEXT_MAX])
{
    uint64_t assumed = sync->survey.clock_report.assumed;
    if (assumed == 0)
        return NULL;
    snprintf(text, CSY_WARNING_TEXT_MAX,
             "all times and bounds hold only if %" PRIu64 " assumed gap%s assumed rightly", assumed,
             assumed == 1 ? " was" : "s were");
    return text;
}

const char *csy_sync_dropped_warning(const csy_sync *sync, char text[CSY_WARNING_TEXT_MAX])
{
    const csy_dropped *dropped = &sync->dropped;
    bool one = dropped->count == 1;
    if (dropped->count == 0)
        return NULL;
    if (dropped->count < dropped->asked)
        snprintf(text, CSY_WARNING_TEXT_MAX,
                 "%zu record%s left out, of %" PRIu64
                 " that could be: delta is 0 without %s, and bounds hold for the others",
                 dropped->count, one ? " is" : "s are", dropped->asked, one ? "it" : "them");
    else
        snprintf(text, CSY_WARNING_TEXT_MAX, "%zu record%s left out: bounds hold for the others",
                 dropped->count, one ? " is" : "s are");
    return text;
}

const char *csy_sync_order_warning(const csy_sync *sync, char text[CSY_WARNING_TEXT_MAX])
{
    bool by_thread = sync->order.sorted == CSY_SORTED_BY_THREAD;
    if (sync->order.sorted == CSY_SORTED_NOT)
        return NULL;
    snprintf(text, CSY_WARNING_TEXT_MAX,
             "%s: %s hold only if the records are in the order of writing",
             by_thread ? "no two threads interleave, as in a file that is sorted by thread"
                       : "no stamp is below the one before it, as in a file that is sorted by time",
             sync->method == CSY_METHOD_BHH ? "bounds" : "global times");
    return text;
}
