/* A CSV on its way out. */
#include "output/sheet.h"

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

void sheet_add(struct sheet *sheet, const char *bytes, size_t size)
{
    while (sheet->out && size > 0) {
        size_t room = SHEET_BYTES - sheet->ntext, n = size < room ? size : room;
        memcpy(sheet->text + sheet->ntext, bytes, n);
        sheet->ntext += n;
        bytes += n;
        size -= n;
        if (sheet->ntext == SHEET_BYTES)
            flush_text(sheet);
    }
}

void sheet_put(struct sheet *sheet, const char *bytes, size_t size)
{
    sheet_add(sheet, bytes, size);
    while (sheet->summing && size > 0) {
        size_t room = SHEET_BYTES - sheet->noriginal, n = size < room ? size : room;
        memcpy(sheet->original + sheet->noriginal, bytes, n);
        sheet->noriginal += n;
        bytes += n;
        size -= n;
        if (sheet->noriginal == SHEET_BYTES)
            flush_original(sheet);
    }
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
