/*
 * Reads packet captures of several hosts as one trace.  A packet leaves a host before it arrives at
 * another host.  Each host is a thread with a separate clock.  The order of packets in the capture
 * of a host is not used.
 *
 *   capture.h   blocks of a file
 *   packet.h    the key of a packet, which identifies the packet in several captures
 *   hosts.h     directions of packets, and how the clocks of the hosts relate
 *   pcap.c      packets that two hosts captured
 */
#ifndef TRACE_PCAP_PCAP_H
#define TRACE_PCAP_PCAP_H

#include "trace/pcap/hosts.h"

const struct hosts *pcap_hosts(const struct csy_trace *trace);

/* Returns the name of a host's thread for packets of the direction `way`. Received packets have
 * another thread only if host.two_clocks is true. */
const char *pcap_thread(const struct csy_trace *trace, size_t host, enum capture_way way);

#endif
