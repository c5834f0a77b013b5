/* Records of OTF2, each laid out by hand: those that libotf2 may read, and those it may not. */
#include "support.h"
#include "trace/otf2/otf2_records.h"

#include <stdio.h>
#include <string.h>

enum { CHUNK = 4096, HEAD = 18, ROOM = 3 * CHUNK };

/* A file of one chunk, or of several, which is made byte by byte. */
struct file {
    uint8_t bytes[ROOM];
    size_t size;
};

static void put(struct file *f, const uint8_t *bytes, size_t size)
{
    ck_assert_uint_le(f->size + size, ROOM);
    memcpy(f->bytes + f->size, bytes, size);
    f->size += size;
}

#define PUT(file, ...)                                                                             \
    do {                                                                                           \
        const uint8_t some[] = {__VA_ARGS__};                                                      \
        put(file, some, sizeof some);                                                              \
    } while (0)

static void begin(struct file *f)
{
    const uint8_t head[HEAD] = {3, 'B', 1};
    f->size = 0;
    put(f, head, HEAD);
}

static struct otf2_records check(enum otf2_part part, const struct file *f, size_t size)
{
    struct otf2_records r = {.part = part, .chunk_bytes = CHUNK};
    bool more = true;
    while (more) {
        size_t left = size - (size_t)r.offset;
        more =
            otf2_records_check(&r, f->bytes + r.offset, left < CHUNK ? left : CHUNK, left <= CHUNK);
    }
    return r;
}

static void is_good(enum otf2_part part, const struct file *f, uint64_t records)
{
    struct otf2_records r = check(part, f, f->size);
    ck_assert_msg(!r.fault, "%s", r.fault);
    ck_assert(r.ended && r.records == records);
}

static void is_bad(enum otf2_part part, const struct file *f, uint64_t offset, const char *fault)
{
    struct otf2_records r = check(part, f, f->size);
    ck_assert_ptr_nonnull(r.fault);
    ck_assert_str_eq(r.fault, fault);
    ck_assert_uint_eq(r.offset, offset);
}

static const char beyond[] = "a field goes beyond the end of its record";

/* A group of two members, whose count and second member can be other ones. */
static void put_group(struct file *f, uint8_t members, uint8_t last_bytes)
{
    PUT(f, 18, 14, 0, 1, 1, 4, 1, members, 1, 5, last_bytes, 9, 5, 4, 0, 0);
}

START_TEST(counts_of_definitions)
{
    for (unsigned part = OTF2_GLOBAL_DEFINITIONS; part <= OTF2_LOCAL_DEFINITIONS; part++) {
        struct file f;
        begin(&f);
        put_group(&f, 2, 1);
        PUT(&f, 2, 1);
        is_good((enum otf2_part)part, &f, 1);
        f.bytes[HEAD + 7] = 200;
        is_bad((enum otf2_part)part, &f, HEAD, beyond);
        begin(&f);
        put_group(&f, 2, 9);
        PUT(&f, 2, 1);
        is_bad((enum otf2_part)part, &f, HEAD, "an integer is wider than its field");
    }
}
END_TEST

/* As the record of 625 bytes did that made libotf2 read 128 MiB. */
START_TEST(a_count_of_four_bytes)
{
    struct file f;
    begin(&f);
    PUT(&f, 10, 5, 1, 1, 'a', 'b', 0, 18, 9, 0, 1, 10, 4, 4, 1, 2, 0, 1, 2, 1);
    is_bad(OTF2_GLOBAL_DEFINITIONS, &f, HEAD + 7, beyond);
    begin(&f);
    PUT(&f, 18, 5, 0, 0, 4, 255, 0, 2, 1); /* the greatest count there is */
    is_bad(OTF2_GLOBAL_DEFINITIONS, &f, HEAD, beyond);
}
END_TEST

START_TEST(texts_end_in_their_record)
{
    struct file f;
    begin(&f);
    PUT(&f, 10, 4, 1, 7, 'a', 'b', 0, 2, 1);
    is_bad(OTF2_GLOBAL_DEFINITIONS, &f, HEAD, "a text goes beyond the end of its record");
    f.bytes[HEAD + 1] = 5;
    is_good(OTF2_GLOBAL_DEFINITIONS, &f, 1);
    f.bytes[HEAD + 1] = 200;
    is_bad(OTF2_GLOBAL_DEFINITIONS, &f, HEAD, "the file was cut off");
}
END_TEST

/* Fields that an older version did not write may be missing, and those of a newer one follow. */
START_TEST(versions)
{
    struct file f;
    begin(&f);
    PUT(&f, 22, 4, 0, 0, 0, 0, 22, 5, 0, 0, 0, 0, 0, 22, 7, 0, 0, 0, 0, 0, 77, 77);
    PUT(&f, 99, 2, 77, 77, 2, 1);
    is_good(OTF2_GLOBAL_DEFINITIONS, &f, 4);
}
END_TEST

START_TEST(values_by_their_types)
{
    static const uint8_t sizes[] = {0, 1, 2, 0, 0, 1, 2, 0, 0, 4, 8, 0};
    for (uint8_t type = 1; type < sizeof sizes; type++) {
        struct file f;
        begin(&f);
        uint8_t value[8] = {0}, size = sizes[type] ? sizes[type] : 1;
        PUT(&f, 37, (uint8_t)(3 + size), 0, 0, type);
        put(&f, value, size);
        PUT(&f, 2, 1);
        is_good(OTF2_GLOBAL_DEFINITIONS, &f, 1);
        f.bytes[HEAD + 1]--;
        is_bad(OTF2_GLOBAL_DEFINITIONS, &f, HEAD, beyond);
    }
}
END_TEST

START_TEST(tables_of_numbers)
{
    struct file f;
    begin(&f);
    PUT(&f, 5, 12, 0, 1, 2, 1, 1, 7, 1, 70, 1, 8, 1, 80, 2, 1);
    is_good(OTF2_LOCAL_DEFINITIONS, &f, 1);
    f.bytes[HEAD + 7] = 8; /* the same number twice */
    is_bad(OTF2_LOCAL_DEFINITIONS, &f, HEAD, "a table of numbers is not in order");
    f.bytes[HEAD + 7] = 7;
    f.bytes[HEAD + 4] = 200; /* entries */
    is_bad(OTF2_LOCAL_DEFINITIONS, &f, HEAD, beyond);
}
END_TEST

/* Some events are an integer without a length: 255 is one without bytes, and no long length. */
START_TEST(events_without_a_length)
{
    struct file f;
    begin(&f);
    PUT(&f, 5, 1, 0, 0, 0, 0, 0, 0, 0, 12, 1, 7, 17, 255, 13, 255, 22, 0, 2, 1);
    is_good(OTF2_EVENTS, &f, 4);
    for (size_t size = 1; size < f.size; size++) {
        struct otf2_records r = check(OTF2_EVENTS, &f, size);
        ck_assert_str_eq(r.fault, "the file was cut off");
        ck_assert(r.cut);
    }
    begin(&f);
    PUT(&f, 12, 9, 0);
    is_bad(OTF2_EVENTS, &f, HEAD, "an integer is wider than its field");
    begin(&f);
    PUT(&f, 12);
    is_bad(OTF2_EVENTS, &f, HEAD, "the file was cut off");
}
END_TEST

START_TEST(kinds_that_are_none)
{
    struct file f;
    static const uint8_t kinds[] = {1, 3, 4, 7, 8, 9};
    for (size_t i = 0; i < sizeof kinds; i++) {
        begin(&f);
        PUT(&f, kinds[i], 0, 2, 1);
        is_bad(OTF2_EVENTS, &f, HEAD, "unknown kind of record");
    }
    begin(&f);
    PUT(&f, 5, 1, 0, 0, 0, 0, 0, 0, 0, 5, 1, 0, 0, 0, 0, 0, 0, 0, 22, 0, 2, 1);
    is_bad(OTF2_EVENTS, &f, HEAD + 9, "unknown kind of record"); /* two timestamps */
    begin(&f);
    PUT(&f, 1, 0, 2, 1);
    is_bad(OTF2_GLOBAL_DEFINITIONS, &f, HEAD, "unknown kind of record");
}
END_TEST

/* libotf2 calls itself after attributes, and for a chunk without events. */
START_TEST(nothing_nests)
{
    struct file f;
    begin(&f);
    PUT(&f, 6, 5, 1, 1, 0, 1, 7, 22, 0, 2, 1);
    is_good(OTF2_EVENTS, &f, 1);
    /* An attribute may occur twice, because attributes are ignored. libotf2 refuses such events. */
    begin(&f);
    PUT(&f, 6, 9, 2, 1, 0, 1, 7, 1, 0, 1, 7, 22, 0, 2, 1);
    is_good(OTF2_EVENTS, &f, 1);
    begin(&f);
    PUT(&f, 6, 1, 0, 6, 1, 0, 22, 0, 2, 1);
    is_bad(OTF2_EVENTS, &f, HEAD + 3, "no event follows its attributes");
    begin(&f);
    PUT(&f, 6, 4, 2, 1, 8, 0, 22, 0, 2, 1);
    is_bad(OTF2_EVENTS, &f, HEAD, "an event has more than 1024 attributes");
    f = (struct file){.size = 2 * CHUNK};
    for (size_t at = 0; at < f.size; at += CHUNK) {
        f.bytes[at] = 3;
        f.bytes[at + 1] = 'B';
    }
    f.bytes[f.size] = 3;
    f.bytes[f.size + 1] = 'B';
    f.bytes[f.size + HEAD] = 2;
    f.size += HEAD + 1;
    is_bad(OTF2_GLOBAL_DEFINITIONS, &f, CHUNK + HEAD, "two chunks have no records");
}
END_TEST

START_TEST(chunks)
{
    struct file f = {.size = 0};
    begin(&f);
    PUT(&f, 10, 3, 1, 1, 0);
    memcpy(f.bytes + CHUNK, f.bytes, f.size);
    f.bytes[CHUNK + HEAD + 5] = 2;
    f.size = (size_t)2 * CHUNK;
    is_good(OTF2_GLOBAL_DEFINITIONS, &f, 2);
    f.bytes[CHUNK + 1] = 'x';
    is_bad(OTF2_GLOBAL_DEFINITIONS, &f, CHUNK, "a chunk has no byte order");
    f.bytes[CHUNK] = 4;
    is_bad(OTF2_GLOBAL_DEFINITIONS, &f, CHUNK, "this is not a chunk header");
    f.bytes[HEAD + 1] = 255; /* a long length, which goes beyond the chunk */
    memset(f.bytes + HEAD + 2, 0, 8);
    f.bytes[HEAD + 4] = 1;
    is_bad(OTF2_GLOBAL_DEFINITIONS, &f, HEAD, "a record goes beyond the end of its chunk");
}
END_TEST

START_TEST(anchors)
{
    struct file f = {.size = 0};
    PUT(&f, 3, 'B', 'O', 'T', 'F', '2', 0, 3, 2, 3, 0, 2);
    PUT(&f, 0, 0, 4, 0, 0, 0, 0, 0, 0, 0, 64, 0, 0, 0, 0, 0, 1, 1);
    PUT(&f, 2, 0, 0, 0, 0, 0, 0, 0, 9, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0);
    PUT(&f, 1, 0, 0, 0, 'A', ':', ':', 'B', 0, 'x', 0, 2);
    ck_assert_ptr_null(otf2_anchor_fault(f.bytes, f.size));
    for (size_t size = 0; size + 1 < f.size; size++)
        ck_assert_str_eq(otf2_anchor_fault(f.bytes, size),
                         size < 7 ? "this is not an anchor file" : "the file was cut off");
    f.bytes[52] = 0x80; /* 2^31 + 1 properties, of which libotf2 keeps two in its memory */
    ck_assert_str_eq(otf2_anchor_fault(f.bytes, f.size),
                     "the archive has more than 1024 properties");
    f.bytes[28] = 3;
    ck_assert_str_eq(otf2_anchor_fault(f.bytes, f.size),
                     "the events of the archive are not in plain files");
    f.bytes[28] = 1;
    f.bytes[29] = 2;
    ck_assert_str_eq(otf2_anchor_fault(f.bytes, f.size), "the files of the archive are compressed");
    f.bytes[1] = 'x';
    ck_assert_str_eq(otf2_anchor_fault(f.bytes, f.size), "the anchor file has no byte order");
}
END_TEST

int main(void)
{
    TCase *tests = unit_begin("otf2_records");
    tcase_add_test(tests, counts_of_definitions);
    tcase_add_test(tests, a_count_of_four_bytes);
    tcase_add_test(tests, texts_end_in_their_record);
    tcase_add_test(tests, versions);
    tcase_add_test(tests, values_by_their_types);
    tcase_add_test(tests, tables_of_numbers);
    tcase_add_test(tests, events_without_a_length);
    tcase_add_test(tests, kinds_that_are_none);
    tcase_add_test(tests, nothing_nests);
    tcase_add_test(tests, chunks);
    tcase_add_test(tests, anchors);
    return unit_run();
}
