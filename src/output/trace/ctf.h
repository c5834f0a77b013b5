/*
 * A synchronized trace as a folder of the Common Trace Format, 1.8.  cellsync-formats(5), CTF.
 *
 *   metadata   TSDL text: one clock, classes of streams (PPE and SPE; of a CSV its clocks), classes
 *              of events
 *   ppe, ...   a stream each: packets of events, all big-endian, nothing aligned
 *
 * Event classes are made of the .pex: an event with as many values as it describes has these as
 * fields; any other has a count and a sequence.  Those of a CSV are made of its names of events
 * (output/trace/ctf_rows.h).  Besides, an event tells of each thread in front of its first record.
 */
#ifndef OUTPUT_TRACE_CTF_H
#define OUTPUT_TRACE_CTF_H

#include "output/file/outfolder.h"
#include "output/file/relay.h"
#include "output/trace/ctf_rows.h"
#include "sync/solution.h"
#include "trace/pex/record.h"

#include <string.h>

#define CTF_MAGIC UINT32_C(0xc1fc1fc1)
#define CTF_SIGNATURE "/* CTF 1.8 */\n" /* how metadata begins */

/* Stream classes, and as such their ids. */
enum ctf_core { CTF_PPE, CTF_SPE, CTF_CLOCK };

/* Ids of event classes: the event id where fields are described, or these added; of a CSV those of
 * output/trace/ctf_rows.h, or the last. */
enum { CTF_SEQUENCE = 0x10000, CTF_THREAD = 0x20000 };

enum { CTF_IDS = 0x10000 };

/* What the metadata is to say of the streams. */
struct ctf_written {
    bool part;             /* not all records are written */
    int64_t base_ticks;    /* global time = base + timestamp */
    uint64_t raised;       /* events that say the timestamp of the one before them */
    struct ctf_rows *rows; /* of named threads, else NULL */
    uint8_t described[2][CTF_IDS / 8], sequences[2][CTF_IDS / 8]; /* the ids met, by core */
};

csy_status ctf_metadata_write(const struct csy_trace *trace, const struct csy_sync *sync,
                              const struct ctf_written *written, struct outfile *out,
                              csy_error *error);

struct ctf_packet {
    uint8_t *bytes;
    size_t capacity;
};

/* Where packets go. */
struct ctf_files {
    struct outfolder *folder;
    const struct relay *relay;               /* by way of which they are written, or NULL */
    struct ctf_packet spares[RELAY_PENDING]; /* with a relay: what it writes, or wrote */
    size_t next_spare;
};

/* A stream in the making.  The first failure, of the folder, is outfolder_publish's to tell. */
struct ctf_stream {
    char name[40];
    struct outfolder *folder;
    enum ctf_core core;
    uint64_t instance;
    int64_t spe, context; /* or -1; of a CSV the clock is the context */
    struct ctf_packet packet;
    size_t used;          /* 0: nothing since the last packet */
    uint64_t first, last; /* timestamps: of the packet, of all */
    uint64_t packets;
};

/* Begin an event, and return where its context goes: room for that many bytes; NULL on no memory.
 * timestamp must not be below the last one. */
uint8_t *ctf_event(struct ctf_files *files, struct ctf_stream *stream, uint32_t id,
                   uint64_t timestamp, size_t bytes);

/* Put something of it, and return its end. */
static inline uint8_t *ctf_put(uint8_t *at, const void *bytes, size_t size)
{
    memcpy(at, bytes, size);
    return at + size;
}

static inline uint8_t *ctf_put16(uint8_t *at, uint16_t value)
{
    store16(at, value);
    return at + 2;
}

static inline uint8_t *ctf_put32(uint8_t *at, uint32_t value)
{
    store32(at, value);
    return at + 4;
}

static inline uint8_t *ctf_put64(uint8_t *at, uint64_t value)
{
    store64(at, value);
    return at + 8;
}

/* The event is whole, and ends there: a packet that is too long already is written. */
void ctf_event_end(struct ctf_files *files, struct ctf_stream *stream, const uint8_t *end);

/* Write the packet that is open, if any. */
void ctf_flush(struct ctf_files *files, struct ctf_stream *stream);

#endif
