/*
 * The blocks of a packet capture: pcap with microseconds or nanoseconds, or pcapng, in either byte
 * order, plain or compressed with gzip.
 *
 * Each call returns the next block with all its bytes, so a copy with other timestamps needs no
 * second parser: capture_shift changes the timestamps in a copy of the block.
 *
 *   pcap     CAPTURE_HEADER (24 bytes), then CAPTURE_PACKET (16 bytes and the packet) ...
 *   pcapng   CAPTURE_HEADER (a section), CAPTURE_INTERFACE, CAPTURE_PACKET, CAPTURE_STATISTICS,
 *            and other blocks; interfaces are numbered through all sections
 *
 * draft-ietf-opsawg-pcap and draft-ietf-opsawg-pcapng.
 */
#ifndef TRACE_PCAP_CAPTURE_H
#define TRACE_PCAP_CAPTURE_H

#include "io/bytes.h"

enum capture_kind {
    CAPTURE_HEADER,
    CAPTURE_INTERFACE,
    CAPTURE_PACKET,
    CAPTURE_STATISTICS,
    CAPTURE_UNTIMED, /* a packet without a timestamp */
    CAPTURE_OTHER
};

/* The direction of a packet, as stated by the capture. */
enum capture_way { CAPTURE_WAY_UNKNOWN, CAPTURE_WAY_IN, CAPTURE_WAY_OUT };

struct capture_interface {
    uint16_t link;       /* type of the link: a LINKTYPE_ number of tcpdump.org */
    bool binary;         /* true if the time unit is 2^-exponent s, false if it is 10^-exponent s */
    uint8_t exponent;    /* exponent of the time unit */
    int64_t units;       /* number of time units in a second */
    int64_t offset_s;    /* seconds to add to each timestamp */
    int64_t last_ns;     /* time of the last packet, or 0 if there is no packet yet */
    uint64_t drops;      /* number of lost packets, from the latest statistics block */
    uint8_t mac[6];      /* MAC address of the interface */
    bool has_mac;        /* true if the file states `mac` */
    uint32_t snap_bytes; /* greatest size of a packet in the file, or 0 for no limit */
};

struct capture_block {
    enum capture_kind kind;
    uint64_t place;       /* offset in the file, after decompression */
    const uint8_t *bytes; /* the whole block; valid until the next call */
    size_t size;
    size_t interface; /* number of the interface that the block belongs to */
    int64_t time_ns;  /* time of a packet in ns since 1970, rounded down */
    const uint8_t *packet;
    uint32_t captured, length; /* size of the packet in the file, and on the network */
    enum capture_way way;
};

struct capture {
    const char *name;    /* name of the file, for messages */
    struct bytes *bytes; /* owned by the caller */
    const uint8_t *at;   /* the next block, at `place` in the file */
    size_t left;         /* number of bytes that are loaded from `at` on */
    size_t taken;        /* number of bytes before `at` that `bytes` has not skipped yet */
    uint64_t place;
    bool pcapng, swapped;
    struct capture_interface *interfaces;
    size_t ninterfaces, capacity;
    size_t section;   /* number of the first interface in the current section */
    uint64_t packets; /* number of packets read so far */
    csy_cut cut;      /* where the file ends within a block, if is_cut is true */
    bool is_cut;
};

/* Returns true if these are the first bytes of a pcap or pcapng file. */
bool capture_begins(const uint8_t *bytes, size_t size);

/* Start to read `bytes`, which was just opened or rewound. The caller owns `bytes` and `name`. */
void capture_start(struct capture *capture, struct bytes *bytes, const char *name);

/* Free all memory of the capture, but not the stream. */
void capture_fini(struct capture *capture);

/* Read the next block. *more becomes false at the end of the file. If the file ends within a block,
 * or zeros take the place of the next block, is_cut becomes true, and the result is CSY_INPUT
 * unless `salvage` is true. An invalid block gives CSY_INPUT, with the offset. */
csy_status capture_next(struct capture *capture, struct capture_block *block, bool *more,
                        bool salvage, csy_error *error);

/* Returns how many decimals the timestamps of an interface have in seconds, at most 9. The number
 * is rounded down if the time unit is a power of 2. */
unsigned capture_decimals(const struct capture_interface *interface);

/* Add shift_ns to the timestamps in `copy`, which has the bytes of the packet block or statistics
 * block `block`. Results are rounded down to the time unit. The unit of statistics is found from
 * the last packet, because dumpcap 4.0 always writes microseconds. Returns false if a result does
 * not fit into the format; `copy` is then partly changed. */
bool capture_shift(const struct capture *capture, const struct capture_block *block, uint8_t *copy,
                   int64_t shift_ns);

#endif
