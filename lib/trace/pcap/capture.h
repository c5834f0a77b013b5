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

/* The direction of a packet, if the capture states the direction. */
enum capture_way { CAPTURE_WAY_UNKNOWN, CAPTURE_WAY_IN, CAPTURE_WAY_OUT };

struct capture_interface {
    uint16_t link;       /* a LINKTYPE_ number of tcpdump.org */
    bool binary;         /* true: a unit is 2^-exponent s; false: 10^-exponent s */
    uint8_t exponent;    /* exponent of the time unit */
    int64_t units;       /* number of time units in a second */
    int64_t offset_s;    /* seconds to add to each timestamp */
    int64_t last_ns;     /* time of the last packet; 0: no packet yet */
    uint64_t drops;      /* number of lost packets, from the latest statistics */
    uint8_t mac[6];      /* MAC address of the interface */
    bool has_mac;        /* the file states `mac` */
    uint32_t snap_bytes; /* longest packet in the file; 0: no limit */
};

struct capture_block {
    enum capture_kind kind;
    uint64_t place;       /* offset in the file, or in the unpacked stream */
    const uint8_t *bytes; /* the whole block; valid until the next call */
    size_t size;
    size_t interface; /* number of the interface that the block belongs to */
    int64_t time_ns;  /* time of a packet since 1970, rounded down */
    const uint8_t *packet;
    uint32_t captured, length; /* size of the packet in the file, and on the wire */
    enum capture_way way;
};

struct capture {
    const char *name;    /* name of the file for messages */
    struct bytes *bytes; /* owned by the caller */
    bool pcapng, swapped;
    struct capture_interface *interfaces;
    size_t ninterfaces, capacity;
    size_t section;   /* number of the first interface of this section */
    uint64_t packets; /* number of packets so far */
    csy_cut cut;      /* the place where the file ends within a block */
    bool is_cut;
};

/* Returns true if these are the first bytes of a pcap or pcapng file. */
bool capture_begins(const uint8_t *bytes, size_t size);

/* Start to read a stream that was just opened or rewound. The caller keeps `bytes` and `name`. */
void capture_start(struct capture *capture, struct bytes *bytes, const char *name);

/* Free all memory of the capture, but not the stream. */
void capture_fini(struct capture *capture);

/* Read the next block; *more is false at the end of the file. A file that ends within a block sets
 * `is_cut`, and is refused (CSY_INPUT) unless `salvage` is true. Returns CSY_INPUT, with the
 * offset, for an invalid block. */
csy_status capture_next(struct capture *capture, struct capture_block *block, bool *more,
                        bool salvage, csy_error *error);

/* Returns the number of decimals of an interface's timestamps in seconds, at most 9. The number is
 * rounded down if the unit is a power of 2. */
unsigned capture_decimals(const struct capture_interface *interface);

/* Add shift_ns to the timestamps in `copy`, a copy of the bytes of a packet or of statistics. The
 * result is rounded down to the unit. dumpcap 4.0 writes statistics in microseconds, whatever the
 * unit of the interface; such statistics are recognized by the last packet. Returns false if a
 * result does not fit into the format; the copy is then partly changed. */
bool capture_shift(const struct capture *capture, const struct capture_block *block, uint8_t *copy,
                   int64_t shift_ns);

#endif
