/* A CSV on its way out. */
#include "output/trace/sheet.h"

#include "base/crc.h"

#include <string.h>

void sheet_begin(struct sheet *sheet, struct outfile *out, bool summing)
{
    sheet->out = out;
    sheet->summing = summing;
    sheet->crc32 = 0;
    sheet->written = 0;
    sheet->ntext = sheet->noriginal = 0;
}

static void flush_text(struct sheet *sheet)
{
    if (sheet->out)
        outfile_write(sheet->out, sheet->text, sheet->ntext);
    sheet->written += sheet->ntext;
    sheet->ntext = 0;
}

static void flush_original(struct sheet *sheet)
{
    sheet->crc32 = crc_add(sheet->crc32, (const uint8_t *)sheet->original, sheet->noriginal);
    sheet->noriginal = 0;
}

/* In pieces where there is no room for all at once. */
static void append(struct sheet *sheet, const char *bytes, size_t size)
{
    while (size > 0) {
        size_t room = SHEET_BYTES - sheet->ntext, n = size < room ? size : room;
        memcpy(sheet->text + sheet->ntext, bytes, n);
        sheet->ntext += n;
        bytes += n;
        size -= n;
        if (sheet->ntext == SHEET_BYTES)
            flush_text(sheet);
    }
}

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
    if (sheet->out)
        append(sheet, bytes, size);
}

void sheet_put(struct sheet *sheet, const char *bytes, size_t size)
{
    if (sheet->out)
        append(sheet, bytes, size);
    if (sheet->summing)
        sum(sheet, bytes, size);
}

char *sheet_room(struct sheet *sheet, size_t size)
{
    if (size > SHEET_BYTES - sheet->ntext)
        flush_text(sheet);
    return sheet->text + sheet->ntext;
}

void sheet_end_add(struct sheet *sheet, const char *end)
{
    if (sheet->out)
        sheet->ntext = (size_t)(end - sheet->text);
}

void sheet_end_put(struct sheet *sheet, const char *end)
{
    const char *bytes = sheet->text + sheet->ntext;
    if (sheet->summing)
        sum(sheet, bytes, (size_t)(end - bytes));
    sheet_end_add(sheet, end);
}

uint64_t sheet_size(const struct sheet *sheet)
{
    return sheet->written + sheet->ntext;
}

uint32_t sheet_finish(struct sheet *sheet)
{
    flush_text(sheet);
    flush_original(sheet);
    return sheet->crc32;
}
