/* A CSV being written. */
#include "output/trace/sheet.h"

#include "base/crc.h"
#include "base/put.h"
#include "output/encode/csv_field.h"
#include "output/trace/sorted.h"

#include <string.h>

/* Tags of bytes that are sorted. */
enum { NEW, ORIGINAL };

void sheet_begin(struct sheet *sheet, struct outfile *out, bool summing)
{
    sheet->sorted = NULL;
    sheet->out = out;
    sheet->summing = summing;
    sheet->crc32 = 0;
    sheet->written = 0;
    sheet->noriginal = 0;
}

static void flush_original(struct sheet *sheet)
{
    sheet->crc32 = crc_add(sheet->crc32, (const uint8_t *)sheet->original, sheet->noriginal);
    sheet->noriginal = 0;
}

static void append(struct sheet *sheet, const char *bytes, size_t size)
{
    outfile_write(sheet->out, bytes, size);
    sheet->written += size;
}

/* Add bytes to the checksum, piece by piece if they do not fit in the buffer. */
static void sum(struct sheet *sheet, const char *bytes, size_t size)
{
    while (size > 0) {
        size_t room = SHEET_BYTES - sheet->noriginal, n = size < room ? size : room;
        memcpy(sheet->original + sheet->noriginal, bytes, n);
        sheet->noriginal += n;
        bytes += n;
        size -= n;
        if (sheet->noriginal == SHEET_BYTES)
            flush_original(sheet);
    }
}

void sheet_add(struct sheet *sheet, const char *bytes, size_t size)
{
    if (sheet->sorted)
        sorted_append(sheet->sorted, NEW, bytes, size);
    else if (sheet->out)
        append(sheet, bytes, size);
}

void sheet_put(struct sheet *sheet, const char *bytes, size_t size)
{
    if (sheet->sorted) {
        sorted_append(sheet->sorted, ORIGINAL, bytes, size);
        return;
    }
    if (sheet->out)
        append(sheet, bytes, size);
    if (sheet->summing)
        sum(sheet, bytes, size);
}

/* Text is built directly in the checksum's buffer. */
char *sheet_room(struct sheet *sheet, size_t size)
{
    if (size > SHEET_BYTES - sheet->noriginal)
        flush_original(sheet);
    return sheet->original + sheet->noriginal;
}

/* Copy the text that was built. Copying whole pieces of constant length is faster. */
static size_t copy_room(struct sheet *sheet, const char *end, unsigned tag)
{
    const char *from = sheet->original + sheet->noriginal;
    size_t size = (size_t)(end - from);
    if (sheet->sorted) {
        sorted_append(sheet->sorted, tag, from, size);
        return 0;
    }
    if (!sheet->out)
        return size;
    char *at = outfile_text(sheet->out, size + SHEET_PIECE);
    for (size_t i = 0; i < size; i += SHEET_PIECE)
        memcpy(at + i, from + i, SHEET_PIECE);
    outfile_end(sheet->out, at + size);
    sheet->written += size;
    return size;
}

void sheet_end_add(struct sheet *sheet, const char *end)
{
    copy_room(sheet, end, NEW);
}

void sheet_end_put(struct sheet *sheet, const char *end)
{
    size_t size = copy_room(sheet, end, ORIGINAL);
    sheet->noriginal += sheet->summing ? size : 0;
}

void sheet_collect(struct sheet *sheet, struct sorted *sorted)
{
    sheet->sorted = sorted;
}

static void put_collected(void *user, unsigned tag, const char *bytes, size_t size)
{
    if (tag == ORIGINAL)
        sheet_put(user, bytes, size);
    else
        sheet_add(user, bytes, size);
}

csy_status sheet_sort(struct sheet *sheet, csy_error *error)
{
    struct sorted *sorted = sheet->sorted;
    sheet->sorted = NULL;
    return sorted_finish(sorted, put_collected, sheet, error);
}

uint64_t sheet_size(const struct sheet *sheet)
{
    return sheet->written;
}

uint32_t sheet_finish(struct sheet *sheet)
{
    flush_original(sheet);
    return sheet->crc32;
}

static void put_field(void *user, const char *bytes, size_t size)
{
    sheet_put(user, bytes, size);
}

void sheet_put_field(struct sheet *sheet, const char *bytes, size_t size)
{
    csv_field_put(put_field, sheet, bytes, size);
}

void sheet_put_roles(struct sheet *sheet, const struct event_roles *roles, bool no_buffer)
{
    sheet_put(sheet, ",", 1);
    sheet_put(sheet, roles->location.bytes, roles->location.size);
    if (roles->stream.size > 0) {
        sheet_put(sheet, " in ", 4);
        sheet_put_field(sheet, roles->stream.bytes, roles->stream.size);
    }
    if (roles->alone) {
        char *at = put_text(sheet_room(sheet, sizeof " flush " + NUMBER_DIGITS_MAX), " flush ");
        sheet_end_put(sheet, number_put_unsigned(at, roles->block_number));
    }
    sheet_put(sheet, ",", 1);
    if (roles->buffer.size > 0 && !no_buffer)
        sheet_put_field(sheet, roles->buffer.bytes, roles->buffer.size);
}
