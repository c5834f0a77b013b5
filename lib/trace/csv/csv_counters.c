/* The counters of clocks in a CSV. A counter may have its own rate, and may have few bits:
 *
 *   # clock NAME timebase_hz=19200000 wrap_bits=24
 *
 * The timebase of the trace is the least common multiple of all timebases, so a tick of a counter
 * is a whole number of ticks of the trace. A counter of N bits restarts (wraps) every 2^N ticks.
 * The number of wraps follows from the previous row of the same clock: a row is at most 1/4 of 2^N
 * ticks earlier, and less than 3/4 later. See cellsync-csv(5), CSV traces. */
#include "trace/csv/csv.h"

#include "base/array.h"
#include "base/ascii.h"
#include "base/error.h"
#include "base/keys.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

void csv_counters_fini(struct csv_counters *counters)
{
    free(counters->items);
    texts_fini(&counters->clocks);
    texts_fini(&counters->locations);
    if (counters->met)
        keys_fini(counters->met);
    free(counters->met);
    *counters = (struct csv_counters){0};
}

/* --- Lines that describe clocks ------------------------------------------------------------ */

static csy_status find(struct csv_counters *counters, const char *name, size_t size,
                       struct csv_counter **out, csy_error *error)
{
    uint32_t number;
    if (!texts_find(&counters->clocks, name, size, &number, NULL) ||
        !ARRAY_EXTEND(counters->items, counters->count, counters->capacity, (size_t)number + 1,
                      (struct csv_counter){.location = NO_TEXT}))
        return error_memory(error);
    *out = &counters->items[number];
    return CSY_OK;
}

/* Read a name that ends at a blank, or is in quotes with inner quotes doubled. Returns the end of
 * the name, or NULL if it is malformed. The caller frees *name. */
static const char *read_name(const char *at, const char *end, char **name, size_t *size)
{
    bool quoted = at < end && *at == '"';
    *size = 0;
    *name = malloc((size_t)(end - at) + 1);
    if (!*name)
        return NULL;
    for (at += quoted; at < end && (quoted || !ascii_is_blank(*at)); at++) {
        if (*at == '"' && quoted && (at + 1 == end || at[1] != '"'))
            return at + 1 == end || ascii_is_blank(at[1]) ? at + 1 : NULL;
        if (*at == '"' && (!quoted || ++at == end))
            return NULL;
        (*name)[(*size)++] = *at;
    }
    return quoted ? NULL : at;
}

static bool has_key(const char *word, const char *end, const char *key, struct csv_field *value)
{
    size_t n = strlen(key), size = (size_t)(end - word);
    if (size <= n || memcmp(word, key, n) != 0 || word[n] != '=')
        return false;
    *value = (struct csv_field){word + n + 1, size - n - 1, false};
    return true;
}

_Static_assert(CSV_COUNTER_BITS_MIN == 4 && CSV_COUNTER_BITS_MAX == 62, "as in the message");

static csy_status read_word(const struct csv_counters *counters, uint64_t line,
                            struct csv_counter *counter, const char *word, const char *end,
                            csy_error *error)
{
    char escaped[ERROR_ESCAPED_MAX];
    struct csv_field value;
    uint64_t number = 0;
    bool hz = has_key(word, end, "timebase_hz", &value);
    uint64_t least = hz ? 1 : CSV_COUNTER_BITS_MIN, most = hz ? UINT64_MAX : CSV_COUNTER_BITS_MAX;
    const char *called = hz ? "timebase_hz" : "wrap_bits";
    if (!hz && !has_key(word, end, "wrap_bits", &value))
        return csv_refuse(
            counters->file, line, error,
            "unknown property \"%s\" of a clock: expected timebase_hz=HZ, wrap_bits=N, or both",
            error_escape(escaped, word, (size_t)(end - word)));
    if (!csv_field_number(value, &number) || number < least || number > most) {
        return csv_refuse(counters->file, line, error, "%s \"%s\": expected a whole number %s",
                          called, error_escape(escaped, value.at, value.size),
                          hz ? "above 0" : "from 4 to 62");
    }
    if (hz ? counter->timebase_hz > 0 : counter->bits > 0)
        return csv_refuse(counters->file, line, error, "%s is given twice", called);
    if (hz)
        counter->timebase_hz = number;
    else
        counter->bits = (unsigned)number;
    return CSY_OK;
}

csy_status csv_counters_read_line(struct csv_counters *counters, uint64_t line, const char *text,
                                  size_t size, bool *is_clock, csy_error *error)
{
    const char *at = text, *end = text + size;
    char *name = NULL, escaped[ERROR_ESCAPED_MAX];
    size_t name_size;
    struct csv_counter *counter = NULL;
    struct csv_field value;
    *is_clock = false;
    for (const char *word = text + 1; size > 0 && ascii_is_blank(*text) && word < end; word++)
        *is_clock |= ascii_is_blank(word[-1]) && (has_key(word, end, "timebase_hz", &value) ||
                                                  has_key(word, end, "wrap_bits", &value));
    if (!*is_clock)
        return CSY_OK;
    while (at < end && ascii_is_blank(*at))
        at++;
    at = read_name(at, end, &name, &name_size);
    csy_status status = !name ? error_memory(error) : CSY_OK;
    if (!status && (!at || name_size == 0 || memchr(name, 0, name_size)))
        status = csv_refuse(
            counters->file, line, error,
            "expected the name of a clock after # clock, in quotes if it contains blanks");
    if (!status)
        status = find(counters, name, name_size, &counter, error);
    if (!status && counter->line > 0)
        status =
            csv_refuse(counters->file, line, error,
                       "clock \"%s\" is described a second time; the first is in line %" PRIu64,
                       error_escape(escaped, name, name_size), counter->line);
    free(name);
    if (!status)
        counter->line = line;
    while (!status) {
        while (at < end && ascii_is_blank(*at))
            at++;
        const char *word = at;
        while (at < end && !ascii_is_blank(*at))
            at++;
        if (at == word)
            break;
        status = read_word(counters, line, counter, word, at, error);
    }
    if (!status && counter->timebase_hz == 0 && counter->bits == 0)
        status = csv_refuse(counters->file, line, error,
                            "expected timebase_hz=HZ, wrap_bits=N, or both after the name of the "
                            "clock");
    return status;
}

/* --- Timebases ----------------------------------------------------------------------------- */

/* Set *hz to the least common multiple of both. Returns false if it exceeds 64 bits. */
static bool include(uint64_t *hz, uint64_t more)
{
    uint64_t a = *hz, b = more;
    while (b > 0) {
        uint64_t rest = a % b;
        a = b;
        b = rest;
    }
    return !__builtin_mul_overflow(*hz, more / a, hz);
}

static uint64_t units_a_second(enum csv_unit unit)
{
    return unit == CSV_S    ? 1
           : unit == CSV_MS ? 1000
           : unit == CSV_US ? 1000000
           : unit == CSV_NS ? 1000000000
                            : 0;
}

int64_t csv_counters_unit(const struct csv_counters *counters)
{
    uint64_t units = units_a_second(counters->unit), hz = counters->common_hz;
    if (csv_unit_is_ticks(counters->unit))
        return counters->factor;
    return units == 0 || hz % units > 0 || hz / units > INT64_MAX ? 0 : (int64_t)(hz / units);
}

/* Compute factor and wrap_ticks. If counter->line is 0, the number of bits is from an option. */
static csy_status set_factor(const struct csv_counters *counters, struct csv_counter *counter,
                             csy_error *error)
{
    char place[40] = "";
    uint64_t hz = counter->timebase_hz > 0 ? counter->timebase_hz : counters->own_hz;
    if (counters->common_hz / hz > INT64_MAX)
        return error_set(error, CSY_INPUT,
                         "%s: %" PRIu64 " Hz and %" PRIu64 " Hz are too far apart", counters->file,
                         counters->common_hz, hz);
    counter->factor = csv_unit_is_ticks(counters->unit) ? (int64_t)(counters->common_hz / hz) : 1;
    if (counter->bits == 0)
        return CSY_OK;
    if (counter->line > 0)
        snprintf(place, sizeof place, "line %" PRIu64 ": ", counter->line);
    const csy_status wrong = counter->line > 0 ? CSY_INPUT : CSY_USAGE;
    if (counters->unit == CSV_STAMPS)
        return error_set(error, wrong, "%s: %sthe times are dates, which do not wrap; remove %s",
                         counters->file, place, counter->line > 0 ? "wrap_bits" : "--counter-bits");
    uint64_t units = units_a_second(counters->unit);
    int128 ticks = (int128)1 << counter->bits;
    ticks *= units > 0 ? (int128)counters->common_hz : counter->factor; /* fits: below 2^126 */
    if (units > 0 && ticks % units > 0)
        return error_set(error, wrong,
                         "%s: %s2^%u %s is not a whole number of ticks of %" PRIu64 " Hz",
                         counters->file, place, counter->bits, csv_unit_word(counters->unit),
                         counters->common_hz);
    ticks /= units > 0 ? units : 1;
    if (ticks > INT64_MAX / 2)
        return error_set(error, wrong, "%s: %sa wrap of %u bits takes 2^62 ticks or more",
                         counters->file, place, counter->bits);
    counter->wrap_ticks = (int64_t)ticks;
    return CSY_OK;
}

csy_status csv_counters_begin(struct csv_counters *counters, enum csv_unit unit, unsigned bits,
                              uint64_t timebase_hz, bool stated, csy_error *error)
{
    counters->own_hz = counters->hz = counters->common_hz = timebase_hz;
    counters->factor = 1;
    counters->unit = unit;
    counters->bits = bits;
    counters->active = counters->count > 0 || counters->bits > 0;
    counters->wraps = counters->bits > 0;
    csy_status status = CSY_OK;
    for (size_t i = 0; i < counters->count && !status; i++) {
        struct csv_counter *counter = &counters->items[i];
        counter->bits = counter->bits > 0 ? counter->bits : counters->bits;
        counters->wraps |= counter->bits > 0;
        if (counter->timebase_hz == 0)
            continue;
        if (!csv_unit_is_ticks(counters->unit))
            status = csv_refuse(counters->file, counter->line, error,
                                "timebase_hz of a clock requires times in ticks, but the times of "
                                "this file have a unit");
        else if (!stated)
            status = csv_refuse(counters->file, counter->line, error,
                                "timebase_hz of a clock also requires a timebase of the trace: "
                                "add a line # timebase_hz=HZ");
        else if (!include(&counters->common_hz, counter->timebase_hz))
            status = csv_refuse(counters->file, counter->line, error,
                                "the least common multiple of the timebases does not fit 64 bits");
        counters->scaled |= counter->timebase_hz != counters->own_hz;
        counters->hz = counter->timebase_hz < counters->hz ? counter->timebase_hz : counters->hz;
    }
    struct csv_counter others = {.bits = counters->bits};
    if (!status && counters->active)
        status = set_factor(counters, &others, error);
    counters->factor = others.factor > 0 ? others.factor : 1;
    for (size_t i = 0; i < counters->count && !status; i++)
        status = set_factor(counters, &counters->items[i], error);
    return status;
}

/* --- Times --------------------------------------------------------------------------------- */

static const char beyond[] = "the time does not fit 64 bits in ticks of the common timebase";

/* Convert a counter's reading to ticks. Returns CSY_INPUT if the reading has too many bits. */
static csy_status scale(const struct csv_counters *counters, const struct csv_counter *counter,
                        const struct csv_spot *spot, int64_t *ticks, csy_error *error)
{
    char text[96];
    if (__builtin_mul_overflow(*ticks, counter->factor, ticks))
        return csv_refuse_field(counters->file, spot, beyond, error);
    if (counter->wrap_ticks == 0 || (*ticks >= 0 && *ticks < counter->wrap_ticks))
        return CSY_OK;
    snprintf(text, sizeof text, "a counter of %u bits has values from 0 to 2^%u - 1", counter->bits,
             counter->bits);
    return csv_refuse_field(counters->file, spot, text, error);
}

/* Returns the ticks from the time `from` to the counter's reading `shown`. The counter may have
 * wrapped, or the time may be slightly earlier. So return a value from -1/4 to 3/4 of a wrap. */
static int64_t continue_by(const struct csv_counter *counter, int64_t shown, int128 from)
{
    int128 wrap = counter->wrap_ticks, by = ((int128)shown - from) % wrap;
    by += by < 0 ? wrap : 0;
    return (int64_t)(by >= wrap - wrap / 4 ? by - wrap : by);
}

csy_status csv_counters_take(struct csv_counters *counters, const char *clock, size_t size,
                             const struct csv_spot *spot, struct csv_shown *shown, int64_t *ticks,
                             csy_error *error)
{
    struct csv_counter *counter;
    size_t before = counters->count;
    *shown = (struct csv_shown){NULL, *ticks, *ticks};
    if (!counters->active)
        return CSY_OK;
    csy_status status = find(counters, clock, size, &counter, error);
    if (!status && counters->count > before) {
        counter->bits = counters->bits;
        status = set_factor(counters, counter, error);
    }
    if (!status)
        status = scale(counters, counter, spot, ticks, error);
    if (status)
        return status;
    shown->counter = counter;
    shown->shown_ticks = *ticks;
    if (counter->wrap_ticks > 0 && counter->rows > 0 &&
        __builtin_add_overflow(counter->last_ticks,
                               continue_by(counter, *ticks, counter->last_ticks), ticks))
        return csv_refuse_field(counters->file, spot,
                                "the counter wrapped so often that the time does not fit 64 bits",
                                error);
    counter->rows++;
    counter->last_ticks = shown->time_ticks = *ticks;
    return CSY_OK;
}

csy_status csv_counters_begin_of(const struct csv_counters *counters, const struct csv_shown *shown,
                                 const struct csv_spot *spot, int64_t *ticks, csy_error *error)
{
    const struct csv_counter *counter = shown->counter;
    csy_status status = counter ? scale(counters, counter, spot, ticks, error) : CSY_OK;
    if (status || !counter || counter->wrap_ticks == 0)
        return status;
    int64_t by = continue_by(counter, shown->shown_ticks, *ticks);
    if (by < 0)
        return csv_refuse_field(
            counters->file, spot,
            "the begin is after the time of the row, or 3/4 of a wrap or more before it", error);
    return __builtin_sub_overflow(shown->time_ticks, by, ticks)
               ? csv_refuse_field(counters->file, spot, beyond, error)
               : CSY_OK;
}

csy_status csv_counters_since(const struct csv_counters *counters, const struct csv_shown *shown,
                              const struct csv_spot *spot, int64_t *ticks, csy_error *error)
{
    const struct csv_counter *counter = shown->counter;
    csy_status status = counter ? scale(counters, counter, spot, ticks, error) : CSY_OK;
    if (status)
        return status;
    if (counter && counter->wrap_ticks > 0)
        *ticks = continue_by(counter, *ticks, shown->shown_ticks);
    else if (__builtin_sub_overflow(*ticks, shown->time_ticks, ticks))
        return csv_refuse_field(counters->file, spot,
                                "this time is 2^63 ticks or more from the time of the row", error);
    return CSY_OK;
}

csy_status csv_counters_other(const struct csv_counters *counters, const char *clock, size_t size,
                              const struct csv_spot *spot, int64_t *ticks, csy_error *error)
{
    struct csv_counter counter = {.factor = counters->factor, .bits = counters->bits};
    uint32_t number;
    if (texts_look(&counters->clocks, clock, size, &number))
        counter = counters->items[number];
    if (counter.bits > 0)
        return csv_refuse_field(
            counters->file, spot,
            "the counter of the other clock wraps, and it is unknown how often it wrapped before",
            error);
    return scale(counters, &counter, spot, ticks, error);
}

csy_status csv_counters_length(const struct csv_counters *counters, const struct csv_shown *shown,
                               const struct csv_spot *spot, int64_t *ticks, csy_error *error)
{
    int64_t factor = shown && shown->counter ? shown->counter->factor : counters->factor;
    return __builtin_mul_overflow(*ticks, factor, ticks)
               ? csv_refuse_field(counters->file, spot, beyond, error)
               : CSY_OK;
}

/* --- Locations ----------------------------------------------------------------------------- */

csy_status csv_counters_note(struct csv_counters *counters, const struct csv_shown *shown,
                             uint64_t line, const char *location, size_t size, csy_error *error)
{
    struct csv_counter *counter = shown->counter;
    uint32_t number, key;
    bool added;
    if (!counter || counter->wrap_ticks == 0)
        return CSY_OK;
    if (!texts_find(&counters->locations, location, size, &number, &added))
        return error_memory(error);
    if (counter->location == number)
        return CSY_OK;
    counter->location = number;
    counter->first_line = line;
    counter->runs++;
    uint64_t pair = keys_pair((uint32_t)(counter - counters->items), number);
    if (!counters->met && !(counters->met = calloc(1, sizeof *counters->met)))
        return error_memory(error);
    if (!keys_find(counters->met, pair, &key, &added))
        return error_memory(error);
    counter->nlocations += added;
    return CSY_OK;
}

csy_status csv_counters_finish(const struct csv_counters *counters, bool cut, csy_error *error)
{
    char escaped[ERROR_ESCAPED_MAX];
    for (size_t i = 0; i < counters->count; i++) {
        const struct csv_counter *counter = &counters->items[i];
        const csy_text name = texts_text(&counters->clocks, i);
        error_escape(escaped, name.bytes, name.size);
        if (counter->rows == 0 && !cut)
            return csv_refuse(counters->file, counter->line, error, "no row has the clock \"%s\"",
                              escaped);
        if (counter->nlocations > 1 && counter->runs == counter->nlocations)
            return csv_refuse(counters->file, counter->first_line, error,
                              "the rows of clock \"%s\" are sorted by location, so it is unknown "
                              "how often its counter wrapped before this row. Sort the rows by "
                              "time, or give each location its own clock",
                              escaped);
    }
    return CSY_OK;
}
