/* See record.h. */
#include "trace/pex/record.h"

#include "base/error.h"
#include "trace/cut.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Report that the records end too early, at the byte offset `at`. The reason is the error of gzip
 * or, if there is none, `what`. Returns CSY_OK with --salvage. */
static csy_status end_at(struct record_reader *reader, uint64_t at, const char *what,
                         csy_error *error)
{
    csy_error why;
    uint64_t n = reader->next_position;
    if (bytes_cut(reader->bytes))
        why = *bytes_cut(reader->bytes);
    else
        error_offset(&why, reader->name, at, "%s", what);
    reader->is_cut = true;
    reader->cut = (csy_cut){.records = n, .place = at};
    memcpy(reader->cut.text, why.text, sizeof why.text);
    if (reader->salvage)
        return CSY_OK;
    return cut_refuse(&reader->cut, "record", !reader->header.global, error);
}

static csy_status end_short(struct record_reader *reader, const char *what, size_t need,
                            size_t have, csy_error *error)
{
    char text[96];
    snprintf(text, sizeof text, "truncated %s: need %zu bytes, have %zu", what, need, have);
    return end_at(reader, bytes_offset(reader->bytes), text, error);
}

csy_status record_reader_open(struct record_reader *reader, struct bytes *bytes, const char *name,
                              uint8_t **extra_bytes, csy_error *error)
{
    *reader = (struct record_reader){.bytes = bytes, .name = name};
    const uint8_t *p;
    size_t have;
    csy_status status = bytes_peek(bytes, FILE_HEADER_BYTES, &p, &have, error);
    if (status)
        return status;
    if (have >= 2 && p[0] == 0x1f && p[1] == 0x8b)
        return error_offset(
            error, reader->name, bytes_offset(bytes),
            "the file is compressed by gzip, but its element lacks compression=\"gzip\"");
    if (memcmp(p, FILE_MAGIC, have < 8 ? have : 8) != 0)
        return error_offset(error, reader->name, bytes_offset(bytes),
                            "not a record file: expected the magic " FILE_MAGIC);
    if (have < FILE_HEADER_BYTES)
        return end_short(reader, "file header", FILE_HEADER_BYTES, have, error);
    uint64_t at = bytes_offset(bytes);
    size_t size = load16(p + 10);
    if (load16(p + 8) != 1)
        return error_offset(error, name, at + 8, "unknown version %u, expected 1", load16(p + 8));
    if (size < FILE_HEADER_BYTES || size % 8 != 0)
        return error_offset(error, name, at + 10,
                            "header size %zu, expected a multiple of 8 of at least 32", size);
    if (load32(p + 12) & ~(uint32_t)FILE_GLOBAL_TIME)
        return error_offset(error, name, at + 12, "unknown flags 0x%08" PRIx32, load32(p + 12));
    if (load64(p + 24) != 0)
        return error_offset(error, reader->name, at + 24,
                            "bytes 24 to 31 of the header are not zero");
    reader->header = (struct file_header){size, load32(p + 12) & FILE_GLOBAL_TIME, load64(p + 16)};
    status = bytes_peek(bytes, size, &p, &have, error);
    if (status)
        return status;
    if (have < size)
        return end_short(reader, "file header", size, have, error);
    if (extra_bytes && size > FILE_HEADER_BYTES) {
        *extra_bytes = malloc(size - FILE_HEADER_BYTES);
        if (!*extra_bytes)
            return error_memory(error);
        memcpy(*extra_bytes, p + FILE_HEADER_BYTES, size - FILE_HEADER_BYTES);
    }
    bytes_skip(bytes, size);
    return CSY_OK;
}

/* Check that size, core, flags, and number of values of the record at `p` fit together. */
static csy_status check_shape(const struct record_reader *reader, const uint8_t *p,
                              csy_error *error)
{
    uint64_t at = bytes_offset(reader->bytes);
    uint32_t size = load16(p);
    if (p[2] > CORE_SPE)
        return error_offset(error, reader->name, at + 2, "core %u, expected 0 (PPE) or 1 (SPE)",
                            p[2]);
    if (p[3] & ~RECORD_INTERVAL)
        return error_offset(error, reader->name, at + 3, "unknown record flags 0x%02x", p[3]);
    bool small = p[2] == CORE_SPE && !reader->header.global;
    uint32_t fixed = small ? RECORD_SPE_BYTES : RECORD_PPE_BYTES;
    uint32_t largest =
        reader->header.global && p[2] == CORE_SPE ? RECORD_BYTES_MAX + 8 : RECORD_BYTES_MAX;
    if (size < fixed || size % 8 != 0 || size > largest)
        return error_offset(error, reader->name, at,
                            "record size %" PRIu32 ", expected a multiple of 8 from %" PRIu32
                            " to %" PRIu32,
                            size, fixed, largest);
    uint32_t n = load16(p + 6);
    if (n > (size - fixed) / 8)
        return error_offset(error, reader->name, at + 6,
                            "%" PRIu32 " payload values need %" PRIu32
                            " bytes, but the record has only %" PRIu32,
                            n, fixed + 8 * n, size);
    return CSY_OK;
}

csy_status record_read(struct record_reader *reader, struct record *out, bool *more,
                       csy_error *error)
{
    const uint8_t *p;
    size_t have;
    csy_status status = bytes_peek(reader->bytes, RECORD_PREFIX_BYTES, &p, &have, error);
    if (status)
        return status;
    *more = have > 0;
    if (have == 0) {
        uint64_t claimed = reader->header.records;
        char text[80];
        bool complete = claimed == RECORDS_UNKNOWN || claimed == reader->next_position;
        if (complete && !bytes_cut(reader->bytes))
            return CSY_OK;
        snprintf(text, sizeof text,
                 "the file ends early: its header gives the number of records as %" PRIu64,
                 claimed);
        return end_at(reader, bytes_offset(reader->bytes), text, error);
    }
    if (have >= RECORD_PREFIX_BYTES && load64(p) == 0 && load64(p + 8) == 0) {
        /* The record begins with zeros. If the rest of the file is zero, as after a power cut, the
         * records end before this record. Otherwise the record is refused. */
        bool zero;
        uint64_t at = bytes_offset(reader->bytes);
        status = bytes_are_zero(reader->bytes, &zero, error);
        *more = false;
        if (status)
            return status;
        return zero ? end_at(reader, at, "all bytes are zero from here to the end", error)
                    : error_offset(error, reader->name, at,
                                   "record size 0, but bytes other than zero follow");
    }
    if (reader->next_position == reader->header.records)
        return error_offset(error, reader->name, bytes_offset(reader->bytes),
                            "more bytes follow after %" PRIu64 " records, the number in the header",
                            reader->header.records);
    *more = have >= RECORD_PREFIX_BYTES;
    if (!*more)
        return end_short(reader, "record", RECORD_PREFIX_BYTES, have, error);
    status = check_shape(reader, p, error);
    if (status)
        return status;
    uint32_t size = load16(p);
    status = bytes_peek(reader->bytes, size, &p, &have, error);
    if (status)
        return status;
    *more = have >= size;
    if (!*more)
        return end_short(reader, "record", size, have, error);
    out->position = reader->next_position;
    out->offset = bytes_offset(reader->bytes);
    record_load(out, p, reader->header.global);
    if (!out->spe && !reader->header.global && out->stamp > INT64_MAX)
        return error_offset(error, reader->name, out->offset + RECORD_PREFIX_BYTES,
                            "the PPE time is 2^63 or more");
    reader->next_position++;
    bytes_skip(reader->bytes, size);
    return CSY_OK;
}
