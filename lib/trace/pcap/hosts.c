/* Finds the directions of packets, and how the clocks of hosts relate. See hosts.h. */
#include "trace/pcap/hosts.h"

#include "base/array.h"
#include "base/error.h"
#include "base/sort.h"
#include "trace/cut.h"
#include "trace/trace.h"

#include <stdlib.h>
#include <string.h>

enum {
    SAMPLE_ROOM = 3 << 13,
    READ_BYTES = 1 << 17, /* total size of all read buffers, which fit into the processor's cache */
    READ_BYTES_LEAST = 1 << 12,
    LINK_ETHERNET = 1,
    KNOTS_MAX = 1 << 10,
    VOTES_LEAST = 4,
    TURNS_LEAST = 16,
    UNIQUE_SHARE = 16,
    UNIQUE_LEAST = 8
};

/* --- Reading --------------------------------------------------------------------------------- */

void host_rewind(struct host *host)
{
    bytes_rewind(host->bytes);
    capture_start(&host->capture, host->bytes, host->trace->name);
    host->knot = 0;
}

/* Read the next packet of a capture. block->way becomes its direction, if the capture or a MAC
 * address shows the direction. */
static csy_status read_packet(struct host *host, bool salvage, struct capture_block *block,
                              struct packet *packet, bool *more, csy_error *error)
{
    for (;;) {
        csy_status status = capture_next(&host->capture, block, more, salvage, error);
        if (status || !*more)
            return status;
        if (block->kind != CAPTURE_PACKET)
            continue;
        const struct capture_interface *interface = &host->capture.interfaces[block->interface];
        packet_read(interface->link, block->packet, block->captured, packet);
        if (block->way == CAPTURE_WAY_UNKNOWN)
            block->way = packet->way;
        if (block->way == CAPTURE_WAY_UNKNOWN && interface->has_mac &&
            interface->link == LINK_ETHERNET)
            block->way = memcmp(packet->from.bytes, interface->mac, sizeof interface->mac) == 0
                             ? CAPTURE_WAY_OUT
                             : CAPTURE_WAY_IN;
        return CSY_OK;
    }
}

/* Returns the index of an address in port->ends. A new address is added if the port has fewer than
 * `room` addresses; otherwise, the result is PORT_ENDS. */
static unsigned find_end(struct port *port, const struct packet_end *end, size_t room)
{
    size_t i = 0;
    while (i < port->nends && memcmp(&port->ends[i].end, end, sizeof *end) != 0)
        i++;
    if (i == port->nends && i >= room)
        return PORT_ENDS;
    if (i == port->nends) {
        memset(&port->ends[i], 0, sizeof port->ends[i]);
        port->ends[i].end = *end;
        port->nends++;
    }
    return (unsigned)i;
}

static struct sighted sighted_of(const struct capture_block *block, const struct packet *packet,
                                 unsigned from)
{
    return (struct sighted){.time_ns = block->time_ns,
                            .place = block->place & (((uint64_t)1 << 56) - 1),
                            .key = packet->key.low,
                            .hops = packet->hops,
                            .flow = packet->flow,
                            .port = (uint16_t)block->interface,
                            .from = (uint8_t)from,
                            .way = (uint8_t)(block->way & 3),
                            .keyed = packet->keyed,
                            .unique = packet->unique,
                            .many = packet->many,
                            .translates = packet->translates};
}

csy_status host_begin(struct host *host, csy_error *error)
{
    host->knot = 0;
    host->next = 0;
    if (host->spool->fd < 0) {
        host_rewind(host);
        return CSY_OK;
    }
    return spool_read(host->spool, host->spool_first, host->spool_first + host->packets,
                      host->read_bytes, &host->reader, error);
}

csy_status host_read_again(struct host *host, bool salvage, const void **out, csy_error *error)
{
    struct capture_block block;
    struct packet packet;
    bool more;
    csy_status status = read_packet(host, salvage, &block, &packet, &more, error);
    if (status || !more)
        return status;
    if (block.interface >= host->nports)
        return error_set(error, CSY_IO, "%s: the file was changed while it was read",
                         host->trace->name);
    unsigned from = find_end(&host->ports[block.interface], &packet.from, 0);
    host->captured = sighted_of(&block, &packet, from);
    *out = &host->captured;
    return CSY_OK;
}

csy_status host_refuse_cut(const struct host *host, csy_error *error)
{
    return cut_refuse(&host->cut_at, "packet", true, error);
}

enum capture_way host_way(const struct host *host, const struct sighted *packet)
{
    const struct port *port = &host->ports[packet->port];
    if (packet->way != CAPTURE_WAY_UNKNOWN || port->nown != 1)
        return (enum capture_way)packet->way;
    if (packet->many && packet->from == PORT_ENDS) /* sender unknown: perhaps the host itself */
        return CAPTURE_WAY_UNKNOWN;
    return packet->from == port->own[0] ? CAPTURE_WAY_OUT : CAPTURE_WAY_IN;
}

int64_t host_align(struct host *host, uint64_t number, int64_t time_ns)
{
    while (host->knot + 1 < host->nknots && host->knots[host->knot + 1].number <= number)
        host->knot++;
    const struct align_knot *knot = &host->knots[host->knot];
    bool after = number >= knot->number, last = host->knot + 1 == host->nknots;
    int64_t aligned = time_ns + (knot->aligned_ns - knot->time_ns);
    /* A knot is a known point of the clock's curve. If the clock was set between two knots, the
     * offset of the nearer knot gives wrong times, so keep the result between the knots. */
    if (after ? aligned < knot->aligned_ns : aligned > knot->aligned_ns)
        aligned = knot->aligned_ns;
    if (after && !last && aligned > knot[1].aligned_ns)
        aligned = knot[1].aligned_ns;
    return aligned;
}

/* --- The survey of one capture --------------------------------------------------------------- */

/* Count the addresses of a packet if the capture does not state its direction. Returns the index of
 * the sender in port->ends, or PORT_ENDS if there is no room. Senders of multicast packets may use
 * only half of the array. */
static unsigned count_ends(struct port *port, const struct packet *packet)
{
    unsigned from = find_end(port, &packet->from, packet->many ? PORT_ENDS / 2 : PORT_ENDS);
    if (packet->many)
        return from;
    unsigned to = find_end(port, &packet->to, PORT_ENDS);
    port->packets++;
    if (to != PORT_ENDS)
        port->ends[to].packets++;
    if (from != PORT_ENDS) {
        port->ends[from].packets++;
        port->ends[from].sent += packet->keyed;
        port->ends[from].sent_unique += packet->keyed && packet->unique;
    }
    return from;
}

static int compare_keys(const struct packet_key *a, const struct packet_key *b)
{
    return COMPARE_THEN(a->high, b->high, COMPARE(a->low, b->low));
}

static int by_key(const void *a, const void *b)
{
    const struct sampled *x = a, *y = b;
    int order = compare_keys(&x->key, &y->key);
    return order != 0 ? order : COMPARE(x->time_ns, y->time_ns);
}

/* For count_turn: direction and time of the last packet, and sender of the first packet. */
struct last {
    enum capture_way way;
    struct packet_end first;
    int64_t time_ns;
    bool any;
};

/* Count a change between sent and received packets since the last packet. If the capture states no
 * directions, packets from the sender of the first packet count as sent, all others as received. */
static void count_turn(struct host *host, struct last *last, const struct capture_block *block,
                       const struct packet *packet)
{
    if (block->way == CAPTURE_WAY_UNKNOWN && packet->many)
        return;
    if (!last->any)
        last->first = packet->from;
    bool out = block->way != CAPTURE_WAY_UNKNOWN
                   ? block->way == CAPTURE_WAY_OUT
                   : memcmp(&packet->from, &last->first, sizeof last->first) == 0;
    enum capture_way way = out ? CAPTURE_WAY_OUT : CAPTURE_WAY_IN;
    if (last->any && last->way != way) {
        struct turns *turns = out ? &host->to_out : &host->to_in;
        turns->count++;
        turns->back += block->time_ns < last->time_ns;
    }
    last->way = way;
    last->time_ns = block->time_ns;
    last->any = true;
}

static void take_sample(struct host *host, const struct capture_block *block,
                        const struct packet *packet, unsigned from)
{
    if (packet->key.high >= host->sample_below)
        return;
    bool full = host->nsampled == SAMPLE_ROOM;
    /* if the sample is full, keep only the packets with keys in the lower half of the range */
    while (full && host->nsampled > SAMPLE_ROOM * 3 / 4) {
        size_t kept = 0;
        host->sample_below /= 2;
        for (size_t i = 0; i < host->nsampled; i++)
            if (host->sample[i].key.high < host->sample_below)
                host->sample[kept++] = host->sample[i];
        host->nsampled = kept;
    }
    host->sample[host->nsampled++] = (struct sampled){.key = packet->key,
                                                      .time_ns = block->time_ns,
                                                      .number = host->packets - 1,
                                                      .port = (uint16_t)block->interface,
                                                      .from = (uint8_t)from,
                                                      .stated = block->way != CAPTURE_WAY_UNKNOWN,
                                                      .unique = packet->unique};
}

static csy_status survey_host(struct hosts *hosts, struct host *host, bool salvage,
                              csy_error *error)
{
    struct capture_block block;
    struct packet packet;
    struct last last = {.any = false};
    bool more = true;
    host_rewind(host);
    host->spool = &hosts->spool;
    host->spool_first = hosts->spool.count;
    host->sample = malloc(SAMPLE_ROOM * sizeof *host->sample);
    host->sample_below = UINT64_MAX;
    csy_status status = host->sample ? CSY_OK : error_memory(error);
    while (!status) {
        status = read_packet(host, salvage, &block, &packet, &more, error);
        size_t nports = host->capture.ninterfaces;
        if (!status && nports > host->nports) {
            if (!ARRAY_RESERVE(host->ports, host->ports_capacity, nports))
                return error_memory(error);
            memset(host->ports + host->nports, 0, (nports - host->nports) * sizeof *host->ports);
            host->nports = nports;
        }
        if (status || !more)
            break;
        if (host->packets++ == 0)
            host->first_ns = host->last_ns = block.time_ns;
        host->first_ns = block.time_ns < host->first_ns ? block.time_ns : host->first_ns;
        host->last_ns = block.time_ns > host->last_ns ? block.time_ns : host->last_ns;
        unsigned decimals = capture_decimals(&host->capture.interfaces[block.interface]);
        if (host->packets == 1 || decimals < host->decimals)
            host->decimals = decimals;
        host->cut += packet.cut;
        host->sent += block.way == CAPTURE_WAY_OUT && packet.keyed;
        host->sent_unique += block.way == CAPTURE_WAY_OUT && packet.keyed && packet.unique;
        unsigned from = block.way == CAPTURE_WAY_UNKNOWN
                            ? count_ends(&host->ports[block.interface], &packet)
                            : PORT_ENDS;
        count_turn(host, &last, &block, &packet);
        if (packet.keyed && !packet.many)
            take_sample(host, &block, &packet, from);
        *(struct sighted *)spool_add(&hosts->spool) = sighted_of(&block, &packet, from);
    }
    if (!status)
        SORT(host->sample, host->nsampled, by_key);
    for (size_t i = 0; i < host->capture.ninterfaces && i < host->nports; i++)
        host->drops += host->capture.interfaces[i].drops;
    host->is_cut = host->capture.is_cut;
    host->cut_at = host->capture.cut;
    host->two_clocks =
        host->to_in.count >= TURNS_LEAST && host->to_out.count >= TURNS_LEAST &&
        (2 * host->to_in.back > host->to_in.count || 2 * host->to_out.back > host->to_out.count);
    /* Choose up to two addresses that have 90 % of the packets: the host's and a neighbour's. */
    for (size_t p = 0; p < host->nports; p++) {
        struct port *port = &host->ports[p];
        for (unsigned i = 0; i < port->nends && port->nown < 2; i++)
            if (10 * port->ends[i].packets >= 9 * port->packets && port->packets > 0)
                port->own[port->nown++] = i;
    }
    return status;
}

/* --- Two captures ---------------------------------------------------------------------------- */

/* A packet that is in the samples (some packets of each capture) of two hosts, f and g. */
struct met {
    const struct sampled *f, *g;
};

static int by_time(const void *a, const void *b)
{
    const struct met *x = a, *y = b;
    return COMPARE(x->f->time_ns, y->f->time_ns);
}

/* Returns the index after the last packet with the key of packet i in the sorted sample. */
static size_t run_end(const struct host *host, size_t i)
{
    size_t end = i + 1;
    while (end < host->nsampled && compare_keys(&host->sample[end].key, &host->sample[i].key) == 0)
        end++;
    return end;
}

/* Find the packets with a key that occurs exactly once in both samples. Returns their number. */
static size_t meet(const struct host *f, const struct host *g, struct met *out)
{
    size_t n = 0, i = 0, j = 0;
    while (i < f->nsampled && j < g->nsampled) {
        const struct sampled *x = &f->sample[i], *y = &g->sample[j];
        size_t i_end = run_end(f, i), j_end = run_end(g, j);
        int order = compare_keys(&x->key, &y->key);
        if (order == 0 && i_end == i + 1 && j_end == j + 1)
            out[n++] = (struct met){x, y};
        i = order <= 0 ? i_end : i;
        j = order >= 0 ? j_end : j;
    }
    /* If enough packets have unique keys, remove all other packets, which may be copies. */
    size_t unique = 0, kept = 0;
    for (size_t k = 0; k < n; k++)
        unique += out[k].f->unique;
    for (size_t k = 0; k < n; k++)
        if (unique < UNIQUE_LEAST || out[k].f->unique)
            out[kept++] = out[k];
    return kept;
}

/* Count a vote for one of the two possible addresses of a port (see hosts.h). `before` and `after`
 * were sent by one of the two, and `own` by the other one: the first address if `first` is true. */
static void vote(struct port *port, const struct met *before, const struct met *own,
                 const struct met *after, bool first)
{
    int64_t apart = before->g->time_ns - before->f->time_ns;
    int64_t later = after->g->time_ns - after->f->time_ns;
    int64_t span = after->f->time_ns - before->f->time_ns;
    int64_t part = own->f->time_ns - before->f->time_ns;
    int128 back = apart;
    if (span > 0)
        back += (int128)(later - apart) * part / span;
    int128 difference = own->g->time_ns - own->f->time_ns - back;
    if (difference != 0)
        port->votes[(difference > 0) == first ? 0 : 1]++;
}

/* For the packets in `met`, count votes at the ports of host f that have two possible addresses.
 * Successive packets in one direction have one vote. No packet votes if f or g has two clocks,
 * because its times cannot be compared. */
static void vote_all(struct host *f, const struct host *g, struct met *met, size_t n)
{
    bool sorted = false;
    for (size_t p = 0; p < f->nports && !f->two_clocks && !g->two_clocks; p++) {
        struct port *port = &f->ports[p];
        const struct met *before = NULL, *own = NULL, *last = NULL;
        bool first = false;
        if (port->nown != 2)
            continue;
        if (!sorted)
            SORT(met, n, by_time);
        sorted = true;
        for (size_t i = 0; i < n; i++) {
            const struct sampled *packet = met[i].f;
            bool is_first = packet->from == port->own[0];
            if (packet->port != p || packet->stated || (!is_first && packet->from != port->own[1]))
                continue;
            if (!own || is_first != first) {
                if (before)
                    vote(port, before, own, &met[i], first);
                before = last;
                own = &met[i];
                first = is_first;
            }
            last = &met[i];
        }
    }
}

/* Choose the host's address at each port by port.votes, and count the packets that it sent. */
static void count_votes(struct host *host)
{
    uint64_t sent = host->sent, unique = host->sent_unique;
    for (size_t p = 0; p < host->nports; p++) {
        struct port *port = &host->ports[p];
        uint64_t all = port->votes[0] + port->votes[1];
        for (unsigned k = 0; k < 2 && port->nown == 2; k++)
            if (all >= VOTES_LEAST && 10 * port->votes[k] >= 9 * all) {
                port->own[0] = port->own[k];
                port->nown = 1;
            }
        if (port->nown == 1) {
            sent += port->ends[port->own[0]].sent;
            unique += port->ends[port->own[0]].sent_unique;
        }
    }
    host->unique = unique > 0 && UNIQUE_SHARE * unique >= sent;
}

static int by_number(const void *a, const void *b)
{
    const struct met *x = a, *y = b;
    return COMPARE(x->g->number, y->g->number);
}

/* Find the offset of host g's clock from the clock common to all hosts. It comes from n packets
 * that both f and g captured. The offset of host f's clock must already be known. */
static csy_status align(struct host *f, struct host *g, struct met *met, size_t n, csy_error *error)
{
    size_t step = n / KNOTS_MAX + 1;
    g->knots = malloc((n / step + 1) * sizeof *g->knots);
    if (!g->knots)
        return error_memory(error);
    SORT(met, n, by_number);
    for (size_t i = 0; i < n; i += step) {
        const struct sampled *own = met[i].g;
        f->knot = 0;
        int64_t aligned = host_align(f, met[i].f->number, met[i].f->time_ns);
        g->knots[g->nknots++] = (struct align_knot){own->number, own->time_ns, aligned};
    }
    g->aligned = true;
    return CSY_OK;
}

static csy_status align_by_start(const struct host *base, struct host *host, csy_error *error)
{
    host->knots = malloc(sizeof *host->knots);
    if (!host->knots)
        return error_memory(error);
    host->knots[0] = (struct align_knot){0, host->first_ns, base->first_ns};
    host->nknots = 1;
    host->aligned = true;
    return CSY_OK;
}

/* Call `align` for all hosts. The next host always has the most packets in common with a host done
 * before. shared[f * n + g] is the number of common packets of hosts f and g. */
static csy_status align_all(struct hosts *hosts, const size_t *shared, struct met *met,
                            csy_error *error)
{
    const size_t n = hosts->count;
    csy_status status = align_by_start(&hosts->items[0], &hosts->items[0], error);
    for (size_t k = 1; k < n && !status; k++) {
        size_t best = SIZE_MAX;
        for (size_t i = 0; i < n * n; i++)
            if (hosts->items[i / n].aligned && !hosts->items[i % n].aligned &&
                (best == SIZE_MAX || shared[i] > shared[best]))
                best = i;
        struct host *f = &hosts->items[best / n], *g = &hosts->items[best % n];
        size_t nmet = meet(f, g, met);
        status =
            nmet > 0 ? align(f, g, met, nmet, error) : align_by_start(&hosts->items[0], g, error);
    }
    return status;
}

csy_status hosts_survey(struct hosts *hosts, bool salvage, csy_error *error)
{
    csy_status status = CSY_OK;
    const size_t n = hosts->count;
    struct met *met = malloc(SAMPLE_ROOM * sizeof *met);
    size_t *shared = calloc(n * n + 1, sizeof *shared);
    if (!met || !shared)
        status = error_memory(error);
    if (!status)
        status = spool_init(&hosts->spool, sizeof(struct sighted), error);
    for (size_t i = 0; i < n && !status; i++) {
        size_t bytes = READ_BYTES / n;
        hosts->items[i].read_bytes = bytes > READ_BYTES_LEAST ? bytes : READ_BYTES_LEAST;
        status = survey_host(hosts, &hosts->items[i], salvage, error);
    }
    if (!status)
        spool_flush(&hosts->spool);
    for (size_t i = 0; i < n && !status; i++) {
        for (size_t j = 0; j < n; j++)
            if (i != j) {
                shared[i * n + j] = meet(&hosts->items[i], &hosts->items[j], met);
                vote_all(&hosts->items[i], &hosts->items[j], met, shared[i * n + j]);
            }
        count_votes(&hosts->items[i]);
    }
    if (!status && n > 0)
        status = align_all(hosts, shared, met, error);
    free(shared);
    free(met);
    for (size_t i = 0; i < n; i++) {
        free(hosts->items[i].sample);
        hosts->items[i].sample = NULL;
        hosts->items[i].nsampled = 0;
    }
    return status;
}

csy_status hosts_fork(const struct hosts *hosts, unsigned workers, struct hosts *out,
                      csy_error *error)
{
    csy_status status = CSY_OK;
    *out = HOSTS_NONE;
    out->items = malloc(hosts->count * sizeof *out->items);
    if (!out->items)
        return error_memory(error);
    for (size_t i = 0; i < hosts->count && !status; i++) {
        struct host *host = &out->items[out->count++];
        const struct csy_trace *file = hosts->items[i].trace;
        *host = hosts->items[i];
        host->is_fork = true;
        host->capture = (struct capture){0};
        host->reader = (struct spool_reader){.spool = NULL};
        host->bytes = NULL;
        status = bytes_new(file->fd, file->name, file->record_start, file->gzip, workers,
                           &host->bytes, error);
    }
    return status;
}

void hosts_fini(struct hosts *hosts)
{
    for (size_t i = 0; i < hosts->count; i++) {
        struct host *host = &hosts->items[i];
        capture_fini(&host->capture);
        spool_reader_fini(&host->reader);
        bytes_free(host->bytes);
        if (host->is_fork)
            continue;
        free(host->name);
        free(host->ports);
        free(host->sample);
        free(host->knots);
    }
    free(hosts->items);
    spool_fini(&hosts->spool);
    *hosts = HOSTS_NONE;
}
