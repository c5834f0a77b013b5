/* What the figures of an analysis rest on. */
#include "output/encode/conditions.h"

#include "analysis/run/sheets.h"
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

/* Whether all that has a range has a known one. */
static bool has_ranges(const csy_analysis *analysis)
{
    csy_range_kind kind = csy_analysis_kind(analysis);
    return kind != CSY_RANGE_CLOCK && kind != CSY_RANGE_UNKNOWN;
}

static const char *say_stamped(const struct conditions *c, char text[CSY_WARNING_TEXT_MAX])
{
    if (!c->stamped)
        return NULL;
    snprintf(text, CSY_WARNING_TEXT_MAX,
             "figures by one clock are as stamped, each stamp off by up to delta");
    return text;
}

enum { OF_CLOCKS = 4 };

static const char *say_drift(const struct conditions *c, char text[CSY_WARNING_TEXT_MAX])
{
    if (!c->sync->drift || c->ranged)
        return NULL;
    snprintf(text, CSY_WARNING_TEXT_MAX,
             "clocks drift: what depends on several of them has no range");
    return text;
}

static const char *say_clocks(const struct conditions *c, size_t index,
                              char text[CSY_WARNING_TEXT_MAX])
{
    const csy_clock_report *clock = &c->sync->survey.clock_report;
    return index == 0   ? say_lost(clock->lost_outs, "SPE_SWITCH_OUT", text)
           : index == 1 ? say_lost(clock->lost_ins, "SPE_SWITCH_IN", text)
           : index == 2 ? say_stragglers(clock, text)
                        : say_drift(c, text);
}

struct conditions conditions_of(const csy_analysis *analysis, const csy_sync *sync)
{
    return (struct conditions){.analysis = analysis,
                               .sync = sync,
                               .ranged = has_ranges(analysis),
                               .stamped = sync->imprecision.delta.num > 0 &&
                                          sheets_facts(analysis).stamped};
}

const char *conditions_next(struct conditions *c, char text[CSY_WARNING_TEXT_MAX])
{
    while (c->next < WORDS_WARNINGS + OF_CLOCKS) {
        size_t i = c->next++;
        const char *said = i < WORDS_WARNINGS ? words_warning(c->sync, i, text)
                                              : say_clocks(c, i - WORDS_WARNINGS, text);
        if (said)
            return said;
    }
    if (c->ranged && csy_sync_condition_at(c->sync, c->of_bounds, text)) {
        c->of_bounds++;
        return text;
    }
    if (!c->said_stamped) {
        c->said_stamped = true;
        if (say_stamped(c, text))
            return text;
    }
    size_t own = c->next - WORDS_WARNINGS - OF_CLOCKS;
    if (own >= c->analysis->nconditions)
        return NULL;
    c->next++;
    snprintf(text, CSY_WARNING_TEXT_MAX, "%s", c->analysis->conditions[own]);
    return text;
}

const char *csy_analysis_condition(const csy_analysis *analysis, const csy_sync *sync, size_t index,
                                   char text[CSY_WARNING_TEXT_MAX])
{
    struct conditions c = conditions_of(analysis, sync);
    const char *said = conditions_next(&c, text);
    while (said && index-- > 0)
        said = conditions_next(&c, text);
    return said;
}
