/* The record file: pex(5), Record file.  Everything is big-endian.
 *
 *   file header, 32 bytes or more          record, a multiple of 8 bytes
 *    0  8 bytes "PDTTRACE"                  0  u16 size of the record
 *    8  u16 version = 1                     2  u8  core: 0 PPE, 1 SPE
 *   10  u16 header size                     3  u8  flags: bit 0 INTERVAL
 *   12  u32 flags: bit 0 GLOBAL_TIME        4  u16 event id
 *   16  u64 records, or 2^64-1              6  u16 n, payload values
 *   24  u64 zero                            8  u32 tid (PPE) or context id (SPE)
 *                                          12  u32 program counter
 *                                          16  timestamp, begin: u64 each (PPE, GLOBAL_TIME) or u32
 *                                              n x u64 payload, then bytes up to size */
#ifndef TRACE_PEX_RECORD_H
#define TRACE_PEX_RECORD_H

#include "io/bytes.h"

#include <string.h>

enum {
    FILE_HEADER_BYTES = 32,
    RECORD_PREFIX_BYTES = 16, /* bytes before the timestamps */
    RECORD_PPE_BYTES = 32,    /* bytes before the payload, on the PPE or with GLOBAL_TIME */
    RECORD_SPE_BYTES = 24,    /* bytes before the payload, on an SPE */
    RECORD_BYTES_MAX = 65520, /* maximum size in bytes; outputs may add 8 bytes to a record */
    CORE_PPE = 0,
    CORE_SPE = 1,
    RECORD_INTERVAL = 1,
    FILE_GLOBAL_TIME = 1,
    ID_SWITCH_IN = 0x0100,
    ID_SWITCH_OUT = 0x0200,
    ID_THREAD_START = 0x0500,
    ID_THREAD_STOP = 0x0600
};

#define FILE_MAGIC "PDTTRACE"
#define RECORDS_UNKNOWN UINT64_MAX

static inline uint16_t load16(const uint8_t *p)
{
    return (uint16_t)(p[0] << 8 | p[1]);
}

static inline uint32_t load32(const uint8_t *p)
{
    return (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3];
}

static inline uint64_t load64(const uint8_t *p)
{
    return (uint64_t)load32(p) << 32 | load32(p + 4);
}

static inline void store16(uint8_t *p, uint16_t value)
{
    p[0] = (uint8_t)(value >> 8);
    p[1] = (uint8_t)value;
}

static inline void store32(uint8_t *p, uint32_t value)
{
    store16(p, (uint16_t)(value >> 16));
    store16(p + 2, (uint16_t)value);
}

/* The functions record_..._at read a field from the bytes of a record, without record_load. */
static inline size_t record_size_at(const uint8_t *p)
{
    return load16(p);
}

static inline bool record_is_spe_at(const uint8_t *p)
{
    return p[2] == CORE_SPE;
}

static inline uint16_t record_id_at(const uint8_t *p)
{
    return load16(p + 4);
}

static inline bool record_is_interval_at(const uint8_t *p)
{
    return p[3] & RECORD_INTERVAL;
}

static inline uint16_t record_nvalues_at(const uint8_t *p)
{
    return load16(p + 6);
}

static inline uint32_t record_writer_at(const uint8_t *p)
{
    return load32(p + 8);
}

static inline uint64_t payload_value(const uint8_t *payload, size_t i)
{
    return load64(payload + 8 * i);
}

/* Store with one instruction. Loading eight bytes soon after separate stores would be slow. */
static inline void store64(uint8_t *p, uint64_t value)
{
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    value = __builtin_bswap64(value);
#endif
    memcpy(p, &value, sizeof value);
}

/* The header of a record file. Outputs get a copy of its bytes from 32 to header_bytes. */
struct file_header {
    size_t header_bytes;
    bool global;
    uint64_t records; /* number of records, or RECORDS_UNKNOWN */
};

/* Returns an index below n, for a cache. Ids with different high bytes rarely share an index. */
static inline size_t record_id_place(uint16_t id, size_t n)
{
    return (id + 37U * (id >> 8)) % n;
}

/* A record that passed all checks. `bytes` is valid until the next read. */
struct record {
    uint64_t position; /* number of the record in its buffer, from 0 */
    uint64_t offset;   /* byte offset in the record file */
    const uint8_t *bytes;
    uint32_t size;
    uint16_t id;
    uint16_t npayload;
    uint32_t thread; /* tid of a PPE thread, or context id of an SPE */
    bool spe;
    bool interval;
    uint64_t stamp; /* timestamp; only its low 32 bits if the clock is a decrementer */
    uint64_t begin;
};

static inline const uint8_t *record_payload(const struct record *r, bool global)
{
    return r->bytes + (r->spe && !global ? RECORD_SPE_BYTES : RECORD_PPE_BYTES);
}

/* Returns true for a context switch on the PPE. Its payload begins with the context and the SPE. */
static inline bool record_is_switch(const struct record *r)
{
    return !r->spe && (r->id == ID_SWITCH_IN || r->id == ID_SWITCH_OUT) && r->npayload >= 2;
}

/* Returns the length of an interval on an SPE in ticks. The decrementer counts down, and wraps at
 * 2^32. The length is negative if the end is less than 2^16 ticks before the begin. */
static inline int64_t record_interval_ticks(const struct record *r)
{
    int64_t ticks = (uint32_t)(r->begin - r->stamp);
    int64_t wrap = (int64_t)1 << 32;
    return ticks >= wrap - 65536 ? ticks - wrap : ticks;
}

/* Decode the record at `p`. The caller has checked its size. */
static inline void record_load(struct record *out, const uint8_t *p, bool global)
{
    bool spe = record_is_spe_at(p), small = spe && !global;
    out->bytes = p;
    out->size = (uint32_t)record_size_at(p);
    out->id = record_id_at(p);
    out->npayload = record_nvalues_at(p);
    out->thread = record_writer_at(p);
    out->spe = spe;
    out->interval = record_is_interval_at(p);
    out->stamp = small ? load32(p + RECORD_PREFIX_BYTES) : load64(p + RECORD_PREFIX_BYTES);
    out->begin = small ? load32(p + RECORD_PREFIX_BYTES + 4) : load64(p + RECORD_PREFIX_BYTES + 8);
}

struct record_reader {
    struct bytes *bytes;
    const char *name; /* name of the file for messages, owned by the caller */
    struct file_header header;
    uint64_t next_position;
    bool salvage; /* true if reading ends without an error where records are cut off */
    bool is_cut;  /* true if reading has reached the place where records are cut off */
    csy_cut cut;
};

/* Read and check the file header. If extra_bytes is not NULL, *extra_bytes becomes a copy of the
 * header after its first 32 bytes, which the caller frees. */
csy_status record_reader_open(struct record_reader *reader, struct bytes *bytes, const char *name,
                              uint8_t **extra_bytes, csy_error *error);

/* Read the next record. *more is false at the end. Returns CSY_INPUT if a record is invalid or cut
 * off, or their number is not the one in the header. The error states how many are complete. */
csy_status record_read(struct record_reader *reader, struct record *out, bool *more,
                       csy_error *error);

#endif
