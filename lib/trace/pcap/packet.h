/*
 * The identity of a packet: the parts that no router between two hosts changes.
 *
 * The key is a hash of the addresses, the protocol, the identification, the fragment offset, the
 * length, and the transport header, up to 60 bytes of IPv4 or 72 of IPv6.  The hash leaves out the
 * service class, the hop limit, options of IPv4, and all checksums, because a sender that leaves
 * checksums to its network card captures unfinished ones.
 */
#ifndef TRACE_PCAP_PACKET_H
#define TRACE_PCAP_PACKET_H

#include "trace/pcap/capture.h"

struct packet_key {
    uint64_t high, low;
};

/* The sender or receiver of a packet on the link: a MAC address, or an IP address if the link has
 * no MAC addresses. */
struct packet_end {
    uint8_t bytes[16];
};

struct packet {
    bool keyed; /* the packet has a key, because it is an IP packet */
    bool cut;   /* the captured part is too short for the key */
    /* The next 65,000 packets of the sender, or so, have other keys, because the packet has an IPv4
     * identification or a TCP timestamp. */
    bool unique;
    bool many; /* the packet was sent to a group */
    struct packet_key key;
    uint32_t flow; /* a hash of the IP addresses, the protocol, and the ports */
    struct packet_end from, to;
    enum capture_way way; /* the direction that the link layer states */
};

/* Find the key, the ends, and the direction of a packet from its headers. */
void packet_read(uint16_t link, const uint8_t *bytes, size_t captured, struct packet *out);

#endif
