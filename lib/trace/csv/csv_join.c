/* See csv_join.h. */
#include "trace/csv/csv_join.h"

#include "base/array.h"
#include "base/error.h"
#include "base/texts.h"
#include "io/bytes.h"
#include "trace/join.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { JOIN_BYTES = 256 * 1024 };

/* A column of the joined file. */
struct joined_column {
    struct csv_field name; /* name in the first part that has the column */
    int role;              /* result of role_of */
    size_t *of;            /* by part: index of the column, or CSV_NO_COLUMN */
};

struct joining {
    struct csy_trace *trace;
    struct joined_column *columns;
    size_t ncolumns, capacity;
    int fd;
    uint64_t line; /* line number of the next byte of the joined file */
    struct join_threads threads, keys;
    char *block;
    size_t used;
    char last[64]; /* thread name of the previous row, if it is short */
    size_t last_size, last_part;
    csy_error *error;
};

/* --- Writing ------------------------------------------------------------------------------- */

static csy_status flush(struct joining *j)
{
    for (size_t at = 0; at < j->used;) {
        ssize_t n = write(j->fd, j->block + at, j->used - at);
        if (n < 0)
            return error_io(j->error, "temporary file", NULL);
        at += (size_t)n;
    }
    j->used = 0;
    return CSY_OK;
}

static csy_status put(struct joining *j, const char *bytes, size_t size)
{
    csy_status status = CSY_OK;
    while (size > 0 && !status) {
        size_t n = JOIN_BYTES - j->used < size ? JOIN_BYTES - j->used : size;
        memcpy(j->block + j->used, bytes, n);
        for (const char *at = bytes; (at = memchr(at, '\n', (size_t)(bytes + n - at))); at++)
            j->line++;
        j->used += n;
        bytes += n;
        size -= n;
        status = j->used == JOIN_BYTES ? flush(j) : CSY_OK;
    }
    return status;
}

/* Write a field after the prefix of its part. Quotes are added if it contains the separator. */
static csy_status put_field(struct joining *j, const struct csv_field *field, const char *prefix)
{
    char separator = j->trace->parts[0]->lines.separator;
    bool quoted = field->quoted || memchr(field->at, separator, field->size);
    csy_status status = quoted ? put(j, "\"", 1) : CSY_OK;
    if (!status && prefix)
        status = put(j, prefix, strlen(prefix));
    if (!status && prefix)
        status = put(j, "/", 1);
    if (!status)
        status = put(j, field->at, field->size);
    return status || !quoted ? status : put(j, "\"", 1);
}

/* --- Columns ------------------------------------------------------------------------------- */

enum { ROLE_THREAD, ROLE_CLOCK, ROLE_LOCATION, ROLE_OTHERS };

/* Returns a number for the meaning of a column, or -1 if it has none. */
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

static bool same_name(const struct csv_field *a, const struct csv_field *b)
{
    struct csv_field x = csv_field_trim(*a), y = csv_field_trim(*b);
    return x.size == y.size && memcmp(x.at, y.at, x.size) == 0;
}

static csy_status add_column(struct joining *j, const struct csv_field *name, int role,
                             struct joined_column **out)
{
    size_t n = j->trace->nparts;
    if (!ARRAY_RESERVE(j->columns, j->capacity, j->ncolumns + 1))
        return error_memory(j->error);
    struct joined_column *column = &j->columns[j->ncolumns];
    *column = (struct joined_column){*name, role, malloc(n * sizeof *column->of)};
    if (!column->of)
        return error_memory(j->error);
    for (size_t i = 0; i < n; i++)
        column->of[i] = CSV_NO_COLUMN;
    j->ncolumns++;
    *out = column;
    return CSY_OK;
}

static csy_status add_columns(struct joining *j, size_t part)
{
    struct csv_reader *reader = &j->trace->parts[part]->lines;
    struct csv_row header;
    csy_status status = csv_header(reader, &header, j->error);
    for (size_t c = 0; c < reader->ncolumns && !status; c++) {
        int role = role_of(&reader->columns, c);
        struct joined_column *found = NULL;
        for (size_t i = 0; i < j->ncolumns && !found; i++) {
            struct joined_column *column = &j->columns[i];
            bool same = role >= 0 ? column->role == role
                                  : column->role < 0 && same_name(&column->name, &header.fields[c]);
            found = same && column->of[part] == CSV_NO_COLUMN ? column : NULL;
        }
        if (!found)
            status = add_column(j, &header.fields[c], role, &found);
        if (!status)
            found->of[part] = c;
    }
    return status;
}

/* --- Comments ------------------------------------------------------------------------------ */

static csy_status refuse_pair(const struct joining *j, size_t part, const char *what)
{
    const struct csy_trace *const *parts = (const struct csy_trace *const *)j->trace->parts;
    return error_set(j->error, CSY_INPUT,
                     "%s: %s differs from that of %s, so they cannot be one trace",
                     parts[part]->name, what, parts[0]->name);
}

/* Returns CSY_INPUT if a property of all rows, such as the unit, differs from the first part. */
static csy_status compare_comments(const struct joining *j, size_t part)
{
    const struct csy_trace *other = j->trace->parts[part];
    const struct csv_reader *a = &j->trace->parts[0]->lines, *b = &other->lines;
    bool begins = a->columns.begin != CSV_NO_COLUMN, lasts = b->columns.duration != CSV_NO_COLUMN;
    bool begun = b->columns.begin != CSV_NO_COLUMN, lasted = a->columns.duration != CSV_NO_COLUMN;
    if (other->steps.count > 0)
        return error_set(
            j->error, CSY_INPUT,
            "%s: it was synchronized with --steps; join the files that it was made from",
            other->name);
    if (other->part_name && b->counters.active)
        return error_set(j->error, CSY_INPUT,
                         "%s: lines # clock name its clocks: leave out %s=, and give its threads "
                         "and clocks names of their own",
                         other->name, other->part_name);
    if (a->scale.unit != b->scale.unit)
        return refuse_pair(j, part, "the unit of time");
    if ((begins && lasts) || (begun && lasted))
        return refuse_pair(j, part, "the column for begins (begin or duration)");
    if (a->comments.words[CSV_WORD_BLOCK_AFTER] != b->comments.words[CSV_WORD_BLOCK_AFTER])
        return refuse_pair(j, part, "# block_after");
    if (a->same_within_ticks != b->same_within_ticks)
        return refuse_pair(j, part, "# same_within");
    return CSY_OK;
}

static bool is_sends(const char *line, size_t size)
{
    size_t at = 1;
    while (at < size && (line[at] == ' ' || line[at] == '\t'))
        at++;
    return size - at > 5 && memcmp(line + at, "sends", 5) == 0;
}

/* Write the comments of a part that earlier parts lack. Omits # sends=complete unless all parts
 * have it, and facts of an earlier synchronization. */
static csy_status put_comments(struct joining *j, size_t part, struct texts *seen)
{
    const struct csv_reader *reader = &j->trace->parts[part]->lines;
    const char *at = reader->preamble;
    const char *end = at + reader->preamble_size - reader->header_end_size - reader->header_size;
    const char *facts = at + reader->facts_at, *facts_end = at + csv_reader_facts_end(reader);
    csy_status status = CSY_OK;
    if (end - at >= 3 && memcmp(at, "\xef\xbb\xbf", 3) == 0)
        at += 3;
    while (at < end && !status) {
        const char *next = memchr(at, '\n', (size_t)(end - at));
        size_t size = (size_t)((next ? next : end) - at);
        size -= size > 0 && at[size - 1] == '\r';
        bool ours = reader->facts_size > 0 && at >= facts && at < facts_end, added = false;
        uint32_t number;
        if (size > 0 && !ours && (!is_sends(at, size) || j->trace->sends == SENDS_STATED)) {
            if (!texts_find(seen, at, size, &number, &added))
                return error_memory(j->error);
            status = added ? put(j, at, size) : CSY_OK;
            if (!status && added)
                status = put(j, "\n", 1);
        }
        at = next ? next + 1 : end;
    }
    return status;
}

static csy_status put_preamble(struct joining *j)
{
    static const char order[] = "# order=partial\n";
    struct texts seen = {.count = 0};
    csy_status status = CSY_OK;
    bool stated = false;
    for (size_t i = 0; i < j->trace->nparts && !status; i++) {
        stated |= j->trace->parts[i]->lines.comments.word_lines[CSV_WORD_ORDER] > 0;
        status = compare_comments(j, i);
        if (!status)
            status = put_comments(j, i, &seen);
    }
    texts_fini(&seen);
    if (!status && !stated)
        status = put(j, order, sizeof order - 1);
    for (size_t i = 0; i < j->ncolumns && !status; i++) {
        if (i > 0)
            status = put(j, &j->trace->parts[0]->lines.separator, 1);
        if (!status)
            status = put_field(j, &j->columns[i].name, NULL);
    }
    return status ? status : put(j, "\n", 1);
}

/* --- Rows ---------------------------------------------------------------------------------- */

/* Returns CSY_INPUT if the thread of the row is in an earlier part. */
static csy_status check_thread(struct joining *j, size_t part, const struct event *event)
{
    const struct named_stamp *stamp = &event->stamp;
    struct join_text text = {NULL, 0};
    const char *name = stamp->thread;
    size_t size = stamp->thread_size, other = part;
    if (part == j->last_part && size == j->last_size && memcmp(name, j->last, size) == 0)
        return CSY_OK;
    csy_status status = join_name(j->trace->parts[part], &text, &name, &size, j->error);
    if (!status)
        status = join_threads_note(&j->threads, name, size, part, &other, j->error);
    if (!status && other != part)
        status = join_refuse_thread(j->trace, part, other, event->place, (csy_text){name, size},
                                    j->error);
    free(text.bytes);
    j->last_size = stamp->thread_size < sizeof j->last ? stamp->thread_size : 0;
    j->last_part = j->last_size > 0 ? part : SIZE_MAX;
    memcpy(j->last, stamp->thread, j->last_size);
    return status;
}

/* Returns CSY_INPUT if an earlier part sends one of the keys. Not for rows in no order: their keys
 * are messages, and a second send before the receive is refused later. */
static csy_status check_keys(struct joining *j, size_t part, const struct event *event)
{
    csy_text keys = event->roles->send;
    char escaped[ERROR_ESCAPED_MAX];
    const char *at = keys.bytes, *end = at + keys.size;
    while (keys.size > 0 && at < end) {
        size_t other, size = 0;
        while (at < end && (*at == ' ' || *at == '\t'))
            at++;
        while (at + size < end && at[size] != ' ' && at[size] != '\t')
            size++;
        csy_status status =
            size > 0 ? join_threads_note(&j->keys, at, size, part, &other, j->error) : CSY_OK;
        if (!status && size > 0 && other != part)
            return error_set(j->error, CSY_INPUT,
                             "%s: %s %" PRIu64 ": the key '%s' is sent in %s, too: make keys "
                             "differ if these are different messages of one recording, or pass "
                             "--table if each file is a recording of its own",
                             j->trace->parts[part]->name, j->trace->source->place, event->place,
                             error_escape(escaped, at, size), j->trace->parts[other]->name);
        if (status)
            return status;
        at += size;
    }
    return CSY_OK;
}

static csy_status put_row(struct joining *j, size_t part, const struct csv_row *row)
{
    const struct csy_trace *own = j->trace->parts[part];
    csy_status status = CSY_OK;
    for (size_t i = 0; i < j->ncolumns && !status; i++) {
        const struct joined_column *column = &j->columns[i];
        if (i > 0)
            status = put(j, &j->trace->parts[0]->lines.separator, 1);
        if (status || column->of[part] == CSV_NO_COLUMN)
            continue;
        struct csv_field field = row->fields[column->of[part]];
        bool named = own->part_name && column->role >= 0 && column->role < ROLE_OTHERS;
        if (named)
            field = csv_field_trim(field);
        status = put_field(j, &field, named && field.size > 0 ? own->part_name : NULL);
    }
    return status ? status : put(j, "\n", 1);
}

static csy_status put_part(struct joining *j, size_t part)
{
    struct csy_trace *own = j->trace->parts[part];
    struct part_places *places = &j->trace->part_places[part];
    struct event event = {.position = 0};
    bool more = true;
    csy_status status = CSY_OK;
    *places = (struct part_places){j->line, 0};
    while (!status) {
        status = own->source->next(own, &event, &more, j->error);
        if (status || !more)
            break;
        if (event.position++ == 0)
            places->own = event.place;
        /* Write an empty line for each line that is no row, to keep the distances of places. */
        while (!status && j->line - places->first < event.place - places->own)
            status = put(j, "\n", 1);
        if (!status)
            status = check_thread(j, part, &event);
        if (!status && event.roles && !j->trace->loose)
            status = check_keys(j, part, &event);
        if (!status)
            status = put_row(j, part, event.row);
    }
    return status;
}

csy_status csv_join_write(struct csy_trace *trace, int *out, csy_error *error)
{
    struct joining j = {.trace = trace,
                        .fd = -1,
                        .line = 1,
                        .last_part = SIZE_MAX,
                        .block = malloc(JOIN_BYTES),
                        .error = error};
    trace->source = trace->parts[0]->source;
    csy_status status = j.block ? bytes_temporary(&j.fd, error) : error_memory(error);
    for (size_t i = 0; i < trace->nparts && !status; i++)
        status = add_columns(&j, i);
    if (!status)
        status = put_preamble(&j);
    for (size_t i = 0; i < trace->nparts && !status; i++)
        status = put_part(&j, i);
    if (!status)
        status = flush(&j);
    for (size_t i = 0; i < j.ncolumns; i++)
        free(j.columns[i].of);
    free(j.columns);
    free(j.block);
    join_threads_fini(&j.threads);
    join_threads_fini(&j.keys);
    if (status && j.fd >= 0)
        close(j.fd);
    if (!status)
        *out = j.fd;
    return status;
}
