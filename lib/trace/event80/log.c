/* See log.h. */
#include "trace/event80/log.h"

#include "base/array.h"
#include "base/error.h"
#include "base/heap.h"
#include "trace/cut.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* --- Seconds and ticks ---------------------------------------------------------------------- */

enum { MANTISSA_BITS = 52, EXPONENT_MAX = 0x7ff, EXPONENT_BIAS = 1075, FRACTION_BITS = 64 };

#define HIDDEN_BIT (UINT64_C(1) << MANTISSA_BITS)

static uint128 shift(uint128 value, int left)
{
    return left >= 0 ? value << left : left > -128 ? value >> -left : 0;
}

enum fine_fault fine_time(uint64_t bits, uint64_t timebase_hz, struct fine_time *out)
{
    int exponent = (int)(bits >> MANTISSA_BITS & EXPONENT_MAX);
    uint64_t mantissa = bits & (HIDDEN_BIT - 1);
    if (exponent == EXPONENT_MAX && mantissa)
        return FINE_NO_NUMBER;
    if (exponent == 0)
        exponent = 1;
    else
        mantissa |= HIDDEN_BIT;
    if (bits >> 63 && mantissa)
        return FINE_NEGATIVE;
    uint128 product = (uint128)mantissa * timebase_hz;
    int left = exponent - EXPONENT_BIAS + FRACTION_BITS;
    *out = (struct fine_time){0, 1};
    if (product == 0)
        return FINE_GOOD;
    uint64_t high = (uint64_t)(product >> 64), low = (uint64_t)product;
    int bits_used = high ? 128 - __builtin_clzll(high) : 64 - __builtin_clzll(low);
    if (exponent == EXPONENT_MAX || bits_used + left > 54 + FRACTION_BITS)
        return FINE_BEYOND;
    out->ticks = shift(product, left);
    out->ulp = shift(timebase_hz, left);
    if (out->ulp == 0)
        out->ulp = 1;
    return out->ticks > (uint128)FINE_TICKS_MAX * FINE_TICK ? FINE_BEYOND : FINE_GOOD;
}

int64_t fine_nearest(uint128 ticks, uint128 *remainder)
{
    uint128 nearest = (ticks + FINE_TICK / 2) / FINE_TICK;
    uint128 whole = nearest * FINE_TICK;
    *remainder = whole > ticks ? whole - ticks : ticks - whole;
    return (int64_t)nearest;
}

/* --- Records ------------------------------------------------------------------------------- */

/* Byte offsets of the fields of a record. */
enum { STAMP = 0, DURATION = 8, TYPE = 16, ENX = 24, EXX = 32, FLAG = 40, DATA = 48 };

/* The profiler rounded times to doubles. So the distance of a time from a whole tick is ignored up
 * to these numbers of units in the last place (ulps), but at most up to 1/JUDGED_PART tick. */
enum { ULPS_OF_A_STAMP = 2, ULPS_OF_A_SUM = 4, JUDGED_PART = 16 };

/* Handle a log that ends within a record or page: only `have` of `need` bytes exist. */
static csy_status end_within(struct log_reader *reader, const char *what, size_t need, size_t have,
                             csy_error *error)
{
    csy_cut *cut = &reader->cut;
    const csy_error *gzip = bytes_cut(reader->bytes);
    uint64_t at = bytes_offset(reader->bytes);
    *cut = (csy_cut){.records = reader->records, .place = at};
    if (gzip)
        memcpy(cut->text, gzip->text, sizeof cut->text);
    else
        snprintf(
            cut->text, sizeof cut->text,
            "%s: offset %" PRIu64 ": truncated %s: need %zu bytes, have %zu%s", reader->name, at,
            what, need, have,
            reader->shape.pages
                ? (at == 0 && have % LOG_RECORD_BYTES == 0 ? ": maybe the log has no pages" : "")
            : (at + have) % LOG_PAGE_BYTES == 0 ? ": maybe the log has pages"
                                                : "");
    reader->is_cut = true;
    return reader->salvage ? CSY_OK : cut_refuse(cut, "record", true, error);
}

static csy_status read_seconds(const struct log_reader *reader, const uint8_t *p, size_t field,
                               struct fine_time *out, csy_error *error)
{
    static const char *const faults[] = {[FINE_NEGATIVE] = "is negative",
                                         [FINE_NO_NUMBER] = "is not a number",
                                         [FINE_BEYOND] = "is more than 2^53 ticks"};
    const struct log_shape *shape = &reader->shape;
    enum fine_fault fault =
        fine_time(bytes_number(p + field, 8, shape->little), shape->timebase_hz, out);
    if (!fault)
        return CSY_OK;
    return error_offset(error, reader->name, bytes_offset(reader->bytes) + field, "the %s %s",
                        field == STAMP ? "timestamp" : "duration", faults[fault]);
}

/* Returns the nearest tick. reader->remainder keeps the largest distance that exceeds `doubt`. */
static int64_t take_tick(struct log_reader *reader, uint128 ticks, uint128 doubt)
{
    uint128 left;
    int64_t nearest = fine_nearest(ticks, &left);
    if (doubt > FINE_TICK / JUDGED_PART)
        doubt = FINE_TICK / JUDGED_PART;
    if (left > doubt && left > reader->remainder.most)
        reader->remainder = (struct log_remainder){left, bytes_offset(reader->bytes)};
    return nearest;
}

static csy_status read_record(struct log_reader *reader, const uint8_t *p, size_t have,
                              struct log_record *out, csy_error *error)
{
    const struct log_shape *shape = &reader->shape;
    bool little = shape->little;
    uint32_t type = (uint32_t)bytes_number(p + TYPE, 4, little);
    uint64_t at = bytes_offset(reader->bytes);
    if (type >= LOG_TYPES) {
        bool first = at == (shape->pages ? LOG_PAGE_HEAD_BYTES : 0);
        size_t other = shape->pages ? TYPE - LOG_PAGE_HEAD_BYTES : TYPE + LOG_PAGE_HEAD_BYTES;
        bool shifted = first && have >= LOG_RECORD_BYTES + LOG_PAGE_HEAD_BYTES &&
                       bytes_number(p + other, 4, little) < LOG_TYPES;
        return error_offset(error, reader->name, at + TYPE,
                            "type %" PRIu32 ", expected 0 to %d: maybe %s", type, LOG_TYPES - 1,
                            __builtin_bswap32(type) < LOG_TYPES ? "the byte order is wrong"
                            : !shifted                          ? "this is not a log of event80"
                            : shape->pages                      ? "the log has no pages"
                                                                : "the log has pages");
    }
    struct fine_time stamp = {0, 0}, duration = {0, 0};
    csy_status status = read_seconds(reader, p, STAMP, &stamp, error);
    status = status ? status : read_seconds(reader, p, DURATION, &duration, error);
    if (status)
        return status;
    uint128 ulp = stamp.ulp > duration.ulp ? stamp.ulp : duration.ulp;
    uint128 doubt = ULPS_OF_A_STAMP * stamp.ulp, doubt_sum = ULPS_OF_A_SUM * ulp;
    if (!reader->shape.ends) {
        out->begin_ticks = take_tick(reader, stamp.ticks, doubt);
        out->time_ticks = take_tick(reader, stamp.ticks + duration.ticks, doubt_sum);
        if (out->time_ticks > FINE_TICKS_MAX)
            return error_offset(error, reader->name, at + DURATION,
                                "the interval ends after more than 2^53 ticks");
    } else {
        out->time_ticks = take_tick(reader, stamp.ticks, doubt);
        if (duration.ticks > stamp.ticks + FINE_TICK / 2)
            return error_offset(error, reader->name, at + DURATION,
                                "the interval begins before time 0 of its clock");
        bool before = duration.ticks > stamp.ticks;
        out->begin_ticks = before ? 0 : take_tick(reader, stamp.ticks - duration.ticks, doubt_sum);
    }
    out->place = at;
    out->type = (enum log_type)type;
    out->interval = type >= LOG_MPI_SEND || bytes_number(p + DURATION, 8, little) << 1;
    out->enx = bytes_number(p + ENX, 8, little);
    out->exx = bytes_number(p + EXX, 8, little);
    out->flag = (int16_t)bytes_number(p + FLAG, 2, little);
    for (size_t i = 0; i < LOG_DATA; i++)
        out->data[i] = (int32_t)bytes_number(p + DATA + 4 * i, 4, little);
    return CSY_OK;
}

csy_status log_read(struct log_reader *reader, struct log_record *out, bool *more, csy_error *error)
{
    const uint8_t *p;
    size_t have;
    csy_status status = CSY_OK;
    bool used = false;
    *more = true;
    while (!status && !used) {
        if (reader->shape.pages && reader->in_page == LOG_PAGE_RECORDS) {
            status = bytes_peek(reader->bytes, LOG_PAGE_BYTES, &p, &have, error);
            *more = !status && (have > 0 || bytes_cut(reader->bytes));
            if (!*more)
                return status;
            if (have < (reader->salvage ? LOG_PAGE_HEAD_BYTES : LOG_PAGE_BYTES)) {
                *more = false;
                return end_within(reader, "page", LOG_PAGE_BYTES, have, error);
            }
            bytes_skip(reader->bytes, LOG_PAGE_HEAD_BYTES);
            reader->in_page = 0;
        }
        status =
            bytes_peek(reader->bytes, LOG_RECORD_BYTES + LOG_PAGE_HEAD_BYTES, &p, &have, error);
        if (status)
            return status;
        if (have < LOG_RECORD_BYTES) {
            *more = false;
            bool whole = have == 0 && !reader->shape.pages && !bytes_cut(reader->bytes);
            return whole ? CSY_OK : end_within(reader, "record", LOG_RECORD_BYTES, have, error);
        }
        used = bytes_number(p + FLAG, 2, false) != 0;
        if (used)
            status = read_record(reader, p, have, out, error);
        if (!status) {
            bytes_skip(reader->bytes, LOG_RECORD_BYTES);
            reader->in_page++;
            reader->records += used;
        }
    }
    return status;
}

/* --- Records in the order of their ends ---------------------------------------------------- */

enum { WAITING_MAX = 1 << 16 };

static bool is_before(const void *left, const void *right)
{
    const struct log_record *a = left, *b = right;
    return a->time_ticks != b->time_ticks ? a->time_ticks < b->time_ticks : a->place < b->place;
}

void backlog_clear(struct backlog *backlog)
{
    backlog->count = 0;
    backlog->latest_begin_ticks = 0;
}

void backlog_fini(struct backlog *backlog)
{
    free(backlog->items);
    *backlog = (struct backlog){0};
}

bool backlog_put(struct backlog *backlog, const struct log_record *record)
{
    if (!ARRAY_RESERVE(backlog->items, backlog->capacity, backlog->count + 1))
        return false;
    heap_put(backlog->items, &backlog->count, sizeof *record, record, is_before);
    if (record->begin_ticks > backlog->latest_begin_ticks)
        backlog->latest_begin_ticks = record->begin_ticks;
    return true;
}

bool backlog_take(struct backlog *backlog, bool all, struct log_record *out)
{
    struct log_record *items = backlog->items;
    if (backlog->count == 0 ||
        (!all && items->time_ticks > backlog->latest_begin_ticks && backlog->count < WAITING_MAX))
        return false;
    heap_take(items, &backlog->count, sizeof *items, out, is_before);
    return true;
}
