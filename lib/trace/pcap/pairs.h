/*
 * Finds the packets that one host sent and another one received.
 *
 * The captures are read side by side, in the order of aligned times, which are times by a clock
 * common to all hosts (hosts.h).  The packets of all captures in the last PAIRS_WINDOW_NS, at most
 * PAIRS_WINDOW, wait in a window.  A packet that leaves the window is compared with the packets in
 * the window that have the same key (packet.h):
 *
 *   sent by one host, and received by others        a pair for each receiver
 *   more than one copy at a host                    a pair of the first copies: the first sent copy
 *                                                   left before any copy arrived
 *   more than PAIRS_COPIES copies                   no pair
 *   sent and received by one host, which forwards   no pair: copies on the way back look the same
 *   sent by several hosts                           no pair
 *
 * A packet without an identification and without a TCP timestamp may be a copy of a packet that was
 * sent before the sender's capture began.  Such packets make no pair in the first 10 s of a
 * capture, if the capture lost packets, or if more copies arrived than were sent.  They make no
 * pair at all if a 16th of the packets that the host sent have an identification or a timestamp.
 *
 * A capture has a gap if it contains no packet for more than 1 s, and another host received packets
 * in that time that this host must have sent: at least two, half a second apart, with the addresses
 * and ports of an earlier pair.  After a gap, the capture is treated like one that lost packets.
 *
 * Packets are returned in the order of their aligned times; packets of one host in the order of its
 * file.  Memory does not depend on the length of the captures.
 */
#ifndef TRACE_PCAP_PAIRS_H
#define TRACE_PCAP_PAIRS_H

#include "trace/pcap/hosts.h"

#define PAIRS_NONE UINT32_MAX

enum { PAIRS_WINDOW = 1 << 17, PAIRS_COPIES = 8 };

/* A packet waits in the window at most this long. */
#define PAIRS_WINDOW_NS INT64_C(2000000000)

/* A packet that a host captured. */
struct sighting {
    int64_t time_ns;
    uint64_t place;
    uint32_t pair; /* number of the packet's pair, or PAIRS_NONE */
    uint16_t host;
    uint8_t way : 2;      /* enum capture_way */
    uint8_t decimals : 4; /* number of decimals of time_ns in seconds */
    uint8_t receivers;    /* if sent: number of receivers; if received: index of the receiver */
};

struct pairs_counts {
    uint64_t sent, received, paired, alone, copies, forwarded, unknown_way;
    uint64_t gaps; /* number of gaps in the host's capture */
};

struct pairs;

/* Start to find pairs in captures that hosts_survey has read. The caller owns `hosts`. */
csy_status pairs_new(struct hosts *hosts, bool salvage, struct pairs **out, csy_error *error);
void pairs_free(struct pairs *pairs);
csy_status pairs_rewind(struct pairs *pairs, bool salvage, csy_error *error);

/* Read the next packet. *out is valid until the next call, and NULL at the end. */
csy_status pairs_next(struct pairs *pairs, const struct sighting **out, csy_error *error);

/* Returns the counts of the packets of a host that were read so far. */
const struct pairs_counts *pairs_counts(const struct pairs *pairs, size_t host);

#endif
