/* Writes a synchronized trace as CSV. See cellsync-csv(5), CSV traces. */
#include "base/array.h"
#include "base/dates.h"
#include "base/error.h"
#include "base/portable.h"
#include "base/put.h"
#include "base/texts.h"
#include "output/encode/escape.h"
#include "output/encode/kept.h"
#include "output/trace/order_columns.h"
#include "output/trace/trace_out.h"
#include "output/trace/writer.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { THREADS = 256, EVENTS = 256, MANY_VALUES = 8, ROW_TEXT_MAX = 768 };

/* Cached text that is the same in all rows of a thread, or of a kind of event. */
struct row_thread {
    bool known;
    size_t thread;
    uint32_t tid;
    /* text for the rows of this thread, such as "spe1.1," (name) and ",spe,1,0x" (core) */
    struct kept name, core;
};

_Static_assert((int)THREAD_NAME_MAX < (int)KEPT_MAX, "names of threads that carry records fit");

struct row_event {
    uint32_t key;     /* id and core of the event, and a bit that is set if the entry is used */
    struct kept name; /* such as "0605,MY_EVENT," */
};

struct rows {
    struct outfile *out; /* must be the first member, for writer_walk; NULL while only a checksum is
                          * computed */
    struct csy_trace *trace;
    const struct csy_sync *sync;
    const csy_output *output;
    struct writer_format format;
    bool plain_lines; /* true if rows of a CSV are copied in their original order */
    struct seconds seconds;
    bool begins;            /* true if begin times also become global */
    bool ranged, dated;     /* true if the user requests columns of earliest and latest times, or of
                             * dates */
    int64_t epoch_ticks;    /* number of ticks from 1970 to global time 0 */
    bool undated;           /* true if RFC 3339 has no date for some time */
    bool appended[GLOBALS]; /* true for each new column that the trace does not have */
    uint32_t crc32;         /* CRC-32 of the original, if known */
    uint64_t crc32_at;      /* offset of the checksum's digits in the file */
    struct selection selection;
    char separator;              /* character between columns */
    struct order_columns *order; /* partial order of a trace that is no CSV, or NULL */
    struct row_thread threads[THREADS];
    struct row_event events[EVENTS];
    struct texts locations; /* names of locations; the rows of a location keep their order */
    int64_t *last_ticks;
    size_t last_capacity;
    struct sheet sheet;
};

/* The global times of a row. */
struct placed {
    int64_t time_ticks;
    bool interval; /* true if the row has a begin */
    int64_t begin_ticks;
    struct times_range ranges[2]; /* ranges of the time and of the begin */
    bool set;                     /* true if the clock may have been set at this row */
};

static void put_string(struct sheet *sheet, const char *text)
{
    sheet_put(sheet, text, strlen(text));
}

/* Find the line end of the header, or "\n" if the header has none. */
static void header_end(const struct csv_reader *reader, const char **at, size_t *size)
{
    *size = reader->header_end_size;
    *at = *size ? reader->preamble + reader->preamble_size - *size : "\n";
    *size = *size ? *size : 1;
}

/* Returns which part of the order of events the rows cannot express, or NULL. */
static const char *find_hidden(const struct rows *rows)
{
    /* Rows show semaphores as messages. So readers would apply the longest latency of messages to
     * semaphores, too. Packets and spans are no semaphores. */
    if (rows->order && !rows->trace->loose && rows->sync->latency_max_ticks < INT64_MAX)
        return "channels";
    return rows->order ? order_columns_hide(rows->order, rows->sync->imprecision.added_ticks > 0)
                       : NULL;
}

/* Returns true if --check can restore the original from the output. */
static bool is_provable(const struct rows *rows)
{
    return rows->sync->method == CSY_METHOD_BHH && !rows->sync->monotonic && rows->selection.all &&
           !trace_loses_order(rows->trace) && !find_hidden(rows);
}

static csy_status add_facts(struct rows *rows, uint32_t crc32, const char *end, size_t end_size,
                            csy_error *error)
{
    const struct facts_line facts = {.trace = rows->trace,
                                     .sync = rows->sync,
                                     .part = !rows->selection.all,
                                     .lacks = find_hidden(rows),
                                     .dated = rows->dated,
                                     .epoch_ticks = rows->epoch_ticks,
                                     .provable = is_provable(rows),
                                     .crc32 = crc32,
                                     .end = end,
                                     .end_size = end_size,
                                     .clock_per = rows->trace->clock_per};
    return facts_line_add(&rows->sheet, &facts, &rows->crc32_at, error);
}

/* Append the value of a column. A column about the begin of an event is empty if the event has
 * none. */
static char *put_global(struct rows *rows, enum csv_global column, const struct placed *placed,
                        char *at)
{
    const struct csv_global_column *what = &csv_globals[column];
    const struct times_range *range = &placed->ranges[what->of_begin];
    int64_t ticks = what->of_begin ? placed->begin_ticks : placed->time_ticks;
    if (what->of_begin && !placed->interval)
        return at;
    if (what->unit == GLOBAL_MARKED)
        return placed->set ? put_text(at, CSV_MARK_STEP) : at;
    if (what->unit == GLOBAL_LEAST_TICKS || what->unit == GLOBAL_GREATEST_TICKS) {
        ticks = what->unit == GLOBAL_LEAST_TICKS ? range->earliest_ticks : range->latest_ticks;
        bool limited = rows->ranged && ticks != INT64_MIN && ticks != INT64_MAX;
        return limited ? number_put(at, ticks) : at;
    }
    if (what->unit == GLOBAL_IN_SECONDS)
        return seconds_put(at, &rows->seconds, ticks);
    if (what->unit == GLOBAL_IN_TICKS)
        return number_put(at, ticks);
    bool fits = !__builtin_add_overflow(ticks, rows->epoch_ticks, &ticks);
    char *end = fits ? date_put(at, rows->trace->timebase_hz, ticks) : NULL;
    rows->undated |= !end;
    return end ? end : at;
}

/* Append the values of the new columns. If `placed` is NULL, append the names of the columns. */
static void add_columns(struct rows *rows, const struct placed *placed)
{
    if (!rows->sheet.out)
        return;
    char text[ROW_TEXT_MAX] UNINITIALIZED, *at = text; /* clearing it would take too long */
    for (enum csv_global i = 0; i < GLOBALS; i++) {
        if (!rows->appended[i])
            continue;
        *at++ = rows->separator;
        at = placed ? put_global(rows, i, placed, at) : put_text(at, csv_globals[i].name);
    }
    sheet_add(&rows->sheet, text, (size_t)(at - text));
}

/* Write a row, or the header if `placed` is NULL. */
static void write_row(struct rows *rows, const struct csv_row *row, const struct placed *placed)
{
    const struct csv_reader *reader = &rows->trace->lines;
    const char *end = row->bytes + row->size;
    size_t end_size = row->end_size;
    bool has_global = csv_header_has_global(&reader->columns), first = true;
    if (!has_global)
        sheet_put(&rows->sheet, row->bytes, row->size);
    /* All columns are copied, except the columns of global time, which get new values. */
    for (size_t i = 0; has_global && i < row->nfields; i++) {
        const struct csv_field *field = &row->fields[i];
        const char *start = field->at - field->quoted;
        size_t size = field->size + 2 * (size_t)field->quoted;
        bool ours = csv_header_is_global(&reader->columns, i);
        if (i > 0 && (ours || first))
            sheet_add(&rows->sheet, &rows->separator, 1);
        else if (i > 0)
            sheet_put(&rows->sheet, &rows->separator, 1);
        if (!ours) {
            sheet_put(&rows->sheet, start, size);
        } else if (placed) {
            char text[SECONDS_TEXT_MAX];
            enum csv_global column = 0;
            while (reader->columns.global[column] != i)
                column++;
            sheet_add(&rows->sheet, text, (size_t)(put_global(rows, column, placed, text) - text));
        } else {
            sheet_add(&rows->sheet, start, size);
        }
        first = first && ours;
    }
    add_columns(rows, placed);
    if (end_size == 0)
        header_end(reader, &end, &end_size);
    sheet_put(&rows->sheet, end, end_size);
}

/* Write everything before the first row, with new columns in the header. */
static csy_status write_preamble(struct rows *rows, uint32_t crc32, csy_error *error)
{
    struct csv_reader *reader = &rows->trace->lines;
    struct csv_row header;
    csy_status status = CSY_OK;
    if (rows->output->csv_header == CSY_CSV_COMMENT) {
        /* Write the lines before the header. The line of facts of an earlier run is left out. */
        size_t header_at = reader->preamble_size - reader->header_end_size - reader->header_size;
        size_t mark = header_at >= 3 && memcmp(reader->preamble, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;
        size_t old_end = csv_reader_facts_end(reader), end_size;
        const char *end;
        header_end(reader, &end, &end_size);
        sheet_put(&rows->sheet, reader->preamble, mark);
        status = add_facts(rows, crc32, end, end_size, error);
        if (reader->facts_size > 0)
            sheet_put(&rows->sheet, reader->preamble + mark, reader->facts_at - mark);
        else
            old_end = mark;
        sheet_put(&rows->sheet, reader->preamble + old_end, header_at - old_end);
    }
    status = status ? status : csv_header(reader, &header, error);
    if (!status)
        write_row(rows, &header, NULL);
    return status;
}

static csy_status check_dated(const struct rows *rows, const struct event *source, csy_error *error)
{
    if (!rows->undated)
        return CSY_OK;
    return error_set(
        error, CSY_INPUT,
        "%s: record %" PRIu64
        ": the global time is before the year 0 or after 9999, so a CSV cannot show it as a date",
        rows->trace->name, source->position);
}

static csy_status end_row(struct rows *rows, const struct event *source, int64_t local_ticks,
                          csy_error *error)
{
    csy_status status =
        rows->order ? order_columns_put(rows->order, source, local_ticks, &rows->sheet, error)
                    : CSY_OK;
    sheet_put(&rows->sheet, "\n", 1);
    return status ? status : check_dated(rows, source, error);
}

static char *put_values(struct rows *rows, char *at, const struct record *record)
{
    const struct event_types *types = rows->trace->types;
    const struct record_type *typed = types_typed(types, record->id);
    const uint8_t *values = record_payload(record, false);
    for (unsigned i = 0; i < record->npayload; i++) {
        if (i > 0 && i % MANY_VALUES == 0) {
            sheet_end(&rows->sheet, at);
            at = sheet_room(&rows->sheet, ROW_TEXT_MAX);
        }
        if (i > 0)
            *at++ = ' ';
        at = value_put(at, types_value_kind(types, typed, i), load64(values + 8 * (size_t)i));
    }
    return at;
}

static csy_status write_record_row(void *user, const struct event *source, const csy_event *event,
                                   csy_error *error)
{
    struct rows *rows = user;
    struct sheet *sheet = &rows->sheet;
    const struct record *record = source->record;
    struct row_thread *thread = &rows->threads[event->thread % THREADS];
    if (!thread->known || thread->thread != event->thread || thread->tid != record->thread) {
        char tid[NUMBER_DIGITS_MAX + 1];
        *number_put_unsigned(tid, record->thread) = 0;
        *thread =
            (struct row_thread){.known = true, .thread = event->thread, .tid = record->thread};
        kept_make(&thread->name, "", rows->sync->views[event->thread].name, ",");
        kept_make(&thread->core, record->spe ? ",spe," : ",ppe,", tid, ",0x");
    }
    struct row_event *known = &rows->events[record_id_place(record->id, EVENTS)];
    uint32_t key = UINT32_C(1) << 31 | (uint32_t)record->spe << 16 | record->id;
    const char *name = known->key == key && known->name.size > 0
                           ? NULL
                           : types_event_name(rows->trace->types, record->id, record->spe);
    if (known->key != key) {
        char id[8];
        *known = (struct row_event){.key = key};
        *put_text(number_put_hex(id, record->id, 4), ",") = 0;
        if (csv_field_is_plain(name, strlen(name)))
            kept_make(&known->name, id, name, ",");
    }
    char *at = kept_put(sheet_room(sheet, ROW_TEXT_MAX), &thread->name);
    sheet_end(sheet, number_put(at, event->local_ticks));
    struct placed placed = {.time_ticks = event->global_ticks};
    if (rows->ranged)
        times_event_ranges(rows->sync, source, event, placed.ranges);
    add_columns(rows, &placed);
    at = kept_put(sheet_room(sheet, ROW_TEXT_MAX), &thread->core);
    if (!name || known->name.size > 0) {
        at = kept_put(at, &known->name);
    } else {
        sheet_end(sheet, put_text(number_put_hex(at, record->id, 4), ","));
        sheet_put_field(sheet, name, strlen(name));
        at = put_text(sheet_room(sheet, ROW_TEXT_MAX), ",");
    }
    /* Write the begin of an interval in local time, by the clock of the column "time". */
    if (record->interval && record->spe)
        at = number_put(at, event->local_ticks - record_interval_ticks(record));
    else if (record->interval)
        at = number_put_unsigned(at, record->begin);
    at = number_put_hex(put_text(at, ",0x"), load32(record->bytes + 12), 8);
    at = put_values(rows, put_text(at, ","), record);
    at = number_put_unsigned(put_text(at, ","), record->stamp);
    at = number_put_unsigned(put_text(at, ","), record->begin);
    sheet_end(sheet, at);
    const struct event_roles *roles = source->roles;
    if (roles) { /* only a partial order has columns for the location, its stream, and the buffer */
        put_string(sheet, ",");
        sheet_put(sheet, roles->location.bytes, roles->location.size);
        if (roles->stream.size > 0) {
            put_string(sheet, " in ");
            sheet_put_field(sheet, roles->stream.bytes, roles->stream.size);
        }
        if (roles->alone) {
            at = put_text(sheet_room(sheet, ROW_TEXT_MAX), " flush ");
            sheet_end(sheet, number_put_unsigned(at, roles->block_number));
        }
        put_string(sheet, ",");
        if (roles->buffer.size > 0 && roles->flush != FLUSH_ITSELF &&
            !(rows->order && order_columns_lack(rows->order)))
            sheet_put_field(sheet, roles->buffer.bytes, roles->buffer.size);
    }
    return end_row(rows, source, event->local_ticks, error);
}

static csy_status place_event(const struct rows *rows, const struct event *source,
                              const csy_event *event, struct placed *placed, csy_error *error)
{
    *placed = (struct placed){.time_ticks = event->global_ticks,
                              .interval = source->stamp.interval,
                              .set = times_is_set(rows->sync, event)};
    csy_status status = placed->interval && rows->begins
                            ? placement_event_begin(rows->sync, source, event, &placed->interval,
                                                    &placed->begin_ticks, error)
                            : CSY_OK;
    if (rows->ranged)
        times_event_ranges(rows->sync, source, event, placed->ranges);
    return status;
}

/* Write a row for an event that has only the data of struct event. */
static csy_status write_event_row(void *user, const struct event *source, const csy_event *event,
                                  csy_error *error)
{
    struct rows *rows = user;
    const struct csy_sync *sync = rows->sync;
    struct sheet *sheet = &rows->sheet;
    struct placed placed;
    csy_status status = place_event(rows, source, event, &placed, error);
    if (status)
        return status;
    const char *track = sync->tracks[event->track].name, *clock = sync->views[event->thread].name;
    size_t track_size = strlen(track), clock_size = strlen(clock);
    /* The line of facts states the segments of clocks. */
    if (sync->steps.count > 0 && rows->output->csv_header == CSY_CSV_COMMENT) {
        const struct named_stamp *stamp = &source->stamp;
        bool own = stamp->clock_size == 0;
        track = stamp->thread;
        track_size = stamp->thread_size;
        clock = own ? track : stamp->clock;
        clock_size = own ? track_size : stamp->clock_size;
    }
    sheet_put_field(sheet, track, track_size);
    char *at = put_text(sheet_room(sheet, ROW_TEXT_MAX), ",");
    sheet_end(sheet, number_put(at, event->local_ticks));
    add_columns(rows, &placed);
    put_string(sheet, ",");
    sheet_put_field(sheet, clock, clock_size);
    put_string(sheet, ",");
    sheet_put_field(sheet, source->name, source->name_size);
    at = put_text(sheet_room(sheet, ROW_TEXT_MAX), ",");
    sheet_end(sheet, source->stamp.interval ? number_put(at, source->stamp.begin_ticks) : at);
    if (rows->trace->source->valued) {
        put_string(sheet, ",");
        /* Copy numbers, because sheet_put_field would escape a sign as the begin of a formula. */
        if (source->raw.size > 0)
            sheet_put(sheet, (const char *)source->bytes, source->size);
        else
            sheet_put_field(sheet, (const char *)source->bytes, source->size);
    }
    if (rows->trace->has_routines) {
        put_string(sheet, ",");
        sheet_put_field(sheet, source->routine.bytes, source->routine.size);
    }
    return end_row(rows, source, event->local_ticks, error);
}

/* Write a row of the CSV trace with the row's global times. */
static csy_status write_own_row(void *user, const struct event *source, const csy_event *event,
                                csy_error *error)
{
    struct rows *rows = user;
    struct placed placed;
    csy_status status = place_event(rows, source, event, &placed, error);
    if (!status)
        write_row(rows, source->row, &placed);
    return status ? status : check_dated(rows, source, error);
}

/* --- Sorted rows --------------------------------------------------------------------------- */

/* Write a row to be sorted. Rows of one location stay in their order, even if times go back. */
static csy_status write_sorted_row(void *user, const struct event *source, const csy_event *event,
                                   csy_error *error)
{
    struct rows *rows = user;
    int64_t ticks = event->global_ticks;
    uint32_t number;
    bool added;
    if (!rows->trace->loose) {
        csy_text name = source->roles->location;
        if (name.size == 0)
            name = (csy_text){source->stamp.thread, source->stamp.thread_size};
        if (!texts_find(&rows->locations, name.bytes, name.size, &number, &added) ||
            !ARRAY_RESERVE(rows->last_ticks, rows->last_capacity, rows->locations.count))
            return error_memory(error);
        if (!added && rows->last_ticks[number] > ticks)
            ticks = rows->last_ticks[number];
        rows->last_ticks[number] = ticks;
    }
    sheet_begin_row(&rows->sheet, ticks);
    return rows->trace->source->shaped ? write_own_row(rows, source, event, error)
                                       : write_event_row(rows, source, event, error);
}

static csy_status end_sorted(void *user, csy_error *error)
{
    struct rows *rows = user;
    return sheet_sort(&rows->sheet, error);
}

/* Begin to write rows. Rows that must be sorted are collected first. */
static csy_status begin_sorted(struct rows *rows, csy_error *error)
{
    if (!rows->output->sort)
        return CSY_OK;
    texts_fini(&rows->locations);
    return sheet_collect(&rows->sheet, error);
}

static csy_status begin_lines(void *user, csy_error *error)
{
    struct rows *rows = user;
    csy_status status = write_preamble(rows, rows->crc32, error);
    return status ? status : begin_sorted(rows, error);
}

static csy_status begin_rows(void *user, csy_error *error)
{
    static const char *const afters[] = {[BLOCK_AFTER_FLUSH] = "",
                                         [BLOCK_AFTER_BLOCK] = "# block_after=block\n",
                                         [BLOCK_AFTER_NONE] = "# block_after=none\n"};
    struct rows *rows = user;
    const struct csy_trace *trace = rows->trace;
    struct sheet *sheet = &rows->sheet;
    char text[ROW_TEXT_MAX];
    csy_status status = CSY_OK;
    const char *columns = /* the names of the columns after the times */
        trace->types && trace->partial
            ? ",core,tid,event_id,event,begin,pc,values,stamp,begin_stamp,location,buffer"
        : trace->types          ? ",core,tid,id,event,begin,pc,values,stamp,begin_stamp"
        : trace->has_routines   ? ",clock,event,begin,values,routine"
        : trace->source->valued ? ",clock,event,begin,values"
                                : ",clock,event,begin";
    if (rows->output->csv_header == CSY_CSV_COMMENT) {
        status = add_facts(rows, rows->crc32, "\n", 1, error);
        snprintf(text, sizeof text, "# timebase_hz=%" PRIu64 "\n", trace->timebase_hz);
        put_string(sheet, text);
        put_string(sheet, trace->loose     ? "# order=messages\n"
                          : trace->partial ? "# order=partial\n"
                                           : "");
        put_string(sheet, trace->partial ? afters[trace->block_after] : "");
    }
    put_string(sheet, "thread,time");
    add_columns(rows, NULL);
    put_string(sheet, columns);
    if (rows->order)
        order_columns_begin(rows->order, sheet);
    put_string(sheet, "\n");
    return status ? status : begin_sorted(rows, error);
}

static csy_status walk_trace(struct rows *rows, csy_error *error)
{
    return writer_walk(
        &(struct writer){rows->trace, rows->sync, &rows->selection, &rows->format, rows}, error);
}

/* Find the date of global time 0 by the reference's clock. A time since the start of a machine is
 * not a date. No machine runs for years, so a clock that begins before 3 March 1973 is refused. */
static csy_status find_epoch(struct rows *rows, csy_error *error)
{
    enum { LEAST_SECONDS = 100000000 };
    const struct csy_sync *sync = rows->sync;
    int64_t offset = sync->views[sync->reference].offset_ticks;
    int64_t first = sync->survey.threads.items[sync->reference].min_ticks;
    if (!date_fits(rows->trace->timebase_hz))
        return error_set(error, CSY_USAGE,
                         "%s: a tick at %" PRIu64
                         " Hz is not a whole number of nanoseconds, so a CSV cannot show times as "
                         "dates; use --csv-time=seconds",
                         rows->trace->name, rows->trace->timebase_hz);
    const char *why =
        offset == CSY_NO_OFFSET ? "this method gives no clock offsets, so a CSV cannot show times"
        : first < (int128)LEAST_SECONDS * rows->trace->timebase_hz
            ? "the times of this trace do not count from 1970, so a CSV cannot show them"
            : NULL;
    if (why)
        return error_set(error, CSY_USAGE, "%s: %s as dates; use --csv-time=seconds",
                         rows->trace->name, why);
    rows->epoch_ticks = -offset;
    return CSY_OK;
}

static void rows_free(struct rows *rows)
{
    if (!rows)
        return;
    order_columns_free(rows->order);
    selection_fini(&rows->selection);
    sheet_fini(&rows->sheet);
    texts_fini(&rows->locations);
    FREE_ALL(rows->last_ticks, rows);
}

/* Choose the columns and the order of rows, for a trace or for one file of a joined trace. */
static csy_status rows_new(struct csy_trace *trace, const struct csy_sync *sync,
                           const csy_output *output, struct rows **out, csy_error *error)
{
    const struct csv_header *columns = &trace->lines.columns;
    struct rows *rows = *out = calloc(1, sizeof *rows);
    if (!rows)
        return error_memory(error);
    rows->trace = trace;
    rows->sync = sync;
    rows->output = output;
    rows->seconds = seconds_of(trace->timebase_hz);
    bool sorted = output->sort && !trace->types, lines = trace->source->shaped && !trace->types;
    rows->plain_lines = lines && !sorted;
    rows->format = (struct writer_format){.begin = lines ? begin_lines : begin_rows,
                                          .event = sorted         ? write_sorted_row
                                                   : trace->types ? write_record_row
                                                   : lines        ? write_own_row
                                                                  : write_event_row,
                                          .end = sorted ? end_sorted : NULL,
                                          .has_file = true,
                                          .takes_roles = sorted || trace->types};
    rows->separator = trace->lines.separator;
    /* Append those requested columns of global time that the trace does not have. */
    rows->begins = trace->has_begins && !columns->begins_are_stamps;
    for (enum csv_global i = 0; i < GLOBALS; i++) {
        const struct csv_global_column *column = &csv_globals[i];
        csy_csv_time time = output->csv_time;
        bool selected =
            column->unit == GLOBAL_IN_TICKS     ? time == CSY_CSV_TICKS || time == CSY_CSV_BOTH
            : column->unit == GLOBAL_IN_SECONDS ? time == CSY_CSV_SECONDS || time == CSY_CSV_BOTH
            : column->unit == GLOBAL_AS_DATE    ? time == CSY_CSV_DATE
                                                : output->ranges;
        rows->appended[i] = selected && (rows->begins || !column->of_begin) &&
                            (i != GLOBAL_MARK || sync->steps.count > 0) &&
                            columns->global[i] == CSV_NO_COLUMN;
        bool is = rows->appended[i] || columns->global[i] != CSV_NO_COLUMN;
        rows->dated |= is && column->unit == GLOBAL_AS_DATE;
        rows->ranged |= is && column->unit >= GLOBAL_LEAST_TICKS;
    }
    rows->ranged = rows->ranged && sync->method == CSY_METHOD_BHH && !sync->monotonic;
    csy_status status = rows->dated ? find_epoch(rows, error) : CSY_OK;
    status = status ? status : selection_init(&rows->selection, sync, output, error);
    if (!status && sync->steps.count > 0 && !rows->selection.all)
        status = error_set(error, CSY_USAGE,
                           "%s: a part of this trace cannot be written as CSV, because clocks were "
                           "set between its records. Write the whole trace, or another format",
                           trace->name);
    for (size_t i = 0; i < sync->steps.count && !status && output->sort; i++)
        if (!sync->steps.items[i].timed)
            status = error_set(error, CSY_USAGE,
                               "%s: the rows of this trace cannot be sorted, because clocks were "
                               "set between its records. Omit --sort, or write another format",
                               trace->name);
    return status;
}

csy_status csv_write(struct csy_trace *trace, const struct csy_sync *sync, const csy_output *output,
                     struct outfile *out, csy_error *error)
{
    struct rows *rows;
    csy_status status = rows_new(trace, sync, output, &rows, error);
    if (!status && trace->partial && !trace->source->shaped)
        status = order_columns_new(trace, sync, rows->selection.all, &rows->order, error);
    if (status) {
        rows_free(rows);
        return status;
    }
    if (rows->order && order_columns_lack(rows->order) && trace->nwarnings < TRACE_WARNINGS_MAX)
        snprintf(
            trace->warnings[trace->nwarnings++], CSV_WARNING_MAX,
            "a CSV with a part of the trace does not show the order in which blocks were flushed");
    /* The first line contains the checksum of the rows below. If the file can be patched, write the
     * digits afterwards. Otherwise, compute the checksum first, in a separate pass. */
    bool summed = output->csv_header == CSY_CSV_COMMENT && is_provable(rows);
    bool patched = summed && outfile_can_place(out);
    char digits[CRC32_DIGITS + 1];
    if (summed && !patched) {
        sheet_begin(&rows->sheet, NULL, true);
        if (rows->plain_lines) {
            struct csv_row row;
            bool more = true;
            status = trace_rewind(trace, error);
            status = status ? status : write_preamble(rows, 0, error);
            for (uint64_t n = 0; !status && n < sync->survey.records; n++) {
                status = csv_read(&trace->lines, &row, &more, error);
                if (status || !more)
                    break;
                write_row(rows, &row, &(struct placed){0});
                progress_note(&trace->progress, trace, n);
            }
        } else {
            status = walk_trace(rows, error);
        }
        rows->crc32 = sheet_finish(&rows->sheet);
    }
    sheet_fini(&rows->sheet);
    sheet_begin(&rows->sheet, out, patched);
    rows->out = out;
    status = status ? status : walk_trace(rows, error);
    snprintf(digits, sizeof digits, "%08" PRIx32, sheet_finish(&rows->sheet));
    if (!status && patched)
        outfile_patch(out, rows->crc32_at, digits, CRC32_DIGITS);
    rows_free(rows);
    return status;
}

/* --- A file for each part of a joined trace -------------------------------------------------- */

struct part_rows {
    struct csy_trace *trace;
    struct rows **rows; /* for each file of the joined trace, how its rows are written */
};

static csy_status begin_parts(void *user, csy_error *error)
{
    struct part_rows *p = user;
    csy_status status = CSY_OK;
    for (size_t i = 0; i < p->trace->nparts && !status; i++) {
        status = trace_rewind(p->trace->parts[i], error);
        status = status ? status : p->rows[i]->format.begin(p->rows[i], error);
    }
    return status;
}

/* Write an event of a joined trace: its row is read from its own file, in parallel. */
static csy_status write_part_row(void *user, const struct event *source, const csy_event *event,
                                 csy_error *error)
{
    struct part_rows *p = user;
    struct csy_trace *part = p->trace->parts[source->file];
    struct rows *rows = p->rows[source->file];
    struct event own = {.position = 0}, written = *source;
    bool more;
    csy_status status = part->source->next(part, &own, &more, error);
    if (!status && !more)
        status = trace_refuse_changed(part, error);
    if (status || !selection_has(&rows->selection, event))
        return status;
    written.row = own.row;
    p->trace->written++;
    return rows->format.event(rows, &written, event, error);
}

static csy_status end_parts(void *user, csy_error *error)
{
    struct part_rows *p = user;
    csy_status status = CSY_OK;
    for (size_t i = 0; i < p->trace->nparts && !status; i++)
        status = end_sorted(p->rows[i], error);
    return status;
}

static bool part_has_failed(const void *user)
{
    const struct part_rows *p = user;
    bool failed = false;
    for (size_t i = 0; i < p->trace->nparts && !failed; i++)
        failed = outfile_failed(p->rows[i]->out);
    return failed;
}

csy_status csv_write_parts(struct csy_trace *trace, const struct csy_sync *sync,
                           const csy_output *output, struct outfile *const *files, csy_error *error)
{
    static const struct writer_format format = {.begin = begin_parts,
                                                .event = write_part_row,
                                                .end = end_parts,
                                                .takes_roles = true,
                                                .failed = part_has_failed};
    struct part_rows p = {trace, calloc(trace->nparts, sizeof(struct rows *))};
    csy_status status = p.rows ? CSY_OK : error_memory(error);
    for (size_t i = 0; i < trace->nparts && !status; i++) {
        status = rows_new(trace->parts[i], sync, output, &p.rows[i], error);
        if (!status) {
            p.rows[i]->selection.all = false; /* the first line of the file then has "part=yes" */
            sheet_begin(&p.rows[i]->sheet, files[i], false);
            p.rows[i]->out = files[i];
        }
    }
    trace->written = 0;
    status = status ? status : writer_walk(&(struct writer){trace, sync, NULL, &format, &p}, error);
    for (size_t i = 0; i < trace->nparts && p.rows; i++) {
        if (p.rows[i])
            sheet_finish(&p.rows[i]->sheet);
        rows_free(p.rows[i]);
    }
    free(p.rows);
    return status;
}
