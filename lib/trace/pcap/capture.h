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

/* The direction of a packet, as the capture states it. */
enum capture_way { CAPTURE_WAY_UNKNOWN, CAPTURE_WAY_IN, CAPTURE_WAY_OUT };

struct capture_interface {
    uint16_t link;       /* LINKTYPE_..., of tcpdump.org */
    bool binary;         /* units are 2^-exponent seconds, otherwise 10^-exponent */
    uint8_t exponent;    /* of the unit of timestamps */
    int64_t units;       /* of timestamps in a second */
    int64_t offset_s;    /* added to timestamps */
    int64_t last_ns;     /* of its last packet; 0: none */
    uint64_t drops;      /* packets lost during the capture, from its latest statistics */
    uint8_t mac[6];      /* its own address, */
    bool has_mac;        /* if stated */
    uint32_t snap_bytes; /* packets are cut to this length; 0: not */
};

struct capture_block {
    enum capture_kind kind;
    uint64_t place;       /* offset in the file, or in the unpacked stream */
    const uint8_t *bytes; /* the whole block; valid until the next call */
    size_t size;
    size_t interface; /* of an interface, a packet, or statistics */
    int64_t time_ns;  /* of a packet, rounded down: since 1970, by the clock of the capture */
    const uint8_t *packet;
    uint32_t captured, length; /* bytes of the packet in the file, and on the wire */
    enum capture_way way;
};

struct capture {
    const char *name;    /* of the file, for messages */
    struct bytes *bytes; /* owned by the caller */
    bool pcapng, swapped;
    struct capture_interface *interfaces;
    size_t ninterfaces, capacity;
    size_t section;   /* number of the first interface of the present section */
    uint64_t packets; /* so far */
    csy_cut cut;      /* the place where the file ends within a block */
    bool is_cut;
};

/* True if these are the first bytes of a pcap or pcapng file. */
bool capture_begins(const uint8_t *bytes, size_t size);

/* Start at the beginning of `bytes`, a stream that was just opened or rewound.  name is not
 * copied. */
void capture_start(struct capture *capture, struct bytes *bytes, const char *name);

/* Free everything but the stream. */
void capture_fini(struct capture *capture);

/* Read the next block; *more is false at the end of the file.  If the file ends within a block,
 * is_cut is set, and CSY_INPUT is returned unless `salvage`.  CSY_INPUT, with the offset, for an
 * invalid block. */
csy_status capture_next(struct capture *capture, struct capture_block *block, bool *more,
                        bool salvage, csy_error *error);

/* The decimals of an interface's timestamps in seconds, at most 9; rounded down if the unit is
 * 2^-n s. */
unsigned capture_decimals(const struct capture_interface *interface);

/* Add shift_ns to the timestamps of a packet or of statistics, in `copy`, a copy of the bytes of
 * the block, rounding down to the unit.  dumpcap 4.0 writes statistics in microseconds, whatever
 * the unit of the interface; such statistics are recognized by the last packet.  False if the
 * result does not fit into the format; the copy is then partly changed. */
bool capture_shift(const struct capture *capture, const struct capture_block *block, uint8_t *copy,
                   int64_t shift_ns);

#endif
