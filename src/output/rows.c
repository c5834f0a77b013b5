/* A synchronized trace as CSV.  pex(5), CSV traces. */
#include "output/csv_field.h"
#include "output/trace_out.h"

#include <inttypes.h>
#include <string.h>

/* The end that the header line has. */
static void write_line_end(const struct csv_reader *reader, struct outfile *out)
{
    size_t size = reader->header_end_size;
    outfile_write(out, size ? reader->preamble + reader->preamble_size - size : "\n",
                  size ? size : 1);
}

/* A row with its global time: in its own column where there is one, else behind the last field. */
static void write_row(const struct csv_reader *reader, const struct csv_row *row,
                      int64_t global_ticks, struct outfile *out)
{
    const char *end = row->bytes + row->size;
    if (reader->global_column == CSV_NO_COLUMN) {
        outfile_write(out, row->bytes, row->size);
        outfile_print(out, ",%" PRId64, global_ticks);
    } else {
        const struct csv_field *field = &row->fields[reader->global_column];
        const char *rest = field->at + field->size + field->quoted;
        const char *start = field->at - field->quoted;
        outfile_write(out, row->bytes, (size_t)(start - row->bytes));
        outfile_print(out, "%" PRId64, global_ticks);
        outfile_write(out, rest, (size_t)(end - rest));
    }
    if (row->end_size)
        outfile_write(out, end, row->end_size);
    else
        write_line_end(reader, out);
}

/* The lines in front of the rows; the header gains a column where it has none for global times. */
static void write_preamble(const struct csv_reader *reader, struct outfile *out)
{
    size_t line_end = reader->preamble_size - reader->header_end_size;
    outfile_write(out, reader->preamble, line_end);
    if (reader->global_column == CSV_NO_COLUMN)
        outfile_print(out, ",global_time");
    write_line_end(reader, out);
}

/* The local time of an interval event's begin, on the clock of `time`. */
static void write_begin(const struct record *record, int64_t local_ticks, struct outfile *out)
{
    if (record->interval && record->spe)
        outfile_print(out, "%" PRId64, local_ticks - record_interval_ticks(record));
    else if (record->interval)
        outfile_print(out, "%" PRIu64, record->begin);
}

static void write_values(const struct record *record, struct outfile *out)
{
    const uint8_t *values = record_payload(record, false);
    for (unsigned i = 0; i < record->npayload; i++)
        outfile_print(out, "%s%" PRIu64, i ? " " : "", load64(values + 8 * (size_t)i));
}

static void write_record_row(const struct csy_trace *trace, const csy_thread *thread,
                             const struct record *record, const csy_event *event,
                             struct outfile *out)
{
    const char *name = metadata_event_name(&trace->metadata, record->id, record->spe);
    outfile_print(out, "%s,%" PRId64 ",%" PRId64 ",%s,%" PRIu32 ",0x%04x,", thread->name,
                  event->local_ticks, event->global_ticks, record->spe ? "spe" : "ppe",
                  record->thread, record->id);
    csv_field_write(out, name ? name : "");
    outfile_print(out, ",");
    write_begin(record, event->local_ticks, out);
    outfile_print(out, ",0x%08" PRIx32 ",", load32(record->bytes + 12));
    write_values(record, out);
    outfile_print(out, ",%" PRIu64 ",%" PRIu64 "\n", record->stamp, record->begin);
}

csy_status rows_write(struct csy_trace *trace, const struct csy_sync *sync, struct outfile *out,
                      csy_error *error)
{
    csy_events *events;
    csy_event event;
    bool more = true;
    bool csv = trace->format == CSY_FORMAT_CSV;
    csy_status status = csy_events_open(trace, sync, &events, error);
    if (status)
        return status;
    if (csv)
        write_preamble(&trace->csv, out);
    else
        outfile_print(
            out,
            "# timebase_hz=%" PRIu64
            "\nthread,time,global_time,core,tid,id,event,begin,pc,values,stamp,begin_stamp\n",
            trace->timebase_hz);
    while (!(status = csy_events_next(events, &event, &more, error)) && more &&
           !outfile_failed(out)) {
        if (csv)
            write_row(&trace->csv, &events->event.row, event.global_ticks, out);
        else
            write_record_row(trace, &sync->views[event.thread], &events->event.record, &event, out);
    }
    csy_events_free(events);
    return status;
}
