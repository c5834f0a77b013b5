/* ctfgen - make a CTF 1.8 trace quickly: FOLDER/metadata and FOLDER/stream.
 *
 * Usage: ctfgen FOLDER EVENTS     FOLDER must exist
 *
 * An event contains the same data as a record of a .pex: id, timestamp, core, flags, thread,
 * program counter, begin, and 0 to 2 values. It has 34 bytes on average, and a record has 32. There
 * is one stream, in packets of about 1 MiB, and one clock. All data are little-endian and aligned
 * to bytes, the form that readers decode fastest. */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { HEADER_BYTES = 40, EVENT_BYTES_MAX = 42, PACKET_EVENTS = 30000 };

static const char metadata[] =
    "/* CTF 1.8 */\n"
    "typealias integer { size = 8; align = 8; signed = false; } := uint8_t;\n"
    "typealias integer { size = 16; align = 8; signed = false; } := uint16_t;\n"
    "typealias integer { size = 32; align = 8; signed = false; } := uint32_t;\n"
    "typealias integer { size = 64; align = 8; signed = false; } := uint64_t;\n"
    "trace {\n"
    "    major = 1; minor = 8; byte_order = le;\n"
    "    packet.header := struct { uint32_t magic; uint32_t stream_id; };\n"
    "};\n"
    "clock { name = timebase; freq = 14318000; };\n"
    "typealias integer {\n"
    "    size = 64; align = 8; signed = false; map = clock.timebase.value;\n"
    "} := stamp_t;\n"
    "stream {\n"
    "    id = 0;\n"
    "    packet.context := struct {\n"
    "        uint64_t content_size; uint64_t packet_size;\n"
    "        stamp_t timestamp_begin; stamp_t timestamp_end;\n"
    "    };\n"
    "    event.header := struct { uint16_t id; stamp_t timestamp; };\n"
    "};\n"
    "event {\n"
    "    name = dma; id = 0; stream_id = 0;\n"
    "    fields := struct {\n"
    "        uint8_t core; uint8_t flags; uint32_t thread; uint32_t pc; uint32_t begin;\n"
    "        uint16_t n; uint64_t values[n];\n"
    "    };\n"
    "};\n";

static uint64_t state = 0x9e3779b97f4a7c15u;

static uint64_t draw(void)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return state;
}

static uint8_t *put(uint8_t *p, uint64_t value, int bytes)
{
    for (int i = 0; i < bytes; i++, value >>= 8)
        *p++ = (uint8_t)value;
    return p;
}

static void put_header(uint8_t *p, uint64_t packet_bytes, uint64_t begin, uint64_t end)
{
    p = put(p, 0xc1fc1fc1u, 4);
    p = put(p, 0, 4);
    p = put(p, 8 * packet_bytes, 8);
    p = put(p, 8 * packet_bytes, 8);
    p = put(p, begin, 8);
    put(p, end, 8);
}

static uint8_t *put_event(uint8_t *p, uint64_t now, uint64_t turn)
{
    unsigned n = (unsigned)(turn >> 8) % 3;
    p = put(p, 0, 2);
    p = put(p, now, 8);
    p = put(p, turn % 17 > 0, 1);
    p = put(p, 0, 1);
    p = put(p, turn % 17, 4);
    p = put(p, 0x1000, 4);
    p = put(p, 0, 4);
    p = put(p, n, 2);
    for (unsigned i = 0; i < n; i++)
        p = put(p, i == 0 ? turn : now, 8);
    return p;
}

static bool write_packet(FILE *out, uint64_t events, uint64_t *now)
{
    static uint8_t packet[HEADER_BYTES + PACKET_EVENTS * EVENT_BYTES_MAX];
    uint8_t *p = packet + HEADER_BYTES;
    uint64_t begin = *now;
    for (uint64_t i = 0; i < events; i++) {
        uint64_t turn = draw();
        *now += 1 + turn % 16;
        p = put_event(p, *now, turn);
    }
    size_t bytes = (size_t)(p - packet);
    put_header(packet, bytes, begin, *now);
    return fwrite(packet, 1, bytes, out) == bytes;
}

static FILE *create(const char *folder, const char *name)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "wb");
    if (!file) {
        fprintf(stderr, "ctfgen: cannot write %s\n", path);
        exit(1);
    }
    return file;
}

int main(int argc, char **argv)
{
    if (argc != 3)
        return 2;
    uint64_t left = strtoull(argv[2], NULL, 10), now = 61000000000u;
    FILE *file = create(argv[1], "metadata");
    bool good = fputs(metadata, file) >= 0;
    good = fclose(file) == 0 && good;
    file = create(argv[1], "stream");
    while (good && left > 0) {
        uint64_t events = left < PACKET_EVENTS ? left : PACKET_EVENTS;
        good = write_packet(file, events, &now);
        left -= events;
    }
    return fclose(file) != 0 || !good;
}
