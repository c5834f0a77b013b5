/* CSV traces. */
#include "trace/csv/csv.h"

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

csy_status csv_refuse_field(const struct csv_reader *reader, uint64_t line, const char *called,
                            const struct csv_field *field, const char *want, csy_error *error)
{
    char escaped[ERROR_ESCAPED_MAX];
    error_escape(escaped, field->at, field->size);
    return error_set(error, CSY_INPUT, "%s: line %" PRIu64 ": %s \"%s\": %s", reader->name, line,
                     called, escaped, want);
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
    *line = NULL;
    *size = *end_size = 0;
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

/* The field at line[at]; returns the index after it, or SIZE_MAX where the quoting is broken. */
static size_t split_field(char separator, const char *line, size_t size, size_t at,
                          struct csv_field *out)
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
        return at == size || (at < size && line[at] == separator) ? at : SIZE_MAX;
    }
    const char *next = memchr(line + at, separator, size - at);
    size_t end = next ? (size_t)(next - line) : size;
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
        at = split_field(reader->separator, line, size, at, &reader->fields[*n]);
        if (at == SIZE_MAX)
            return refuse(reader, reader->line, "misplaced quote", error);
        ++*n;
        if (at >= size)
            return CSY_OK;
    }
}

/* The bytes of a field with doubled quotes undone, in text, or as they are. */
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
        return refuse(reader, reader->line, "more than 1 MiB comes before the first row", error);
    if (!ARRAY_RESERVE(reader->preamble, reader->preamble_capacity,
                       reader->preamble_size + size + 1))
        return error_memory(error);
    memcpy(reader->preamble + reader->preamble_size, line, size);
    reader->preamble_size += size;
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

static csy_status read_header(struct csv_reader *reader, const char *line, size_t size,
                              csy_error *error)
{
    size_t n;
    reader->separator = csv_header_separator(line, size);
    csy_status status =
        csv_facts_ask(csv_reader_facts(reader), reader->name, &reader->asked, &reader->said, error);
    reader->asked.partial = reader->comments.partial;
    if (!status)
        status = split_row(reader, line, size, &n, error);
    if (!status)
        status = csv_header_read(&reader->columns, &reader->asked, reader->fields, n,
                                 reader->separator, reader->name, reader->line, error);
    if (!status)
        reader->ncolumns = n;
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

/* Split the first row, if it is a good one, without a step onto it. */
static bool split_first(struct csv_reader *reader)
{
    const char *line;
    size_t size, end_size, n = 0;
    csy_error error;
    csy_status status;
    while (!(status = peek_line(reader, &line, &size, &end_size, &error)) && size == 0 &&
           end_size > 0)
        skip_line(reader, line, size, end_size);
    bool good = !status && size > 0 && !split_row(reader, line, size, &n, &error);
    reader->is_cut = false; /* that is for the caller to read */
    return good && n == reader->ncolumns;
}

/* Whether the first row has something in the column. */
static bool has_value(const struct csv_reader *reader, size_t column)
{
    return column != CSV_NO_COLUMN && csv_field_trim(reader->fields[column]).size > 0;
}

/* What the first row shows: whether times are stamps, and whether there are global times. */
static void look_ahead(struct csv_reader *reader)
{
    const struct csv_header *columns = &reader->columns;
    if (!split_first(reader))
        return;
    struct csv_field time = csv_field_trim(reader->fields[columns->time]);
    if (columns->unit == CSV_AUTO && csv_time_is_stamp(time.at, time.size))
        reader->columns.unit = CSV_STAMPS;
    reader->synchronized = has_value(reader, columns->global[GLOBAL_TIME]) ||
                           has_value(reader, columns->global[GLOBAL_TIME_S]);
}

static void choose_scales(struct csv_reader *reader)
{
    char mark = reader->separator == ';' ? ',' : '.';
    enum csv_unit unit = reader->columns.unit;
    csv_scale_init(&reader->scale, unit, reader->timebase_hz, mark);
    csv_scale_init(&reader->duration, unit == CSV_STAMPS ? CSV_S : unit, reader->timebase_hz, mark);
    if (unit != CSV_AUTO && unit != CSV_TICKS)
        reader->timebase_assumed = false;
}

csy_status csv_open(struct csv_reader *reader, struct bytes *bytes, const char *name,
                    const struct csv_asked *asked, csy_error *error)
{
    *reader = (struct csv_reader){.bytes = bytes,
                                  .name = name,
                                  .line = 1,
                                  .timebase_hz = DEFAULT_TIMEBASE_HZ,
                                  .timebase_assumed = true};
    if (asked)
        reader->asked = *asked;
    csy_status status = skip_mark(reader, error);
    while (!status) {
        const char *line;
        size_t size, end_size;
        status = peek_line(reader, &line, &size, &end_size, error);
        if (status)
            break;
        if (size + end_size == 0)
            return refuse(reader, reader->line, "there is no header line, such as thread,time",
                          error);
        status = keep_preamble(reader, line, size + end_size, error);
        bool comment = size > 0 && line[0] == '#';
        if (!status && comment && reader->facts_size == 0 && csv_comment_is_facts(line, size)) {
            reader->facts_size = size + end_size;
            reader->facts_at = reader->preamble_size - reader->facts_size;
        } else if (!status && reader->facts_size > 0 && csv_comment_is_warning(line, size) &&
                   csv_reader_facts_end(reader) == reader->preamble_size - (size + end_size)) {
            reader->warnings_size += size + end_size;
        } else if (!status && comment)
            status = csv_comment_read(reader, line, size, error);
        if (!status && !comment && size > 0) {
            status = read_header(reader, line, size, error);
            reader->header_size = size;
            reader->header_end_size = end_size;
        }
        skip_line(reader, line, size, end_size);
        if (reader->ncolumns)
            break;
    }
    if (!status) {
        look_ahead(reader);
        choose_scales(reader);
    }
    return status;
}

void csv_close(struct csv_reader *reader)
{
    free(reader->preamble);
    free(reader->fields);
    free(reader->unquoted_thread.bytes);
    free(reader->unquoted_clock.bytes);
    free(reader->said.bytes);
    free(reader->unquoted_event.bytes);
    for (size_t i = 0; i < CSV_ORDER_COLUMNS; i++)
        free(reader->unquoted_keys[i].bytes);
    *reader = (struct csv_reader){0};
}

csy_status csv_read_time(const struct csv_reader *reader, const struct csv_row *row,
                         const char *called, size_t column, const struct csv_scale *scale,
                         int64_t *ticks, csy_error *error)
{
    char text[256];
    uint64_t least_hz = 0;
    const struct csv_field *field = &row->fields[column];
    enum csv_fault fault = csv_time_parse(scale, field->at, field->size, ticks, &least_hz);
    if (!fault)
        return CSY_OK;
    csv_time_fault(scale, fault, field->at, field->size, least_hz, text, sizeof text);
    if (fault == CSV_MALFORMED && !reader->is_cut) {
        size_t size = strlen(text);
        snprintf(text + size, sizeof text - size, "%s",
                 csv_time_remedy(scale, field->at, field->size));
    }
    return csv_refuse_field(reader, row->line, called, field, text, error);
}

/* Where an interval begins, if the row is one. */
static csy_status read_begin(const struct csv_reader *reader, struct csv_row *row, csy_error *error)
{
    const struct csv_header *columns = &reader->columns;
    bool duration = columns->duration != CSV_NO_COLUMN;
    size_t column = duration ? columns->duration : columns->begin;
    const struct csv_scale *scale = duration ? &reader->duration : &reader->scale;
    const char *called = duration ? "duration" : "begin";
    int64_t ticks = 0;
    row->stamp.interval = column != CSV_NO_COLUMN && csv_field_trim(row->fields[column]).size > 0;
    row->stamp.begin_ticks = row->stamp.time_ticks;
    if (!row->stamp.interval)
        return CSY_OK;
    const struct csv_field *field = &row->fields[column];
    csy_status status = csv_read_time(reader, row, called, column, scale, &ticks, error);
    if (status)
        return status;
    row->stamp.begin_ticks = ticks;
    if (duration && (ticks < 0 ||
                     __builtin_sub_overflow(row->stamp.time_ticks, ticks, &row->stamp.begin_ticks)))
        return csv_refuse_field(reader, row->line, called, field,
                                ticks < 0 ? "want none below 0" : "its begin is beyond 64 bits",
                                error);
    if (row->stamp.begin_ticks > row->stamp.time_ticks && !columns->begins_are_stamps)
        return csv_refuse_field(reader, row->line, called, field,
                                "it is after the time, which is the end", error);
    return CSY_OK;
}

csy_status csv_read_name(const struct csv_reader *reader, const struct csv_row *row,
                         const char *called, size_t column, struct csv_text *text, const char **out,
                         size_t *size, csy_error *error)
{
    struct csv_field name = csv_field_trim(row->fields[column]);
    csy_status status = unquote(text, &name, out, size, error);
    if (!status && memchr(*out, 0, *size))
        status = csv_refuse_field(reader, row->line, called, &name, "a NUL byte", error);
    return status;
}

static bool is_word(const struct csv_field *field, const char *word)
{
    return field->size == strlen(word) && memcmp(field->at, word, field->size) == 0;
}

static csy_status read_core(const struct csv_reader *reader, struct csv_row *row, csy_error *error)
{
    row->stamp.core = STAMP_CORE_NONE;
    if (reader->columns.core == CSV_NO_COLUMN)
        return CSY_OK;
    struct csv_field field = csv_field_trim(row->fields[reader->columns.core]);
    if (is_word(&field, "ppe"))
        row->stamp.core = STAMP_CORE_PPE;
    else if (is_word(&field, "spe"))
        row->stamp.core = STAMP_CORE_SPE;
    else if (field.size > 0)
        return csv_refuse_field(
            reader, row->line, "core", &field,
            "want ppe, spe or nothing; --columns=core= takes the column for none", error);
    return CSY_OK;
}

static csy_status read_fields(struct csv_reader *reader, struct csv_row *row, csy_error *error)
{
    char text[96];
    const struct csv_header *columns = &reader->columns;
    if (row->nfields != reader->ncolumns) {
        snprintf(text, sizeof text, "%zu field%s, the header has %zu", row->nfields,
                 row->nfields == 1 ? "" : "s", reader->ncolumns);
        return refuse(reader, row->line, text, error);
    }
    csy_status status = csv_read_time(reader, row, "time", columns->time, &reader->scale,
                                      &row->stamp.time_ticks, error);
    if (!status)
        status = csv_read_name(reader, row, "thread", columns->thread, &reader->unquoted_thread,
                               &row->stamp.thread, &row->stamp.thread_size, error);
    row->named = &row->fields[columns->thread];
    if (!status && row->stamp.thread_size == 0)
        return refuse(reader, row->line, "the thread has no name", error);
    row->stamp.clock_size = 0;
    if (!status && columns->clock != CSV_NO_COLUMN)
        status = csv_read_name(reader, row, "clock", columns->clock, &reader->unquoted_clock,
                               &row->stamp.clock, &row->stamp.clock_size, error);
    if (!status)
        status = read_core(reader, row, error);
    return status ? status : read_begin(reader, row, error);
}

/* Split a row that has no quotes and as many fields as the header, all of it in view: how most rows
 * are.  False where it is another one, of which nothing is taken. */
static bool split_plain(struct csv_reader *reader, const uint8_t *p, size_t have,
                        struct csv_row *out)
{
    const char *row = (const char *)p, *at = row, *end = row + have, *start = row;
    const char separator = reader->separator;
    size_t n = 0;
    for (; at < end && *at != '\n'; at++) {
        if (*at == '"')
            return false;
        if (*at != separator)
            continue;
        if (n + 1 == reader->ncolumns)
            return false;
        reader->fields[n++] = (struct csv_field){start, (size_t)(at - start), false};
        start = at + 1;
    }
    if (at == end || n + 1 != reader->ncolumns || at - row > CSV_ROW_BYTES_MAX)
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

csy_status csv_event_name(struct csv_reader *reader, const struct csv_row *row, const char **out,
                          size_t *size, csy_error *error)
{
    *size = 0;
    if (reader->columns.event == CSV_NO_COLUMN)
        return CSY_OK;
    struct csv_field name = csv_field_trim(row->fields[reader->columns.event]);
    return unquote(&reader->unquoted_event, &name, out, size, error);
}
