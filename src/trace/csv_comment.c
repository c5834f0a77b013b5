/* Comments of a CSV. */
#include "trace/csv.h"

#include "base/ascii.h"
#include "base/error.h"

#include <inttypes.h>
#include <string.h>

enum { KEY_MAX = 48 };

static size_t skip_blanks(const char *line, size_t size, size_t at)
{
    while (at < size && (line[at] == ' ' || line[at] == '\t'))
        at++;
    return at;
}

bool csv_comment_is_facts(const char *line, size_t size)
{
    static const char word[] = "cellsync";
    size_t at = skip_blanks(line, size, 1), n = sizeof word - 1;
    if (size - at <= n || memcmp(line + at, word, n) != 0 ||
        skip_blanks(line, size, at + n) == at + n)
        return false;
    for (at = skip_blanks(line, size, at + n); at < size && line[at] != ' '; at++)
        if (line[at] == '=')
            return true;
    return false;
}

/* Whether a key that is not known was to say how long a tick is. */
static bool is_about_ticks(const char *key)
{
    static const char *const words[] = {"time", "hz", "freq", "tick", "rate", "clock"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strcasestr(key, words[i]))
            return true;
    return false;
}

/* A comment that looks like a key: the first one is told, or one that may have been meant. */
static void note_key(struct csv_reader *reader, const char *key)
{
    bool near = is_about_ticks(key);
    if (*reader->warning && !(near && !strstr(reader->warning, "did you mean")))
        return;
    snprintf(reader->warning, sizeof reader->warning, "line %" PRIu64 ": # %s= is not known%s",
             reader->line, key, near ? "; did you mean timebase_hz?" : ", want timebase_hz");
}

csy_status csv_comment_read(struct csv_reader *reader, const char *line, size_t size,
                            csy_error *error)
{
    char key[KEY_MAX] = "", number[24], escaped[ERROR_ESCAPED_MAX];
    size_t start = skip_blanks(line, size, 1), at = start, used = 0;
    while (at < size && line[at] && (ascii_is_alnum(line[at]) || strchr("_-.", line[at])))
        at++;
    if (at == start || at - start >= sizeof key)
        return CSY_OK;
    memcpy(key, line + start, at - start);
    at = skip_blanks(line, size, at);
    if (at == size || line[at] != '=')
        return CSY_OK;
    if (strcmp(key, "timebase_hz") != 0) {
        note_key(reader, key);
        return CSY_OK;
    }
    at = skip_blanks(line, size, at + 1);
    struct csv_field value = csv_field_trim((struct csv_field){line + at, size - at, false});
    for (; used < value.size && used + 1 < sizeof number; used++)
        number[used] = value.at[used];
    number[used] = 0;
    if (used < value.size || !number_parse(number, &reader->timebase_hz) ||
        reader->timebase_hz == 0)
        return error_set(error, CSY_INPUT,
                         "%s: line %" PRIu64 ": timebase_hz \"%s\": want a whole number above 0",
                         reader->name, reader->line, error_escape(escaped, value.at, value.size));
    reader->timebase_assumed = false;
    return CSY_OK;
}

uint64_t csv_assumed(const struct csv_reader *reader)
{
    static const char key[] = " assumed=";
    const char *at = reader->preamble + reader->facts_at, *end = at + reader->facts_size;
    const size_t size = sizeof key - 1;
    char digits[32];
    for (; reader->facts_size > 0 && (size_t)(end - at) > size; at++) {
        if (memcmp(at, key, size) != 0)
            continue;
        size_t n = 0;
        for (at += size; at < end && *at >= '0' && *at <= '9' && n + 1 < sizeof digits; at++)
            digits[n++] = *at;
        digits[n] = 0;
        uint64_t assumed;
        return number_parse(digits, &assumed) ? assumed : 0;
    }
    return 0;
}
