/*
 * Several captures side by side: which packets each host sent, and roughly how its clock relates to
 * the other clocks.  The relation only guides the search for packets that two hosts captured.  The
 * directions are essential: they decide which end of a message is the send.
 *
 * A survey reads each capture once.  It writes what the search needs of each packet to a temporary
 * file, so that the captures are not read again.  It also keeps a sample of each capture: the
 * packets with the smallest keys.  Two hosts that captured the same packets keep nearly the same
 * ones, however far apart their clocks are.
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
 * because the clocks may have different rates.  Hosts whose sent and received packets have
 * timestamps of two clocks do not vote: the offset of these clocks may be greater than the delays.
 */
#ifndef TRACE_PCAP_HOSTS_H
#define TRACE_PCAP_HOSTS_H

#include "trace/pcap/packet.h"
#include "trace/pcap/spool.h"

struct csy_trace;

enum { PORT_ENDS = 32 };

/* An interface of a capture. */
struct port {
    struct {
        struct packet_end end;
        uint64_t packets, sent, sent_unique; /* sent: with a key */
    } ends[PORT_ENDS];                       /* counts packets to a single address */
    size_t nends;
    uint64_t packets;  /* to a single address, without a stated direction */
    unsigned own[2];   /* numbers of the ends that may be the host */
    unsigned nown;     /* 1: the end is known; 0 or 2: it is not */
    uint64_t votes[2]; /* for each of two ends */
    unsigned decimals; /* capture_decimals */
};

/* A packet as the search for pairs needs it. */
struct sighted {
    int64_t time_ns;
    uint64_t place, key;
    uint32_t flow; /* struct packet; equal packets have the same one */
    uint16_t port;
    uint8_t from; /* the number of its sender among the ends of the port, or PORT_ENDS */
    uint8_t way : 2, keyed : 1, unique : 1, many : 1;
};

_Static_assert(sizeof(struct sighted) == 32, "the temporary file has 32 bytes for each packet");

/* A packet of a sample. */
struct sampled {
    struct packet_key key;
    int64_t time_ns;
    uint64_t number; /* in its capture */
    uint16_t port;
    uint8_t from; /* as in struct sighted */
    bool stated;  /* the capture states the direction */
    bool unique;  /* struct packet */
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
    bool is_cut; /* the file ends within a block */
    csy_cut cut_at;
    const struct spool *spool; /* struct hosts */
    uint64_t spool_first;      /* number of the first packet in it */
    struct spool_reader reader;
    struct sighted captured;    /* the last packet, if there is no room for the spool */
    size_t read_bytes;          /* for the reader */
    uint64_t next;              /* number of the packet that host_next returns */
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
    struct spool spool; /* struct sighted: the packets of all hosts, one host after another */
};

/* No hosts yet, for hosts_fini. */
#define HOSTS_NONE ((struct hosts){.spool = {.fd = -1}})

/* Read all captures once, and find out everything about them. */
csy_status hosts_survey(struct hosts *hosts, bool salvage, csy_error *error);

/* Start to read the blocks of a capture from the first one. */
void host_rewind(struct host *host);

/* Start to read the packets of a capture, after the survey. */
csy_status host_begin(struct host *host, csy_error *error);

/* The next packet with a timestamp, valid until the next call; NULL at the end. */
csy_status host_next(struct host *host, bool salvage, const struct sighted **out, csy_error *error);

/* The direction of a packet, after the survey. */
enum capture_way host_way(const struct host *host, const struct sighted *packet);

/* The aligned time of a packet: between those of the knots around it.  Numbers ascend. */
int64_t host_align(struct host *host, uint64_t number, int64_t time_ns);

/* Make copies for another reading.  They use the survey of the originals, and have no samples. */
csy_status hosts_fork(const struct hosts *hosts, unsigned workers, struct hosts *out,
                      csy_error *error);

void hosts_fini(struct hosts *hosts);

#endif
