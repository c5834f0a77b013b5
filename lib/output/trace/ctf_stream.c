/* Packets of a CTF stream. A packet is appended to the stream's file when it is long enough. */
#include "output/trace/ctf.h"

#include <stdlib.h>

enum {
    PACKET_BYTES = 32 * 1024, /* the size of a packet, unless one event is larger */
    HEADER_BYTES = 16,        /* magic, stream class, stream */
    CONTEXT_BYTES = 56, /* begin, end, two sizes in bits, number, SPE (not for a CSV), context */
    EVENT_BYTES = 12    /* id, timestamp */
};

static size_t head_bytes(const struct ctf_stream *stream)
{
    return HEADER_BYTES + CONTEXT_BYTES - (stream->core == CTF_CLOCK ? 8 : 0);
}

static void append(void *user, const void *bytes, size_t size)
{
    const struct ctf_stream *stream = user;
    outfolder_append(stream->folder, stream->name, bytes, size);
}

/* Write the packet. If a relay does that, the stream meanwhile gets another packet, or none. */
static void write_packet(struct ctf_files *files, struct ctf_stream *stream)
{
    struct ctf_packet packet = stream->packet;
    struct ctf_packet *spare = &files->spares[files->next_spare % RELAY_PENDING];
    stream->folder = files->folder;
    if (!files->relay) {
        append(stream, packet.bytes, stream->used);
        return;
    }
    files->next_spare++;
    files->relay->ask(files->relay->user, append, stream, packet.bytes, stream->used);
    stream->packet = *spare;
    *spare = packet;
}

void ctf_flush(struct ctf_files *files, struct ctf_stream *stream)
{
    uint8_t *p = stream->packet.bytes;
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
    write_packet(files, stream);
    stream->used = 0;
}

uint8_t *ctf_event(struct ctf_files *files, struct ctf_stream *stream, uint32_t id,
                   uint64_t timestamp, size_t bytes)
{
    size_t need = EVENT_BYTES + bytes, least = head_bytes(stream) + need;
    if (stream->used > 0 && stream->used + need > PACKET_BYTES)
        ctf_flush(files, stream);
    if (stream->packet.capacity < least || stream->packet.capacity < PACKET_BYTES) {
        size_t capacity = least > PACKET_BYTES ? least : PACKET_BYTES;
        uint8_t *longer = realloc(stream->packet.bytes, capacity);
        if (!longer)
            return NULL;
        stream->packet.bytes = longer;
        stream->packet.capacity = capacity;
    }
    if (stream->used == 0) {
        stream->used = head_bytes(stream);
        stream->first = timestamp;
    }
    stream->last = timestamp;
    return ctf_put64(ctf_put32(stream->packet.bytes + stream->used, id), timestamp);
}

static void write_nothing(void *file, const void *bytes, size_t size)
{
    (void)file, (void)bytes, (void)size;
}

void ctf_event_end(struct ctf_files *files, struct ctf_stream *stream, const uint8_t *end)
{
    stream->used = (size_t)(end - stream->packet.bytes);
    if (stream->used <= PACKET_BYTES)
        return;
    ctf_flush(files, stream);
    /* Free a packet that is unusually long. */
    struct ctf_packet *packet = &stream->packet;
    if (files->relay) {
        packet = &files->spares[(files->next_spare - 1) % RELAY_PENDING];
        for (unsigned i = 0; i < RELAY_PENDING; i++) /* until the relay has written it */
            files->relay->ask(files->relay->user, write_nothing, NULL, NULL, 0);
    }
    free(packet->bytes);
    *packet = (struct ctf_packet){0};
}
