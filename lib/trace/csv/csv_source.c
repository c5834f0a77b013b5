/* A CSV as a source of events. */
#include "base/error.h"
#include "trace/csv/csv.h"
#include "trace/csv/csv_join.h"
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

/* Read a duration in this column. If the row has none, *ticks is not changed. */
static csy_status read_length(const struct csv_reader *reader, const struct csv_row *row,
                              enum csv_order_column column, bool *has, int64_t *ticks,
                              csy_error *error)
{
    struct csv_field field = field_of(reader, row, column);
    *has = field.size > 0;
    if (!*has)
        return CSY_OK;
    csy_status status =
        csv_read_time(reader, row, csv_order_names[column], reader->columns.order[column],
                      &reader->duration, ticks, error);
    if (!status)
        status = csv_counters_length(&reader->counters,
                                     &(struct csv_spot){row->line, csv_order_names[column], &field},
                                     ticks, error);
    return status || *ticks >= 0 ? status
                                 : csv_refuse_field(reader, row->line, csv_order_names[column],
                                                    &field, "expected 0 or more", error);
}

static csy_status read_latencies(const struct csv_reader *reader, const struct csv_row *row,
                                 struct event_roles *roles, csy_error *error)
{
    char what[96];
    roles->latency_ticks = roles->latency_max_ticks = 0;
    csy_status status =
        read_length(reader, row, CSV_LATENCY, &roles->has_latency, &roles->latency_ticks, error);
    if (!status)
        status = read_length(reader, row, CSV_LATENCY_MAX, &roles->has_latency_max,
                             &roles->latency_max_ticks, error);
    if (status || !roles->has_latency_max || !roles->has_latency ||
        roles->latency_ticks <= roles->latency_max_ticks)
        return status;
    struct csv_field field = field_of(reader, row, CSV_LATENCY_MAX);
    snprintf(what, sizeof what, "it is below the latency, %" PRId64 " ticks", roles->latency_ticks);
    return csv_refuse_field(reader, row->line, csv_order_names[CSV_LATENCY_MAX], &field, what,
                            error);
}

/* Read a comparison with another clock: the name and the reading of that clock. */
static csy_status read_compared(const struct csv_reader *reader, const struct csv_row *row,
                                struct event_roles *roles, csy_error *error)
{
    struct csv_field time = field_of(reader, row, CSV_OTHER_TIME);
    bool named = roles->other_clock.size > 0, has;
    roles->other_ticks = 0;
    roles->within_ticks = named ? 0 : reader->same_within_ticks;
    csy_status status = read_length(reader, row, CSV_WITHIN, &has, &roles->within_ticks, error);
    if (!status && has && !named && roles->same.size == 0)
        return error_set(error, CSY_INPUT,
                         "%s: line %" PRIu64 ": within: neither same nor other_clock is given",
                         reader->name, row->line);
    if (!status && named && time.size > 0) {
        const char *called = csv_order_names[CSV_OTHER_TIME];
        status = csv_read_time(reader, row, called, reader->columns.order[CSV_OTHER_TIME],
                               &reader->scale, &roles->other_ticks, error);
        return status ? status
                      : csv_counters_other(&reader->counters, roles->other_clock.bytes,
                                           roles->other_clock.size,
                                           &(struct csv_spot){row->line, called, &time},
                                           &roles->other_ticks, error);
    }
    if (status || named == (time.size > 0))
        return status;
    return error_set(error, CSY_INPUT, "%s: line %" PRIu64 ": %s is given, but no %s", reader->name,
                     row->line, csv_order_names[named ? CSV_OTHER_CLOCK : CSV_OTHER_TIME],
                     csv_order_names[named ? CSV_OTHER_TIME : CSV_OTHER_CLOCK]);
}

/* Convert a timestamp to ticks since the time of the row. */
static csy_status read_stamp(const struct csv_reader *reader, const struct csv_row *row,
                             struct csv_field stamp, int64_t *out, csy_error *error)
{
    const char *called = csv_order_names[CSV_FLUSH];
    char text[256];
    uint64_t least_hz = 0;
    int64_t ticks;
    enum csv_fault fault = csv_time_parse(&reader->scale, stamp.at, stamp.size, &ticks, &least_hz);
    if (fault)
        return csv_refuse_field(reader, row->line, called, &stamp,
                                csv_time_fault(&reader->scale, fault, stamp.at, stamp.size,
                                               least_hz, text, sizeof text),
                                error);
    *out = ticks;
    return csv_counters_since(&reader->counters, &row->shown,
                              &(struct csv_spot){row->line, called, &stamp}, out, error);
}

/* Read the time of a flush, such as "6", or "6/8" for a flush between two timestamps. */
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
               : csv_refuse_field(reader, row->line, csv_order_names[CSV_FLUSH], &field,
                                  "the second stamp is before the first one", error);
}

/* Read the roles of a row. Their texts are valid until the next row. */
static csy_status csv_read_roles(struct csv_reader *reader, const struct csv_row *row,
                                 struct event_roles *out, csy_error *error)
{
    csy_text *const keys[CSV_ORDER_COLUMNS] = {[CSV_LOCATION] = &out->location,
                                               [CSV_BUFFER] = &out->buffer,
                                               [CSV_BLOCK] = &out->block,
                                               [CSV_SEND] = &out->send,
                                               [CSV_RECV] = &out->recv,
                                               [CSV_ENTER] = &out->enter,
                                               [CSV_LEAVE] = &out->leave,
                                               [CSV_ID] = &out->id,
                                               [CSV_AFTER] = &out->after,
                                               [CSV_SAME] = &out->same,
                                               [CSV_OTHER_CLOCK] = &out->other_clock};
    csy_status status = CSY_OK;
    for (enum csv_order_column i = 0; i < CSV_ORDER_COLUMNS && !status; i++) {
        size_t at = reader->columns.order[i];
        if (!keys[i])
            continue;
        *keys[i] = (csy_text){"", 0};
        if (at != CSV_NO_COLUMN)
            status = csv_read_name(reader, row, csv_order_names[i], at, &reader->unquoted_keys[i],
                                   &keys[i]->bytes, &keys[i]->size, error);
    }
    if (!status)
        status = read_latencies(reader, row, out, error);
    if (!status)
        status = read_compared(reader, row, out, error);
    if (!status)
        status = read_flush(reader, row, out, error);
    struct csv_field sync = field_of(reader, row, CSV_SYNC);
    out->sync = sync.size == 3 && memcmp(sync.at, "yes", 3) == 0;
    out->shared = sync.size == 6 && memcmp(sync.at, "shared", 6) == 0;
    if (status || out->sync || out->shared || sync.size == 0 ||
        (sync.size == 2 && memcmp(sync.at, "no", 2) == 0))
        return status;
    return csv_refuse_field(reader, row->line, csv_order_names[CSV_SYNC], &sync,
                            "expected yes, shared, no or nothing", error);
}

/* --- The source ---------------------------------------------------------------------------- */

/* The header of a CSV that is still being copied must end within this many bytes. */
enum { LOOK_BYTES = 16 * 1024 };

/* Try any file that no other format recognizes. */
static bool probe(const struct head *head)
{
    (void)head;
    return true;
}

#define NO_FORMAT "it is no .pex, no CSV, no anchor file of an OTF2 archive"

/* First bytes of files that users may take for traces. */
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

/* Change the error of a refused header if the file is not text. */
static csy_status refuse_binary(const struct csy_trace *trace, csy_status status, csy_error *error)
{
    const struct head *head = &trace->head;
    if (status != CSY_INPUT ||
        csv_header_check_text(head->bytes, head->size, trace->name, false, NULL))
        return status;
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (head->size >= others[i].size &&
            memcmp(head->bytes, others[i].begin, others[i].size) == 0)
            return error_set(error, status, "%s: offset 0: " NO_FORMAT "; it looks like %s",
                             trace->name, others[i].title);
    for (size_t i = 0; i < head->size && head->bytes[i] != '\n'; i++)
        if (head->bytes[i] < ' ' && head->bytes[i] != '\t' && head->bytes[i] != '\r')
            return error_set(error, status, "%s: offset %zu: byte 0x%02x is of no text: " NO_FORMAT,
                             trace->name, i, head->bytes[i]);
    return status;
}

/* Check the header early, unless it may still be incomplete. */
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

/* Warn about a column whose counterpart is missing. */
static void warn_of_half(struct csy_trace *trace)
{
    static const enum csv_order_column halves[][2] = {{CSV_SEND, CSV_RECV}, {CSV_ENTER, CSV_LEAVE}};
    const size_t *order = trace->lines.columns.order;
    for (size_t i = 0; i < sizeof halves / sizeof *halves; i++) {
        bool second = order[halves[i][0]] == CSV_NO_COLUMN;
        if (second == (order[halves[i][1]] == CSV_NO_COLUMN))
            continue;
        const char *there = csv_order_names[halves[i][second]];
        const char *missing = csv_order_names[halves[i][!second]];
        snprintf(trace->warnings[trace->nwarnings++], CSV_WARNING_MAX,
                 "a column %s and none called %s: it orders nothing; if that has another name, "
                 "--columns=%s=NAME",
                 there, missing, missing);
        return;
    }
}

/* Warn about missing or unused columns of an order between threads. */
static void warn_of_order(struct csy_trace *trace)
{
    const struct csv_comments *comments = &trace->lines.comments;
    const struct csv_header *columns = &trace->lines.columns;
    bool any = false, partial = comments->words[CSV_WORD_ORDER];
    for (enum csv_order_column i = CSV_LOCATION + 1; i < CSV_ORDER_COLUMNS; i++)
        any = any || columns->order[i] != CSV_NO_COLUMN;
    if (trace->nwarnings >= TRACE_WARNINGS_MAX)
        return;
    if (partial && columns->foreign)
        snprintf(trace->warnings[trace->nwarnings++], CSV_WARNING_MAX,
                 "the column %s orders nothing: a CSV says what came before what by send and recv, "
                 "enter and leave, or id and after",
                 columns->foreign);
    else if (partial && any)
        warn_of_half(trace);
    else if (partial)
        snprintf(
            trace->warnings[trace->nwarnings++], CSV_WARNING_MAX,
            "# order=%s, but no column says what is ordered between threads: expected send and "
            "recv, for one; if they have other names, --columns=send=NAME,recv=NAME",
            trace->loose ? "messages" : "partial");
    else if (comments->word_lines[CSV_WORD_ORDER] == 0 && columns->pair) {
        trace->unread_order = columns->pair;
        snprintf(trace->warnings[trace->nwarnings++], CSV_WARNING_MAX,
                 "columns %s order nothing without a line # order=partial above the header: add "
                 "it, or # order=buffer if the rows are in the order of writing",
                 columns->pair);
    }
}

/* Refuse columns that have no meaning without an order of rows. */
static csy_status refuse_chains(const struct csy_trace *trace, csy_error *error)
{
    static const enum csv_order_column chains[] = {CSV_BUFFER, CSV_BLOCK, CSV_FLUSH, CSV_SYNC};
    for (size_t i = 0; i < sizeof chains / sizeof *chains; i++)
        if (trace->lines.columns.order[chains[i]] != CSV_NO_COLUMN)
            return error_set(error, CSY_INPUT,
                             "%s: line %" PRIu64 ": # order=messages has no column %s: only "
                             "messages, groups, and ids order its rows; use # order=partial if the "
                             "rows of each thread are in order",
                             trace->name, trace->lines.comments.word_lines[CSV_WORD_ORDER],
                             csv_order_names[chains[i]]);
    return CSY_OK;
}

/* Read the steps of clocks from the line of facts. */
static csy_status read_steps(struct csy_trace *trace, csy_error *error)
{
    const struct csv_facts facts = csv_reader_facts(&trace->lines);
    const char *at = facts.line;
    bool more = facts.size > 0;
    char *text = malloc(facts.size + 1);
    csy_status status = text ? CSY_OK : error_memory(error);
    while (!status && more) {
        status = csv_facts_next_step(facts, trace->name, &at, text, &more, error);
        if (!status && more)
            status = clock_steps_parse(&trace->steps, text, trace->name, error);
    }
    free(text);
    return status;
}

static csy_status open_csv(struct csy_trace *trace, uint64_t start, csy_error *error)
{
    const struct csv_comments *comments = &trace->lines.comments;
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
    trace->independent = csv_ticks_apart(&trace->lines);
    trace->timebase_assumed = trace->lines.timebase_assumed;
    const size_t *order = trace->lines.columns.order;
    trace->limits = order[CSV_LATENCY_MAX] != CSV_NO_COLUMN || order[CSV_SAME] != CSV_NO_COLUMN ||
                    order[CSV_OTHER_CLOCK] != CSV_NO_COLUMN;
    trace->has_begins = trace->lines.columns.begin != CSV_NO_COLUMN ||
                        trace->lines.columns.duration != CSV_NO_COLUMN;
    trace->nwarnings = csv_comment_warnings(&trace->lines.comments, trace->warnings);
    if (!status && trace->loose)
        status = refuse_chains(trace, error);
    if (!status)
        warn_of_order(trace);
    if (!status && trace->lines.facts_size > 0)
        status = read_steps(trace, error);
    return status;
}

/* Files in partial order can be joined, because they refer to each other by keys. */
static bool joins(const struct csy_trace *trace)
{
    return trace->partial;
}

static csy_status join_parts(struct csy_trace *trace, csy_error *error)
{
    const struct csv_asked *first = &trace->parts[0]->lines.asked;
    char warnings[TRACE_WARNINGS_MAX][CSV_WARNING_MAX];
    size_t nwarnings = trace->nwarnings;
    memcpy(warnings, trace->warnings, sizeof warnings);
    trace->csv_asked = (struct csv_asked){.columns = first->columns,
                                          .recorded = first->recorded,
                                          .unit = first->unit,
                                          .counter_bits = first->counter_bits};
    csy_status status = csv_join_write(trace, &trace->fd, error);
    if (!status)
        status = open_csv(trace, 0, error);
    memcpy(trace->warnings, warnings, sizeof warnings); /* keep these, which name the parts */
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
    event->record = NULL;
    event->row = row;
    event->roles = trace->partial ? &trace->csv_roles : NULL;
    if (trace->partial)
        status = csv_read_roles(reader, row, &trace->csv_roles, error);
    if (!status && trace->partial) {
        const csy_text *location = &trace->csv_roles.location;
        bool own = location->size == 0; /* the thread is the location */
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
    if (reader->counters.scaled) /* each clock has its own steps; the longest counts */
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
    return csv_assumed(&trace->lines);
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
    .probe = probe,
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
