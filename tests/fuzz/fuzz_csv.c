/*
 * The CSV reader.
 *
 * What comes before the rows, the rows and empty lines between them are the file, byte for byte;
 * the fields of a row lie within it; lines count up.
 */
#include "support.h"
#include "trace/csv/csv.h"

#include <string.h>

/* Steps over empty lines, and returns where `part` stands, which is what follows them. */
static size_t find(const uint8_t *data, size_t size, size_t at, const char *part, size_t part_size)
{
    for (;;) {
        if (size - at >= part_size && memcmp(data + at, part, part_size) == 0)
            return at + part_size;
        size_t end = at + (at < size && data[at] == '\r');
        must(end < size && data[end] == '\n', "other bytes than those of the file");
        at = end + 1;
    }
}

static void look(const struct csv_reader *reader, const struct csv_row *row)
{
    const char *end = row->bytes + row->size;
    must(row->nfields == reader->ncolumns, "fields");
    must(row->stamp.thread_size > 0 && !memchr(row->stamp.thread, 0, row->stamp.thread_size),
         "thread");
    for (size_t i = 0; i < row->nfields; i++) {
        const struct csv_field *field = &row->fields[i];
        must(field->at >= row->bytes && field->at + field->size <= end, "a field outside");
        must(field->quoted || !memchr(field->at, '"', field->size), "a stray quote");
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct bytes *bytes;
    struct csv_reader reader;
    struct csv_row row;
    csy_error error;
    bool more = true;
    must_be_ok(bytes_new(memory_file(data, size), "fuzz", 0, false, 1, &bytes, &error), error);
    csy_status status = csv_open(&reader, bytes, "fuzz", NULL, &error);
    size_t at = status ? 0 : find(data, size, 0, reader.preamble, reader.preamble_size);
    uint64_t line = 0;
    while (!status && more) {
        status = csv_read(&reader, &row, &more, &error);
        if (status || !more)
            continue;
        look(&reader, &row);
        must(row.line > line, "lines");
        line = row.line;
        at = find(data, size, at, row.bytes, row.size + row.end_size);
    }
    must_be_told(status, &error);
    if (!status)
        must(find(data, size, at, "", 0) <= size && bytes_offset(bytes) == size, "a rest");
    csv_close(&reader);
    bytes_free(bytes);
    return 0;
}
