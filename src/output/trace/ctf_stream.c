/* Packets of a CTF stream: cut when they are long enough, appended whole to the stream's file. */
#include "output/trace/ctf.h"
#include "trace/pex/record.h"

#include <stdlib.h>
#include <string.h>

enum {
    PACKET_BYTES = 32 * 1024, /* unless one event takes more */
    HEADER_BYTES = 16,        /* magic, stream class, stream */
    CONTEXT_BYTES = 56,       /* begin, end, bits twice, number, SPE (not of a CSV), context */
    EVENT_BYTES = 12          /* id, timestamp */
};

/* Bytes of a packet before its events. */
static size_t head_bytes(const struct ctf_stream *stream)
{
    return HEADER_BYTES + CONTEXT_BYTES - (stream->core == CTF_CLOCK ? 8 : 0);
}

void ctf_flush(struct outfolder *folder, struct ctf_stream *stream)
{
    uint8_t *p = stream->packet;
    if (stream->used == 0)
        return;
    store32(p, CTF_MAGIC);
    store32(p + 4, (uint32_t)stream->core);
    store64(p + 8, stream->instance);
    store64(p + 16, stream->first);
    store64(p + 24, stream->last);
    store64(p + 32, 8 * (uint64_t)stream->used);
    store64(p + 40, 8 * (uint64_t)stream->used);
    store64(p + 48, stream->packets++);
    store64(p + 56, (uint64_t)stream->spe);
    store64(p + head_bytes(stream) - 8, (uint64_t)stream->context);
    outfolder_append(folder, stream->name, p, stream->used);
    stream->used = 0;
}

bool ctf_event(struct outfolder *folder, struct ctf_stream *stream, uint32_t id, uint64_t timestamp,
               size_t bytes)
{
    size_t need = EVENT_BYTES + bytes, least = head_bytes(stream) + need;
    if (stream->used > 0 && stream->used + need > PACKET_BYTES)
        ctf_flush(folder, stream);
    if (stream->capacity < least || stream->capacity < PACKET_BYTES) {
        size_t capacity = least > PACKET_BYTES ? least : PACKET_BYTES;
        uint8_t *packet = realloc(stream->packet, capacity);
        if (!packet)
            return false;
        stream->packet = packet;
        stream->capacity = capacity;
    }
    if (stream->used == 0) {
        stream->used = head_bytes(stream);
        stream->first = timestamp;
    }
    stream->last = timestamp;
    ctf_put32(stream, id);
    ctf_put64(stream, timestamp);
    return true;
}

void ctf_event_end(struct outfolder *folder, struct ctf_stream *stream)
{
    if (stream->used <= PACKET_BYTES)
        return;
    ctf_flush(folder, stream);
    free(stream->packet);
    stream->packet = NULL;
    stream->capacity = 0;
}

void ctf_put(struct ctf_stream *stream, const void *bytes, size_t size)
{
    memcpy(stream->packet + stream->used, bytes, size);
    stream->used += size;
}

void ctf_put8(struct ctf_stream *stream, uint8_t value)
{
    stream->packet[stream->used++] = value;
}

void ctf_put16(struct ctf_stream *stream, uint16_t value)
{
    store16(stream->packet + stream->used, value);
    stream->used += 2;
}

void ctf_put32(struct ctf_stream *stream, uint32_t value)
{
    store32(stream->packet + stream->used, value);
    stream->used += 4;
}

void ctf_put64(struct ctf_stream *stream, uint64_t value)
{
    store64(stream->packet + stream->used, value);
    stream->used += 8;
}
