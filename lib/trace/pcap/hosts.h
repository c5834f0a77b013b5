/*
 * Surveys captures: finds which packets each host sent, and roughly how the clocks of the hosts
 * relate.  The rough relation only guides the search for packets that two hosts captured.  The
 * directions are essential: they decide which end of a message is the send.
 *
 * A survey reads each capture once.  It writes the data of packets that the search needs to a
 * temporary file, so that the captures are not read again.  It also keeps a sample of each capture:
 * the packets with the smallest keys (packet.h).  Two hosts that captured the same packets keep
 * nearly the same samples, however far apart their clocks are.
 *
 * A direction comes from the capture (the packet type of `-i any`, or flags of pcapng), from the
 * address of the interface (pcapng), or from the addresses: a host captures its own packets, so
 * nearly all of them are from or to its address.  If this is true for two addresses, one belongs to
 * the host and the other to its neighbour.  Let f and g be the times of one packet by the clocks of
 * two hosts:
 *
 *      g - f  is  the offset of the clocks + the delay, if the packet goes from f's host to g's,
 *             and the offset of the clocks - the delay, if it goes back.
 *
 * The host of f therefore sent the packets in the direction with the greater g - f.  The first of
 * successive packets in one direction is compared with the two nearest packets in the other
 * direction, one before and one after it, because the clocks may have different rates.  Each
 * comparison is a vote for one of the addresses.
 * Hosts do not vote if their sent and received packets have timestamps of two clocks, because the
 * offset of these clocks may be greater than the delays.
 */
#ifndef TRACE_PCAP_HOSTS_H
#define TRACE_PCAP_HOSTS_H

#include "trace/pcap/packet.h"
#include "trace/pcap/spool.h"

struct csy_trace;

enum { PORT_ENDS = 32 };

/* An interface of a capture, and the addresses that its packets have. */
struct port {
    struct {
        struct packet_end end;
        uint64_t packets, sent, sent_unique; /* numbers of packets: from or to `end`; sent with a
                                              * key; sent with a unique key */
    } ends[PORT_ENDS];                       /* addresses; multicast packets are not counted */
    size_t nends;
    uint64_t packets; /* number of packets without a stated direction */
    unsigned own[2];  /* indexes in `ends` of one or two addresses; one is the host's */
    unsigned nown;    /* length of `own`; if it is 1, own[0] is the host's address */
    uint64_t votes[2];
};

/* The data of a packet that pcap.c needs to find it at another host. */
struct sighted {
    int64_t time_ns;
    uint64_t key;
    uint64_t place : 56, hops : 8; /* hops: as in struct packet */
    uint32_t flow;                 /* hash of the addresses and ports, as in struct packet */
    uint16_t port;
    uint8_t from; /* index of the sender in port.ends, or PORT_ENDS if unknown */
    uint8_t way : 2, keyed : 1, unique : 1, many : 1, translates : 1;
};

_Static_assert(sizeof(struct sighted) == 32, "the temporary file has 32 bytes for each packet");

/* A packet in the sample of a capture. */
struct sampled {
    struct packet_key key;
    int64_t time_ns;
    uint64_t number; /* number of the packet in the capture */
    uint16_t port;
    uint8_t from; /* index of the sender in port.ends, or PORT_ENDS if unknown */
    bool stated;  /* true if the capture states the direction */
    bool unique;  /* true if the sender's next packets have other keys (struct packet) */
};

/* A packet with its time by the host's clock, and its rough time by a clock common to all hosts
 * (aligned_ns). Knots are sorted by packet number, because the host's clock may have been set. */
struct align_knot {
    uint64_t number;
    int64_t time_ns, aligned_ns;
};

/* Changes in a capture: all from received to sent packets, or all from sent to received packets. */
struct turns {
    uint64_t count, back; /* back: number of changes where the time decreases */
};

struct host {
    const struct csy_trace *trace; /* the file of the capture */
    char *name;
    struct bytes *bytes;
    struct capture capture;
    struct port *ports; /* addresses at each interface */
    size_t nports, ports_capacity;
    struct sampled *sample;
    size_t nsampled;
    uint64_t sample_below; /* the sample has all packets with key.high below sample_below */
    int64_t first_ns, last_ns;
    unsigned decimals; /* least result of capture_decimals for an interface with packets */
    uint64_t packets, cut, drops;
    bool is_cut; /* true if the file ends within a block */
    csy_cut cut_at;
    const struct spool *spool; /* temporary file with the packets of all hosts */
    uint64_t spool_first;      /* number of the host's first packet in the temporary file */
    struct spool_reader reader;
    struct sighted captured;    /* the last packet; used only without a temporary file */
    size_t read_bytes;          /* size of the reader's buffer */
    uint64_t next;              /* number of the packet that host_next returns */
    uint64_t sent, sent_unique; /* number of sent packets; number of unique ones */
    bool unique;                /* true if packets without unique keys are not matched */
    struct turns to_in, to_out;
    bool two_clocks; /* true if received and sent packets have timestamps of different clocks */
    struct align_knot *knots;
    size_t nknots, knot;
    bool aligned;
    bool is_fork; /* true for a copy by hosts_fork, which owns only the stream and the interfaces */
};

struct hosts {
    struct host *items;
    size_t count;
    struct spool spool; /* packets of all hosts as struct sighted, one host after the other */
};

/* An empty list of hosts, which may be passed to hosts_fini. */
#define HOSTS_NONE ((struct hosts){.spool = {.fd = -1}})

/* Read all captures once. Find the directions of packets, and roughly how the clocks relate. */
csy_status hosts_survey(struct hosts *hosts, bool salvage, csy_error *error);

/* Start to read the blocks of a capture from the first one. */
void host_rewind(struct host *host);

/* Start to read the packets of a capture, after hosts_survey. */
csy_status host_begin(struct host *host, csy_error *error);

/* Read the next packet of a capture again, because there is no temporary file. *out stays NULL at
 * the end. For host_next, which is the only caller of both functions. */
csy_status host_read_again(struct host *host, bool salvage, const void **out, csy_error *error);
csy_status host_refuse_cut(const struct host *host, csy_error *error);

/* Read the next packet with a timestamp. *out is valid until the next call, and NULL at the end. */
static inline csy_status host_next(struct host *host, bool salvage, const struct sighted **out,
                                   csy_error *error)
{
    const void *found = NULL;
    csy_status status = host->spool->fd >= 0 ? spool_next(&host->reader, &found, error)
                                             : host_read_again(host, salvage, &found, error);
    if (!status && !found && host->is_cut && !salvage)
        status = host_refuse_cut(host, error);
    *out = found;
    host->next += found != NULL;
    return status;
}

/* Returns the direction of a packet, after hosts_survey. */
enum capture_way host_way(const struct host *host, const struct sighted *packet);

/* Convert the time of a packet to the clock that is common to all hosts, roughly. Calls must be in
 * the order of packet numbers. */
int64_t host_align(struct host *host, uint64_t number, int64_t time_ns);

/* Copy the hosts, so that captures can be read again. Copies share the results of hosts_survey. */
csy_status hosts_fork(const struct hosts *hosts, unsigned workers, struct hosts *out,
                      csy_error *error);

void hosts_fini(struct hosts *hosts);

#endif
