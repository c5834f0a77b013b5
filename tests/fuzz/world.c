/* A world acted out from bytes. */
#include "world.h"

#include "trace/pex/record.h"

#include <stdio.h>
#include <string.h>
#include <zlib.h>

enum { CONTEXTS = 7, PPE = 7, CHATTER_MAX = 256, PAYLOAD_MAX = 3 };

#define WRAP ((int64_t)1 << 32)

struct context {
    bool runs;
    int64_t zero; /* the time at which its decrementer shows 0 */
};

struct acting {
    struct world *world;
    struct drawing *d;
    int64_t now, off; /* off: of the next stamp */
    struct context contexts[CONTEXTS];
    uint8_t records[WORLD_BYTES_MAX];
    size_t size, room;
    bool full;
};

/* One record; payload holds npayload values. */
static void tell(struct acting *a, unsigned who, unsigned id, const uint64_t *payload,
                 unsigned npayload, unsigned flags, unsigned trailing)
{
    bool spe = who < CONTEXTS;
    size_t front = spe ? RECORD_SPE_BYTES : RECORD_PPE_BYTES;
    size_t size = front + 8 * (size_t)(npayload + trailing);
    uint8_t *p = a->records + a->size;
    a->full = a->full || a->room - a->size < size || a->world->records == WORLD_RECORDS_MAX;
    if (a->full)
        return;
    memset(p, 0x5a, size);
    store16(p, (uint16_t)size);
    p[2] = spe ? CORE_SPE : CORE_PPE;
    p[3] = (uint8_t)flags;
    store16(p + 4, (uint16_t)id);
    store16(p + 6, (uint16_t)npayload);
    store32(p + 8, spe ? who : 4711);
    int64_t stamp = spe ? a->contexts[who].zero - a->now - a->off : a->now + a->off;
    int64_t begin = spe ? stamp + (int64_t)draw(a->d, flags) : stamp - (int64_t)draw(a->d, flags);
    if (spe) {
        store32(p + 16, (uint32_t)stamp);
        store32(p + 20, (uint32_t)begin);
    } else {
        store64(p + 16, (uint64_t)stamp & INT64_MAX);
        store64(p + 24, (uint64_t)begin);
    }
    for (unsigned i = 0; i < npayload; i++)
        store64(p + front + (size_t)8 * i, payload[i]);
    a->size += size;
    a->world->now[a->world->records++] = a->now;
    a->off = 0;
}

static void tell_anything(struct acting *a, unsigned who)
{
    static const unsigned ids[] = {0x0105, 0x0503, 0x0703, 0x0300, 0x0905, 0x0100};
    uint64_t payload[PAYLOAD_MAX];
    unsigned how = draw_below(a->d, 256), npayload = how % (PAYLOAD_MAX + 1);
    unsigned id = ids[(how >> 2) % (who == PPE ? 5 : 6)]; /* an SPE's 0x0100 is no switch */
    for (unsigned i = 0; i < npayload; i++)
        payload[i] = draw(a->d, 1);
    if (who == PPE || a->contexts[who].runs)
        tell(a, who, id, payload, npayload, how >> 6 & 1, how >> 7);
}

static void tell_switch(struct acting *a, unsigned who, bool in)
{
    const uint64_t payload[] = {who, (uint64_t)who + 1};
    tell(a, PPE, in ? ID_SWITCH_IN : ID_SWITCH_OUT, payload, 2, 0, 0);
}

static void switch_context(struct acting *a, unsigned who)
{
    struct context *context = &a->contexts[who % CONTEXTS];
    context->runs = !context->runs;
    if (context->runs)
        context->zero += (int64_t)draw(a->d, 1) - 128;
    tell_switch(a, who % CONTEXTS, context->runs);
}

static void wait(struct acting *a, unsigned scale)
{
    static const int64_t units[] = {1, 1, 7, 1000, 1 << 20, WRAP / 16, WRAP / 2, WRAP};
    a->now += units[scale] * (int64_t)draw_below(a->d, 40);
}

/* As many records as the draw says, each of somebody who runs. */
static void chatter(struct acting *a, unsigned step)
{
    unsigned n = draw_below(a->d, CHATTER_MAX), pattern = (unsigned)draw(a->d, 2) | 1;
    for (unsigned i = 0; i < n; i++) {
        unsigned who = (pattern * i >> 3) % (CONTEXTS + 1);
        a->now += step;
        if (who == PPE || !a->contexts[who].runs)
            who = PPE;
        tell(a, who, 0x0105, NULL, 0, 0, 0);
    }
}

static void disturb(struct acting *a, unsigned who)
{
    unsigned how = draw_below(a->d, 5);
    struct context *context = &a->contexts[who % CONTEXTS];
    a->world->lawful = false;
    if (how == 0)
        a->off = (int64_t)draw(a->d, 1) - 128;
    else if (how == 1)
        a->off = (int64_t)draw(a->d, 6);
    else if (how == 2)
        context->zero += (int64_t)draw(a->d, 4);
    else if (how == 3)
        context->runs = !context->runs;
    else
        a->now = (int64_t)draw(a->d, 8) & INT64_MAX >> 1;
}

static void act(struct acting *a)
{
    unsigned byte = draw_below(a->d, 256), who = byte & 7;
    switch (byte >> 3) {
    case 0: /* and all that the rest of 32 does not name */
    default:
        tell_anything(a, who);
        break;
    case 1:
    case 2:
    case 3:
    case 4:
        wait(a, who);
        break;
    case 5:
    case 6:
    case 7:
        switch_context(a, who);
        break;
    case 8:
    case 9:
        chatter(a, who);
        break;
    case 10:
        disturb(a, who);
        break;
    }
}

static void add(struct world *world, const void *bytes, size_t size)
{
    must(WORLD_BYTES_MAX - world->size >= size, "no room");
    memcpy(world->bytes + world->size, bytes, size);
    world->size += size;
}

static void add_records(struct acting *a, bool packed)
{
    uLongf size = WORLD_BYTES_MAX;
    uint8_t *stream = a->records;
    if (packed) {
        static uint8_t room[WORLD_BYTES_MAX];
        z_stream z = {.next_in = a->records, .avail_in = (uInt)a->size};
        z.next_out = stream = room;
        z.avail_out = sizeof room;
        must(deflateInit2(&z, 1, Z_DEFLATED, 31, 8, Z_DEFAULT_STRATEGY) == Z_OK, "deflate");
        must(deflate(&z, Z_FINISH) == Z_STREAM_END, "deflate");
        size = z.total_out;
        deflateEnd(&z);
    } else {
        size = a->size;
    }
    add(a->world, stream, size);
}

static void add_document(struct world *world, unsigned how)
{
    static const char *const timebases[] = {"14318000", "26666666", "79800000", "1000"};
    char text[512];
    int size = snprintf(text, sizeof text,
                        "<?xml version=\"1.0\"?>\n<pdt_trace version=\"1\">"
                        "<machine name=\"QS20\" timebase_hz=\"%s\"/>"
                        "<trace_file compression=\"%s\"/><switch_source kind=\"%s\"/>"
                        "<recordType name=\"USER\" id=\"0x0105\"/></pdt_trace>",
                        timebases[how & 3], how & 4 ? "gzip" : "none",
                        how & 8 ? "notifier" : "switch_log");
    add(world, text, (size_t)size + 1); /* the NUL, too */
}

static void begin(struct acting *a, unsigned how)
{
    uint8_t *p = a->records;
    a->size = how & 16 ? 40 : 32;
    memset(p, 0, a->size);
    memcpy(p, FILE_MAGIC, 8);
    store16(p + 8, 1);
    store16(p + 10, (uint16_t)a->size);
    a->now = 20 * WRAP;
    for (unsigned i = 0; i < CONTEXTS; i++)
        a->contexts[i].zero = a->now + (int64_t)i * 0x23456789 + (how & 32 ? 300 : 0);
    /* some are running when tracing begins: they have no first switch */
    for (unsigned i = 0; i < CONTEXTS; i++)
        a->contexts[i].runs = how & 64 ? i % 2 : true;
}

void world_act(struct world *world, struct drawing *d)
{
    static struct acting a;
    unsigned how = draw_below(d, 256);
    a = (struct acting){.world = world, .d = d, .room = WORLD_BYTES_MAX - 2048};
    world->size = world->records = 0;
    world->lawful = true;
    begin(&a, how);
    while (d->size > 0 && !a.full)
        act(&a);
    store64(a.records + 16, how & 128 ? RECORDS_UNKNOWN : world->records);
    add_document(world, how);
    add_records(&a, how & 4);
}
