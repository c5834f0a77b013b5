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

/* Whether a value is by one clock, and so by its stamps alone; counts are not. */
static bool is_stamped(const csy_column *column, const csy_value *value)
{
    bool time = column->kind != CSY_COLUMN_TEXT && column->kind != CSY_COLUMN_COUNT;
    if (value->none || !time)
        return false;
    return column->ranged ? value->range.kind == CSY_RANGE_CLOCK : column->kind != CSY_COLUMN_PPM;
}

static bool has_stamped(const csy_analysis *analysis)
{
    for (size_t i = 0; i < csy_analysis_nsheets(analysis); i++) {
        const csy_sheet *sheet = csy_analysis_sheet(analysis, i);
        for (size_t k = 0; k < sheet->nrows * sheet->ncolumns; k++)
            if (is_stamped(&sheet->columns[k % sheet->ncolumns], &sheet->values[k]))
                return true;
    }
    return false;
}

static const char *say_stamped(const csy_analysis *analysis, const csy_sync *sync,
                               char text[CSY_WARNING_TEXT_MAX])
{
    if (sync->imprecision.delta.num == 0 || !has_stamped(analysis))
        return NULL;
    snprintf(text, CSY_WARNING_TEXT_MAX,
             "figures by one clock are as stamped, each stamp off by up to delta");
    return text;
}

enum { OF_CLOCKS = 6 };

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
           : index == 4 ? say_one_time(analysis, sync, text)
                        : say_stamped(analysis, sync, text);
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
