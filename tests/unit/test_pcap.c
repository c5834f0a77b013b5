/*
 * Captures of packets: pcap and pcapng in both byte orders and in every unit are read alike, times
 * are moved to the tick, broken files are refused with a place; keys stay the same through a router
 * and differ for other packets.
 */
#include "base/number.h"
#include "support.h"
#include "trace/pcap/packet.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { PACKETS = 20, PACKET_BYTES = 64 };

/* A file under construction. */
struct making {
    struct buffer file;
    bool big;
};

static void put(struct making *m, uint64_t value, int size)
{
    uint8_t bytes[8];
    for (int i = 0; i < size; i++)
        bytes[m->big ? size - 1 - i : i] = (uint8_t)(value >> 8 * i);
    buffer_add(&m->file, bytes, (size_t)size);
}

static void put_block(struct making *m, uint32_t type, const struct making *body)
{
    uint32_t size = (uint32_t)(12 + body->file.size);
    put(m, type, 4);
    put(m, size, 4);
    buffer_add(&m->file, body->file.bytes, body->file.size);
    put(m, size, 4);
}

static void put_section(struct making *m)
{
    struct making body = {.big = m->big};
    put(&body, 0x1a2b3c4d, 4);
    put(&body, 1, 2);
    put(&body, 0, 2);
    put(&body, UINT64_MAX, 8);
    put_block(m, 0x0a0d0d0a, &body);
    buffer_free(&body.file);
}

/* unit: the value of if_tsresol. */
static void put_interface(struct making *m, unsigned link, unsigned unit, int64_t offset_s)
{
    struct making body = {.big = m->big};
    put(&body, link, 2);
    put(&body, 0, 2);
    put(&body, 96, 4);
    put(&body, 9, 2);
    put(&body, 1, 2);
    put(&body, m->big ? (uint64_t)unit << 24 : unit, 4);
    put(&body, 14, 2);
    put(&body, 8, 2);
    put(&body, (uint64_t)offset_s, 8);
    put(&body, 0, 4);
    put_block(m, 1, &body);
    buffer_free(&body.file);
}

static void put_packet(struct making *m, uint32_t type, unsigned interface, uint64_t stamp,
                       unsigned flags)
{
    struct making body = {.big = m->big};
    put(&body, interface, type == 6 ? 4 : 2);
    if (type != 6)
        put(&body, 0, 2);
    put(&body, stamp >> 32, 4);
    put(&body, (uint32_t)stamp, 4);
    put(&body, PACKET_BYTES - 1, 4);
    put(&body, 1500, 4);
    for (int i = 0; i < PACKET_BYTES; i++)
        put(&body, (uint64_t)i, 1);
    put(&body, 2, 2);
    put(&body, 4, 2);
    put(&body, flags, 4);
    put(&body, 0, 4);
    put_block(m, type, &body);
    buffer_free(&body.file);
}

static void put_statistics(struct making *m, uint64_t stamp, uint64_t drops)
{
    struct making body = {.big = m->big};
    put(&body, 0, 4);
    put(&body, stamp >> 32, 4);
    put(&body, (uint32_t)stamp, 4);
    put(&body, 5, 2);
    put(&body, 8, 2);
    put(&body, drops, 8);
    put(&body, 2, 2);
    put(&body, 8, 2);
    put(&body, stamp >> 32, 4);
    put(&body, (uint32_t)stamp, 4);
    put(&body, 0, 4);
    put_block(m, 5, &body);
    buffer_free(&body.file);
}

static void put_pcap(struct making *m, bool ns, const int64_t *times)
{
    put(m, ns ? 0xa1b23c4d : 0xa1b2c3d4, 4);
    put(m, 2, 2);
    put(m, 4, 2);
    put(m, 0, 8);
    put(m, 262144, 4);
    put(m, 1, 4);
    for (int i = 0; i < PACKETS; i++) {
        put(m, (uint64_t)(times[i] / 1000000000), 4);
        put(m, (uint64_t)(times[i] % 1000000000 / (ns ? 1 : 1000)), 4);
        put(m, PACKET_BYTES, 4);
        put(m, 1500, 4);
        for (int k = 0; k < PACKET_BYTES; k++)
            put(m, (uint64_t)k, 1);
    }
}

static struct bytes *open_bytes(const struct buffer *file)
{
    struct bytes *bytes;
    csy_error error;
    int fd;
    ck_ok(bytes_temporary(&fd, &error), error);
    ck_assert(write(fd, file->bytes, file->size) == (ssize_t)file->size);
    ck_ok(bytes_new(fd, "file", 0, false, 1, &bytes, &error), error);
    return bytes;
}

static int64_t random_time(struct random *r)
{
    return random_between(r, 0, 2000000000) * 1000000000 + random_between(r, 0, 999999999);
}

/* Read all packets; with a shift, also move their times and read them again from the copy. */
static void assert_times(const struct buffer *file, const int64_t *want, int n, int64_t shift,
                         int64_t unit)
{
    struct capture capture = {0};
    struct capture_block block;
    struct bytes *bytes = open_bytes(file);
    struct buffer moved = {0};
    csy_error error;
    bool more = true;
    int count = 0;
    capture_start(&capture, bytes, "file");
    for (;;) {
        ck_ok(capture_next(&capture, &block, &more, false, &error), error);
        if (!more)
            break;
        size_t at = moved.size;
        buffer_add(&moved, block.bytes, block.size);
        if (block.kind != CAPTURE_PACKET)
            continue;
        ck_assert_int_eq(block.time_ns, want[count]);
        ck_assert_uint_eq(block.length, 1500);
        ck_assert_uint_eq(block.packet[3], 3);
        ck_assert(capture_shift(&capture, &block, moved.bytes + at, shift));
        count++;
    }
    ck_assert_int_eq(count, n);
    ck_assert_uint_eq(moved.size, file->size);
    capture_fini(&capture);
    bytes_free(bytes);
    if (shift != 0) {
        int64_t *later = malloc((size_t)n * sizeof *later);
        for (int i = 0; i < n; i++) { /* rounded down to the unit */
            later[i] = want[i] + shift;
            later[i] -= (later[i] % unit + unit) % unit;
        }
        assert_times(&moved, later, n, 0, unit);
        free(later);
    }
    buffer_free(&moved);
}

START_TEST(pcap_is_read_in_both_byte_orders)
{
    struct random r = random_trial((uint64_t)_i);
    for (int way = 0; way < 4; way++) {
        struct making m = {.big = way & 1};
        int64_t times[PACKETS], unit = way & 2 ? 1 : 1000;
        for (int i = 0; i < PACKETS; i++) {
            times[i] = random_time(&r);
            times[i] -= times[i] % unit;
        }
        put_pcap(&m, way & 2, times);
        assert_times(&m.file, times, PACKETS, random_between(&r, 1, 1000000000000), unit);
        buffer_free(&m.file);
    }
}
END_TEST

START_TEST(pcapng_is_read_in_every_unit)
{
    static const struct {
        unsigned value;
        int64_t unit_ns; /* 0: finer than ns */
    } units[] = {{3, 1000000}, {6, 1000}, {9, 1}, {12, 0}, {0x80 | 20, 0}, {0x80 | 30, 0}};
    struct random r = random_trial((uint64_t)_i);
    for (int way = 0; way < 12; way++) {
        struct making m = {.big = way & 1};
        unsigned value = units[way / 2].value;
        int64_t times[PACKETS], offset = random_between(&r, 0, 3) * 1000,
                                unit = units[way / 2].unit_ns;
        put_section(&m);
        put_interface(&m, 1, value, offset);
        for (int i = 0; i < PACKETS; i++) {
            int128 ns = random_time(&r) / 1000; /* early, so that 10^-12 s fits */
            uint64_t stamp = value & 0x80 ? (uint64_t)((ns << (value & 0x7f)) / 1000000000)
                             : value > 9  ? (uint64_t)ns * 1000 + 7
                                          : (uint64_t)(ns / unit);
            times[i] = value & 0x80 ? (int64_t)(((int128)stamp * 1000000000) >> (value & 0x7f))
                       : value > 9  ? (int64_t)ns
                                    : (int64_t)stamp * unit;
            times[i] += offset * 1000000000;
            put_packet(&m, i % 3 ? 6 : 2, 0, stamp, (unsigned)i % 3);
        }
        assert_times(&m.file, times, PACKETS, unit ? random_between(&r, 1, 1000000000000) : 0,
                     unit ? unit : 1);
        buffer_free(&m.file);
    }
}
END_TEST

START_TEST(blocks_of_pcapng_are_told_apart)
{
    struct making m = {.big = _i}, simple = {.big = _i};
    const uint64_t at = UINT64_C(1700000000000000000);
    struct capture capture = {0};
    struct capture_block block;
    csy_error error;
    bool more;
    put_section(&m);
    put_interface(&m, 1, 9, 0);
    put_packet(&m, 6, 0, at, 1);
    put_packet(&m, 6, 0, at + 1, 2);
    put_packet(&m, 6, 0, at + 2, 0);
    put(&simple, 4, 4);
    put(&simple, 0, 4);
    put_block(&m, 3, &simple);
    put_statistics(&m, at / 1000, 5); /* in microseconds, as dumpcap 4.0 writes them */
    put_statistics(&m, at + 9, 7);
    put_section(&m);
    put_interface(&m, 113, 6, 0);
    put_packet(&m, 6, 0, 1700000000000000, 0);
    struct bytes *bytes = open_bytes(&m.file);
    static const enum capture_kind kinds[] = {
        CAPTURE_HEADER, CAPTURE_INTERFACE, CAPTURE_PACKET,     CAPTURE_PACKET,
        CAPTURE_PACKET, CAPTURE_UNTIMED,   CAPTURE_STATISTICS, CAPTURE_STATISTICS,
        CAPTURE_HEADER, CAPTURE_INTERFACE, CAPTURE_PACKET};
    static const enum capture_way ways[] = {[2] = CAPTURE_WAY_IN, [3] = CAPTURE_WAY_OUT, [10] = 0};
    capture_start(&capture, bytes, "file");
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        uint8_t copy[256];
        ck_ok(capture_next(&capture, &block, &more, false, &error), error);
        ck_assert(more);
        ck_assert_int_eq(block.kind, kinds[i]);
        if (block.kind == CAPTURE_PACKET)
            ck_assert_int_eq(block.way, ways[i]);
        if (block.kind != CAPTURE_STATISTICS)
            continue;
        ck_assert_uint_eq(capture.interfaces[0].drops, i == 6 ? 5 : 7);
        memcpy(copy, block.bytes, block.size);
        ck_assert(capture_shift(&capture, &block, copy, 3000000));
        struct making want = {.big = _i};
        put_statistics(&want, i == 6 ? at / 1000 + 3000 : at + 9 + 3000000, i == 6 ? 5 : 7);
        ck_assert(memcmp(want.file.bytes, copy, block.size) == 0);
        buffer_free(&want.file);
    }
    ck_assert_uint_eq(block.interface, 1);
    ck_assert_uint_eq(capture.interfaces[1].link, 113);
    ck_ok(capture_next(&capture, &block, &more, false, &error), error);
    ck_assert(!more);
    capture_fini(&capture);
    bytes_free(bytes);
    buffer_free(&m.file);
    buffer_free(&simple.file);
}
END_TEST

/* Read all; returns the status, with the message in *error. */
static csy_status read_file(const struct buffer *file, bool salvage, csy_error *error)
{
    struct capture capture = {0};
    struct capture_block block;
    struct bytes *bytes = open_bytes(file);
    bool more = true;
    csy_status status = CSY_OK;
    capture_start(&capture, bytes, "file");
    while (!status && more)
        status = capture_next(&capture, &block, &more, salvage, error);
    ck_assert(status || !capture.is_cut || salvage);
    capture_fini(&capture);
    bytes_free(bytes);
    return status;
}

START_TEST(a_file_that_is_cut_off_is_refused)
{
    struct making m = {.big = _i & 1};
    int64_t times[PACKETS] = {0};
    csy_error error;
    if (_i & 2) {
        put_section(&m);
        put_interface(&m, 1, 9, 0);
        put_packet(&m, 6, 0, 5, 1);
    } else {
        put_pcap(&m, true, times);
    }
    size_t whole = m.file.size;
    for (size_t size = 4; size < whole; size++) {
        m.file.size = size;
        csy_status status = read_file(&m.file, false, &error);
        if (status)
            ck_assert_ptr_nonnull(strstr(error.text, "the capture ends within a"));
        else /* between two blocks */
            ck_assert_uint_eq((_i & 2 ? size - 28 : size - 24) % (_i & 2 ? 44 : 80), 0);
        ck_assert_int_eq(read_file(&m.file, true, &error), CSY_OK);
    }
    m.file.size = whole;
    ck_assert_int_eq(read_file(&m.file, false, &error), CSY_OK);
    buffer_free(&m.file);
}
END_TEST

START_TEST(broken_blocks_are_refused)
{
    static const struct {
        size_t at; /* of the byte that is changed */
        uint8_t value;
        const char *told;
    } changes[] = {
        {4, 30, "offset 0: the length of a block is wrong"},
        {8, 0, "offset 0: a section has no byte-order magic"},
        {12, 2, "offset 0: this version of pcapng is unknown: expected 1"},
        {24, 32, "offset 0: the two lengths of a block differ"},
        {28 + 7, 0x7f, "offset 28: the length of a block is wrong"},
        {28 + 20, 19, "offset 28: the unit of this interface's timestamps is too small"},
        {72 + 8, 1, "offset 72: a packet names an interface that was not described"},
        {72 + 12, 0xff, "offset 72: a timestamp is more than 146 years from 1970"},
        {72 + 20, 200, "offset 72: a packet claims more bytes than its block has"},
    };
    csy_error error;
    for (size_t i = 0; i < sizeof changes / sizeof *changes; i++) {
        struct making m = {.big = false};
        put_section(&m);
        put_interface(&m, 1, i == 7 ? 6 : 9, 0);
        put_packet(&m, 6, 0, 5, 1);
        m.file.bytes[changes[i].at + (i == 7 ? 3 : 0)] = changes[i].value;
        ck_assert_int_eq(read_file(&m.file, true, &error), CSY_INPUT);
        ck_assert_msg(strstr(error.text, changes[i].told), "%s", error.text);
        buffer_free(&m.file);
    }
    struct making m = {.big = false};
    int64_t times[PACKETS] = {0};
    put_pcap(&m, true, times);
    m.file.bytes[24 + 8 + 2] = 5;
    ck_assert_int_eq(read_file(&m.file, true, &error), CSY_INPUT);
    ck_assert_ptr_nonnull(strstr(error.text, "offset 24: a packet claims more than 262144 bytes"));
    buffer_free(&m.file);
}
END_TEST

/* An IPv4 packet with TCP, or an IPv6 one with UDP, on Ethernet. */
static size_t make_packet(struct random *r, bool six, uint8_t *out)
{
    for (size_t i = 0; i < 128; i++)
        out[i] = (uint8_t)random_bits(r);
    out[0] &= 0xfe;
    out[12] = six ? 0x86 : 0x08;
    out[13] = six ? 0xdd : 0x00;
    uint8_t *ip = out + 14;
    ip[0] = six ? 0x60 : 0x45;
    ip[six ? 4 : 2] = 0;
    ip[six ? 5 : 3] = six ? 60 : 100;
    ip[six ? 6 : 9] = six ? 17 : 6;
    if (!six) {
        ip[6] = 0x40; /* no fragment */
        ip[7] = 0;
        ip[4] |= 1;
    }
    return 114;
}

START_TEST(keys_survive_a_router)
{
    struct random r = random_trial((uint64_t)_i);
    bool six = _i & 1;
    uint8_t bytes[128], changed[160];
    struct packet before, after;
    size_t size = make_packet(&r, six, bytes);
    packet_read(1, bytes, size, &before);
    ck_assert(before.keyed && !before.cut && before.way == CAPTURE_WAY_UNKNOWN);
    ck_assert(six || before.unique);
    /* Other addresses of the link, a VLAN, another class and hop limit, other checksums. */
    memcpy(changed, bytes, 12);
    changed[0] ^= 4;
    memcpy(changed + 12, "\x81\0\0\5", 4);
    memcpy(changed + 16, bytes + 12, size - 12);
    uint8_t *ip = changed + 18;
    ip[1] ^= 0x0c;
    ip[six ? 7 : 8]--;
    if (!six)
        ip[10] ^= 0xff;
    ip[six ? 40 + 6 : 20 + 16] ^= 0x55;
    packet_read(1, changed, size + 4, &after);
    ck_assert(after.keyed && memcmp(&before.key, &after.key, sizeof before.key) == 0);
    /* On Linux's `any`, which has a direction. */
    uint8_t cooked[160] = {six ? 0x86 : 0x08, six ? 0xdd : 0};
    cooked[10] = 4;
    memcpy(cooked + 20, bytes + 14, size - 14);
    packet_read(276, cooked, size + 6, &after);
    ck_assert(memcmp(&before.key, &after.key, sizeof before.key) == 0);
    ck_assert_int_eq(after.way, CAPTURE_WAY_OUT);
    /* Any other byte of the header makes another key; too few bytes make none. */
    for (size_t i = 14; i < 14 + 60; i++) {
        size_t at = i - 14, transport = six ? 40 : 20;
        bool left_out =
            at < 2 || (six && at < 4) || at == (six ? 7 : 8) || at == (six ? 6 : 9) ||
            (!six && (at == 2 || at == 3 || at == 6 || at == 7 || at == 10 || at == 11)) ||
            (six && (at == 4 || at == 5)) || at == transport + (six ? 6 : 16) ||
            at == transport + (six ? 7 : 17);
        if (left_out)
            continue;
        memcpy(changed, bytes, size);
        changed[i] ^= 0x10;
        packet_read(1, changed, size, &after);
        ck_assert(after.keyed && memcmp(&before.key, &after.key, sizeof before.key) != 0);
    }
    /* A network card may divide the data of TCP, so it may have another length, but not none. */
    memcpy(changed, bytes, size);
    changed[14 + 20 + 12] = bytes[14 + 20 + 12] = 0x80;
    packet_read(1, bytes, size, &before);
    changed[14 + (six ? 5 : 3)] = 80;
    changed[14 + 20 + 13] ^= six ? 0 : 0x88;
    packet_read(1, changed, size, &after);
    ck_assert((memcmp(&before.key, &after.key, sizeof before.key) == 0) == !six);
    changed[14 + 3] = 20 + 32;
    packet_read(1, changed, size, &after);
    ck_assert(six || memcmp(&before.key, &after.key, sizeof before.key) != 0);
    /* A TCP timestamp makes addresses and ports unnecessary, which may be translated. */
    for (int stamped = 0; stamped < 2 && !six; stamped++) {
        if (stamped)
            memcpy(bytes + 14 + 20 + 20, "\1\1\x8\xa", 4);
        memcpy(changed, bytes, size);
        changed[14 + 13] ^= 1;
        changed[14 + 20] ^= 1;
        packet_read(1, bytes, size, &before);
        packet_read(1, changed, size, &after);
        ck_assert(before.translates == stamped && before.flow != after.flow);
        ck_assert((memcmp(&before.key, &after.key, sizeof before.key) == 0) == stamped);
    }
    packet_read(1, bytes, 14 + 50, &after);
    ck_assert(!after.keyed && after.cut);
}
END_TEST

START_TEST(any_bytes_are_read)
{
    struct random r = random_trial((uint64_t)_i);
    static const uint16_t links[] = {0, 1, 12, 101, 108, 113, 228, 229, 276, 9999};
    uint8_t bytes[96];
    struct packet packet;
    for (size_t i = 0; i < sizeof bytes; i++)
        bytes[i] = random_chance(&r, 50) ? 0 : (uint8_t)random_bits(&r);
    for (size_t k = 0; k < sizeof links / sizeof *links; k++)
        for (size_t n = 0; n <= sizeof bytes; n++) {
            uint8_t *exact = malloc(n + 1); /* so that reading beyond is found */
            memcpy(exact, bytes, n);
            packet_read(links[k], exact, n, &packet);
            ck_assert(!(packet.keyed && packet.cut));
            free(exact);
        }
}
END_TEST

int main(void)
{
    TCase *tests = unit_begin("pcap");
    tcase_add_loop_test(tests, pcap_is_read_in_both_byte_orders, 0, 10);
    tcase_add_loop_test(tests, pcapng_is_read_in_every_unit, 0, 10);
    tcase_add_loop_test(tests, blocks_of_pcapng_are_told_apart, 0, 2);
    tcase_add_loop_test(tests, a_file_that_is_cut_off_is_refused, 0, 4);
    tcase_add_test(tests, broken_blocks_are_refused);
    tcase_add_loop_test(tests, keys_survive_a_router, 0, 20);
    tcase_add_loop_test(tests, any_bytes_are_read, 0, 20);
    return unit_run();
}
