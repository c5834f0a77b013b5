/*
 * The record file.
 *
 * Records follow one another, each within its file and made up as its own size says; a
 * second pass reads the same; no more is left at the end than an error tells of.
 */
#include "support.h"
#include "trace/pex/record.h"

#include <stdlib.h>
#include <string.h>

static void look(const struct record_reader *reader, const struct record *r, const uint8_t *data)
{
    size_t front = (size_t)(record_payload(r, reader->header.global) - r->bytes);
    must(r->position + 1 == reader->next_position, "position");
    must(r->offset + r->size == bytes_offset(reader->bytes), "offset");
    must(r->size % 8 == 0 && r->size <= RECORD_BYTES_MAX + 8, "size");
    must(front + 8 * (size_t)r->npayload <= r->size, "payload");
    must(memcmp(data + r->offset, r->bytes, r->size) == 0, "other bytes than those of the file");
    must(r->spe || reader->header.global || r->stamp <= INT64_MAX, "PPE time");
}

/* The number of records and the outcome. */
static uint64_t read_all(struct bytes *bytes, const uint8_t *data, size_t size, csy_error *error)
{
    struct record_reader reader;
    struct record record;
    bool more = true;
    uint8_t *extra = NULL;
    csy_status status = record_reader_open(&reader, bytes, "fuzz", &extra, error);
    if (!status && reader.header.header_bytes > FILE_HEADER_BYTES)
        must(memcmp(extra, data + FILE_HEADER_BYTES,
                    reader.header.header_bytes - FILE_HEADER_BYTES) == 0,
             "header bytes");
    free(extra);
    while (!status && more) {
        status = record_read(&reader, &record, &more, error);
        if (!status && more)
            look(&reader, &record, data);
    }
    must_be_told(status, error);
    must(status || bytes_offset(bytes) == size, "something is left");
    if (!status)
        error->status = CSY_OK;
    return status ? bytes_offset(bytes) : reader.next_position;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct bytes *bytes;
    csy_error first = {0}, second = {0};
    must_be_ok(bytes_new(memory_file(data, size), "fuzz", 0, false, 1, &bytes, &first), first);
    uint64_t count = read_all(bytes, data, size, &first);
    bytes_rewind(bytes);
    must(read_all(bytes, data, size, &second) == count, "another pass");
    must(first.status == second.status && strcmp(first.text, second.text) == 0, second.text);
    bytes_free(bytes);
    return 0;
}
