/* A synchronized trace as a folder of the Common Trace Format, 1.8. See cellsync-output(5), CTF.
 *
 *   metadata   TSDL text: one clock, classes of streams (PPE and SPE; for a CSV its clocks), and
 *              classes of events
 *   ppe, ...   one stream each: packets of events, all big-endian, not aligned
 *
 * Event classes come from the .pex. If an event has as many values as its description, they are its
 * fields; otherwise it has a count and a sequence. The classes of a CSV come from its event names
 * (output/trace/ctf_rows.h). An additional event describes each thread before its first record. */
#ifndef OUTPUT_TRACE_CTF_H
#define OUTPUT_TRACE_CTF_H

#include "output/file/outfolder.h"
#include "output/file/relay.h"
#include "output/trace/ctf_rows.h"
#include "sync/solution.h"
#include "trace/pex/record.h"

#include <string.h>

#define CTF_MAGIC UINT32_C(0xc1fc1fc1)
#define CTF_SIGNATURE "/* CTF 1.8 */\n" /* the beginning of metadata */

/* Stream classes, with their ids as values. */
enum ctf_core { CTF_PPE, CTF_SPE, CTF_CLOCK };

/* Ids of event classes. A record has its event id, plus CTF_SEQUENCE if its fields are not
 * described. A row has an id of output/trace/ctf_rows.h. CTF_THREAD describes a thread. */
enum { CTF_SEQUENCE = 0x10000, CTF_THREAD = 0x20000 };

enum { CTF_IDS = 0x10000 };

/* What the metadata must state about the streams. */
struct ctf_written {
    bool part;             /* some records are not written */
    int64_t base_ticks;    /* global time = base + timestamp */
    uint64_t raised;       /* events that got their predecessor's timestamp */
    struct ctf_rows *rows; /* events of named threads, or NULL */
    uint8_t described[2][CTF_IDS / 8], sequences[2][CTF_IDS / 8]; /* ids used, by core */
};

csy_status ctf_metadata_write(const struct csy_trace *trace, const struct csy_sync *sync,
                              const struct ctf_written *written, struct outfile *out,
                              csy_error *error);

struct ctf_packet {
    uint8_t *bytes;
    size_t capacity;
};

/* Where packets are written. */
struct ctf_files {
    struct outfolder *folder;
    const struct relay *relay;               /* writes packets; NULL: this thread does */
    struct ctf_packet spares[RELAY_PENDING]; /* packets that the relay may still be writing */
    size_t next_spare;
};

/* A stream being written. outfolder_publish returns the first failure. */
struct ctf_stream {
    char name[40];
    struct outfolder *folder;
    enum ctf_core core;
    uint64_t instance;
    int64_t spe, context; /* -1: unknown; for a CSV, context is the clock */
    struct ctf_packet packet;
    size_t used;          /* bytes; 0: no event since the last packet */
    uint64_t first, last; /* the packet's first timestamp, and the stream's last */
    uint64_t packets;
};

/* Begin an event. Returns where its context of `bytes` bytes goes, or NULL if out of memory.
 * timestamp must not be less than that of the previous event. */
uint8_t *ctf_event(struct ctf_files *files, struct ctf_stream *stream, uint32_t id,
                   uint64_t timestamp, size_t bytes);

/* Append bytes to an event, and return the new end. */
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

/* End the event at `end`. A packet that is long enough is written. */
void ctf_event_end(struct ctf_files *files, struct ctf_stream *stream, const uint8_t *end);

/* Write the open packet, if there is one. */
void ctf_flush(struct ctf_files *files, struct ctf_stream *stream);

#endif
