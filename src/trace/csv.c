/* CSV traces. */
#include "trace/csv.h"

#include "base/array.h"
#include "base/error.h"
#include "base/number.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define DEFAULT_TIMEBASE_HZ 1000000000u

static csy_status refuse(const struct csv_reader *reader, uint64_t line, const char *what,
                         csy_error *error)
{
    return error_set(error, CSY_INPUT, "%s: line %" PRIu64 ": %s", reader->name, line, what);
}

/* "time "1.5": want a whole number" */
static csy_status refuse_field(const struct csv_reader *reader, uint64_t line, const char *column,
                               const struct csv_field *field, const char *want, csy_error *error)
{
    char escaped[ERROR_ESCAPED_MAX];
    error_escape(escaped, field->at, field->size);
    return error_set(error, CSY_INPUT, "%s: line %" PRIu64 ": %s \"%s\": %s", reader->name, line,
                     column, escaped, want);
}

/* Where the row at p ends: the index of its newline, or have.  A newline between quotes belongs to
 * the row, but not in a comment.  *inside says whether the bytes seen end between quotes. */
static size_t row_end(const char *p, size_t have, bool comment, bool *inside)
{
    *inside = false;
    size_t at = 0;
    if (comment) {
        const char *newline = memchr(p, '\n', have);
        return newline ? (size_t)(newline - p) : have;
    }
    while (at < have) {
        const char *newline = memchr(p + at, '\n', have - at);
        size_t stop = newline ? (size_t)(newline - p) : have;
        const char *quote = p + at;
        while ((quote = memchr(quote, '"', (size_t)(p + stop - quote)))) {
            *inside = !*inside;
            quote++;
        }
        if (!*inside || !newline)
            return stop;
        at = stop + 1;
    }
    return have;
}

/* The file ends within a row; salvaged, the rows end before it. */
static void note_cut(struct csv_reader *reader, size_t *size)
{
    csy_error why;
    error_set(&why, CSY_INPUT, "%.512s: line %" PRIu64 ": the last row has no line end",
              reader->name, reader->line);
    reader->is_cut = true;
    reader->cut.place = reader->line;
    memcpy(reader->cut.text, why.text, sizeof why.text);
    if (reader->salvage)
        *size = 0;
}

/* gzip ends too early; salvaged, whatever row that cuts off is none. */
static csy_status end_packed(struct csv_reader *reader, size_t *size, csy_error *error)
{
    reader->is_cut = true;
    reader->cut.place = reader->line;
    memcpy(reader->cut.text, bytes_cut(reader->bytes)->text, sizeof reader->cut.text);
    *size = 0;
    if (reader->salvage)
        return CSY_OK;
    return error_set(error, CSY_INPUT, "%s", reader->cut.text);
}

/* A row that is too long and ends in zeros: where all that follows is zero, too, as after a power
 * cut, the file ends within it. */
static csy_status end_in_zeros(struct csv_reader *reader, size_t have, size_t *size,
                               size_t *end_size, csy_error *error)
{
    bool zero;
    bytes_skip(reader->bytes, have);
    csy_status status = bytes_are_zero(reader->bytes, &zero, error);
    if (!status && (!zero || !reader->salvage))
        status = refuse(reader, reader->line, "the row is longer than 1 MiB", error);
    *size = *end_size = 0;
    if (!status)
        note_cut(reader, size);
    return status;
}

/* Bring a whole line into view: *size bytes without its end of *end_size bytes; *size and *end_size
 * 0 at the end of the file.  Comments stand only in front of the header. */
static csy_status peek_line(struct csv_reader *reader, const char **line, size_t *size,
                            size_t *end_size, csy_error *error)
{
    const uint8_t *p;
    size_t have, seen = 0, end;
    bool inside;
    for (;;) {
        csy_status status = bytes_peek(reader->bytes, seen + 1, &p, &have, error);
        if (status)
            return status;
        bool comment = reader->ncolumns == 0 && have > 0 && p[0] == '#';
        end = row_end((const char *)p, have, comment, &inside);
        if (end < have || have == seen)
            break;
        if (have > CSV_ROW_BYTES_MAX && p[have - 1] == 0)
            return end_in_zeros(reader, have, size, end_size, error);
        if (have > CSV_ROW_BYTES_MAX)
            return refuse(reader, reader->line, "the row is longer than 1 MiB", error);
        seen = have;
    }
    *line = (const char *)p;
    *size = end;
    *end_size = end < have ? 1 : 0;
    if (*end_size == 0 && bytes_cut(reader->bytes))
        return end_packed(reader, size, error);
    if (*end_size == 0 && end > 0)
        note_cut(reader, size);
    if (*size == 0)
        return CSY_OK;
    if (inside)
        return refuse(reader, reader->line,
                      "a misplaced quote, or a quoted field that does not end", error);
    if (end > CSV_ROW_BYTES_MAX)
        return refuse(reader, reader->line, "the row is longer than 1 MiB", error);
    if (*end_size && p[end - 1] == '\r') {
        (*size)--;
        *end_size = 2;
    }
    return CSY_OK;
}

/* Step over a line that peek_line has shown. */
static void skip_line(struct csv_reader *reader, const char *line, size_t size, size_t end_size)
{
    const char *end = line + size;
    reader->line += end_size > 0;
    while ((line = memchr(line, '\n', (size_t)(end - line)))) {
        reader->line++;
        line++;
    }
    bytes_skip(reader->bytes, size + end_size);
}

/* The field at line[at]; returns the index behind it, or SIZE_MAX where the quoting is broken. */
static size_t split_field(const char *line, size_t size, size_t at, struct csv_field *out)
{
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
        return at == size || (at < size && line[at] == ',') ? at : SIZE_MAX;
    }
    const char *comma = memchr(line + at, ',', size - at);
    size_t end = comma ? (size_t)(comma - line) : size;
    *out = (struct csv_field){line + at, end - at, false};
    return memchr(line + at, '"', end - at) ? SIZE_MAX : end;
}

static csy_status split_row(struct csv_reader *reader, const char *line, size_t size, size_t *n,
                            csy_error *error)
{
    size_t at = 0;
    for (*n = 0;; at++) {
        if (!ARRAY_RESERVE(reader->fields, reader->fields_capacity, *n + 1))
            return error_memory(error);
        at = split_field(line, size, at, &reader->fields[*n]);
        if (at == SIZE_MAX)
            return refuse(reader, reader->line, "misplaced quote", error);
        ++*n;
        if (at >= size)
            return CSY_OK;
    }
}

/* The bytes of a field with doubled quotes undone; they hold until the next call. */
static csy_status unquote(struct csv_reader *reader, const struct csv_field *field,
                          const char **out, size_t *out_size, csy_error *error)
{
    *out = field->at;
    *out_size = field->size;
    if (!field->quoted || !memchr(field->at, '"', field->size))
        return CSY_OK;
    if (!ARRAY_RESERVE(reader->unquoted, reader->unquoted_capacity, field->size))
        return error_memory(error);
    size_t used = 0;
    for (size_t i = 0; i < field->size; i++) {
        reader->unquoted[used++] = field->at[i];
        i += field->at[i] == '"';
    }
    *out = reader->unquoted;
    *out_size = used;
    return CSY_OK;
}

static csy_status keep_preamble(struct csv_reader *reader, const char *line, size_t size,
                                csy_error *error)
{
    if (reader->preamble_size + size > CSV_ROW_BYTES_MAX)
        return refuse(reader, reader->line, "more than 1 MiB stands before the first row", error);
    if (!ARRAY_RESERVE(reader->preamble, reader->preamble_capacity,
                       reader->preamble_size + size + 1))
        return error_memory(error);
    memcpy(reader->preamble + reader->preamble_size, line, size);
    reader->preamble_size += size;
    return CSY_OK;
}

static size_t skip_blanks(const char *line, size_t size, size_t at)
{
    while (at < size && (line[at] == ' ' || line[at] == '\t'))
        at++;
    return at;
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

/* "# cellsync KEY=VALUE ...": the line with which a synchronized CSV begins. */
static bool is_facts(const char *line, size_t size)
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

/* "# timebase_hz=N", blanks allowed around each part; other comments mean nothing. */
static csy_status read_comment(struct csv_reader *reader, const char *line, size_t size,
                               csy_error *error)
{
    static const char key[] = "timebase_hz";
    char number[24];
    size_t at = skip_blanks(line, size, 1), used = 0;
    if (size - at < sizeof key - 1 || memcmp(line + at, key, sizeof key - 1) != 0)
        return CSY_OK;
    at = skip_blanks(line, size, at + sizeof key - 1);
    if (at == size || line[at] != '=')
        return CSY_OK;
    at = skip_blanks(line, size, at + 1);
    while (at < size && line[at] != ' ' && line[at] != '\t' && used + 1 < sizeof number)
        number[used++] = line[at++];
    number[used] = 0;
    if (skip_blanks(line, size, at) < size || !number_parse(number, &reader->timebase_hz) ||
        reader->timebase_hz == 0)
        return refuse(reader, reader->line, "timebase_hz: want a whole number above 0", error);
    return CSY_OK;
}

static bool is_named(const struct csv_field *field, const char *name)
{
    return field->size == strlen(name) && memcmp(field->at, name, field->size) == 0;
}

static csy_status find_columns(struct csv_reader *reader, size_t n, csy_error *error)
{
    struct {
        const char *name;
        size_t *column;
    } known[] = {{"thread", &reader->thread_column},
                 {"time", &reader->time_column},
                 {"core", &reader->core_column},
                 {"global_time", &reader->global_column},
                 {"global_time_s", &reader->seconds_column},
                 {"event", &reader->event_column}};
    char text[64];
    reader->ncolumns = n;
    for (size_t k = 0; k < sizeof known / sizeof *known; k++) {
        *known[k].column = CSV_NO_COLUMN;
        for (size_t i = 0; i < n; i++) {
            if (!is_named(&reader->fields[i], known[k].name))
                continue;
            if (*known[k].column != CSV_NO_COLUMN && known[k].column == &reader->event_column)
                break; /* only a name for it: the first will do */
            if (*known[k].column != CSV_NO_COLUMN) {
                snprintf(text, sizeof text, "two columns are called %s", known[k].name);
                return refuse(reader, reader->line, text, error);
            }
            *known[k].column = i;
        }
        if (k < 2 && *known[k].column == CSV_NO_COLUMN) {
            snprintf(text, sizeof text, "the header has no column %s", known[k].name);
            return refuse(reader, reader->line, text, error);
        }
    }
    return CSY_OK;
}

csy_status csv_header(struct csv_reader *reader, struct csv_row *out, csy_error *error)
{
    const char *end = reader->preamble + reader->preamble_size;
    *out = (struct csv_row){.bytes = end - reader->header_end_size - reader->header_size,
                            .size = reader->header_size,
                            .end_size = reader->header_end_size};
    csy_status status = split_row(reader, out->bytes, out->size, &out->nfields, error);
    out->fields = reader->fields;
    return status;
}

static csy_status skip_mark(struct csv_reader *reader, csy_error *error)
{
    const uint8_t *p;
    size_t have;
    csy_status status = bytes_peek(reader->bytes, 3, &p, &have, error);
    if (!status && have >= 3 && memcmp(p, "\xef\xbb\xbf", 3) == 0) {
        status = keep_preamble(reader, (const char *)p, 3, error);
        bytes_skip(reader->bytes, 3);
    }
    return status;
}

csy_status csv_open(struct csv_reader *reader, struct bytes *bytes, const char *name,
                    csy_error *error)
{
    *reader = (struct csv_reader){
        .bytes = bytes, .name = name, .line = 1, .timebase_hz = DEFAULT_TIMEBASE_HZ};
    csy_status status = skip_mark(reader, error);
    while (!status) {
        const char *line;
        size_t size, end_size, n;
        status = peek_line(reader, &line, &size, &end_size, error);
        if (status)
            break;
        if (size + end_size == 0)
            return refuse(reader, reader->line, "there is no header line", error);
        status = keep_preamble(reader, line, size + end_size, error);
        bool comment = size > 0 && line[0] == '#';
        if (!status && comment && reader->facts_size == 0 && is_facts(line, size)) {
            reader->facts_size = size + end_size;
            reader->facts_at = reader->preamble_size - reader->facts_size;
        } else if (!status && comment)
            status = read_comment(reader, line, size, error);
        if (!status && !comment && size > 0) {
            status = split_row(reader, line, size, &n, error);
            if (!status)
                status = find_columns(reader, n, error);
            reader->header_size = size;
            reader->header_end_size = end_size;
        }
        skip_line(reader, line, size, end_size);
        if (reader->ncolumns)
            break;
    }
    return status;
}

void csv_close(struct csv_reader *reader)
{
    free(reader->preamble);
    free(reader->fields);
    free(reader->unquoted);
    *reader = (struct csv_reader){0};
}

/* A whole number with an optional sign. */
static bool parse_time(const struct csv_field *field, int64_t *out, bool *beyond)
{
    size_t i = field->size > 0 && (field->at[0] == '-' || field->at[0] == '+');
    bool negative = i && field->at[0] == '-';
    uint64_t limit = (uint64_t)INT64_MAX + negative;
    uint64_t value = 0;
    *beyond = false;
    if (i == field->size)
        return false;
    for (; i < field->size; i++) {
        unsigned digit = (unsigned)(field->at[i] - '0');
        if (digit > 9)
            return false;
        *beyond = *beyond || value > (limit - digit) / 10;
        value = *beyond ? 0 : value * 10 + digit;
    }
    *out = negative ? (int64_t)-value : (int64_t)value;
    return !*beyond;
}

static csy_status read_core(struct csv_reader *reader, struct csv_row *row, csy_error *error)
{
    row->core = CSV_CORE_NONE;
    if (reader->core_column == CSV_NO_COLUMN)
        return CSY_OK;
    const struct csv_field *field = &row->fields[reader->core_column];
    if (is_named(field, "ppe"))
        row->core = CSV_CORE_PPE;
    else if (is_named(field, "spe"))
        row->core = CSV_CORE_SPE;
    else if (field->size > 0)
        return refuse_field(reader, row->line, "core", field, "want ppe, spe or nothing", error);
    return CSY_OK;
}

static csy_status read_fields(struct csv_reader *reader, struct csv_row *row, csy_error *error)
{
    char text[96];
    bool beyond;
    if (row->nfields != reader->ncolumns) {
        snprintf(text, sizeof text, "%zu field%s, the header has %zu", row->nfields,
                 row->nfields == 1 ? "" : "s", reader->ncolumns);
        return refuse(reader, row->line, text, error);
    }
    const struct csv_field *time = &row->fields[reader->time_column];
    if (!parse_time(time, &row->time_ticks, &beyond))
        return refuse_field(reader, row->line, "time", time,
                            beyond ? "beyond 64 bits" : "want a whole number of ticks", error);
    const struct csv_field *thread = &row->fields[reader->thread_column];
    if (thread->size == 0)
        return refuse(reader, row->line, "the thread has no name", error);
    csy_status status = unquote(reader, thread, &row->thread, &row->thread_size, error);
    if (!status && memchr(row->thread, 0, row->thread_size))
        status = refuse_field(reader, row->line, "thread", thread, "a NUL byte", error);
    if (!status)
        status = read_core(reader, row, error);
    return status;
}

/* Split a row that has no quotes and as many fields as the header, all of it in view: how most rows
 * are.  False where it is another one, of which nothing is taken. */
static bool split_plain(struct csv_reader *reader, const uint8_t *p, size_t have,
                        struct csv_row *out)
{
    const char *row = (const char *)p, *at = row, *end = row + have, *start = row;
    size_t n = 0;
    for (; at < end && *at != '\n'; at++) {
        if (*at == '"')
            return false;
        if (*at != ',')
            continue;
        if (n + 1 == reader->ncolumns)
            return false;
        reader->fields[n++] = (struct csv_field){start, (size_t)(at - start), false};
        start = at + 1;
    }
    if (at == end || n + 1 != reader->ncolumns)
        return false;
    bool carriage = at > start && at[-1] == '\r';
    reader->fields[n] = (struct csv_field){start, (size_t)(at - start) - carriage, false};
    *out = (struct csv_row){.line = reader->line,
                            .bytes = row,
                            .size = (size_t)(at - row) - carriage,
                            .end_size = (size_t)1 + carriage,
                            .fields = reader->fields,
                            .nfields = n + 1};
    return out->size > 0;
}

/* Any row, by the book. */
static csy_status read_any(struct csv_reader *reader, struct csv_row *out, bool *more,
                           csy_error *error)
{
    const char *line;
    size_t size, end_size;
    for (;;) {
        csy_status status = peek_line(reader, &line, &size, &end_size, error);
        if (status)
            return status;
        /* Set when the status is 0:
         * NOLINTNEXTLINE(clang-analyzer-core.UndefinedBinaryOperatorResult) */
        *more = size + end_size > 0;
        if (!*more || size > 0)
            break;
        skip_line(reader, line, size, end_size);
    }
    if (!*more)
        return CSY_OK;
    *out =
        (struct csv_row){.line = reader->line, .bytes = line, .size = size, .end_size = end_size};
    csy_status status = split_row(reader, line, size, &out->nfields, error);
    out->fields = reader->fields;
    if (!status)
        status = read_fields(reader, out, error);
    skip_line(reader, line, size, end_size);
    return status;
}

csy_status csv_read(struct csv_reader *reader, struct csv_row *out, bool *more, csy_error *error)
{
    const uint8_t *p;
    size_t have;
    csy_status status = bytes_peek(reader->bytes, 1, &p, &have, error);
    if (status)
        return status;
    if (!split_plain(reader, p, have, out))
        return read_any(reader, out, more, error);
    *more = true;
    status = read_fields(reader, out, error);
    reader->line++;
    bytes_skip(reader->bytes, out->size + out->end_size);
    return status;
}
