/* tracegen - make a large trace quickly: NAME.pex and NAME.trace.
 *
 * Usage: tracegen NAME RECORDS SPES RECORDS_PER_INTERVAL PPE_ONE_IN [SEED]
 *
 * SPES contexts are live at a time, and write records in random order. One record in PPE_ONE_IN is
 * from the PPE. After about RECORDS_PER_INTERVAL records (0: never), a context is replaced by
 * another one. Timestamps are exact, and records are in the order of true time. A record has 32
 * bytes on average. */
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SPES_MAX = 256, BUFFER_BYTES = 1 << 20 };

struct slot {
    uint32_t context;
    uint32_t decr_zero; /* decrementer = decr_zero - now */
    uint64_t left;      /* number of records until the context is switched out */
};

static uint64_t state;

static uint64_t draw(void)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return state;
}

static FILE *out;
static uint64_t written, now = 61000000000u;

static uint8_t *put(uint8_t *p, uint64_t value, int bytes)
{
    for (int i = bytes; i-- > 0; value >>= 8)
        p[i] = (uint8_t)value;
    return p + bytes;
}

static void record(bool spe, unsigned id, uint32_t thread, uint64_t stamp, unsigned n,
                   const uint64_t *payload)
{
    uint8_t bytes[64], *p = bytes;
    p = put(p, (spe ? 24u : 32u) + 8 * n, 2);
    p = put(p, spe, 1);
    p = put(p, 0, 1);
    p = put(p, id, 2);
    p = put(p, n, 2);
    p = put(p, thread, 4);
    p = put(p, 0x1000, 4);
    p = put(p, stamp, spe ? 4 : 8);
    p = put(p, 0, spe ? 4 : 8);
    for (unsigned i = 0; i < n; i++)
        p = put(p, payload[i], 8);
    fwrite(bytes, 1, (size_t)(p - bytes), out);
    written++;
}

static void switch_record(unsigned id, uint32_t context, uint64_t spe)
{
    uint64_t payload[2] = {context, spe};
    now += 1 + draw() % 16;
    record(false, id, 4711, now, 2, payload);
}

static void switch_in(struct slot *slot, uint32_t context, uint64_t spe, uint64_t per_interval)
{
    slot->context = context;
    slot->decr_zero = (uint32_t)draw();
    slot->left = per_interval ? 1 + per_interval / 2 + draw() % per_interval : UINT64_MAX;
    switch_record(0x0100, context, spe);
}

static void write_header(uint64_t records)
{
    uint8_t bytes[32] = "PDTTRACE", *p = bytes + 8;
    p = put(p, 1, 2);
    p = put(p, 32, 2);
    p = put(p, 0, 4);
    p = put(p, records, 8);
    fwrite(bytes, 1, sizeof bytes, out);
}

static void write_pex(const char *name)
{
    char path[4096];
    const char *slash = strrchr(name, '/');
    snprintf(path, sizeof path, "%s.pex", name);
    FILE *pex = fopen(path, "w");
    if (!pex)
        exit(1);
    fprintf(pex,
            "<pdt_trace version=\"1\"><machine name=\"QS20\" timebase_hz=\"14318000\"/>"
            "<trace_file href=\"%s.trace\"/></pdt_trace>\n",
            slash ? slash + 1 : name);
    fclose(pex);
}

int main(int argc, char **argv)
{
    if (argc < 6)
        return 2;
    char path[4096];
    uint64_t records = strtoull(argv[2], NULL, 0), per_interval = strtoull(argv[4], NULL, 0);
    uint64_t spes = strtoull(argv[3], NULL, 0), one_in = strtoull(argv[5], NULL, 0);
    state = 0x9e3779b97f4a7c15u ^ (argc > 6 ? strtoull(argv[6], NULL, 0) : 1);
    struct slot slots[SPES_MAX];
    uint32_t contexts = 0;
    snprintf(path, sizeof path, "%s.trace", argv[1]);
    out = fopen(path, "wb");
    if (!out || spes == 0 || spes > SPES_MAX)
        return 1;
    setvbuf(out, NULL, _IOFBF, BUFFER_BYTES);
    write_header(UINT64_MAX);
    for (uint64_t i = 0; i < spes; i++)
        switch_in(&slots[i], ++contexts, i, per_interval);
    while (written < records) {
        uint64_t turn = draw(), payload[2] = {turn, now};
        struct slot *slot = &slots[(turn >> 32) % spes];
        now += 1 + turn % 16;
        if (one_in && (turn >> 16) % one_in == 0) {
            record(false, 0x0503, 4711, now, 0, payload);
            continue;
        }
        record(true, 0x0605, slot->context, slot->decr_zero - (uint32_t)now,
               (unsigned)(turn >> 8) % 3, payload);
        if (--slot->left == 0) {
            switch_record(0x0200, slot->context, (uint64_t)(slot - slots));
            switch_in(slot, ++contexts, (uint64_t)(slot - slots), per_interval);
        }
    }
    rewind(out);
    write_header(written);
    write_pex(argv[1]);
    return fclose(out) != 0;
}
