/*
 * Several captures side by side: which packets each host sent, and roughly how its clock relates to
 * the other clocks.  The relation only guides the search for packets that two hosts captured.  The
 * directions are essential: they decide which end of a message is the send.
 *
 * A survey reads each capture once.  It keeps the SAMPLE_KEYS packets with the smallest keys of
 * each capture; two hosts that captured the same packets keep nearly the same ones, however far
 * apart their clocks are.
 *
 * Directions come from the capture (the packet type of `-i any`, or flags of pcapng), from the
 * address of the interface (pcapng), or from the addresses: a host captures its own packets, so
 * nearly all of them are from or to its address.  If this is true for two addresses, one belongs to
 * the host and the other to its neighbour.  Let f and g be the readings of two hosts for a packet:
 *
 *      g - f  is  the offset of the clocks + the delay, if the packet goes from f's host to g's,
 *             and the offset of the clocks - the delay, if it goes back.
 *
 * The host of f therefore sent the packets in the direction with the greater g - f.  Each packet is
 * compared with the two nearest packets in the other direction, one before and one after it,
 * because the clocks may have different rates.
 */
#ifndef TRACE_PCAP_HOSTS_H
#define TRACE_PCAP_HOSTS_H

#include "trace/pcap/packet.h"

struct csy_trace;

enum { PORT_ENDS = 32 };

/* An interface of a capture. */
struct port {
    struct {
        struct packet_end end;
        uint64_t packets, sent, sent_unique; /* sent: with a key */
    } ends[PORT_ENDS];                       /* counts packets to a single address */
    size_t nends;
    uint64_t packets;         /* to a single address, without a stated direction */
    struct packet_end own[2]; /* addresses that the host may have */
    unsigned nown;            /* 1: the address is known; 0 or 2: it is not */
    uint64_t votes[2];        /* for each of two addresses */
};

/* A packet of a sample. */
struct sampled {
    struct packet_key key;
    int64_t time_ns;
    uint64_t number; /* in its capture */
    struct packet_end from;
    uint32_t port;
    bool stated; /* the capture states the direction */
    bool unique; /* struct packet */
};

/* A packet with a known aligned time.  Knots are found by the number of the packet, since the clock
 * may have been set. */
struct align_knot {
    uint64_t number;
    int64_t time_ns, aligned_ns;
};

/* Successive packets in a file of one direction and then the other. */
struct turns {
    uint64_t count, back; /* with a smaller timestamp than the packet before */
};

struct host {
    const struct csy_trace *trace; /* of its file */
    char *name;
    struct bytes *bytes;
    struct capture capture;
    struct port *ports; /* by interface */
    size_t nports, ports_capacity;
    struct sampled *sample;
    size_t nsampled;
    uint64_t sample_below; /* the sample has the keys below this */
    int64_t first_ns, last_ns;
    uint64_t packets, cut, drops;
    uint64_t sent, sent_unique; /* of packets with a key and a stated direction */
    bool unique; /* it sent many packets that cannot have copies; no others are needed */
    struct turns to_in, to_out;
    bool two_clocks; /* received packets have timestamps of another clock than sent ones */
    struct align_knot *knots;
    size_t nknots, knot;
    bool aligned;
    bool is_fork; /* the original owns everything but the stream and the interfaces */
};

struct hosts {
    struct host *items;
    size_t count;
};

/* Read all captures once, and set all fields.  progress is called with the share of the bytes that
 * is read. */
csy_status hosts_survey(struct hosts *hosts, bool salvage, csy_error *error);

/* Start to read a capture from its first block. */
void host_rewind(struct host *host);

/* The next packet with a timestamp; *more is false at the end. */
csy_status host_next(struct host *host, bool salvage, struct capture_block *block,
                     struct packet *packet, bool *more, csy_error *error);

/* The direction of a packet, after the survey. */
enum capture_way host_way(const struct host *host, const struct capture_block *block,
                          const struct packet *packet);

/* The aligned time of a packet: between those of the knots around it.  Numbers ascend. */
int64_t host_align(struct host *host, uint64_t number, int64_t time_ns);

/* Make copies for another reading.  They use the survey of the originals, and have no samples. */
csy_status hosts_fork(const struct hosts *hosts, unsigned workers, struct hosts *out,
                      csy_error *error);

void hosts_fini(struct hosts *hosts);

#endif
