/* The source for CSV traces. It joins files by copying their rows to a temporary file. */
#include "base/array.h"
#include "base/ascii.h"
#include "base/error.h"
#include "base/texts.h"
#include "trace/csv/csv.h"
#include "trace/cut.h"
#include "trace/trace.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* --- Roles of a row ------------------------------------------------------------------------ */

static struct csv_field field_of(const struct csv_reader *reader, const struct csv_row *row,
                                 enum csv_order_column column)
{
    size_t at = reader->columns.order[column];
    return at == CSV_NO_COLUMN ? (struct csv_field){NULL, 0, false}
                               : csv_field_trim(row->fields[at]);
}

/* Read the duration in a column. If the field is empty, *ticks is not changed. */
static csy_status read_length(const struct csv_reader *reader, const struct csv_row *row,
                              enum csv_order_column column, bool *has, int64_t *ticks,
                              csy_error *error)
{
    struct csv_field field = field_of(reader, row, column);
    *has = field.size > 0;
    if (!*has)
        return CSY_OK;
    const char *called = csv_order_names[column];
    const struct csv_spot spot = {row->line, called, &field};
    const struct csv_spot whole = {row->line, called, &row->fields[reader->columns.order[column]]};
    csy_status status = csv_read_time(reader, &whole, &reader->duration, ticks, error);
    if (!status)
        status = csv_counters_length(&reader->counters, NULL, &spot, ticks, error);
    return status || *ticks >= 0
               ? status
               : csv_refuse_field(reader->name, &spot, "expected 0 or more", error);
}

/* Read a reading of another clock from a row, and the error of this reading. */
static csy_status read_compared(const struct csv_reader *reader, const struct csv_row *row,
                                struct event_roles *roles, csy_error *error)
{
    struct csv_field time = field_of(reader, row, CSV_OTHER_TIME);
    bool named = roles->other_clock.size > 0, has;
    roles->other_ticks = 0;
    roles->within_ticks = named ? 0 : reader->same_within_ticks;
    csy_status status = read_length(reader, row, CSV_WITHIN, &has, &roles->within_ticks, error);
    if (!status && has && !named && roles->same.size == 0)
        return csv_refuse(reader->name, row->line, error,
                          "\"within\" requires a value of \"same\" or other_clock");
    if (!status && named && time.size > 0) {
        const char *called = csv_order_names[CSV_OTHER_TIME];
        const struct csv_spot spot = {row->line, called, &time};
        const struct csv_spot whole = {row->line, called,
                                       &row->fields[reader->columns.order[CSV_OTHER_TIME]]};
        status = csv_read_time(reader, &whole, &reader->scale, &roles->other_ticks, error);
        return status
                   ? status
                   : csv_counters_other(&reader->counters, roles->other_clock.bytes,
                                        roles->other_clock.size, &spot, &roles->other_ticks, error);
    }
    if (status || named == (time.size > 0))
        return status;
    return csv_refuse(reader->name, row->line, error, "%s requires a value of %s",
                      csv_order_names[named ? CSV_OTHER_CLOCK : CSV_OTHER_TIME],
                      csv_order_names[named ? CSV_OTHER_TIME : CSV_OTHER_CLOCK]);
}

/* Convert a timestamp in the column `flush` to ticks since the time of the row. */
static csy_status read_stamp(const struct csv_reader *reader, const struct csv_row *row,
                             struct csv_field stamp, int64_t *out, csy_error *error)
{
    const struct csv_spot spot = {row->line, csv_order_names[CSV_FLUSH], &stamp};
    char text[256];
    uint64_t least_hz = 0;
    enum csv_fault fault = csv_time_parse(&reader->scale, stamp.at, stamp.size, out, &least_hz);
    return fault ? csv_refuse_field(reader->name, &spot,
                                    csv_time_fault(&reader->scale, fault, stamp.at, stamp.size,
                                                   least_hz, text, sizeof text),
                                    error)
                 : csv_counters_since(&reader->counters, &row->shown, &spot, out, error);
}

/* Read the time of a flush: a timestamp such as "6", or a range such as "6/8". */
static csy_status read_flush(const struct csv_reader *reader, const struct csv_row *row,
                             struct event_roles *roles, csy_error *error)
{
    struct csv_field field = field_of(reader, row, CSV_FLUSH);
    roles->flush = field.size > 0 ? FLUSH_STAMPED : FLUSH_NONE;
    if (field.size == 0)
        return CSY_OK;
    const char *slash = memchr(field.at, '/', field.size);
    struct csv_field lo = field, hi = field;
    if (slash) {
        lo.size = (size_t)(slash - field.at);
        hi.at = slash + 1;
        hi.size = field.size - lo.size - 1;
    }
    csy_status status = read_stamp(reader, row, lo, &roles->flush_lo, error);
    if (!status)
        status = read_stamp(reader, row, hi, &roles->flush_hi, error);
    return status || roles->flush_lo <= roles->flush_hi
               ? status
               : csv_refuse_field(reader->name,
                                  &(struct csv_spot){row->line, csv_order_names[CSV_FLUSH], &field},
                                  "the second timestamp is before the first one", error);
}

/* Read the order constraints (roles) of a row. Texts in *out are valid until the next row. */
static csy_status csv_read_roles(struct csv_reader *reader, const struct csv_row *row,
                                 struct event_roles *out, csy_error *error)
{
    static const struct {
        enum csv_order_column column;
        size_t offset;
    } keys[] = {{CSV_LOCATION, offsetof(struct event_roles, location)},
                {CSV_BUFFER, offsetof(struct event_roles, buffer)},
                {CSV_BLOCK, offsetof(struct event_roles, block)},
                {CSV_SEND, offsetof(struct event_roles, send)},
                {CSV_RECV, offsetof(struct event_roles, recv)},
                {CSV_ENTER, offsetof(struct event_roles, enter)},
                {CSV_LEAVE, offsetof(struct event_roles, leave)},
                {CSV_ID, offsetof(struct event_roles, id)},
                {CSV_AFTER, offsetof(struct event_roles, after)},
                {CSV_SAME, offsetof(struct event_roles, same)},
                {CSV_OTHER_CLOCK, offsetof(struct event_roles, other_clock)}};
    csy_status status = CSY_OK;
    for (size_t i = 0; i < sizeof keys / sizeof *keys && !status; i++) {
        const enum csv_order_column column = keys[i].column;
        csy_text *key = (void *)((char *)out + keys[i].offset);
        *key = (csy_text){"", 0};
        if (reader->columns.order[column] != CSV_NO_COLUMN)
            status =
                csv_read_name(reader, row, csv_order_names[column], reader->columns.order[column],
                              &reader->unquoted_keys[column], &key->bytes, &key->size, error);
    }
    out->latency_ticks = out->latency_max_ticks = 0;
    if (!status)
        status =
            read_length(reader, row, CSV_LATENCY, &out->has_latency, &out->latency_ticks, error);
    if (!status)
        status = read_length(reader, row, CSV_LATENCY_MAX, &out->has_latency_max,
                             &out->latency_max_ticks, error);
    if (!status && out->has_latency_max && out->has_latency &&
        out->latency_ticks > out->latency_max_ticks) {
        struct csv_field field = field_of(reader, row, CSV_LATENCY_MAX);
        char what[96];
        snprintf(what, sizeof what, "the maximum latency is below the latency, %" PRId64 " ticks",
                 out->latency_ticks);
        status = csv_refuse_field(
            reader->name, &(struct csv_spot){row->line, csv_order_names[CSV_LATENCY_MAX], &field},
            what, error);
    }
    if (!status)
        status = read_compared(reader, row, out, error);
    if (!status)
        status = read_flush(reader, row, out, error);
    struct csv_field sync = field_of(reader, row, CSV_SYNC);
    out->sync = csv_field_is(&sync, "yes");
    out->shared = csv_field_is(&sync, "shared");
    if (status || out->sync || out->shared || sync.size == 0 || csv_field_is(&sync, "no"))
        return status;
    return csv_refuse_field(reader->name,
                            &(struct csv_spot){row->line, csv_order_names[CSV_SYNC], &sync},
                            "expected yes, shared, no, or nothing", error);
}

/* --- Joining files ------------------------------------------------------------------------- */

enum { JOIN_BYTES = 256 * 1024 };

struct joined_column {
    struct csv_field name; /* name of the column in the first file that has it */
    int role;              /* meaning of the column, from role_of */
    size_t *of;            /* for each file: index of the column with this name, or CSV_NO_COLUMN */
};

/* Names in the files that are joined: names of threads, or keys of sends. */
struct joined_names {
    struct texts names;
    uint32_t *parts; /* for each name: index of the first file that has it */
    size_t capacity;
};

struct joined_file {
    struct csy_trace *trace;
    struct joined_column *columns;
    size_t ncolumns, capacity;
    int fd;
    uint64_t line; /* line number of the next byte in the joined file */
    struct joined_names threads, keys;
    char *block;
    size_t used;
    char last[64]; /* thread name of the previous row, unless it is too long */
    size_t last_size, last_part;
    csy_status status; /* after a failure, nothing more is written */
    csy_error *error;
};

static void flush(struct joined_file *j)
{
    for (size_t at = 0; at < j->used && !j->status;) {
        ssize_t n = write(j->fd, j->block + at, j->used - at);
        if (n < 0)
            j->status = error_io(j->error, "temporary file", NULL);
        at += n > 0 ? (size_t)n : 0;
    }
    j->used = 0;
}

static void put(struct joined_file *j, const char *bytes, size_t size)
{
    while (size > 0 && !j->status) {
        size_t n = JOIN_BYTES - j->used < size ? JOIN_BYTES - j->used : size;
        memcpy(j->block + j->used, bytes, n);
        for (const char *at = bytes; (at = memchr(at, '\n', (size_t)(bytes + n - at))); at++)
            j->line++;
        j->used += n;
        bytes += n;
        size -= n;
        if (j->used == JOIN_BYTES)
            flush(j);
    }
}

/* Write a separator, if this is not the first column, and then `field`, in quotes if it contains a
 * separator. `prefix` and a slash precede it, unless `prefix` is NULL. */
static void put_field(struct joined_file *j, size_t column, const struct csv_field *field,
                      const char *prefix)
{
    const char *separator = &j->trace->parts[0]->lines.separator;
    bool quoted = field->quoted || (field->size > 0 && memchr(field->at, *separator, field->size));
    put(j, separator, column > 0);
    put(j, "\"", quoted);
    if (prefix) {
        put(j, prefix, strlen(prefix));
        put(j, "/", 1);
    }
    put(j, field->at, field->size);
    put(j, "\"", quoted);
}

enum { ROLE_THREAD, ROLE_CLOCK, ROLE_LOCATION, ROLE_OTHERS };

/* Returns a number that stands for the meaning of a column, or -1 if the column has none. */
static int role_of(const struct csv_header *header, size_t column)
{
    const size_t plain[] = {header->thread, header->clock,   header->order[CSV_LOCATION],
                            header->time,   header->core,    header->event,
                            header->begin,  header->duration};
    enum { PLAIN = sizeof plain / sizeof *plain };
    for (int i = 0; i < (int)PLAIN; i++)
        if (plain[i] == column)
            return i;
    for (int i = 0; i < CSV_ORDER_COLUMNS; i++)
        if (header->order[i] == column)
            return PLAIN + i;
    for (int i = 0; i < GLOBALS; i++)
        if (header->global[i] == column)
            return PLAIN + CSV_ORDER_COLUMNS + i;
    return -1;
}

static csy_status add_columns(struct joined_file *j, size_t part)
{
    struct csv_reader *reader = &j->trace->parts[part]->lines;
    size_t n = j->trace->nparts;
    struct csv_row header;
    csy_status status = csv_header(reader, &header, j->error);
    for (size_t c = 0; c < reader->ncolumns && !status; c++) {
        int role = role_of(&reader->columns, c);
        struct joined_column *found = NULL;
        for (size_t i = 0; i < j->ncolumns && !found; i++) {
            struct joined_column *column = &j->columns[i];
            struct csv_field a = csv_field_trim(column->name), b = csv_field_trim(header.fields[c]);
            bool same =
                role >= 0 ? column->role == role
                          : column->role < 0 && a.size == b.size && memcmp(a.at, b.at, a.size) == 0;
            found = same && column->of[part] == CSV_NO_COLUMN ? column : NULL;
        }
        if (!found && !ARRAY_RESERVE(j->columns, j->capacity, j->ncolumns + 1))
            return error_memory(j->error);
        if (!found) {
            found = &j->columns[j->ncolumns];
            *found = (struct joined_column){header.fields[c], role, malloc(n * sizeof *found->of)};
            if (!found->of)
                return error_memory(j->error);
            j->ncolumns++;
            for (size_t i = 0; i < n; i++)
                found->of[i] = CSV_NO_COLUMN;
        }
        found->of[part] = c;
    }
    return status;
}

static csy_status refuse_pair(const struct joined_file *j, size_t part, const char *what)
{
    const struct csy_trace *const *parts = (const struct csy_trace *const *)j->trace->parts;
    return error_set(j->error, CSY_INPUT,
                     "%s: %s differs from %s, so the files cannot be joined to one trace",
                     parts[part]->name, what, parts[0]->name);
}

/* Returns CSY_INPUT if a file does not fit the first file, for example in its unit of time. */
static csy_status compare_comments(const struct joined_file *j, size_t part)
{
    const struct csy_trace *other = j->trace->parts[part];
    const struct csv_reader *a = &j->trace->parts[0]->lines, *b = &other->lines;
    bool begins = a->columns.begin != CSV_NO_COLUMN, lasts = b->columns.duration != CSV_NO_COLUMN;
    bool begun = b->columns.begin != CSV_NO_COLUMN, lasted = a->columns.duration != CSV_NO_COLUMN;
    if (other->steps.count > 0)
        return error_set(
            j->error, CSY_INPUT,
            "%s: this file was synchronized with --steps; join the original files instead",
            other->name);
    if (other->part_name && b->counters.active)
        return error_set(j->error, CSY_INPUT,
                         "%s: lines # clock contain the names of clocks, so %s= cannot rename "
                         "them; give the threads and clocks different names in the file",
                         other->name, other->part_name);
    if (a->scale.unit != b->scale.unit)
        return refuse_pair(j, part, "the unit of time");
    if ((begins && lasts) || (begun && lasted))
        return refuse_pair(j, part, "the column for begins (\"begin\" or \"duration\")");
    if (a->comments.words[CSV_WORD_BLOCK_AFTER] != b->comments.words[CSV_WORD_BLOCK_AFTER])
        return refuse_pair(j, part, "# block_after");
    if (a->same_within_ticks != b->same_within_ticks)
        return refuse_pair(j, part, "# same_within");
    return CSY_OK;
}

/* Write each comment that no earlier file has. Leave out "# cellsync", and also "# sends=complete"
 * unless all files have it. */
static void put_comments(struct joined_file *j, size_t part, struct texts *seen)
{
    const struct csv_reader *reader = &j->trace->parts[part]->lines;
    const char *at = reader->preamble;
    const char *end = at + reader->preamble_size - reader->header_end_size - reader->header_size;
    const char *facts = at + reader->facts_at, *facts_end = at + csv_reader_facts_end(reader);
    if (end - at >= 3 && memcmp(at, "\xef\xbb\xbf", 3) == 0)
        at += 3;
    while (at < end && !j->status) {
        const char *next = memchr(at, '\n', (size_t)(end - at));
        size_t size = (size_t)((next ? next : end) - at);
        size -= size > 0 && at[size - 1] == '\r';
        bool ours = reader->facts_size > 0 && at >= facts && at < facts_end, added = false;
        uint32_t number;
        size_t key = 1; /* start of the key, after the # and blanks */
        while (key < size && ascii_is_blank(at[key]))
            key++;
        bool sends = size > key + 5 && memcmp(at + key, "sends", 5) == 0;
        if (size > 0 && !ours && (!sends || j->trace->sends == SENDS_STATED) &&
            !texts_find(seen, at, size, &number, &added))
            j->status = error_memory(j->error);
        if (added) {
            put(j, at, size);
            put(j, "\n", 1);
        }
        at = next ? next + 1 : end;
    }
}

/* Set *other to the index of the first file with this name, perhaps `part` itself. */
static csy_status note_name(struct joined_names *all, const char *name, size_t size, size_t part,
                            size_t *other, csy_error *error)
{
    uint32_t number;
    bool added;
    if (!texts_find(&all->names, name, size, &number, &added) ||
        !ARRAY_RESERVE(all->parts, all->capacity, all->names.count))
        return error_memory(error);
    if (added)
        all->parts[number] = (uint32_t)part;
    *other = all->parts[number];
    return CSY_OK;
}

/* Returns CSY_INPUT if an earlier file also has the thread of the event. */
static csy_status check_thread(struct joined_file *j, size_t part, const struct event *event)
{
    const struct csy_trace *own = j->trace->parts[part];
    const struct named_stamp *stamp = &event->stamp;
    const char *name = stamp->thread;
    char *prefixed = NULL, escaped[ERROR_ESCAPED_MAX];
    size_t size = stamp->thread_size, other = part;
    if (part == j->last_part && size == j->last_size && memcmp(name, j->last, size) == 0)
        return CSY_OK;
    if (own->part_name) {
        if (asprintf(&prefixed, "%s/%.*s", own->part_name, (int)size, name) < 0)
            return error_memory(j->error);
        name = prefixed;
        size = strlen(prefixed);
    }
    csy_status status = note_name(&j->threads, name, size, part, &other, j->error);
    if (!status && other != part) {
        const char *first = j->trace->parts[other]->name;
        status = error_set(
            j->error, CSY_INPUT,
            "%s: %s %" PRIu64
            ": the thread '%s' is also in %s. If these are different threads of one recording, "
            "name the files, as in A=%s B=%s; if each file is a separate recording, pass --table",
            own->name, j->trace->source->place, event->place, error_escape(escaped, name, size),
            first, first, own->name);
    }
    free(prefixed);
    j->last_size = stamp->thread_size < sizeof j->last ? stamp->thread_size : 0;
    j->last_part = j->last_size > 0 ? part : SIZE_MAX;
    memcpy(j->last, stamp->thread, j->last_size);
    return status;
}

/* Refuse a message key if an earlier file sends a message with this key, too. */
static csy_status check_keys(struct joined_file *j, size_t part, const struct event *event)
{
    csy_text keys = event->roles->send;
    char escaped[ERROR_ESCAPED_MAX];
    const char *at = keys.bytes, *end = at + keys.size;
    while (keys.size > 0 && at < end) {
        size_t other, size = 0;
        while (at < end && ascii_is_blank(*at))
            at++;
        while (at + size < end && !ascii_is_blank(at[size]))
            size++;
        csy_status status =
            size > 0 ? note_name(&j->keys, at, size, part, &other, j->error) : CSY_OK;
        if (!status && size > 0 && other != part)
            return error_set(j->error, CSY_INPUT,
                             "%s: %s %" PRIu64
                             ": the key '%s' is also sent in %s; give different messages different "
                             "keys, or pass --table if each file is a separate recording",
                             j->trace->parts[part]->name, j->trace->source->place, event->place,
                             error_escape(escaped, at, size), j->trace->parts[other]->name);
        if (status)
            return status;
        at += size;
    }
    return CSY_OK;
}

static void put_part(struct joined_file *j, size_t part)
{
    struct csy_trace *own = j->trace->parts[part];
    struct part_places *places = &j->trace->part_places[part];
    struct event event = {.position = 0};
    bool more = true;
    *places = (struct part_places){j->line, 0};
    while (!j->status) {
        j->status = own->source->next(own, &event, &more, j->error);
        if (j->status || !more)
            break;
        if (event.position++ == 0)
            places->own = event.place;
        /* Write empty lines, so that the row gets the line number in event.place. */
        while (!j->status && j->line - places->first < event.place - places->own)
            put(j, "\n", 1);
        if (!j->status)
            j->status = check_thread(j, part, &event);
        if (!j->status && event.roles && !j->trace->loose)
            j->status = check_keys(j, part, &event);
        for (size_t i = 0; i < j->ncolumns; i++) {
            const struct joined_column *column = &j->columns[i];
            struct csv_field field = {"", 0, false};
            if (column->of[part] != CSV_NO_COLUMN)
                field = event.row->fields[column->of[part]];
            bool named = own->part_name && column->role >= 0 && column->role < ROLE_OTHERS;
            field = named ? csv_field_trim(field) : field;
            put_field(j, i, &field, named && field.size > 0 ? own->part_name : NULL);
        }
        put(j, "\n", 1);
    }
}

/* --- The source ---------------------------------------------------------------------------- */

/* A header is expected in the first LOOK_BYTES bytes of a pipe. */
enum { LOOK_BYTES = 16 * 1024 };

#define NO_FORMAT "it is no .pex, CSV, packet capture, JSON, or anchor file of an OTF2 archive"

/* First bytes of other types of files, which users may pass by mistake. */
static const struct {
    const char *begin;
    size_t size;
    const char *title;
} others[] = {{"\x7f\x45LF", 4, "an ELF file, a program or library"},
              {"\x89PNG", 4, "a PNG picture"},
              {"\xff\xd8\xff", 3, "a JPEG picture"},
              {"%PDF", 4, "a PDF document"},
              {"PK\3\4", 4, "a ZIP archive; save a spreadsheet as CSV"},
              {"\x28\xb5\x2f\xfd", 4, "a file compressed by zstd; zstd -dc decompresses it"},
              {"\xfd\x37zXZ", 5, "a file compressed by xz; xz -dc decompresses it"},
              {"BZh", 3, "a file compressed by bzip2; bzip2 -dc decompresses it"},
              {"\x1f\x8b", 2, "a file that gzip compressed twice"},
              {"SQLite format 3", 15, "an SQLite database"},
              {"PERFILE2", 8, "a recording of perf(1)"}};

/* If the file is not text, replace the error of a refused header by a clearer one. */
static csy_status refuse_binary(const struct csy_trace *trace, csy_status status, csy_error *error)
{
    const struct head *head = &trace->head;
    if (status != CSY_INPUT ||
        csv_header_check_text(head->bytes, head->size, trace->name, false, NULL))
        return status;
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (head->size >= others[i].size &&
            memcmp(head->bytes, others[i].begin, others[i].size) == 0)
            return error_set(error, status, "%s: offset 0: " NO_FORMAT "; the file seems to be %s",
                             trace->name, others[i].title);
    for (size_t i = 0; i < head->size && head->bytes[i] != '\n'; i++)
        if (head->bytes[i] < ' ' && head->bytes[i] != '\t' && head->bytes[i] != '\r')
            return error_set(error, status,
                             "%s: offset %zu: byte 0x%02x does not occur in text: " NO_FORMAT,
                             trace->name, i, head->bytes[i]);
    return status;
}

/* For a pipe: check the header, if it has arrived as a whole, before the rest arrives. */
static csy_status look(struct csy_trace *trace, csy_error *error)
{
    struct bytes *bytes;
    struct csv_reader csv;
    uint8_t head[LOOK_BYTES];
    ssize_t n = pread(trace->fd, head, sizeof head, 0);
    if (n <= 0 || (!memchr(head, '\n', (size_t)n) && head[0]))
        return CSY_OK;
    csy_status status = bytes_new(trace->fd, trace->name, 0, false, 1, &bytes, error);
    if (status)
        return status;
    status = csv_open(&csv, bytes, trace->name, &trace->csv_asked, error);
    if (csv.ncolumns == 0)
        status = refuse_binary(trace, status, error);
    csv_close(&csv);
    bytes_free(bytes);
    return status;
}

/* Warn if columns that would order events of different threads are missing or ignored. */
static void warn_of_order(struct csy_trace *trace)
{
    const struct csv_comments *comments = &trace->lines.comments;
    const struct csv_header *columns = &trace->lines.columns;
    static const enum csv_order_column pairs[][2] = {{CSV_SEND, CSV_RECV}, {CSV_ENTER, CSV_LEAVE}};
    bool any = false, partial = comments->words[CSV_WORD_ORDER];
    for (enum csv_order_column i = CSV_LOCATION + 1; i < CSV_ORDER_COLUMNS; i++)
        any = any || columns->order[i] != CSV_NO_COLUMN;
    enum csv_order_column present = CSV_ORDER_COLUMNS, missing = CSV_ORDER_COLUMNS;
    for (size_t i = 0; i < 2 && missing == CSV_ORDER_COLUMNS; i++) {
        bool first = columns->order[pairs[i][0]] != CSV_NO_COLUMN;
        if (first == (columns->order[pairs[i][1]] != CSV_NO_COLUMN))
            continue;
        present = pairs[i][!first];
        missing = pairs[i][first];
    }
    if (partial && columns->foreign)
        trace_warn(
            trace,
            "the column \"%s\" is ignored: in a CSV, only the columns \"send\" and \"recv\", "
            "\"enter\" and \"leave\", or \"id\" and \"after\" give the order of events",
            columns->foreign);
    else if (partial && any && missing != CSV_ORDER_COLUMNS)
        trace_warn(trace,
                   "the column \"%s\" is ignored, because the column \"%s\" is missing; if that "
                   "column has another name, pass --columns=%s=NAME",
                   csv_order_names[present], csv_order_names[missing], csv_order_names[missing]);
    else if (partial && !any)
        trace_warn(trace,
                   "# order=%s is given, but no column orders events of different threads, such as "
                   "the columns \"send\" and \"recv\"; if these have other names, pass "
                   "--columns=send=NAME,recv=NAME",
                   trace->loose ? "messages" : "partial");
    else if (!partial && comments->word_lines[CSV_WORD_ORDER] == 0 && columns->pair)
        trace->unread_order = columns->pair;
}

static csy_status open_csv(struct csy_trace *trace, uint64_t start, csy_error *error)
{
    const struct csv_comments *comments = &trace->lines.comments;
    struct csv_field apart;
    trace->record_start = start;
    csy_status status =
        bytes_new(trace->fd, trace->name, start, trace->gzip, trace->workers, &trace->bytes, error);
    if (!status)
        status = csv_open(&trace->lines, trace->bytes, trace->name, &trace->csv_asked, error);
    if (trace->lines.ncolumns == 0)
        status = refuse_binary(trace, status, error);
    trace->timebase_hz = trace->lines.timebase_hz;
    trace->partial =
        comments->words[CSV_WORD_ORDER] != CSV_ORDER_BUFFER || trace->csv_asked.measured;
    trace->loose = comments->words[CSV_WORD_ORDER] == CSV_ORDER_MESSAGES;
    trace->block_after = (enum block_after)comments->words[CSV_WORD_BLOCK_AFTER];
    trace->sends = comments->word_lines[CSV_WORD_SENDS] > 0 ? SENDS_STATED : SENDS_UNKNOWN;
    trace->independent =
        csv_reader_fact(&trace->lines, "ticks_apart", &apart) && csv_field_is(&apart, "yes");
    trace->timebase_assumed = trace->lines.timebase_assumed;
    const size_t *order = trace->lines.columns.order;
    trace->limits = order[CSV_LATENCY_MAX] != CSV_NO_COLUMN || order[CSV_SAME] != CSV_NO_COLUMN ||
                    order[CSV_OTHER_CLOCK] != CSV_NO_COLUMN;
    trace->has_begins = trace->lines.columns.begin != CSV_NO_COLUMN ||
                        trace->lines.columns.duration != CSV_NO_COLUMN;
    trace->nwarnings = csv_comment_warnings(&trace->lines.comments, trace->warnings);
    static const enum csv_order_column chains[] = {CSV_BUFFER, CSV_BLOCK, CSV_FLUSH, CSV_SYNC};
    for (size_t i = 0; i < sizeof chains / sizeof *chains && !status && trace->loose; i++)
        if (order[chains[i]] != CSV_NO_COLUMN)
            status = csv_refuse(trace->name, comments->word_lines[CSV_WORD_ORDER], error,
                                "# order=messages does not allow the column \"%s\", because only "
                                "messages, groups, and ids order the rows; use # order=partial if "
                                "the rows of each thread are in order",
                                csv_order_names[chains[i]]);
    if (status)
        return status;
    warn_of_order(trace);
    return csv_reader_steps(&trace->lines, &trace->steps, error);
}

/* Files in partial order can be joined, because their events use the same keys. */
static bool joins(const struct csy_trace *trace)
{
    return trace->partial;
}

/* Write the rows of all files to a temporary file. Columns with the same meaning, or without a
 * meaning but with the same name, become one. Returns CSY_INPUT if files do not fit together, for
 * example with the same thread. Memory holds the names of threads and sent keys. */
static csy_status join_parts(struct csy_trace *trace, csy_error *error)
{
    static const char order[] = "# order=partial\n";
    struct joined_file j = {.trace = trace,
                            .fd = -1,
                            .line = 1,
                            .last_part = SIZE_MAX,
                            .block = malloc(JOIN_BYTES),
                            .error = error};
    trace->source = trace->parts[0]->source;
    j.status = j.block ? bytes_temporary(&j.fd, error) : error_memory(error);
    for (size_t i = 0; i < trace->nparts && !j.status; i++)
        j.status = add_columns(&j, i);
    struct texts seen = {.count = 0};
    bool stated = false;
    for (size_t i = 0; i < trace->nparts && !j.status; i++) {
        stated |= trace->parts[i]->lines.comments.word_lines[CSV_WORD_ORDER] > 0;
        j.status = compare_comments(&j, i);
        put_comments(&j, i, &seen);
    }
    texts_fini(&seen);
    put(&j, order, stated ? 0 : sizeof order - 1);
    for (size_t i = 0; i < j.ncolumns; i++)
        put_field(&j, i, &j.columns[i].name, NULL);
    put(&j, "\n", 1);
    for (size_t i = 0; i < trace->nparts; i++)
        put_part(&j, i);
    flush(&j);
    for (size_t i = 0; i < j.ncolumns; i++)
        free(j.columns[i].of);
    texts_fini(&j.threads.names);
    texts_fini(&j.keys.names);
    FREE_ALL(j.columns, j.block, j.threads.parts, j.keys.parts);
    if (j.status && j.fd >= 0)
        close(j.fd);
    if (j.status)
        return j.status;
    const struct csv_asked *first = &trace->parts[0]->lines.asked;
    char warnings[TRACE_WARNINGS_MAX][CSV_WARNING_MAX]; /* warnings of the parts */
    size_t nwarnings = trace->nwarnings;
    memcpy(warnings, trace->warnings, sizeof warnings);
    trace->csv_asked = (struct csv_asked){.columns = first->columns,
                                          .recorded = first->recorded,
                                          .unit = first->unit,
                                          .counter_bits = first->counter_bits};
    trace->fd = j.fd;
    csy_status status = open_csv(trace, 0, error);
    memcpy(trace->warnings, warnings, sizeof warnings);
    trace->nwarnings = nwarnings;
    return status;
}

static csy_status rewind_rows(struct csy_trace *trace, csy_error *error)
{
    trace->record_file = 0;
    csv_close(&trace->lines);
    csy_status status =
        csv_open(&trace->lines, trace->bytes, trace->name, &trace->csv_asked, error);
    trace->lines.salvage = trace->salvage;
    trace->lines.cut.records = 0;
    return status;
}

static csy_status next_row(struct csy_trace *trace, struct event *event, bool *more,
                           csy_error *error)
{
    struct csv_reader *reader = &trace->lines;
    struct csv_row *row = &trace->row;
    csy_status status = csv_read(reader, row, more, error);
    reader->cut.records = event->position;
    if (status == CSY_INPUT && reader->is_cut) {
        if (error)
            memcpy(reader->cut.text, error->text, sizeof error->text);
        return cut_refuse(&reader->cut, "row", true, error);
    }
    if (!status && !*more)
        return csv_counters_finish(&reader->counters, reader->is_cut, error);
    if (status)
        return status;
    event->place = row->line;
    while (trace->record_file + 1 < trace->nparts &&
           trace->part_places[trace->record_file + 1].first <= row->line)
        trace->record_file++;
    event->file = trace->record_file;
    event->bytes = (const uint8_t *)row->bytes;
    event->size = row->size;
    event->stamp = row->stamp;
    event->stamp.begin_is_raw =
        reader->columns.begins_are_stamps && row->stamp.core != STAMP_CORE_SPE;
    event->row = row;
    event->roles = trace->partial ? &trace->csv_roles : NULL;
    if (trace->partial)
        status = csv_read_roles(reader, row, &trace->csv_roles, error);
    if (!status && trace->partial) {
        const csy_text *location = &trace->csv_roles.location;
        bool own = location->size == 0;
        status = csv_counters_note(&reader->counters, &row->shown, row->line,
                                   own ? row->stamp.thread : location->bytes,
                                   own ? row->stamp.thread_size : location->size, error);
    }
    return status ? status : csv_event_name(reader, row, &event->name, &event->name_size, error);
}

static csy_status fork_csv(const struct csy_trace *trace, struct csy_trace *fork, csy_error *error)
{
    csy_status status = bytes_new(trace->fd, trace->name, trace->record_start, trace->gzip,
                                  trace->workers, &fork->bytes, error);
    return status ? status : rewind_rows(fork, error);
}

static void close_csv(struct csy_trace *trace)
{
    csv_close(&trace->lines);
}

static const csy_cut *cut(const struct csy_trace *trace)
{
    return trace->lines.is_cut ? &trace->lines.cut : NULL;
}

static bool time_decimals(const struct csy_trace *trace, unsigned *decimals)
{
    return csv_time_decimals(&trace->lines.scale, decimals);
}

static uint64_t time_steps(const struct csy_trace *trace)
{
    const struct csv_reader *reader = &trace->lines;
    struct csv_field time = csv_field_trim(trace->row.fields[reader->columns.time]);
    if (reader->counters.scaled) /* each clock has its own resolution, so return the coarsest one */
        return reader->counters.hz;
    return csv_time_steps(&reader->scale, time.at, time.size);
}

static bool dates(const struct csy_trace *trace)
{
    return trace->lines.scale.unit == CSV_STAMPS;
}

static bool is_synchronized(const struct csy_trace *trace)
{
    return trace->lines.facts_size > 0 || trace->lines.synchronized;
}

static uint64_t assumed(const struct csy_trace *trace)
{
    struct csv_field value;
    uint64_t number;
    return csv_reader_fact(&trace->lines, "assumed", &value) && csv_field_number(value, &number)
               ? number
               : 0;
}

static const char *keys(const struct csy_trace *trace)
{
    (void)trace;
    return "a send and a receive with the same key belong to one message";
}

const struct source source_csv = {
    .format = CSY_FORMAT_CSV,
    .written_as = CSY_FORMAT_CSV,
    .title = "a CSV",
    .place = "line",
    .called = "row",
    .complete = "add # sends=complete",
    .named_groups = true,
    .shaped = true,
    .look = look,
    .open = open_csv,
    .rewind = rewind_rows,
    .next = next_row,
    .close = close_csv,
    .fork = fork_csv,
    .join = close_csv,
    .cut = cut,
    .time_decimals = time_decimals,
    .time_steps = time_steps,
    .dates = dates,
    .keys = keys,
    .is_synchronized = is_synchronized,
    .assumed = assumed,
    .joins = joins,
    .join_parts = join_parts,
};
