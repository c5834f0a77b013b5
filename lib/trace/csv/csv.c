/* See csv.h. */
#include "trace/csv/csv.h"

#include "base/array.h"
#include "base/ascii.h"
#include "base/error.h"
#include "base/number.h"
#include "trace/steps.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* --- Comments ------------------------------------------------------------------------------ */

static const char timebase[] = "timebase_hz", same_within[] = "same_within";

static const struct {
    const char *key, *want, *words[4];
} word_keys[CSV_WORD_KEYS] = {
    [CSV_WORD_ORDER] = {"order",
                        "expected buffer, partial, or messages",
                        {"buffer", "partial", "messages"}},
    [CSV_WORD_BLOCK_AFTER] = {"block_after",
                              "expected flush, block, or none",
                              {[BLOCK_AFTER_FLUSH] = "flush",
                               [BLOCK_AFTER_BLOCK] = "block",
                               [BLOCK_AFTER_NONE] = "none"}},
    [CSV_WORD_SENDS] = {"sends", "expected complete", {"complete"}},
};

static size_t skip_blanks(const char *line, size_t size, size_t at)
{
    while (at < size && ascii_is_blank(line[at]))
        at++;
    return at;
}

/* Returns true for the line of facts, "# cellsync KEY=VALUE ...", which a synchronized CSV has. */
static bool csv_comment_is_facts(const char *line, size_t size)
{
    static const char word[] = "cellsync";
    size_t at = skip_blanks(line, size, 1), n = sizeof word - 1;
    if (size - at <= n || memcmp(line + at, word, n) != 0 || !ascii_is_blank(line[at + n]))
        return false;
    at = skip_blanks(line, size, at + n);
    while (at < size && line[at] != ' ' && line[at] != '=')
        at++;
    return at < size && line[at] == '=';
}

static bool is_key(const char *key, const char *word)
{
    return strlen(key) == strlen(word) && ascii_same(key, word, strlen(word));
}

/* Returns true if an unknown key may be a misspelled timebase_hz. */
static bool is_about_ticks(const char *key)
{
    static const char *const words[] = {"time", "hz", "freq", "tick", "rate", "clock"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strcasestr(key, words[i]))
            return true;
    return false;
}

/* Note a comment that may be a misspelled "# timebase_hz=N" or "# order=WORD", for a warning. */
static void note_near(struct csv_comments *comments, uint64_t line, const char *what)
{
    if (comments->near < CSV_NEAR_MAX)
        snprintf(comments->near_texts[comments->near], CSV_WARNING_MAX, "line %" PRIu64 ": %s",
                 line, what);
    comments->near++;
}

/* Note a comment like "# timebase_hz: 1000", without =, if its value is a number or an order. */
static void note_remark(struct csv_comments *comments, uint64_t line, const char *key, bool colon,
                        struct csv_field value)
{
    static const char *const units[] = {"", "hz", "khz", "mhz", "ghz"};
    const char *meant = NULL, *order = word_keys[CSV_WORD_ORDER].key;
    char what[CSV_KEY_MAX + 128];
    for (const char *const *word = word_keys[CSV_WORD_ORDER].words; *word; word++)
        if (is_key(key, order) && value.size == strlen(*word) &&
            ascii_same(value.at, *word, value.size))
            meant = order;
    size_t digits = 0;
    while (digits < value.size &&
           (ascii_is_digit(value.at[digits]) || (digits > 0 && strchr("._", value.at[digits]))))
        digits++;
    size_t at = skip_blanks(value.at, value.size, digits), size = value.size - at;
    bool keyed = is_key(key, timebase) || (colon && is_about_ticks(key));
    for (size_t i = 0; keyed && digits > 0 && i < sizeof units / sizeof *units; i++)
        if (size == strlen(units[i]) && ascii_same(value.at + at, units[i], size))
            meant = timebase;
    if (!meant)
        return;
    snprintf(what, sizeof what, "# %s%s is ignored, because it has no =; did you mean %s=?", key,
             colon ? ":" : "", meant);
    note_near(comments, line, what);
}

static csy_status take_timebase(struct csv_reader *reader, struct csv_field value, csy_error *error)
{
    struct csv_comments *comments = &reader->comments;
    char escaped[ERROR_ESCAPED_MAX], what[128];
    uint64_t hz;
    if (!csv_field_number(value, &hz) || hz == 0)
        return csv_refuse(reader->name, reader->line, error,
                          "timebase_hz \"%s\": expected a whole number above 0",
                          error_escape(escaped, value.at, value.size));
    if (comments->timebase_line > 0 && hz != reader->timebase_hz)
        return csv_refuse(reader->name, reader->line, error,
                          "# timebase_hz=%" PRIu64 " contradicts # timebase_hz=%" PRIu64
                          " in line %" PRIu64,
                          hz, reader->timebase_hz, comments->timebase_line);
    snprintf(what, sizeof what, "timebase_hz is given a second time; the first is in line %" PRIu64,
             comments->timebase_line);
    if (comments->timebase_line > 0)
        note_near(comments, reader->line, what);
    else
        comments->timebase_line = reader->line;
    reader->timebase_hz = hz;
    reader->timebase_assumed = false;
    return CSY_OK;
}

static csy_status take_word(struct csv_reader *reader, enum csv_word_key key,
                            struct csv_field value, csy_error *error)
{
    struct csv_comments *comments = &reader->comments;
    const char *called = word_keys[key].key, *const *words = word_keys[key].words;
    char escaped[ERROR_ESCAPED_MAX];
    unsigned word = 0;
    while (words[word] && !csv_field_is(&value, words[word]))
        word++;
    if (!words[word])
        return csv_refuse(reader->name, reader->line, error, "%s \"%s\": %s", called,
                          error_escape(escaped, value.at, value.size), word_keys[key].want);
    if (comments->word_lines[key] > 0 && word != comments->words[key])
        return csv_refuse(reader->name, reader->line, error,
                          "# %s=%s contradicts # %s=%s in line %" PRIu64, called, words[word],
                          called, words[comments->words[key]], comments->word_lines[key]);
    if (comments->word_lines[key] == 0)
        comments->word_lines[key] = reader->line;
    comments->words[key] = word;
    return CSY_OK;
}

/* Read a comment, such as "# timebase_hz=N", "# order=WORD", or "# clock NAME wrap_bits=N". Returns
 * CSY_INPUT if a key has two values. Unknown comments that may be mistakes are noted. */
static csy_status csv_comment_read(struct csv_reader *reader, const char *line, size_t size,
                                   csy_error *error)
{
    char key[CSV_KEY_MAX] = "";
    size_t start = skip_blanks(line, size, 1), at = start;
    bool is_clock = false;
    while (at < size && line[at] && (ascii_is_alnum(line[at]) || strchr("_-.", line[at])))
        at++;
    if (at == start || at - start >= sizeof key)
        return CSY_OK;
    memcpy(key, line + start, at - start);
    csy_status status = CSY_OK;
    if (strcmp(key, "clock") == 0)
        status = csv_counters_read_line(&reader->counters, reader->line, line + at, size - at,
                                        &is_clock, error);
    if (status || is_clock)
        return status;
    at = skip_blanks(line, size, at);
    int sign = at < size ? line[at] : 0;
    at = skip_blanks(line, size, at + (sign == '=' || sign == ':'));
    struct csv_field value = csv_field_trim((struct csv_field){line + at, size - at, false});
    if (sign != '=') {
        note_remark(&reader->comments, reader->line, key, sign == ':', value);
        return CSY_OK;
    }
    struct csv_comments *comments = &reader->comments;
    if (strcmp(key, timebase) == 0)
        return take_timebase(reader, value, error);
    if (strcmp(key, same_within) == 0) { /* the timebase is not known yet, so keep the text */
        if (comments->same_within_line > 0)
            return csv_refuse(reader->name, reader->line, error,
                              "same_within is given a second time; the first is in line %" PRIu64,
                              comments->same_within_line);
        size_t used = value.size < CSV_KEY_MAX ? value.size : CSV_KEY_MAX - 1;
        memcpy(comments->same_within, value.at, used);
        comments->same_within[used] = 0;
        comments->same_within_line = reader->line;
        return CSY_OK;
    }
    for (enum csv_word_key i = 0; i < CSV_WORD_KEYS; i++)
        if (strcmp(key, word_keys[i].key) == 0)
            return take_word(reader, i, value, error);
    const char *meant = is_about_ticks(key) ? timebase : NULL;
    for (size_t i = CSV_WORD_KEYS; i-- > 0;)
        meant = is_key(key, word_keys[i].key) ? word_keys[i].key : meant;
    if (meant) {
        char what[CSV_KEY_MAX + 128];
        snprintf(what, sizeof what, "unknown key # %s=; did you mean %s?", key, meant);
        note_near(comments, reader->line, what);
        return CSY_OK;
    }
    if (comments->unknown++ == 0) {
        memcpy(comments->first_key, key, strlen(key) + 1);
        comments->first_line = reader->line;
    }
    comments->last_line = reader->line;
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
    int used = snprintf(
        texts[n], CSV_WARNING_MAX,
        "line %" PRIu64
        ": unknown key # %s=, expected timebase_hz, order, block_after, sends, or same_within",
        comments->first_line, comments->first_key);
    if (comments->unknown > 1)
        snprintf(texts[n] + used, CSV_WARNING_MAX - (size_t)used,
                 comments->unknown == 2 ? "; %" PRIu64 " more key is unknown, in line %" PRIu64
                                        : "; %" PRIu64
                                          " more keys are unknown, up to line %" PRIu64,
                 comments->unknown - 1, comments->last_line);
    return n + 1;
}

/* --- Facts --------------------------------------------------------------------------------- */

/* Find the next word KEY=VALUE with this key after *at, and move *at to the end of the word. */
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

static csy_status refuse_facts(const struct csv_reader *reader, const char *key, const char *what,
                               csy_error *error)
{
    return error_set(error, CSY_INPUT, "%s: line # cellsync: %s is %s", reader->name, key, what);
}

/* Decode the value of a key in the line "# cellsync". *found is false if the line lacks the key. */
static csy_status take_fact(const struct csv_reader *reader, const char *key, struct csv_text *said,
                            bool *found, csy_error *error)
{
    const char *at = reader->preamble + reader->facts_at, *end = at + reader->facts_size;
    struct csv_field value, second;
    *found = next_value(&at, end, key, &value);
    if (!*found)
        return CSY_OK;
    if (next_value(&at, end, key, &second))
        return refuse_facts(reader, key, "given twice", error);
    if (!ARRAY_RESERVE(said->bytes, said->capacity, value.size + 1))
        return error_memory(error);
    bool good = value.size > 0;
    for (size_t i = 0; i < value.size; i++)
        good = good && (unsigned char)value.at[i] > ' ' && value.at[i] != 0x7f;
    memcpy(said->bytes, value.at, value.size);
    said->bytes[value.size] = 0;
    return good && csv_fact_unescape(said->bytes) ? CSY_OK
                                                  : refuse_facts(reader, key, "malformed", error);
}

/* From "# cellsync", get settings that the caller left open, and the date of global time 0. */
static csy_status read_facts(struct csv_reader *reader, csy_error *error)
{
    static const enum csv_unit units[] = {CSV_TICKS, CSV_S, CSV_MS, CSV_US, CSV_NS};
    struct csv_asked *asked = &reader->asked;
    struct csv_text *said = &reader->said, epoch = {NULL, 0};
    bool found = false;
    uint64_t number = 0;
    csy_status status = CSY_OK;
    asked->recorded = false;
    if (asked->unit == CSV_AUTO)
        status = take_fact(reader, "time_unit", said, &found, error);
    for (size_t i = 0; !status && found && i < sizeof units / sizeof *units; i++)
        if (strcmp(said->bytes, csv_unit_word(units[i])) == 0)
            asked->unit = units[i];
    if (!status && found && asked->unit == CSV_AUTO)
        status = refuse_facts(reader, "time_unit", "unknown: expected one of ticks, s, ms, us, ns",
                              error);
    found = false;
    if (!status && asked->counter_bits == 0)
        status = take_fact(reader, "counter_bits", said, &found, error);
    if (!status && found) {
        if (!number_parse(said->bytes, &number) || number < CSV_COUNTER_BITS_MIN ||
            number > CSV_COUNTER_BITS_MAX)
            return refuse_facts(reader, "counter_bits", "malformed", error);
        asked->counter_bits = (unsigned)number;
    }
    if (!status && !asked->columns)
        status = take_fact(reader, "columns", said, &asked->recorded, error);
    if (!status && asked->recorded)
        asked->columns = said->bytes;
    if (!status)
        status = take_fact(reader, "epoch", &epoch, &reader->has_epoch, error);
    if (!status && reader->has_epoch && epoch.bytes) {
        bool negative = *epoch.bytes == '-';
        if (number_parse(epoch.bytes + negative, &number) && number <= INT64_MAX)
            reader->epoch_ticks = negative ? -(int64_t)number : (int64_t)number;
        else
            status = refuse_facts(reader, "epoch", "malformed", error);
    }
    free(epoch.bytes);
    return status;
}

csy_status csv_reader_steps(const struct csv_reader *reader, struct clock_steps *steps,
                            csy_error *error)
{
    const char *at = reader->preamble + reader->facts_at, *end = at + reader->facts_size;
    struct csv_field value;
    csy_status status = CSY_OK;
    while (!status && next_value(&at, end, "step", &value)) {
        char *text = strndup(value.at, value.size);
        status = !text                      ? error_memory(error)
                 : !csv_fact_unescape(text) ? refuse_facts(reader, "step", "malformed", error)
                                            : clock_steps_parse(steps, text, reader->name, error);
        free(text);
    }
    return status;
}

bool csv_reader_fact(const struct csv_reader *reader, const char *key, struct csv_field *value)
{
    if (reader->facts_size == 0) /* without the line "# cellsync", preamble may be NULL */
        return false;
    const char *at = reader->preamble + reader->facts_at;
    return next_value(&at, at + reader->facts_size, key, value);
}

/* --- Rows ---------------------------------------------------------------------------------- */

#define DEFAULT_TIMEBASE_HZ 1000000000u

/* Returns the index of the newline that ends the row at `p`, or `have`. A newline between quotes
 * belongs to the row, except in a comment. *inside is true if the bytes end between quotes. */
static size_t row_end(const char *p, size_t have, bool comment, bool *inside)
{
    *inside = false;
    for (size_t at = 0; at < have;) {
        const char *newline = memchr(p + at, '\n', have - at), *quote = p + at;
        size_t stop = newline ? (size_t)(newline - p) : have;
        for (; !comment && (quote = memchr(quote, '"', (size_t)(p + stop - quote))); quote++)
            *inside = !*inside;
        if (!*inside || !newline)
            return stop;
        at = stop + 1;
    }
    return have;
}

/* Note that the file ends within a row. With --salvage, the trace ends before this row. */
static void note_cut(struct csv_reader *reader, struct csv_row *row)
{
    csy_error why;
    error_set(&why, CSY_INPUT,
              "%.512s: line %" PRIu64
              ": the last row has no newline at its end, so it may be cut off",
              reader->name, reader->line);
    reader->is_cut = true;
    reader->cut.place = reader->line;
    memcpy(reader->cut.text, why.text, sizeof why.text);
    if (reader->salvage)
        row->size = 0;
}

/* Get the next line, as a row without fields, but do not move past it. `size` and `end_size` are 0
 * at the end of the file. A # begins a comment only before the header. */
static csy_status peek_line(struct csv_reader *reader, struct csv_row *out, csy_error *error)
{
    const uint8_t *p;
    size_t have, seen = 0, end;
    bool inside;
    *out = (struct csv_row){.line = reader->line};
    for (;;) {
        csy_status status = bytes_peek(reader->bytes, seen + 1, &p, &have, error);
        if (status)
            return status;
        bool comment = reader->ncolumns == 0 && have > 0 && p[0] == '#';
        end = row_end((const char *)p, have, comment, &inside);
        if (end < have || have == seen)
            break;
        if (have > CSV_ROW_BYTES_MAX && p[have - 1] == 0) {
            /* The row is too long and ends with zeros. After a power cut, the rest of a file may be
             * zero. Such a file counts as cut off within this row. */
            bool zero;
            bytes_skip(reader->bytes, have);
            status = bytes_are_zero(reader->bytes, &zero, error);
            if (!status && zero && reader->salvage)
                note_cut(reader, out);
            if (status || reader->is_cut)
                return status;
        }
        if (have > CSV_ROW_BYTES_MAX)
            return csv_refuse(reader->name, reader->line, error, "the row is longer than 1 MiB");
        seen = have;
    }
    out->bytes = (const char *)p;
    out->size = end;
    out->end_size = end < have ? 1 : 0;
    if (out->end_size == 0 && bytes_cut(reader->bytes)) {
        reader->is_cut = true;
        reader->cut.place = reader->line;
        memcpy(reader->cut.text, bytes_cut(reader->bytes)->text, sizeof reader->cut.text);
        out->size = 0;
        return reader->salvage ? CSY_OK : error_set(error, CSY_INPUT, "%s", reader->cut.text);
    }
    if (out->end_size == 0 && end > 0)
        note_cut(reader, out);
    if (out->size == 0)
        return CSY_OK;
    if (inside)
        return csv_refuse(reader->name, reader->line, error,
                          "a quote is misplaced, or a quoted field does not end");
    if (end > CSV_ROW_BYTES_MAX)
        return csv_refuse(reader->name, reader->line, error, "the row is longer than 1 MiB");
    if (out->end_size && p[end - 1] == '\r') {
        out->size--;
        out->end_size = 2;
    }
    return CSY_OK;
}

static void skip_line(struct csv_reader *reader, const struct csv_row *row)
{
    const char *at = row->bytes, *end = at + row->size;
    reader->line += row->end_size > 0;
    for (; (at = memchr(at, '\n', (size_t)(end - at))); at++)
        reader->line++;
    bytes_skip(reader->bytes, row->size + row->end_size);
}

/* Read the field at row->bytes[at]. Returns the index after it, or SIZE_MAX for wrong quotes. */
static size_t split_field(char separator, const struct csv_row *row, size_t at,
                          struct csv_field *out)
{
    const char *line = row->bytes;
    size_t size = row->size;
    if (at < size && line[at] == '"') {
        size_t start = ++at;
        for (; at < size; at++) {
            if (line[at] != '"')
                continue;
            if (at + 1 == size || line[at + 1] != '"')
                break;
            at++;
        }
        *out = (struct csv_field){line + start, at - start, true};
        at++;
        return at == size || (at < size && line[at] == separator) ? at : SIZE_MAX;
    }
    const char *next = memchr(line + at, separator, size - at);
    size_t end = next ? (size_t)(next - line) : size;
    *out = (struct csv_field){line + at, end - at, false};
    return memchr(line + at, '"', end - at) ? SIZE_MAX : end;
}

static csy_status split_row(struct csv_reader *reader, struct csv_row *row, csy_error *error)
{
    for (size_t at = 0;; at++) {
        if (!ARRAY_RESERVE(reader->fields, reader->fields_capacity, row->nfields + 1))
            return error_memory(error);
        row->fields = reader->fields;
        at = split_field(reader->separator, row, at, &reader->fields[row->nfields++]);
        if (at == SIZE_MAX)
            return csv_refuse(reader->name, reader->line, error, "a quote is misplaced");
        if (at >= row->size)
            return CSY_OK;
    }
}

/* Get the bytes of a field. If it contains doubled quotes, copy it to *text with single ones. */
static csy_status unquote(struct csv_text *text, const struct csv_field *field, const char **out,
                          size_t *out_size, csy_error *error)
{
    *out = field->at;
    *out_size = field->size;
    if (!field->quoted || !memchr(field->at, '"', field->size))
        return CSY_OK;
    if (!ARRAY_RESERVE(text->bytes, text->capacity, field->size))
        return error_memory(error);
    size_t used = 0;
    for (size_t i = 0; i < field->size; i++) {
        text->bytes[used++] = field->at[i];
        i += field->at[i] == '"';
    }
    *out = text->bytes;
    *out_size = used;
    return CSY_OK;
}

static csy_status keep_preamble(struct csv_reader *reader, const char *line, size_t size,
                                csy_error *error)
{
    if (reader->preamble_size + size > CSV_ROW_BYTES_MAX)
        return csv_refuse(reader->name, reader->line, error,
                          "the lines before the first row are longer than 1 MiB");
    if (!ARRAY_RESERVE(reader->preamble, reader->preamble_capacity,
                       reader->preamble_size + size + 1))
        return error_memory(error);
    memcpy(reader->preamble + reader->preamble_size, line, size);
    reader->preamble_size += size;
    return CSY_OK;
}

csy_status csv_header(struct csv_reader *reader, struct csv_row *out, csy_error *error)
{
    *out = (struct csv_row){.bytes = ""};
    if (reader->ncolumns == 0)
        return CSY_OK;
    const char *end = reader->preamble + reader->preamble_size;
    *out = (struct csv_row){.bytes = end - reader->header_end_size - reader->header_size,
                            .size = reader->header_size,
                            .end_size = reader->header_end_size};
    return split_row(reader, out, error);
}

static csy_status read_header(struct csv_reader *reader, struct csv_row *row, csy_error *error)
{
    unsigned *order = &reader->comments.words[CSV_WORD_ORDER];
    reader->header_size = row->size;
    reader->header_end_size = row->end_size;
    reader->separator = csv_header_separator(row->bytes, row->size);
    csy_status status = read_facts(reader, error);
    if (reader->asked.joined && reader->comments.word_lines[CSV_WORD_ORDER] == 0)
        *order = CSV_ORDER_PARTIAL;
    reader->asked.partial = *order != CSV_ORDER_BUFFER || reader->asked.measured;
    if (!status)
        status = split_row(reader, row, error);
    if (!status)
        status = csv_header_read(&reader->columns, &reader->asked, row->fields, row->nfields,
                                 reader->separator, reader->name, reader->line, error);
    if (!status)
        reader->ncolumns = row->nfields;
    return status;
}

static csy_status skip_mark(struct csv_reader *reader, csy_error *error)
{
    const uint8_t *p;
    size_t have;
    csy_status status = bytes_peek(reader->bytes, 4, &p, &have, error);
    if (!status)
        status = csv_header_check_text(p, have, reader->name, reader->asked.packed, error);
    if (!status && have >= 3 && memcmp(p, "\xef\xbb\xbf", 3) == 0) {
        status = keep_preamble(reader, (const char *)p, 3, error);
        bytes_skip(reader->bytes, 3);
    }
    return status;
}

static bool has_value(const struct csv_reader *reader, size_t column)
{
    return column != CSV_NO_COLUMN && csv_field_trim(reader->fields[column]).size > 0;
}

/* Find out from the first row whether times are dates, and whether the file has global times. */
static void look_ahead(struct csv_reader *reader)
{
    const struct csv_header *columns = &reader->columns;
    struct csv_row row;
    csy_error error;
    csy_status status;
    while (!(status = peek_line(reader, &row, &error)) && row.size == 0 && row.end_size > 0)
        skip_line(reader, &row);
    bool good = !status && row.size > 0 && !split_row(reader, &row, &error);
    reader->is_cut = false; /* the row is read again, which sets is_cut again */
    if (!good || row.nfields != reader->ncolumns)
        return;
    struct csv_field time = csv_field_trim(reader->fields[columns->time]);
    if (columns->unit == CSV_AUTO && csv_time_is_stamp(time.at, time.size))
        reader->columns.unit = CSV_STAMPS;
    reader->synchronized = has_value(reader, columns->global[GLOBAL_TIME]) ||
                           has_value(reader, columns->global[GLOBAL_TIME_S]) ||
                           has_value(reader, columns->global[GLOBAL_DATE]);
}

#define NONE CSV_NO_COLUMN
const struct csv_reader csv_no_lines = {
    .separator = ',',
    .columns = {.thread = NONE,
                .time = NONE,
                .clock = NONE,
                .core = NONE,
                .event = NONE,
                .begin = NONE,
                .duration = NONE,
                .order = {NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE,
                          NONE, NONE, NONE, NONE, NONE},
                .global = {NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE}}};
#undef NONE
_Static_assert(CSV_ORDER_COLUMNS == 17 && GLOBALS == 11, "csv_no_lines lists NONE for each column");

csy_status csv_open(struct csv_reader *reader, struct bytes *bytes, const char *name,
                    const struct csv_asked *asked, csy_error *error)
{
    *reader = (struct csv_reader){.bytes = bytes,
                                  .name = name,
                                  .counters = {.file = name},
                                  .line = 1,
                                  .timebase_hz = DEFAULT_TIMEBASE_HZ,
                                  .timebase_assumed = true};
    if (asked)
        reader->asked = *asked;
    csy_status status = skip_mark(reader, error);
    while (!status && reader->ncolumns == 0) {
        struct csv_row row;
        status = peek_line(reader, &row, error);
        size_t size = row.size + row.end_size;
        if (!status && size == 0)
            return csv_refuse(reader->name, reader->line, error,
                              "the header line is missing, for example thread,time");
        if (!status)
            status = keep_preamble(reader, row.bytes, size, error);
        if (status)
            return status;
        bool comment = row.size > 0 && row.bytes[0] == '#';
        if (comment && reader->facts_size == 0 && csv_comment_is_facts(row.bytes, row.size)) {
            reader->facts_size = size;
            reader->facts_at = reader->preamble_size - size;
        } else if (reader->facts_size > 0 && row.size >= sizeof CSV_WARNING - 1 &&
                   memcmp(row.bytes, CSV_WARNING, sizeof CSV_WARNING - 1) == 0 &&
                   csv_reader_facts_end(reader) == reader->preamble_size - size) {
            reader->warnings_size += size;
        } else if (comment) {
            status = csv_comment_read(reader, row.bytes, row.size, error);
        } else if (row.size > 0) {
            status = read_header(reader, &row, error);
        }
        skip_line(reader, &row);
    }
    if (status)
        return status;
    look_ahead(reader);
    char mark = reader->separator == ';' ? ',' : '.';
    enum csv_unit unit = reader->columns.unit;
    status = csv_counters_begin(&reader->counters, unit, reader->asked.counter_bits,
                                reader->timebase_hz, reader->comments.timebase_line > 0, error);
    if (status)
        return status;
    reader->timebase_hz = reader->counters.common_hz;
    csv_scale_init(&reader->scale, unit, reader->timebase_hz, mark);
    csv_scale_init(&reader->duration, unit == CSV_STAMPS ? CSV_S : unit, reader->timebase_hz, mark);
    if (unit != CSV_AUTO && unit != CSV_TICKS)
        reader->timebase_assumed = false;
    const struct csv_comments *comments = &reader->comments;
    csy_fraction ticks;
    char escaped[ERROR_ESCAPED_MAX];
    if (comments->same_within_line == 0)
        return CSY_OK;
    if (!csy_time_parse(comments->same_within, reader->counters.own_hz, &ticks) || ticks.num < 0 ||
        __builtin_mul_overflow(ticks.num, reader->counters.factor, &ticks.num))
        return csv_refuse(
            reader->name, comments->same_within_line, error,
            "same_within \"%s\": expected a time such as 2us, or ticks, within 64 bits",
            error_escape(escaped, comments->same_within, strlen(comments->same_within)));
    /* rounded up to whole ticks */
    reader->same_within_ticks = (int64_t)ceil_div(ticks.num, ticks.den);
    return CSY_OK;
}

void csv_close(struct csv_reader *reader)
{
    free(reader->preamble);
    csv_counters_fini(&reader->counters);
    FREE_ALL(reader->fields, reader->unquoted_thread.bytes, reader->unquoted_clock.bytes,
             reader->said.bytes, reader->unquoted_event.bytes);
    for (size_t i = 0; i < CSV_ORDER_COLUMNS; i++)
        free(reader->unquoted_keys[i].bytes);
    *reader = (struct csv_reader){0};
}

csy_status csv_read_time(const struct csv_reader *reader, const struct csv_spot *spot,
                         const struct csv_scale *scale, int64_t *ticks, csy_error *error)
{
    char text[256];
    uint64_t least_hz = 0;
    const char *at = spot->field->at;
    size_t size = spot->field->size, used;
    enum csv_fault fault = csv_time_parse(scale, at, size, ticks, &least_hz);
    if (!fault)
        return CSY_OK;
    used = strlen(csv_time_fault(scale, fault, at, size, least_hz, text, sizeof text));
    if (fault == CSV_MALFORMED && !reader->is_cut)
        snprintf(text + used, sizeof text - used, "%s", csv_time_remedy(scale, at, size));
    return csv_refuse_field(reader->name, spot, text, error);
}

csy_status csv_read_name(const struct csv_reader *reader, const struct csv_row *row,
                         const char *called, size_t column, struct csv_text *text, const char **out,
                         size_t *size, csy_error *error)
{
    struct csv_field name = csv_field_trim(row->fields[column]);
    csy_status status = unquote(text, &name, out, size, error);
    if (!status && memchr(*out, 0, *size))
        status = csv_refuse_field(reader->name, &(struct csv_spot){row->line, called, &name},
                                  "the value contains a NUL byte", error);
    return status;
}

static csy_status read_fields(struct csv_reader *reader, struct csv_row *row, csy_error *error)
{
    const struct csv_header *columns = &reader->columns;
    if (row->nfields != reader->ncolumns)
        return csv_refuse(reader->name, row->line, error,
                          "the row has %zu field%s, but the header has %zu", row->nfields,
                          row->nfields == 1 ? "" : "s", reader->ncolumns);
    struct named_stamp *stamp = &row->stamp;
    const struct csv_spot spot = {row->line, "time", &row->fields[columns->time]};
    csy_status status = csv_read_time(reader, &spot, &reader->scale, &stamp->time_ticks, error);
    if (!status)
        status = csv_read_name(reader, row, "thread", columns->thread, &reader->unquoted_thread,
                               &stamp->thread, &stamp->thread_size, error);
    row->named = &row->fields[columns->thread];
    if (!status && stamp->thread_size == 0)
        return csv_refuse(reader->name, row->line, error, "the name of the thread is empty");
    stamp->clock_size = 0;
    if (!status && columns->clock != CSV_NO_COLUMN)
        status = csv_read_name(reader, row, "clock", columns->clock, &reader->unquoted_clock,
                               &stamp->clock, &stamp->clock_size, error);
    stamp->core = STAMP_CORE_NONE;
    if (!status && columns->core != CSV_NO_COLUMN) {
        struct csv_field field = csv_field_trim(row->fields[columns->core]);
        if (csv_field_is(&field, "ppe"))
            stamp->core = STAMP_CORE_PPE;
        else if (csv_field_is(&field, "spe"))
            stamp->core = STAMP_CORE_SPE;
        else if (field.size > 0)
            return csv_refuse_field(
                reader->name, &(struct csv_spot){row->line, "core", &field},
                "expected ppe, spe, or nothing; --columns=core= ignores the column", error);
    }
    if (status)
        return status;
    csy_text clock = {stamp->clock, stamp->clock_size};
    if (stamp->core == STAMP_CORE_PPE)
        clock = (csy_text){EVENT_PPE, strlen(EVENT_PPE)};
    else if (clock.size == 0)
        clock = (csy_text){stamp->thread, stamp->thread_size};
    status = csv_counters_take(&reader->counters, clock.bytes, clock.size, &spot, &row->shown,
                               &stamp->time_ticks, error);
    if (status)
        return status;
    bool duration = columns->duration != CSV_NO_COLUMN;
    size_t column = duration ? columns->duration : columns->begin;
    int64_t ticks = 0, time_ticks = stamp->time_ticks;
    stamp->interval = column != CSV_NO_COLUMN && csv_field_trim(row->fields[column]).size > 0;
    stamp->begin_ticks = time_ticks;
    if (!stamp->interval)
        return CSY_OK;
    const struct csv_spot begin = {row->line, duration ? "duration" : "begin",
                                   &row->fields[column]};
    status =
        csv_read_time(reader, &begin, duration ? &reader->duration : &reader->scale, &ticks, error);
    if (!status && duration)
        status = csv_counters_length(&reader->counters, &row->shown, &begin, &ticks, error);
    else if (!status)
        status = csv_counters_begin_of(&reader->counters, &row->shown, &begin, &ticks, error);
    if (status)
        return status;
    if (duration && ticks < 0)
        return csv_refuse_field(reader->name, &begin, "expected 0 or more", error);
    if (duration && __builtin_sub_overflow(time_ticks, ticks, &ticks))
        return csv_refuse_field(reader->name, &begin, "the begin does not fit 64 bits", error);
    if (ticks > time_ticks && !columns->begins_are_stamps)
        return csv_refuse_field(reader->name, &begin,
                                "the begin is after the time of the row, which is its end", error);
    stamp->begin_ticks = ticks;
    return CSY_OK;
}

/* If a refused row looks like the first line of a second file, let the error explain this. */
static csy_status refuse_concatenated(const struct csv_reader *reader, const struct csv_row *row,
                                      csy_status status, csy_error *error)
{
    const char *header =
        reader->preamble + reader->preamble_size - reader->header_end_size - reader->header_size;
    bool again = row->size == reader->header_size && memcmp(row->bytes, header, row->size) == 0;
    if (status != CSY_INPUT || (!again && *row->bytes != '#'))
        return status;
    return csv_refuse(
        reader->name, row->line, error, "%s",
        again ? "this is the header line again, as in files that were concatenated: pass "
                "the files as several operands, or remove the line"
              : "a comment after the header line, as in files that were concatenated: "
                "pass the files as several operands, or remove the line");
}

/* Split a row that has no quotes and all fields, and is in the buffer. Returns false for others. */
static bool split_plain(struct csv_reader *reader, const uint8_t *p, size_t have,
                        struct csv_row *out)
{
    const char *row = (const char *)p, *start = row, *at;
    const size_t most = have < CSV_ROW_BYTES_MAX + 1 ? have : CSV_ROW_BYTES_MAX + 1;
    const char *end = memchr(row, '\n', most);
    if (!end || memchr(row, '"', (size_t)(end - row)))
        return false;
    const bool carriage = end > row && end[-1] == '\r';
    size_t n = 0;
    for (; (at = memchr(start, reader->separator, (size_t)(end - start))); start = at + 1) {
        if (n + 1 == reader->ncolumns)
            return false;
        reader->fields[n++] = (struct csv_field){start, (size_t)(at - start), false};
    }
    if (n + 1 != reader->ncolumns)
        return false;
    reader->fields[n] = (struct csv_field){start, (size_t)(end - start) - carriage, false};
    *out = (struct csv_row){.line = reader->line,
                            .bytes = row,
                            .size = (size_t)(end - row) - carriage,
                            .end_size = (size_t)1 + carriage,
                            .fields = reader->fields,
                            .nfields = n + 1};
    return out->size > 0;
}

csy_status csv_read(struct csv_reader *reader, struct csv_row *out, bool *more, csy_error *error)
{
    const uint8_t *p;
    size_t have;
    csy_status status = bytes_peek(reader->bytes, 1, &p, &have, error);
    if (status)
        return status;
    *more = true;
    if (split_plain(reader, p, have, out)) {
        status = refuse_concatenated(reader, out, read_fields(reader, out, error), error);
        reader->line++;
        bytes_skip(reader->bytes, out->size + out->end_size);
        return status;
    }
    struct csv_row row; /* so that *out stays the last row if no row follows */
    while (!(status = peek_line(reader, &row, error)) && row.size == 0 && row.end_size > 0)
        skip_line(reader, &row);
    *more = row.size > 0;
    if (status || !*more)
        return status;
    *out = row;
    status = split_row(reader, out, error);
    if (!status)
        status = read_fields(reader, out, error);
    status = refuse_concatenated(reader, out, status, error);
    skip_line(reader, out);
    return status;
}

csy_status csv_event_name(struct csv_reader *reader, const struct csv_row *row, const char **out,
                          size_t *size, csy_error *error)
{
    *size = 0;
    if (reader->columns.event == CSV_NO_COLUMN)
        return CSY_OK;
    struct csv_field name = csv_field_trim(row->fields[reader->columns.event]);
    return unquote(&reader->unquoted_event, &name, out, size, error);
}
