/* What the figures of an analysis rest on. */
#include "analysis/sheets.h"
#include "output/encode/words.h"
#include "sync/solution.h"

#include <inttypes.h>

/* "2 context switches are missing in the trace: SPE_SWITCH_OUT" */
static const char *say_lost(uint64_t n, const char *event, char text[CSY_WARNING_TEXT_MAX])
{
    if (n == 0)
        return NULL;
    snprintf(text, CSY_WARNING_TEXT_MAX,
             "%" PRIu64 " context switch%s missing in the trace: %s; what was on an SPE there is "
             "told by the records of its context",
             n, n == 1 ? " is" : "es are", event);
    return text;
}

static const char *say_stragglers(const csy_clock_report *clock, char text[CSY_WARNING_TEXT_MAX])
{
    uint64_t n = clock->stragglers;
    if (n == 0)
        return NULL;
    snprintf(text, CSY_WARNING_TEXT_MAX,
             "%" PRIu64
             " record%s between a switch out and the next switch in: each has a clock of "
             "its own",
             n, n == 1 ? " is" : "s are");
    return text;
}

static const char *say_one_time(const csy_analysis *analysis, const csy_sync *sync,
                                char text[CSY_WARNING_TEXT_MAX])
{
    csy_range_kind kind = csy_analysis_kind(analysis);
    bool ranged = kind != CSY_RANGE_CLOCK && kind != CSY_RANGE_UNKNOWN;
    return ranged ? words_condition(sync, text) : NULL;
}

enum { OF_CLOCKS = 5 };

static const char *say_drift(const csy_sync *sync, char text[CSY_WARNING_TEXT_MAX])
{
    if (!sync->drift)
        return NULL;
    snprintf(text, CSY_WARNING_TEXT_MAX,
             "clocks drift: what depends on several of them has no range");
    return text;
}

static const char *say_clocks(const csy_analysis *analysis, const csy_sync *sync, size_t index,
                              char text[CSY_WARNING_TEXT_MAX])
{
    const csy_clock_report *clock = &sync->survey.clock_report;
    return index == 0   ? say_lost(clock->lost_outs, "SPE_SWITCH_OUT", text)
           : index == 1 ? say_lost(clock->lost_ins, "SPE_SWITCH_IN", text)
           : index == 2 ? say_stragglers(clock, text)
           : index == 3 ? say_drift(sync, text)
                        : say_one_time(analysis, sync, text);
}

const char *csy_analysis_condition(const csy_analysis *analysis, const csy_sync *sync, size_t index,
                                   char text[CSY_WARNING_TEXT_MAX])
{
    for (size_t i = 0; i < WORDS_WARNINGS + OF_CLOCKS; i++) {
        const char *said = i < WORDS_WARNINGS
                               ? words_warning(sync, i, text)
                               : say_clocks(analysis, sync, i - WORDS_WARNINGS, text);
        if (said && index-- == 0)
            return said;
    }
    if (index >= analysis->nconditions)
        return NULL;
    snprintf(text, CSY_WARNING_TEXT_MAX, "%s", analysis->conditions[index]);
    return text;
}
