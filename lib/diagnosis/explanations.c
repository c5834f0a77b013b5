/* Computes a table of possible explanations if timestamps contradict the order of records. Each row
 * assumes a limit for the rates of clocks, and has the least timestamp error that is then possible.
 * See doc/diagnosis.md, Explanations. */
#include "diagnosis/explanations.h"

#include "base/number.h"
#include "sync/drift/drift.h"
#include "sync/partial_order.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

/* The rows of the table, in their order. Each row assumes a limit for the rates of clocks. For
 * RESOLUTION, this is the least limit with a timestamp error of at most the resolution of the
 * clocks. */
enum row { ONE_RATE = 0, CONSTANT, CRYSTALS, STEERED, RESOLUTION, ROWS };

/* A timestamp error above 1/ERROR_PER_SECOND second is not plausible. The other constants are used
 * to compare the timestamp errors of two rows of the table. */
enum { ERROR_PER_SECOND = 200, BETTER = 4, ALIKE = 4, SAME_PERCENT = 90 };

struct found {
    bool known[ROWS];
    int64_t rate[ROWS];
    csy_fraction twice[ROWS]; /* twice the timestamp error with the rates of each row */
    bool at_least[ROWS];
    size_t example_clock; /* the clock with the greatest rate if all rates are constant, and this
                           * rate */
    int64_t example_ppb;
    enum row plausible; /* the most plausible row of the table, or ROWS if none is plausible */
};

static bool is_below(csy_fraction a, csy_fraction b, int64_t a_times, int64_t b_times)
{
    return (int128)a_times * a.num * b.den <= (int128)b_times * b.num * a.den;
}

/* Returns true if the timestamp error added / 2 is only a lower limit. It is smaller than the
 * solution's error, so the times of more records would show their order. These records may require
 * a larger error again. */
static bool is_matched_anew(const struct csy_sync *sync, int64_t added, int64_t rate_ppb)
{
    if (!sync->partial || added >= sync->imprecision.added_ticks)
        return false;
    const struct points *points = &sync->partial->points;
    int64_t ticks = knots_window(added, rate_ppb);
    return ticks < points->least_above || (points->told && ticks > points->least_told);
}

static csy_status try_row(struct drift_trial *trial, const struct csy_sync *sync, enum row row,
                          int64_t wander_ppb, int64_t least, struct found *found, csy_error *error)
{
    int64_t added = 0;
    const int64_t *rates = NULL;
    csy_status status =
        drift_trial_least(trial, found->rate[row], wander_ppb, least, &added, &rates, error);
    found->known[row] = !status && added >= 0;
    for (size_t t = 0; found->known[row] && rates && t < sync->survey.threads.count; t++) {
        if (llabs(rates[t]) > llabs(found->example_ppb)) {
            found->example_clock = t;
            found->example_ppb = rates[t];
        }
    }
    found->twice[row] = (csy_fraction){added, 1};
    found->at_least[row] = is_matched_anew(sync, added, found->rate[row]);
    return status;
}

/* Returns the most plausible row of the table, or ROWS if none is plausible. See doc/diagnosis.md,
 * Explanations. */
static enum row find_plausible(const struct csy_sync *sync, const struct found *found)
{
    const csy_fraction *twice = found->twice;
    int64_t floor = solution_least_twice(sync) > 1 ? solution_least_twice(sync) : 1;
    const csy_fraction exact = {floor, 1},
                       most = {(int64_t)(sync->trace->timebase_hz / (ERROR_PER_SECOND / 2)), 1};
    int64_t enough = found->known[RESOLUTION] ? found->rate[RESOLUTION] : INT64_MAX;
    if (!found->known[CRYSTALS])
        return enough <= CRYSTAL_PPB ? RESOLUTION : ROWS;
    if (found->known[CONSTANT] && is_below(twice[CONSTANT], exact, 1, 1))
        return CONSTANT;
    if (is_below(twice[CRYSTALS], exact, 1, 1))
        return CRYSTALS;
    if (found->known[STEERED] && is_below(twice[STEERED], exact, 1, 1))
        return STEERED;
    if (!found->known[STEERED] && enough <= STEERED_PPB)
        return RESOLUTION;
    if (found->known[CONSTANT] && is_below(twice[CONSTANT], twice[ONE_RATE], BETTER, 1) &&
        is_below(twice[CONSTANT], twice[CRYSTALS], 1, ALIKE) &&
        is_below(twice[CONSTANT], most, 1, 1))
        return CONSTANT;
    return is_below(twice[ONE_RATE], twice[CRYSTALS], 1, ALIKE) &&
                   is_below(twice[ONE_RATE], most, 1, 1)
               ? ONE_RATE
               : ROWS;
}

/* Write the timestamp error for --delta, rounded up to three digits: "19.1us", or "1/2" ticks. */
static void put_delta(const struct csy_sync *sync, csy_fraction delta, char *text, size_t size)
{
    static const struct {
        int64_t per_second;
        const char *name;
    } units[] = {{1, "s"}, {1000, "ms"}, {1000000, "us"}, {1000000000, "ns"}};
    const int128 den = (int128)delta.den * (int128)sync->trace->timebase_hz;
    char ticks[FRACTION_TEXT_MAX], number[QUOTIENT_TEXT_MAX];
    for (size_t i = 0; i < sizeof units / sizeof *units && !sync->trace->timebase_assumed; i++) {
        int128 num = (int128)delta.num * units[i].per_second;
        if (num < den)
            continue;
        unsigned decimals = num < 10 * den ? 2 : num < 100 * den ? 1 : 0;
        int128 value = ceil_div(num * (decimals == 2 ? 100 : decimals == 1 ? 10 : 1), den);
        for (; decimals > 0 && value % 10 == 0; decimals--)
            value /= 10;
        if (decimals > 0)
            snprintf(text, size, "%s%s", decimal_text(value, decimals, number), units[i].name);
        else
            snprintf(text, size, "%" PRId64 "%s", (int64_t)value, units[i].name);
        return;
    }
    snprintf(text, size, "%s", fraction_text(delta, ticks));
}

csy_status explanations_find(struct csy_sync *sync, struct drift_trial *trial, bool other,
                             int64_t enough_ppb, int64_t enough_ticks, struct explanations *out,
                             csy_error *error)
{
    const struct source *source = sync->trace->source;
    struct found found = {.plausible = ROWS};
    size_t above = ROWS;
    int64_t floor = solution_least_twice(sync);
    csy_fraction delta = sync->imprecision.delta;
    csy_status status = CSY_OK;
    found.rate[CONSTANT] = found.rate[CRYSTALS] = CRYSTAL_PPB;
    found.rate[STEERED] = STEERED_PPB;
    bool others = trial && drift_trial_is_bounded(trial);
    if (!sync->drift)
        found.known[ONE_RATE] =
            fraction_make(2 * (int128)delta.num, delta.den, &found.twice[ONE_RATE]);
    else if (others)
        status = try_row(trial, sync, ONE_RATE, CSY_NO_DRIFT, floor, &found, error);
    if (!status && others)
        status = try_row(trial, sync, CRYSTALS, CSY_NO_DRIFT, floor, &found, error);
    if (!status && others)
        status = try_row(trial, sync, CONSTANT, 0, found.twice[CRYSTALS].num, &found, error);
    if (!status && others && source->dates && source->dates(sync->trace))
        status = try_row(trial, sync, STEERED, CSY_NO_DRIFT, floor, &found, error);
    found.rate[RESOLUTION] = enough_ppb;
    found.known[RESOLUTION] = enough_ppb > 0;
    found.twice[RESOLUTION] = (csy_fraction){enough_ticks, 1};
    found.at_least[RESOLUTION] = is_matched_anew(sync, enough_ticks, enough_ppb);
    out->count = 0;
    out->untried = !found.known[CONSTANT];
    if (status)
        return status;
    if (!other)
        found.plausible = find_plausible(sync, &found);
    for (enum row row = ONE_RATE; row < ROWS && out->count < EXPLANATIONS_MOST; row++) {
        const csy_fraction *twice = found.twice;
        bool same = above < ROWS && is_below(twice[above], twice[row], SAME_PERCENT, 100);
        if (!found.known[row] || (same && row != found.plausible) ||
            (row == RESOLUTION && found.known[STEERED] &&
             is_below(twice[STEERED], twice[row], 1, 1)))
            continue;
        above = row;
        char *options = out->options[out->count];
        csy_fit *item = &out->items[out->count++];
        *item = (csy_fit){.drift_ppb = found.rate[row],
                          .wander_ppb = row == CONSTANT ? 0 : CSY_NO_DRIFT,
                          .plausible = row == found.plausible,
                          .at_least = found.at_least[row]};
        if (row == CONSTANT) {
            item->example_clock = found.example_clock;
            item->example_ppb = found.example_ppb;
        }
        fraction_make(found.twice[row].num, 2 * (int128)found.twice[row].den, &item->delta);
        char number[FRACTION_TEXT_MAX] = "";
        const char *drift = row == ONE_RATE                  ? "--drift=0"
                            : row == CONSTANT                ? "--drift=101,0"
                            : item->drift_ppb <= CRYSTAL_PPB ? "--drift=101"
                            : item->drift_ppb <= STEERED_PPB ? "--drift=1001"
                                                             : NULL;
        bool plain = item->at_least ||
                     is_below(item->delta, (csy_fraction){solution_least_twice(sync), 2}, 1, 1);
        if (!plain)
            put_delta(sync, item->delta, number, sizeof number);
        snprintf(options, OPTIONS_TEXT_MAX, "%s%s%s", drift ? drift : "",
                 plain || !drift ? "" : " --delta=", drift ? number : "");
    }
    return CSY_OK;
}
