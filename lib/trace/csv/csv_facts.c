/* See csv_facts.h. */
#include "trace/csv/csv_facts.h"

#include "base/array.h"
#include "base/error.h"
#include "base/number.h"

#include <string.h>

/* Find the next value of a key after *at, and move *at to its end. A NUL separates words, too. */
static bool next_value(const char **at, const char *end, const char *key, struct csv_field *value)
{
    size_t n = strlen(key);
    while (*at < end) {
        const char *start = *at;
        while (*at < end && !strchr(" \t\r\n", **at))
            ++*at;
        size_t size = (size_t)(*at - start);
        if (size > n && memcmp(start, key, n) == 0 && start[n] == '=') {
            *value = (struct csv_field){start + n + 1, size - n - 1, false};
            return true;
        }
        *at += *at < end;
    }
    return false;
}

bool csv_fact_find(struct csv_facts facts, const char *key, char *text)
{
    const char *at = facts.line;
    struct csv_field value;
    if (!next_value(&at, at + facts.size, key, &value))
        return false;
    memcpy(text, value.at, value.size);
    text[value.size] = 0;
    return true;
}

static int hex_digit(char c)
{
    return c >= '0' && c <= '9' ? c - '0' : c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

bool csv_fact_unescape(char *text)
{
    char *to = text;
    for (; *text; text++) {
        if (*text != '%') {
            *to++ = *text;
            continue;
        }
        int high = hex_digit(text[1]), low = high < 0 ? -1 : hex_digit(text[2]);
        if (low < 0 || (high == 0 && low == 0))
            return false;
        *to++ = (char)(16 * high + low);
        text += 2;
    }
    *to = 0;
    return true;
}

static csy_status refuse(const char *file, const char *key, const char *what, csy_error *error)
{
    return error_set(error, CSY_INPUT, "%s: the line # cellsync: %s is %s", file, key, what);
}

/* Decode the value of a key into *said. *found is false if there is no value. */
static csy_status take(struct csv_facts facts, const char *file, const char *key,
                       struct csv_text *said, bool *found, csy_error *error)
{
    const char *at = facts.line, *end = at + facts.size;
    struct csv_field value, second;
    *found = next_value(&at, end, key, &value);
    if (!*found)
        return CSY_OK;
    if (next_value(&at, end, key, &second))
        return refuse(file, key, "given twice", error);
    if (!ARRAY_RESERVE(said->bytes, said->capacity, value.size + 1))
        return error_memory(error);
    bool good = value.size > 0;
    for (size_t i = 0; i < value.size; i++)
        good = good && (unsigned char)value.at[i] > ' ' && value.at[i] != 0x7f;
    memcpy(said->bytes, value.at, value.size);
    said->bytes[value.size] = 0;
    return good && csv_fact_unescape(said->bytes) ? CSY_OK : refuse(file, key, "malformed", error);
}

static csy_status take_bits(struct csv_facts facts, const char *file, unsigned *bits,
                            struct csv_text *said, csy_error *error)
{
    uint64_t number;
    bool found;
    csy_status status = take(facts, file, "counter_bits", said, &found, error);
    if (status || !found)
        return status;
    if (!number_parse(said->bytes, &number) || number < CSV_COUNTER_BITS_MIN ||
        number > CSV_COUNTER_BITS_MAX)
        return refuse(file, "counter_bits", "malformed", error);
    *bits = (unsigned)number;
    return CSY_OK;
}

csy_status csv_facts_ask(struct csv_facts facts, const char *file, struct csv_asked *asked,
                         struct csv_text *said, csy_error *error)
{
    static const enum csv_unit units[] = {CSV_TICKS, CSV_S, CSV_MS, CSV_US, CSV_NS};
    bool found = false;
    csy_status status = CSY_OK;
    asked->recorded = false;
    if (facts.size == 0)
        return CSY_OK;
    if (asked->unit == CSV_AUTO)
        status = take(facts, file, "time_unit", said, &found, error);
    for (size_t i = 0; !status && found && i < sizeof units / sizeof *units; i++)
        if (strcmp(said->bytes, csv_unit_word(units[i])) == 0)
            asked->unit = units[i];
    if (!status && found && asked->unit == CSV_AUTO)
        status = refuse(file, "time_unit", "unknown: expected one of ticks, s, ms, us, ns", error);
    if (!status && asked->counter_bits == 0)
        status = take_bits(facts, file, &asked->counter_bits, said, error);
    if (!status && !asked->columns)
        status = take(facts, file, "columns", said, &asked->recorded, error);
    if (!status && asked->recorded)
        asked->columns = said->bytes;
    return status;
}

csy_status csv_facts_epoch(struct csv_facts facts, const char *file, struct csv_text *said,
                           bool *has_epoch, int64_t *epoch_ticks, csy_error *error)
{
    uint64_t size;
    *has_epoch = false;
    *epoch_ticks = 0;
    if (facts.size == 0)
        return CSY_OK;
    csy_status status = take(facts, file, "epoch", said, has_epoch, error);
    if (status || !*has_epoch)
        return status;
    bool negative = *said->bytes == '-';
    if (!number_parse(said->bytes + negative, &size) || size > INT64_MAX)
        return refuse(file, "epoch", "malformed", error);
    *epoch_ticks = negative ? -(int64_t)size : (int64_t)size;
    return CSY_OK;
}

csy_status csv_facts_next_step(struct csv_facts facts, const char *file, const char **at,
                               char *text, bool *more, csy_error *error)
{
    struct csv_field value;
    *more = facts.size > 0 && next_value(at, facts.line + facts.size, "step", &value);
    if (!*more)
        return CSY_OK;
    memcpy(text, value.at, value.size);
    text[value.size] = 0;
    return csv_fact_unescape(text) ? CSY_OK : refuse(file, "step", "malformed", error);
}
