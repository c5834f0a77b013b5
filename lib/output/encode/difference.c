/* Differences between the readings of a clock and of the reference's clock at the same moment. */
#include "output/encode/difference.h"

#include "base/error.h"
#include "output/encode/text.h"
#include "sync/drift/drift.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

int128 difference_delta(const struct csy_sync *sync, size_t t)
{
    const csy_fraction delta = sync->imprecision.delta;
    bool longer = sync->drift && t != sync->reference;
    int128 tick = (int128)FINE_UNIT + (longer ? sync->drift->view.rate_ppb : 0);
    return delta.num > 0 ? ceil_div(delta.num * tick, delta.den) : 0;
}

/* An offset is the global time minus the clock's reading. Therefore, at one moment, the readings of
 * two clocks differ by the offset of the second clock minus the offset of the first. */
struct difference difference_of(const struct csy_sync *sync, size_t t, bool last)
{
    const csy_drift *drift = csy_sync_drift(sync);
    const csy_thread *view = &sync->views[t], *reference = &sync->views[sync->reference];
    struct difference out = {.has_estimate = sync->method == CSY_METHOD_BHH};
    if (drift) {
        const csy_drift_clock *clock = &drift->clocks[t];
        const csy_drift_moment *moment = last ? &clock->last : &clock->first;
        int128 base = fine_units(drift->clocks[sync->reference].first.offset);
        int128 off = difference_delta(sync, t);
        out.has_estimate = true;
        out.estimate = base - fine_units(moment->offset);
        const struct one_sided *sides = &sync->drift->one_sided[t];
        out.has_least = clock->bounded || sides->before;
        out.has_greatest = clock->bounded || sides->after;
        out.least =
            base - (clock->bounded ? fine_units(moment->latest) : sides->greatest[last]) - off;
        out.greatest =
            base - (clock->bounded ? fine_units(moment->earliest) : sides->least[last]) + off;
    } else if (out.has_estimate) {
        int64_t earliest, latest;
        solution_event_ends(sync, view, &earliest, &latest);
        out.estimate = ((int128)reference->offset_ticks - view->offset_ticks) * FINE_UNIT;
        out.has_least = latest != INT64_MAX;
        out.has_greatest = earliest != INT64_MIN;
        out.least = ((int128)reference->offset_ticks - latest) * FINE_UNIT;
        out.greatest = ((int128)reference->offset_ticks - earliest) * FINE_UNIT;
    }
    if (!out.has_least && !out.has_greatest)
        out.has_estimate = false; /* arbitrary, as no bound relates the clock to the reference */
    if (t == sync->reference && out.has_estimate)
        out = (struct difference){.has_estimate = true, .has_least = true, .has_greatest = true};
    return out;
}

/* --- Text ------------------------------------------------------------------------------------- */

/* Differences are in 10^-12 s, or in 10^-12 ticks if the length of a tick is unknown. */
enum { EXPONENT_OF_ONE = 12, DECIMALS_MOST = 9 };

int128 difference_in_time(const struct csy_sync *sync, int128 value, enum rounding rounding)
{
    const int128 fine = value * 1000;
    return sync->trace->timebase_assumed
               ? fine
               : divide_rounded(fine, (int128)sync->trace->timebase_hz, rounding);
}

static int128 magnitude(int128 value)
{
    return value < 0 ? -value : value;
}

struct form {
    const char *unit;
    unsigned exponent, decimals;
};

/* Choose the largest unit that makes `most` at least 1, and enough decimals to make the last one
 * worth at most width / 2. If `width` is 0, all decimals of `most` are printed. */
static struct form form_of(const struct csy_sync *sync, int128 most, int128 width)
{
    static const struct form units[] = {{"s", 12, 0}, {"ms", 9, 0}, {"us", 6, 0}, {"ns", 3, 0}};
    enum { UNITS = sizeof units / sizeof *units };
    struct form form = {"ticks", EXPONENT_OF_ONE, 0};
    if (!sync->trace->timebase_assumed)
        for (size_t i = UNITS; i-- > 0;)
            if (i + 1 == UNITS || most >= power_of_ten(units[i].exponent))
                form = units[i];
    unsigned limit = sync->trace->timebase_assumed   ? 0
                     : form.exponent < DECIMALS_MOST ? form.exponent
                                                     : DECIMALS_MOST;
    for (; form.decimals < limit; form.decimals++) {
        int128 last = power_of_ten(form.exponent - form.decimals);
        if (width > 0 ? 2 * last <= width : most % last == 0)
            break;
    }
    return form;
}

static const char *number_text(const struct form *form, int128 value, enum rounding rounding,
                               char text[QUOTIENT_TEXT_MAX])
{
    int128 units = divide_rounded(value, power_of_ten(form->exponent - form->decimals), rounding);
    if (form->decimals > 0)
        return decimal_text(units, form->decimals, text);
    *number_put(text, (int64_t)units) = '\0';
    return text;
}

/* Write an end of a range, such as "0.3 us behind". The ends are rounded outward. */
static void put_end(const struct form *form, int128 value, enum rounding rounding, char *text,
                    size_t size)
{
    char number[QUOTIENT_TEXT_MAX];
    enum rounding back = rounding == DOWN ? UP : DOWN;
    snprintf(text, size, "%s %s %s",
             number_text(form, magnitude(value), value < 0 ? back : rounding, number), form->unit,
             value < 0 ? "behind" : "ahead");
}

enum { RANGE_BYTES = 200, READING_BYTES = 2 * RANGE_BYTES + ERROR_ESCAPED_MAX };

static void put_name(const struct csy_sync *sync, size_t t, bool raw, char text[ERROR_ESCAPED_MAX])
{
    const char *name = sync->views[t].name;
    if (raw)
        snprintf(text, ERROR_ESCAPED_MAX, "%s", name);
    else
        error_escape(text, name, strlen(name));
}

/* Write "reads 51.006 ms ahead of A (51.004 to 51.008)". */
static void put_reading(const struct csy_sync *sync, const struct difference *difference, bool raw,
                        char text[READING_BYTES])
{
    struct difference fine = *difference;
    char name[ERROR_ESCAPED_MAX], number[QUOTIENT_TEXT_MAX], range[RANGE_BYTES];
    fine.estimate = fine.has_estimate ? difference_in_time(sync, fine.estimate, NEAREST) : 0;
    fine.least = fine.has_least ? difference_in_time(sync, fine.least, DOWN) : 0;
    fine.greatest = fine.has_greatest ? difference_in_time(sync, fine.greatest, UP) : 0;
    bool both = fine.has_least && fine.has_greatest;
    int128 most = magnitude(fine.estimate), width = both ? fine.greatest - fine.least : 0;
    if (both)
        most = magnitude(fine.least) > most ? magnitude(fine.least) : most;
    if (both)
        most = magnitude(fine.greatest) > most ? magnitude(fine.greatest) : most;
    int128 limit = fine.has_least ? fine.least : fine.greatest;
    if (!both) { /* if only the least or only the greatest value is known, print about six digits */
        most = magnitude(limit);
        width = most / 100000;
    }
    const struct form form = form_of(sync, most, width);
    put_name(sync, sync->reference, raw, name);
    if (!fine.has_estimate) {
        snprintf(text, READING_BYTES,
                 "cannot be compared with %s: no events connect the two clocks", name);
        return;
    }
    char least[QUOTIENT_TEXT_MAX], greatest[QUOTIENT_TEXT_MAX];
    bool ahead = fine.least >= 0;
    put_end(&form, fine.least, DOWN, least, sizeof least);
    put_end(&form, fine.greatest, UP, greatest, sizeof greatest);
    if (!both) {
        bool is_least = fine.has_least ? ahead : fine.greatest < 0;
        snprintf(text, READING_BYTES, "reads at %s %s%s %s", is_least ? "least" : "most",
                 fine.has_least ? least : greatest, limit < 0 ? "" : " of", name);
        return;
    }
    if (!ahead && fine.greatest > 0)
        snprintf(range, RANGE_BYTES, "%s to %s", least, greatest);
    else
        snprintf(range, RANGE_BYTES, "%s to %s",
                 number_text(&form, ahead ? fine.least : -fine.greatest, DOWN, least),
                 number_text(&form, ahead ? fine.greatest : -fine.least, UP, greatest));
    snprintf(text, READING_BYTES, "reads %s %s %s %s (%s)",
             number_text(&form, magnitude(fine.estimate), NEAREST, number), form.unit,
             fine.estimate < 0 ? "behind" : "ahead of", name, range);
}

enum { LISTED_MAX = 16 };

bool difference_next(const struct csy_sync *sync, bool raw, size_t *next,
                     char text[DIFFERENCE_TEXT_MAX])
{
    size_t n = sync->survey.threads.count, listed = *next - (*next > sync->reference);
    char name[ERROR_ESCAPED_MAX], reading[READING_BYTES];
    if (text_of_cell(sync) || sync->method != CSY_METHOD_BHH)
        return false;
    size_t t = *next + (*next == sync->reference);
    if (t >= n) {
        size_t i = *next < n ? 0 : *next - n;
        while (i < sync->ndelays && i < LISTED_MAX && sync->delays[i].greatest >= DELAY_NONE / 2)
            i++;
        if (i >= sync->ndelays)
            return false;
        *next = n + (i == LISTED_MAX ? sync->ndelays : i + 1);
        if (i == LISTED_MAX) {
            snprintf(text, DIFFERENCE_TEXT_MAX,
                     "and %zu more directions, which the JSON report has", sync->ndelays - i);
            return true;
        }
        const struct delay *delay = &sync->delays[i];
        char to[ERROR_ESCAPED_MAX], numbers[2][QUOTIENT_TEXT_MAX];
        int128 least = difference_in_time(sync, delay->least, DOWN);
        int128 greatest = difference_in_time(sync, delay->greatest, UP);
        const struct form form = form_of(sync, greatest, ceil_div(greatest - least, 10));
        put_name(sync, delay->from, raw, name);
        put_name(sync, delay->to, raw, to);
        snprintf(text, DIFFERENCE_TEXT_MAX,
                 "the fastest of %" PRIu64 " message%s from %s to %s took at least %s and at most "
                 "%s %s",
                 delay->messages, text_plural(delay->messages), name, to,
                 number_text(&form, least, DOWN, numbers[0]),
                 number_text(&form, greatest, UP, numbers[1]), form.unit);
        return true;
    }
    if (listed == LISTED_MAX) {
        snprintf(text, DIFFERENCE_TEXT_MAX, "and %zu more clocks, which are in the JSON report",
                 n - 1 - listed);
        *next = n;
        return true;
    }
    struct difference difference = difference_of(sync, t, false);
    put_reading(sync, &difference, raw, reading);
    put_name(sync, t, raw, name);
    int size = snprintf(text, DIFFERENCE_TEXT_MAX, "clock %s %s", name, reading);
    if (sync->drift && difference.has_estimate) {
        /* if threads share a clock, the first record "in the file" may not be the earliest one */
        const struct thread *thread = &sync->survey.threads.items[t];
        bool mixed = sync->views[t].nmembers > 1 || thread->last_ticks < thread->first_ticks;
        difference = difference_of(sync, t, true);
        put_reading(sync, &difference, raw, reading);
        snprintf(text + size, DIFFERENCE_TEXT_MAX - (size_t)size,
                 " at its first record%s\n  and %s at its last", mixed ? " in the file" : "",
                 reading);
    }
    *next = t + 1;
    return true;
}
