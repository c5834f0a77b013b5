/* Comments of a CSV. */
#include "trace/csv/csv.h"

#include "base/ascii.h"
#include "base/error.h"

#include <inttypes.h>
#include <string.h>

static const char timebase[] = "timebase_hz", order[] = "order", block_after[] = "block_after",
                  sends[] = "sends";

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

bool csv_comment_is_warning(const char *line, size_t size)
{
    return size >= sizeof CSV_WARNING - 1 && memcmp(line, CSV_WARNING, sizeof CSV_WARNING - 1) == 0;
}

static bool is_word(const char *key, const char *word)
{
    return strlen(key) == strlen(word) && ascii_same(key, word, strlen(word));
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

/* A comment that may have been meant to be "# timebase_hz=N" or "# order=WORD". */
static void note_near(struct csv_comments *comments, uint64_t line, const char *what,
                      const char *more)
{
    if (comments->near < CSV_NEAR_MAX)
        snprintf(comments->near_texts[comments->near], CSV_WARNING_MAX, "line %" PRIu64 ": %s%s",
                 line, what, more);
    comments->near++;
}

/* A comment with a key that is not known. */
static void note_key(struct csv_comments *comments, uint64_t line, const char *key)
{
    char what[CSV_KEY_MAX + 32];
    const char *const words[] = {order, block_after, sends};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (is_word(key, words[i])) {
            char more[CSV_KEY_MAX + 32];
            snprintf(what, sizeof what, "# %s= is not known", key);
            snprintf(more, sizeof more, "; did you mean %s?", words[i]);
            note_near(comments, line, what, more);
            return;
        }
    if (is_about_ticks(key)) {
        snprintf(what, sizeof what, "# %s= is not known", key);
        note_near(comments, line, what, "; did you mean timebase_hz?");
        return;
    }
    if (comments->unknown++ == 0) {
        memcpy(comments->first_key, key, strlen(key) + 1);
        comments->first_line = line;
    }
    comments->last_line = line;
}

/* A number and nothing else, but that it may be one of Hz, kHz and so on. */
static bool is_rate(struct csv_field value)
{
    static const char *const units[] = {"", "hz", "khz", "mhz", "ghz"};
    size_t at = 0;
    while (at < value.size &&
           ((value.at[at] >= '0' && value.at[at] <= '9') || (at > 0 && strchr("._", value.at[at]))))
        at++;
    size_t unit = skip_blanks(value.at, value.size, at);
    for (size_t i = 0; at > 0 && i < sizeof units / sizeof *units; i++)
        if (value.size - unit == strlen(units[i]) &&
            ascii_same(value.at + unit, units[i], value.size - unit))
            return true;
    return false;
}

static bool is_order(struct csv_field value)
{
    return (value.size == 7 && ascii_same(value.at, "partial", 7)) ||
           (value.size == 6 && ascii_same(value.at, "buffer", 6));
}

/* A key that no = follows: a remark, unless it gives a rate, "timebase_hz: 1000" say. */
static void note_remark(struct csv_comments *comments, uint64_t line, const char *key, bool colon,
                        struct csv_field value)
{
    bool meant = is_word(key, timebase);
    char what[CSV_KEY_MAX + 32];
    if (is_word(key, order) && is_order(value)) {
        snprintf(what, sizeof what, "# %s%s has no =", key, colon ? ":" : "");
        note_near(comments, line, what, "; it means nothing, did you mean order=?");
    }
    if (!is_rate(value) || !(meant || (colon && is_about_ticks(key))))
        return;
    snprintf(what, sizeof what, "# %s%s has no =", key, colon ? ":" : "");
    note_near(comments, line, what,
              meant ? "; it means nothing, did you mean timebase_hz=?"
                    : "; did you mean timebase_hz=?");
}

static csy_status take_timebase(struct csv_reader *reader, struct csv_field value, csy_error *error)
{
    struct csv_comments *comments = &reader->comments;
    char number[24], escaped[ERROR_ESCAPED_MAX], more[64];
    uint64_t hz;
    size_t used = 0;
    for (; used < value.size && used + 1 < sizeof number; used++)
        number[used] = value.at[used];
    number[used] = 0;
    if (used < value.size || !number_parse(number, &hz) || hz == 0)
        return error_set(error, CSY_INPUT,
                         "%s: line %" PRIu64 ": timebase_hz \"%s\": want a whole number above 0",
                         reader->name, reader->line, error_escape(escaped, value.at, value.size));
    if (comments->timebase_line > 0 && hz != reader->timebase_hz)
        return error_set(error, CSY_INPUT,
                         "%s: line %" PRIu64 ": timebase_hz is %" PRIu64 ", but line %" PRIu64
                         " says %" PRIu64 ": want one",
                         reader->name, reader->line, hz, comments->timebase_line,
                         reader->timebase_hz);
    snprintf(more, sizeof more, ", as in line %" PRIu64, comments->timebase_line);
    if (comments->timebase_line > 0)
        note_near(comments, reader->line, "timebase_hz is given again", more);
    else
        comments->timebase_line = reader->line;
    reader->timebase_hz = hz;
    reader->timebase_assumed = false;
    return CSY_OK;
}

static csy_status take_order(struct csv_reader *reader, struct csv_field value, csy_error *error)
{
    struct csv_comments *comments = &reader->comments;
    char escaped[ERROR_ESCAPED_MAX];
    bool partial = value.size == 7 && memcmp(value.at, "partial", 7) == 0;
    if (!partial && !(value.size == 6 && memcmp(value.at, "buffer", 6) == 0))
        return error_set(error, CSY_INPUT,
                         "%s: line %" PRIu64 ": order \"%s\": want buffer or partial", reader->name,
                         reader->line, error_escape(escaped, value.at, value.size));
    if (comments->order_line > 0 && partial != comments->partial)
        return error_set(error, CSY_INPUT,
                         "%s: line %" PRIu64 ": order is %s, but line %" PRIu64
                         " says %s: want one",
                         reader->name, reader->line, partial ? "partial" : "buffer",
                         comments->order_line, partial ? "buffer" : "partial");
    if (comments->order_line == 0)
        comments->order_line = reader->line;
    comments->partial = partial;
    return CSY_OK;
}

static csy_status take_block_after(struct csv_reader *reader, struct csv_field value,
                                   csy_error *error)
{
    static const char *const words[] = {
        [BLOCK_AFTER_FLUSH] = "flush", [BLOCK_AFTER_BLOCK] = "block", [BLOCK_AFTER_NONE] = "none"};
    struct csv_comments *comments = &reader->comments;
    char escaped[ERROR_ESCAPED_MAX];
    size_t after = 0, nwords = sizeof words / sizeof *words;
    while (after < nwords &&
           (strlen(words[after]) != value.size || memcmp(words[after], value.at, value.size) != 0))
        after++;
    if (after == nwords)
        return error_set(error, CSY_INPUT,
                         "%s: line %" PRIu64 ": block_after \"%s\": want flush, block or none",
                         reader->name, reader->line, error_escape(escaped, value.at, value.size));
    if (comments->after_line > 0 && after != comments->block_after)
        return error_set(error, CSY_INPUT,
                         "%s: line %" PRIu64 ": block_after is %s, but line %" PRIu64
                         " says %s: want one",
                         reader->name, reader->line, words[after], comments->after_line,
                         words[comments->block_after]);
    if (comments->after_line == 0)
        comments->after_line = reader->line;
    comments->block_after = (enum block_after)after;
    return CSY_OK;
}

static csy_status take_sends(struct csv_reader *reader, struct csv_field value, csy_error *error)
{
    char escaped[ERROR_ESCAPED_MAX];
    if (value.size != 8 || memcmp(value.at, "complete", 8) != 0)
        return error_set(error, CSY_INPUT, "%s: line %" PRIu64 ": sends \"%s\": want complete",
                         reader->name, reader->line, error_escape(escaped, value.at, value.size));
    reader->comments.sends_complete = true;
    return CSY_OK;
}

csy_status csv_comment_read(struct csv_reader *reader, const char *line, size_t size,
                            csy_error *error)
{
    char key[CSV_KEY_MAX] = "";
    size_t start = skip_blanks(line, size, 1), at = start;
    while (at < size && line[at] && (ascii_is_alnum(line[at]) || strchr("_-.", line[at])))
        at++;
    if (at == start || at - start >= sizeof key)
        return CSY_OK;
    memcpy(key, line + start, at - start);
    at = skip_blanks(line, size, at);
    int sign = at < size ? line[at] : 0;
    at = skip_blanks(line, size, at + (sign == '=' || sign == ':'));
    struct csv_field value = csv_field_trim((struct csv_field){line + at, size - at, false});
    if (sign != '=')
        note_remark(&reader->comments, reader->line, key, sign == ':', value);
    else if (strcmp(key, order) == 0)
        return take_order(reader, value, error);
    else if (strcmp(key, block_after) == 0)
        return take_block_after(reader, value, error);
    else if (strcmp(key, sends) == 0)
        return take_sends(reader, value, error);
    else if (strcmp(key, timebase) != 0)
        note_key(&reader->comments, reader->line, key);
    else
        return take_timebase(reader, value, error);
    return CSY_OK;
}

size_t csv_comment_warnings(const struct csv_comments *comments,
                            char texts[CSV_WARNINGS_MAX][CSV_WARNING_MAX])
{
    size_t n = comments->near < CSV_NEAR_MAX ? (size_t)comments->near : CSV_NEAR_MAX;
    memcpy(texts, comments->near_texts, n * sizeof *texts);
    if (comments->near > n)
        snprintf(texts[n - 1] + strlen(texts[n - 1]), CSV_WARNING_MAX - strlen(texts[n - 1]),
                 " (and %" PRIu64 " more such lines)", comments->near - n);
    if (comments->unknown == 0)
        return n;
    int used = snprintf(texts[n], CSV_WARNING_MAX,
                        "line %" PRIu64
                        ": # %s= is not known, want timebase_hz, order, block_after or sends",
                        comments->first_line, comments->first_key);
    if (comments->unknown > 1)
        snprintf(texts[n] + used, CSV_WARNING_MAX - (size_t)used,
                 comments->unknown == 2 ? "; nor is %" PRIu64 " more key, in line %" PRIu64
                                        : "; nor are %" PRIu64 " more keys up to line %" PRIu64,
                 comments->unknown - 1, comments->last_line);
    return n + 1;
}

/* What follows a key, a blank before and an equals sign after it, in the line of facts; NULL: it is
 * not there. */
static const char *find_fact(const struct csv_reader *reader, const char *key, const char **end)
{
    *end = NULL;
    if (reader->facts_size == 0) /* there may be no preamble at all */
        return NULL;
    const char *at = reader->preamble + reader->facts_at;
    const size_t size = strlen(key);
    *end = at + reader->facts_size;
    for (; (size_t)(*end - at) > size; at++)
        if (memcmp(at, key, size) == 0)
            return at + size;
    return NULL;
}

uint64_t csv_assumed(const struct csv_reader *reader)
{
    const char *end, *at = find_fact(reader, " assumed=", &end);
    char digits[32];
    size_t n = 0;
    for (; at && at < end && *at >= '0' && *at <= '9' && n + 1 < sizeof digits; at++)
        digits[n++] = *at;
    digits[n] = 0;
    uint64_t assumed;
    return number_parse(digits, &assumed) ? assumed : 0;
}

bool csv_ticks_apart(const struct csv_reader *reader)
{
    const char *end, *at = find_fact(reader, " ticks_apart=", &end);
    return at && end - at >= 3 && memcmp(at, "yes", 3) == 0;
}
