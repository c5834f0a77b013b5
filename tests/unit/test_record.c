/* The record file: header and records as they were written, and every reason to refuse one. */
#include "support.h"
#include "trace/pex/record.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* A reader over bytes, with what it reads from. */
struct source {
    int fd;
    struct bytes *bytes;
    struct record_reader reader;
    csy_error error;
};

static csy_status source_open(struct source *s, const struct buffer *file, uint64_t start,
                              bool gzip, uint8_t **extra)
{
    s->fd = file_of(file->bytes, file->size);
    ck_ok(bytes_new(s->fd, "a.trace", start, gzip, 1, &s->bytes, &s->error), s->error);
    return record_reader_open(&s->reader, s->bytes, "a.trace", extra, &s->error);
}

static void source_close(struct source *s)
{
    bytes_free(s->bytes);
    close(s->fd);
}

/* The status of reading the whole file, and how many records came before it. */
static csy_status read_all(struct source *s, const struct buffer *file, size_t *n)
{
    struct record record;
    bool more = true;
    *n = 0;
    csy_status status = source_open(s, file, 0, false, NULL);
    while (!status && more) {
        status = record_read(&s->reader, &record, &more, &s->error);
        *n += !status && more;
    }
    source_close(s);
    return status;
}

START_TEST(big_endian_numbers)
{
    uint8_t p[8] = {0x80, 1, 2, 3, 4, 5, 6, 0xff}, q[8];
    ck_assert_uint_eq(load16(p), 0x8001);
    ck_assert_uint_eq(load32(p), 0x80010203);
    ck_assert_uint_eq(load64(p), 0x80010203040506ff);
    store64(q, 0x80010203040506ff);
    ck_assert_mem_eq(p, q, 8);
}
END_TEST

START_TEST(headers_are_read)
{
    struct source s;
    struct buffer file = {0};
    uint8_t *extra = NULL;
    add_header(&file, 1, 7);
    ck_ok(source_open(&s, &file, 0, false, &extra), s.error);
    ck_assert_uint_eq(s.reader.header.header_bytes, 32);
    ck_assert(s.reader.header.global);
    ck_assert_uint_eq(s.reader.header.records, 7);
    ck_assert_ptr_null(extra);
    source_close(&s);
    buffer_free(&file);
}
END_TEST

START_TEST(longer_headers_are_carried)
{
    struct source s;
    struct record record;
    bool more;
    struct buffer file = {0};
    uint8_t *extra = NULL;
    buffer_text(&file, "junk");
    add_header(&file, 0, RECORDS_UNKNOWN);
    file.bytes[4 + 11] = 48;
    buffer_text(&file, "sixteen bytes...");
    add_spe(&file, 3, 99);
    ck_ok(source_open(&s, &file, 4, false, &extra), s.error);
    ck_assert_uint_eq(s.reader.header.header_bytes, 48);
    ck_assert(!s.reader.header.global);
    ck_assert_mem_eq(extra, "sixteen bytes...", 16);
    ck_ok(record_read(&s.reader, &record, &more, &s.error), s.error);
    ck_assert(more && record.spe);
    ck_assert_uint_eq(record.offset, 52);
    ck_assert_uint_eq(record.stamp, 99);
    free(extra);
    source_close(&s);
    buffer_free(&file);
}
END_TEST

/* A header with one byte changed. */
START_TEST(bad_headers_are_refused)
{
    static const struct {
        size_t at;
        uint8_t byte;
        const char *text;
    } faults[] = {
        {0, 'p', "a.trace: offset 0: not a record file: expected the magic PDTTRACE"},
        {7, 0, "a.trace: offset 0: not a record file: expected the magic PDTTRACE"},
        {9, 2, "a.trace: offset 8: unknown version 2, expected 1"},
        {8, 1, "a.trace: offset 8: unknown version 257, expected 1"},
        {11, 24, "a.trace: offset 10: header size 24, expected a multiple of 8 of at least 32"},
        {11, 33, "a.trace: offset 10: header size 33, expected a multiple of 8 of at least 32"},
        {11, 0, "a.trace: offset 10: header size 0, expected a multiple of 8 of at least 32"},
        {10, 1,
         "a.trace: offset 0: truncated file header: need 288 bytes, have 32; "
         "no whole record precedes it"},
        {15, 2, "a.trace: offset 12: unknown flags 0x00000002"},
        {12, 0x80, "a.trace: offset 12: unknown flags 0x80000000"},
        {31, 1, "a.trace: offset 24: bytes 24 to 31 of the header are not zero"},
        {24, 1, "a.trace: offset 24: bytes 24 to 31 of the header are not zero"},
    };
    for (size_t i = 0; i < sizeof faults / sizeof *faults; i++) {
        struct source s;
        struct buffer file = {0};
        add_header(&file, 0, 0);
        file.bytes[faults[i].at] = faults[i].byte;
        ck_refused(source_open(&s, &file, 0, false, NULL), CSY_INPUT, s.error, faults[i].text);
        source_close(&s);
        buffer_free(&file);
    }
}
END_TEST

START_TEST(cut_headers_are_refused)
{
    struct source s;
    struct buffer file = {0};
    char want[160];
    add_header(&file, 0, 0);
    for (file.size = 0; file.size < 32; file.size++) {
        snprintf(want, sizeof want,
                 "a.trace: offset 0: truncated file header: need 32 bytes, have %zu; "
                 "no whole record precedes it",
                 file.size);
        ck_refused(source_open(&s, &file, 0, false, NULL), CSY_INPUT, s.error, want);
        source_close(&s);
    }
    buffer_free(&file);
}
END_TEST

/* A good SPE record at offset 32, then a switch of 48 bytes at 56; one byte of it changed. */
START_TEST(bad_records_are_refused)
{
    static const struct {
        size_t at;
        uint8_t byte;
        const char *text;
    } faults[] = {
        {2, 2, "a.trace: offset 58: core 2, expected 0 (PPE) or 1 (SPE)"},
        {2, 255, "a.trace: offset 58: core 255, expected 0 (PPE) or 1 (SPE)"},
        {3, 3, "a.trace: offset 59: unknown record flags 0x03"},
        {3, 0x80, "a.trace: offset 59: unknown record flags 0x80"},
        {1, 0, "a.trace: offset 56: record size 0, expected a multiple of 8 from 32 to 65520"},
        {1, 24, "a.trace: offset 56: record size 24, expected a multiple of 8 from 32 to 65520"},
        {1, 49, "a.trace: offset 56: record size 49, expected a multiple of 8 from 32 to 65520"},
        {1, 56,
         "a.trace: offset 56: truncated record: need 56 bytes, have 48; 1 whole record precedes it "
         "(see --salvage)"},
        {1, 40, "a.trace: offset 62: 2 payload values need 48 bytes, but the record has only 40"},
        {7, 3, "a.trace: offset 62: 3 payload values need 56 bytes, but the record has only 48"},
        {6, 255,
         "a.trace: offset 62: 65282 payload values need 522288 bytes, but the record has only 48"},
        {16, 0x80, "a.trace: offset 72: the PPE time is 2^63 or more"},
    };
    for (size_t i = 0; i < sizeof faults / sizeof *faults; i++) {
        struct source s;
        struct buffer file = {0};
        size_t n;
        add_header(&file, 0, 2);
        add_spe(&file, 1, 7);
        add_switch(&file, true, 5, 1, 0);
        file.bytes[56 + faults[i].at] = faults[i].byte;
        ck_refused(read_all(&s, &file, &n), CSY_INPUT, s.error, faults[i].text);
        ck_assert_uint_eq(n, 1);
        buffer_free(&file);
    }
}
END_TEST

START_TEST(cut_records_are_refused)
{
    struct source s;
    struct buffer file = {0};
    size_t n;
    char want[160];
    add_header(&file, 0, RECORDS_UNKNOWN);
    add_spe(&file, 1, 7);
    add_ppe(&file, 5);
    for (file.size = 57; file.size < 88; file.size++) {
        size_t have = file.size - 56;
        snprintf(want, sizeof want,
                 "a.trace: offset 56: truncated record: need %d bytes, have %zu; 1 whole record "
                 "precedes it (see --salvage)",
                 have < 16 ? 16 : 32, have);
        ck_refused(read_all(&s, &file, &n), CSY_INPUT, s.error, want);
        ck_assert_uint_eq(n, 1);
    }
    buffer_free(&file);
}
END_TEST

/* Salvage is for traces that are not synchronized yet. */
START_TEST(cut_synchronized_records_are_refused)
{
    struct source s;
    struct buffer file = {0};
    size_t n;
    add_header(&file, FILE_GLOBAL_TIME, RECORDS_UNKNOWN);
    add_ppe(&file, 5);
    file.size--;
    ck_refused(read_all(&s, &file, &n), CSY_INPUT, s.error,
               "a.trace: offset 32: truncated record: need 32 bytes, have 31; no whole record "
               "precedes it");
    buffer_number(&file, 0, 1);
    add_ppe(&file, 6);
    file.size--;
    ck_refused(read_all(&s, &file, &n), CSY_INPUT, s.error,
               "a.trace: offset 64: truncated record: need 32 bytes, have 31; 1 whole record "
               "precedes it");
    buffer_free(&file);
}
END_TEST

START_TEST(counts_are_compared)
{
    struct source s;
    struct buffer file = {0};
    size_t n;
    add_header(&file, 0, 2);
    add_ppe(&file, 5);
    ck_refused(read_all(&s, &file, &n), CSY_INPUT, s.error,
               "a.trace: offset 64: the file ends early: its header gives the number of records as "
               "2; 1 whole record "
               "precedes it (see --salvage)");
    add_ppe(&file, 6);
    ck_ok(read_all(&s, &file, &n), s.error);
    ck_assert_uint_eq(n, 2);
    buffer_number(&file, 0, 1);
    ck_refused(read_all(&s, &file, &n), CSY_INPUT, s.error,
               "a.trace: offset 96: more bytes follow after 2 records, the number in the header");
    buffer_free(&file);
}
END_TEST

START_TEST(the_greatest_time)
{
    struct source s;
    struct buffer file = {0};
    size_t n;
    add_header(&file, 0, 2);
    add_ppe(&file, INT64_MAX);
    add_ppe(&file, (uint64_t)INT64_MAX + 1);
    ck_refused(read_all(&s, &file, &n), CSY_INPUT, s.error,
               "a.trace: offset 80: the PPE time is 2^63 or more");
    ck_assert_uint_eq(n, 1);
    buffer_free(&file);
}
END_TEST

/* One record of `size` bytes, without payload. */
static csy_status read_sized(size_t size, bool spe, bool global, struct source *s)
{
    struct buffer file = {0};
    static const uint8_t zeros[65536];
    size_t n;
    add_header(&file, global, 1);
    buffer_number(&file, size, 2);
    buffer_number(&file, spe, 1);
    buffer_add(&file, zeros, size - 3);
    csy_status status = read_all(s, &file, &n);
    buffer_free(&file);
    return status;
}

START_TEST(sizes_have_limits)
{
    struct source s;
    ck_ok(read_sized(24, true, false, &s), s.error);
    ck_ok(read_sized(65520, true, false, &s), s.error);
    ck_ok(read_sized(65520, false, false, &s), s.error);
    ck_ok(read_sized(65528, true, true, &s), s.error);
    ck_refused(read_sized(65528, true, false, &s), CSY_INPUT, s.error,
               "a.trace: offset 32: record size 65528, expected a multiple of 8 from 24 to 65520");
    ck_refused(read_sized(65528, false, true, &s), CSY_INPUT, s.error,
               "a.trace: offset 32: record size 65528, expected a multiple of 8 from 32 to 65520");
    ck_refused(read_sized(24, true, true, &s), CSY_INPUT, s.error,
               "a.trace: offset 32: record size 24, expected a multiple of 8 from 32 to 65528");
}
END_TEST

/* What is drawn for a record, and written. */
struct drawn {
    bool spe, interval;
    unsigned id, npayload, nbehind;
    uint32_t thread, pc;
    uint64_t stamp, begin, payload[40];
};

static struct drawn draw_record(struct random *r, bool global)
{
    struct drawn d = {.spe = random_chance(r, 60), .interval = random_chance(r, 30)};
    bool small = d.spe && !global;
    d.id = (unsigned)random_between(r, 0, 0xffff);
    d.npayload = (unsigned)random_between(r, 0, random_chance(r, 10) ? 40 : 3);
    d.nbehind = (unsigned)random_between(r, 0, random_chance(r, 2) ? 8000 : 1);
    d.thread = (uint32_t)random_bits(r);
    d.pc = (uint32_t)random_bits(r);
    d.stamp = random_bits(r) >> (small ? 32 : global ? 0 : 1);
    d.begin = random_bits(r) >> (small ? 32 : 0);
    for (unsigned i = 0; i < d.npayload; i++)
        d.payload[i] = random_bits(r);
    return d;
}

static void write_record(struct buffer *b, const struct drawn *d, bool global)
{
    size_t stamp_bytes = d->spe && !global ? 4 : 8;
    buffer_number(b, 16 + 2 * stamp_bytes + 8 * (size_t)(d->npayload + d->nbehind), 2);
    buffer_number(b, d->spe, 1);
    buffer_number(b, d->interval, 1);
    buffer_number(b, d->id, 2);
    buffer_number(b, d->npayload, 2);
    buffer_number(b, d->thread, 4);
    buffer_number(b, d->pc, 4);
    buffer_number(b, d->stamp, stamp_bytes);
    buffer_number(b, d->begin, stamp_bytes);
    for (unsigned i = 0; i < d->npayload; i++)
        buffer_number(b, d->payload[i], 8);
    for (unsigned i = 0; i < d->nbehind; i++)
        buffer_number(b, i, 8);
}

static bool same_record(const struct record *got, const struct drawn *d, bool global)
{
    bool same = got->spe == d->spe && got->interval == d->interval && got->id == d->id &&
                got->npayload == d->npayload && got->thread == d->thread &&
                got->stamp == d->stamp && got->begin == d->begin &&
                load32(got->bytes + 12) == d->pc;
    for (unsigned i = 0; same && i < d->npayload; i++)
        same = load64(record_payload(got, global) + 8 * (size_t)i) == d->payload[i];
    return same;
}

enum { RECORDS = 1500 };

/* One pass over the whole stream. */
static void compare_records(struct source *s, const struct drawn *drawn, const struct buffer *file,
                            bool global)
{
    struct record record;
    bool more;
    uint64_t offset = 32;
    for (size_t i = 0; i < RECORDS; i++) {
        ck_ok(record_read(&s->reader, &record, &more, &s->error), s->error);
        if (!more || record.position != i || record.offset != offset ||
            !same_record(&record, &drawn[i], global) ||
            memcmp(record.bytes, file->bytes + offset, record.size) != 0)
            ck_abort_msg("record %zu", i);
        offset += record.size;
    }
    ck_ok(record_read(&s->reader, &record, &more, &s->error), s->error);
    ck_assert(!more);
}

/* Records of every kind, plain or packed, come back as they were drawn, twice. */
START_TEST(records_come_back)
{
    static struct drawn drawn[RECORDS];
    struct random r = random_trial((uint64_t)_i);
    struct buffer file = {0}, packed = {0};
    struct source s;
    bool global = _i & 1, gzip = _i & 2;
    add_header(&file, global, RECORDS);
    for (size_t i = 0; i < RECORDS; i++) {
        drawn[i] = draw_record(&r, global);
        write_record(&file, &drawn[i], global);
    }
    buffer_gzip(&packed, file.bytes, file.size);
    ck_ok(source_open(&s, gzip ? &packed : &file, 0, gzip, NULL), s.error);
    compare_records(&s, drawn, &file, global);
    bytes_rewind(s.bytes);
    ck_ok(record_reader_open(&s.reader, s.bytes, "a.trace", NULL, &s.error), s.error);
    compare_records(&s, drawn, &file, global);
    source_close(&s);
    buffer_free(&file);
    buffer_free(&packed);
}
END_TEST

START_TEST(intervals_begin_before_they_end)
{
    static const struct {
        uint32_t stamp, begin;
        int64_t ticks;
    } cases[] = {{100, 130, 30},
                 {100, 100, 0},
                 {0xfffffff0, 16, 32}, /* through zero */
                 {0, 0xfffeffff, 4294901759},
                 {0, 0xffff0000, -65536}, /* from here on it began after its end */
                 {130, 100, -30},
                 {1, 0, -1}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct record r = {.spe = true, .stamp = cases[i].stamp, .begin = cases[i].begin};
        ck_assert_int_eq(record_interval_ticks(&r), cases[i].ticks);
    }
}
END_TEST

int main(void)
{
    TCase *tests = unit_begin("record");
    tcase_add_test(tests, big_endian_numbers);
    tcase_add_test(tests, headers_are_read);
    tcase_add_test(tests, longer_headers_are_carried);
    tcase_add_test(tests, bad_headers_are_refused);
    tcase_add_test(tests, cut_headers_are_refused);
    tcase_add_test(tests, bad_records_are_refused);
    tcase_add_test(tests, cut_records_are_refused);
    tcase_add_test(tests, cut_synchronized_records_are_refused);
    tcase_add_test(tests, counts_are_compared);
    tcase_add_test(tests, the_greatest_time);
    tcase_add_test(tests, sizes_have_limits);
    tcase_add_loop_test(tests, records_come_back, 0, 4);
    tcase_add_test(tests, intervals_begin_before_they_end);
    return unit_run();
}
