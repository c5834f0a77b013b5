/* Packed rows. */
#include "analysis/run/packed_rows.h"

#include "base/array.h"

#include <stdlib.h>
#include <string.h>

/* A run: its head, then the numbers that the head has bits for. */
enum {
    HEAD_NONE = 1,
    HEAD_OPEN = 2,
    HEAD_KIND = 4, /* times the kind of the range, which is below 8 */
    HEAD_ENDS = 32,
    HEAD_REPEATS = 64,
    KINDS = 8
};

enum { VARINT_BYTES = 10, RUN_BYTES = 1 + 4 * VARINT_BYTES };

/* What a value differs by from the one above it. */
struct difference {
    uint8_t head;
    uint64_t step;         /* of the estimate, or of the address of the text */
    uint64_t below, above; /* from lo to the estimate, and from that to hi */
};

/* Numbers near 0 on either side become small ones. */
static uint64_t fold(uint64_t number)
{
    return number >> 63 ? ~(number << 1) : number << 1;
}

static uint64_t unfold(uint64_t folded)
{
    return folded & 1 ? ~(folded >> 1) : folded >> 1;
}

static uint8_t *put(uint8_t *at, uint64_t number)
{
    for (; number >= 128; number >>= 7)
        *at++ = (uint8_t)(number | 128);
    *at++ = (uint8_t)number;
    return at;
}

static const uint8_t *take(const uint8_t *at, uint64_t *out)
{
    unsigned shift = 0;
    for (*out = 0; *at & 128; shift += 7)
        *out |= (uint64_t)(*at++ & 127) << shift;
    *out |= (uint64_t)*at++ << shift;
    return at;
}

/* A text and a number are never in the same value. */
static uint64_t bits_of(const csy_value *value)
{
    uintptr_t address;
    memcpy(&address, &value->text, sizeof address);
    return value->text ? address : (uint64_t)value->range.estimate;
}

static struct difference differ(const csy_value *value, uint64_t above)
{
    const csy_range *range = &value->range;
    struct difference out = {.step = bits_of(value) - above,
                             .below = (uint64_t)range->estimate - (uint64_t)range->lo,
                             .above = (uint64_t)range->hi - (uint64_t)range->estimate};
    out.head = (uint8_t)((value->none ? HEAD_NONE : 0) | (value->open ? HEAD_OPEN : 0) |
                         HEAD_KIND * (int)range->kind | (out.below || out.above ? HEAD_ENDS : 0));
    return out;
}

static bool is_same(const struct difference *x, const struct difference *y)
{
    return x->head == y->head && x->step == y->step && x->below == y->below && x->above == y->above;
}

static uint8_t *put_run(uint8_t *at, const struct difference *run, uint64_t times)
{
    *at++ = (uint8_t)(run->head | (times > 1 ? HEAD_REPEATS : 0));
    at = put(at, fold(run->step));
    if (run->head & HEAD_ENDS)
        at = put(put(at, fold(run->below)), fold(run->above));
    return times > 1 ? put(at, times) : at;
}

static uint8_t *put_column(uint8_t *at, const csy_sheet *sheet, size_t column)
{
    struct difference run = {0};
    uint64_t above = 0, times = 0;
    for (size_t row = 0; row < sheet->nrows; row++) {
        const csy_value *value = &sheet->values[row * sheet->ncolumns + column];
        struct difference next = differ(value, above);
        if (times > 0 && !is_same(&run, &next)) {
            at = put_run(at, &run, times);
            times = 0;
        }
        run = next;
        times++;
        above = bits_of(value);
    }
    return times > 0 ? put_run(at, &run, times) : at;
}

bool packed_rows_add(struct packed_rows *rows, const csy_sheet *sheet)
{
    uint8_t *column = malloc(sheet->nrows * RUN_BYTES + 1), *bytes = NULL;
    size_t size = 0, capacity = 0;
    bool good = column && ARRAY_RESERVE(rows->blocks, rows->capacity, rows->nblocks + 1);
    for (size_t i = 0; good && i < sheet->ncolumns; i++) {
        size_t n = (size_t)(put_column(column, sheet, i) - column);
        good = ARRAY_RESERVE(bytes, capacity, size + VARINT_BYTES + n);
        if (!good)
            break;
        size = (size_t)(put(bytes + size, n) - bytes);
        memcpy(bytes + size, column, n);
        size += n;
    }
    free(column);
    uint8_t *kept = good ? malloc(size + 1) : NULL; /* an array has room for more */
    if (kept) {
        memcpy(kept, bytes ? bytes : kept, size);
        rows->blocks[rows->nblocks] =
            (struct packed_block){kept, packed_rows_count(rows) + sheet->nrows};
        rows->nblocks++;
    }
    free(bytes);
    return kept != NULL;
}

size_t packed_rows_count(const struct packed_rows *rows)
{
    return rows->nblocks > 0 ? rows->blocks[rows->nblocks - 1].end : 0;
}

static size_t rows_of(const struct packed_rows *rows, size_t block)
{
    return rows->blocks[block].end - (block > 0 ? rows->blocks[block - 1].end : 0);
}

size_t packed_rows_most(const struct packed_rows *rows)
{
    size_t most = 0;
    for (size_t i = 0; i < rows->nblocks; i++)
        most = rows_of(rows, i) > most ? rows_of(rows, i) : most;
    return most;
}

static csy_value value_of(const struct difference *run, bool text, uint64_t bits)
{
    csy_value out = {.none = (run->head & HEAD_NONE) != 0,
                     .open = (run->head & HEAD_OPEN) != 0,
                     .range = {.kind = (csy_range_kind)(run->head / HEAD_KIND % KINDS)}};
    uintptr_t address = (uintptr_t)bits;
    if (text)
        memcpy(&out.text, &address, sizeof address);
    else {
        out.range.estimate = (int64_t)bits;
        out.range.lo = (int64_t)(bits - run->below);
        out.range.hi = (int64_t)(bits + run->above);
    }
    return out;
}

static void read_column(const uint8_t *at, bool text, size_t nrows, size_t ncolumns, csy_value *out)
{
    uint64_t bits = 0;
    for (size_t row = 0; row < nrows;) {
        struct difference run = {.head = *at++};
        uint64_t times = 1;
        at = take(at, &run.step);
        if (run.head & HEAD_ENDS)
            at = take(take(at, &run.below), &run.above);
        if (run.head & HEAD_REPEATS)
            at = take(at, &times);
        run.step = unfold(run.step);
        run.below = unfold(run.below);
        run.above = unfold(run.above);
        for (; times > 0; times--, row++) {
            bits += run.step;
            out[row * ncolumns] = value_of(&run, text, bits);
        }
    }
}

size_t packed_rows_read(const struct packed_rows *rows, size_t block, const csy_sheet *like,
                        const struct chosen_columns *chosen, csy_value *values)
{
    const uint8_t *at = rows->blocks[block].bytes;
    size_t nrows = rows_of(rows, block);
    for (size_t i = 0; i < chosen->end; i++) {
        uint64_t size;
        at = take(at, &size);
        if (i < chosen->names || i >= chosen->begin)
            read_column(at, like->columns[i].kind == CSY_COLUMN_TEXT, nrows, like->ncolumns,
                        values + i);
        at += size;
    }
    return nrows;
}

void packed_rows_fini(struct packed_rows *rows)
{
    for (size_t i = 0; i < rows->nblocks; i++)
        free(rows->blocks[i].bytes);
    free(rows->blocks);
    *rows = (struct packed_rows){0};
}
