/*
 * The identity of a packet: the parts that no router between two hosts changes.
 *
 * The key is a hash of the addresses, the protocol, the identification, the fragment offset, the
 * length, and the transport header, up to 60 bytes of IPv4 or 72 of IPv6.  The hash leaves out the
 * service class, the hop limit, and options of IPv4.  It also leaves out all checksums, because a
 * sender captures a wrong checksum if its network card computes the right one later.  The length of
 * a TCP packet is left out, too: network cards divide long packets, and merge received ones.  Such
 * a packet has the header of its first part, which leaves and arrives no later than the others.
 * If a TCP packet has a timestamp, the addresses and ports are left out as well.
 */
#ifndef TRACE_PCAP_PACKET_H
#define TRACE_PCAP_PACKET_H

#include "trace/pcap/capture.h"

struct packet_key {
    uint64_t high, low;
};

/* The sender or receiver of a packet on its link: a MAC address, or without one, an IP address. */
struct packet_end {
    uint8_t bytes[16];
};

struct packet {
    bool keyed; /* true if the packet has a key, because it is an IP packet */
    bool cut;   /* true if the captured part is too short for the key */
    /* True if about 65,000 later packets of the sender have other keys, because the key contains an
     * IPv4 identification or a TCP timestamp. */
    bool unique;
    /* True if the key has no addresses and ports, which address translation changes. */
    bool translates;
    bool many; /* true for a multicast or broadcast packet */
    /* hop limit, which each router lowers; 0 if unknown, or for multicast addresses */
    uint8_t hops;
    struct packet_key key;
    uint32_t flow; /* a hash of the IP addresses, the protocol, and the ports */
    struct packet_end from, to;
    enum capture_way way; /* direction, if the link-layer header states it */
};

/* Find the key, the addresses, and the direction of a packet from its headers. */
void packet_read(uint16_t link, const uint8_t *bytes, size_t captured, struct packet *out);

#endif
