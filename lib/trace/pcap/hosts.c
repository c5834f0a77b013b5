/* The survey of several captures. */
#include "trace/pcap/hosts.h"

#include "base/array.h"
#include "base/error.h"
#include "trace/trace.h"

#include <stdlib.h>
#include <string.h>

enum {
    SAMPLE_KEYS = 1 << 14,
    SAMPLE_ROOM = 2 * SAMPLE_KEYS,
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

csy_status host_next(struct host *host, bool salvage, struct capture_block *block,
                     struct packet *packet, bool *more, csy_error *error)
{
    for (;;) {
        csy_status status = capture_next(&host->capture, block, more, salvage, error);
        if (status || !*more)
            return status;
        if (block->kind != CAPTURE_PACKET)
            continue;
        packet_read(host->capture.interfaces[block->interface].link, block->packet, block->captured,
                    packet);
        if (block->way == CAPTURE_WAY_UNKNOWN)
            block->way = packet->way;
        return CSY_OK;
    }
}

static bool same_end(const struct packet_end *a, const struct packet_end *b)
{
    return memcmp(a, b, sizeof *a) == 0;
}

enum capture_way host_way(const struct host *host, const struct capture_block *block,
                          const struct packet *packet)
{
    const struct port *port = &host->ports[block->interface];
    if (block->way != CAPTURE_WAY_UNKNOWN || port->nown != 1)
        return block->way;
    return same_end(&packet->from, &port->own[0]) ? CAPTURE_WAY_OUT : CAPTURE_WAY_IN;
}

int64_t host_align(struct host *host, uint64_t number, int64_t time_ns)
{
    while (host->knot + 1 < host->nknots && host->knots[host->knot + 1].number <= number)
        host->knot++;
    const struct align_knot *knot = &host->knots[host->knot];
    bool after = number >= knot->number, last = host->knot + 1 == host->nknots;
    int64_t aligned = time_ns + (knot->aligned_ns - knot->time_ns);
    /* Limit the extrapolation, in case the clock was set between the packet and a knot. */
    if (after && aligned < knot->aligned_ns)
        aligned = knot->aligned_ns;
    if (!after && aligned > knot->aligned_ns)
        aligned = knot->aligned_ns;
    if (after && !last && aligned > knot[1].aligned_ns)
        aligned = knot[1].aligned_ns;
    return aligned;
}

/* --- The survey of one capture --------------------------------------------------------------- */

/* Count a packet of an end; sent: the end sent it. */
static void count_end(struct port *port, const struct packet_end *end, const struct packet *packet,
                      bool sent)
{
    size_t i = 0;
    while (i < port->nends && !same_end(&port->ends[i].end, end))
        i++;
    if (i == PORT_ENDS)
        return;
    if (i == port->nends) {
        memset(&port->ends[i], 0, sizeof port->ends[i]);
        port->ends[i].end = *end;
        port->nends++;
    }
    port->ends[i].packets++;
    port->ends[i].sent += sent && packet->keyed;
    port->ends[i].sent_unique += sent && packet->keyed && packet->unique;
}

static int by_key(const void *a, const void *b)
{
    const struct sampled *x = a, *y = b;
    if (x->key.high != y->key.high)
        return x->key.high < y->key.high ? -1 : 1;
    if (x->key.low != y->key.low)
        return x->key.low < y->key.low ? -1 : 1;
    return x->time_ns < y->time_ns ? -1 : x->time_ns > y->time_ns;
}

static void shrink_sample(struct host *host)
{
    qsort(host->sample, host->nsampled, sizeof *host->sample, by_key);
    if (host->nsampled < SAMPLE_KEYS)
        return;
    host->nsampled = SAMPLE_KEYS;
    host->sample_below = host->sample[SAMPLE_KEYS - 1].key.high;
}

/* The last packet of an interface that has a stated direction or known ends. */
struct last {
    enum capture_way way;
    struct packet_end from;
    int64_t time_ns;
    bool any;
};

/* Count turns.  A direction that is not stated is found later.  Until then, `from` of the first
 * packet stands for one of the two directions. */
static void count_turn(struct host *host, struct last *last, const struct capture_block *block,
                       const struct packet *packet, struct packet_end *first, bool *any_first)
{
    if (block->way == CAPTURE_WAY_UNKNOWN && packet->many)
        return;
    if (!*any_first) {
        *first = packet->from;
        *any_first = true;
    }
    bool out = block->way != CAPTURE_WAY_UNKNOWN ? block->way == CAPTURE_WAY_OUT
                                                 : same_end(&packet->from, first);
    enum capture_way way = out ? CAPTURE_WAY_OUT : CAPTURE_WAY_IN;
    if (last->any && last->way != way) {
        struct turns *turns = out ? &host->to_out : &host->to_in;
        turns->count++;
        turns->back += block->time_ns < last->time_ns;
    }
    *last = (struct last){.way = way, .time_ns = block->time_ns, .any = true};
}

static void take_sample(struct host *host, const struct capture_block *block,
                        const struct packet *packet)
{
    if (packet->key.high >= host->sample_below)
        return;
    if (host->nsampled == SAMPLE_ROOM)
        shrink_sample(host);
    host->sample[host->nsampled++] = (struct sampled){.key = packet->key,
                                                      .time_ns = block->time_ns,
                                                      .number = host->packets - 1,
                                                      .from = packet->from,
                                                      .port = (uint32_t)block->interface,
                                                      .stated = block->way != CAPTURE_WAY_UNKNOWN,
                                                      .unique = packet->unique};
}

static csy_status survey_ports(struct host *host, csy_error *error)
{
    size_t n = host->capture.ninterfaces;
    if (n <= host->nports)
        return CSY_OK;
    if (!ARRAY_RESERVE(host->ports, host->ports_capacity, n))
        return error_memory(error);
    memset(host->ports + host->nports, 0, (n - host->nports) * sizeof *host->ports);
    host->nports = n;
    return CSY_OK;
}

static csy_status survey_host(struct host *host, bool salvage, csy_error *error)
{
    struct capture_block block;
    struct packet packet;
    struct last last = {.any = false};
    struct packet_end first;
    bool more = true, any_first = false;
    host_rewind(host);
    host->sample = malloc(SAMPLE_ROOM * sizeof *host->sample);
    host->sample_below = UINT64_MAX;
    csy_status status = host->sample ? CSY_OK : error_memory(error);
    while (!status) {
        status = host_next(host, salvage, &block, &packet, &more, error);
        if (!status)
            status = survey_ports(host, error);
        if (status || !more)
            break;
        struct port *port = &host->ports[block.interface];
        if (host->packets++ == 0)
            host->first_ns = host->last_ns = block.time_ns;
        host->first_ns = block.time_ns < host->first_ns ? block.time_ns : host->first_ns;
        host->last_ns = block.time_ns > host->last_ns ? block.time_ns : host->last_ns;
        host->cut += packet.cut;
        host->sent += block.way == CAPTURE_WAY_OUT && packet.keyed;
        host->sent_unique += block.way == CAPTURE_WAY_OUT && packet.keyed && packet.unique;
        if (block.way == CAPTURE_WAY_UNKNOWN && !packet.many) {
            port->packets++;
            count_end(port, &packet.from, &packet, true);
            count_end(port, &packet.to, &packet, false);
        }
        count_turn(host, &last, &block, &packet, &first, &any_first);
        if (packet.keyed && !packet.many)
            take_sample(host, &block, &packet);
    }
    if (!status)
        shrink_sample(host);
    for (size_t i = 0; i < host->capture.ninterfaces; i++)
        host->drops += host->capture.interfaces[i].drops;
    host->two_clocks =
        host->to_in.count >= TURNS_LEAST && host->to_out.count >= TURNS_LEAST &&
        (2 * host->to_in.back > host->to_in.count || 2 * host->to_out.back > host->to_out.count);
    return status;
}

/* Choose the addresses that send or receive nearly all packets: the host has one of them. */
static void find_own(struct host *host)
{
    for (size_t p = 0; p < host->nports; p++) {
        struct port *port = &host->ports[p];
        const struct capture_interface *interface = &host->capture.interfaces[p];
        port->nown = 0;
        if (interface->has_mac && interface->link == 1) {
            memcpy(port->own[port->nown++].bytes, interface->mac, sizeof interface->mac);
            continue;
        }
        for (size_t i = 0; i < port->nends && port->nown < 2; i++)
            if (10 * port->ends[i].packets >= 9 * port->packets)
                port->own[port->nown++] = port->ends[i].end;
    }
}

/* --- Two captures ---------------------------------------------------------------------------- */

/* A packet that is in the samples of two captures. */
struct met {
    const struct sampled *f, *g;
};

static int by_time(const void *a, const void *b)
{
    const struct met *x = a, *y = b;
    return x->f->time_ns < y->f->time_ns ? -1 : x->f->time_ns > y->f->time_ns;
}

/* The end of the run of equal keys that begins at i. */
static size_t run_end(const struct host *host, size_t i)
{
    size_t end = i + 1;
    while (end < host->nsampled &&
           memcmp(&host->sample[end].key, &host->sample[i].key, sizeof host->sample[i].key) == 0)
        end++;
    return end;
}

/* Find the keys that occur exactly once in each of both samples, sorted by the time of f.  Returns
 * their number. */
static size_t meet(const struct host *f, const struct host *g, struct met *out)
{
    size_t n = 0, i = 0, j = 0;
    while (i < f->nsampled && j < g->nsampled) {
        const struct sampled *x = &f->sample[i], *y = &g->sample[j];
        size_t i_end = run_end(f, i), j_end = run_end(g, j);
        bool less =
            x->key.high < y->key.high || (x->key.high == y->key.high && x->key.low < y->key.low);
        bool same = x->key.high == y->key.high && x->key.low == y->key.low;
        if (same && i_end == i + 1 && j_end == j + 1)
            out[n++] = (struct met){x, y};
        i = same || less ? i_end : i;
        j = same || !less ? j_end : j;
    }
    /* Remove packets that may be copies of others, if enough packets remain. */
    size_t unique = 0, kept = 0;
    for (size_t k = 0; k < n; k++)
        unique += out[k].f->unique;
    for (size_t k = 0; k < n; k++)
        if (unique < UNIQUE_LEAST || out[k].f->unique)
            out[kept++] = out[k];
    qsort(out, kept, sizeof *out, by_time);
    return kept;
}

/* Vote for one of the two addresses of each port of f, as described in the header. */
static void vote(struct host *f, const struct met *met, size_t n)
{
    for (size_t i = 1; i + 1 < n; i++) {
        const struct sampled *own = met[i].f;
        struct port *port = &f->ports[own->port];
        if (own->stated || port->nown != 2 || met[i - 1].f->port != own->port ||
            met[i + 1].f->port != own->port)
            continue;
        bool first = same_end(&own->from, &port->own[0]);
        const struct sampled *around[] = {met[i - 1].f, met[i + 1].f};
        if (same_end(&around[0]->from, &port->own[0]) == first ||
            same_end(&around[1]->from, &port->own[0]) == first)
            continue;
        int64_t before = met[i - 1].g->time_ns - around[0]->time_ns;
        int64_t after = met[i + 1].g->time_ns - around[1]->time_ns;
        int64_t span = around[1]->time_ns - around[0]->time_ns;
        int64_t part = own->time_ns - around[0]->time_ns;
        int128 back = before;
        if (span > 0)
            back += (int128)(after - before) * part / span;
        int128 difference = met[i].g->time_ns - own->time_ns - back;
        if (difference != 0)
            port->votes[(difference > 0) == first ? 0 : 1]++;
    }
}

/* Count the votes, choose addresses by them, and count the packets of these addresses. */
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
        for (size_t i = 0; i < port->nends && port->nown == 1; i++)
            if (same_end(&port->ends[i].end, &port->own[0])) {
                sent += port->ends[i].sent;
                unique += port->ends[i].sent_unique;
            }
    }
    host->unique = unique > 0 && UNIQUE_SHARE * unique >= sent;
}

static int by_number(const void *a, const void *b)
{
    const struct met *x = a, *y = b;
    return (x->g->number > y->g->number) - (x->g->number < y->g->number);
}

/* Align host g with host f, which is aligned already. */
static csy_status align(struct host *f, struct host *g, struct met *met, size_t n, csy_error *error)
{
    size_t step = n / KNOTS_MAX + 1;
    g->knots = malloc((n / step + 1) * sizeof *g->knots);
    if (!g->knots)
        return error_memory(error);
    qsort(met, n, sizeof *met, by_number);
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

/* Align the hosts one by one.  The next host is the one that shares most packets with an aligned
 * host.  shared: how many packets each two hosts share. */
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
    for (size_t i = 0; i < n && !status; i++) {
        status = survey_host(&hosts->items[i], salvage, error);
        if (!status)
            find_own(&hosts->items[i]);
    }
    for (size_t i = 0; i < n && !status; i++) {
        for (size_t j = 0; j < n; j++)
            if (i != j) {
                shared[i * n + j] = meet(&hosts->items[i], &hosts->items[j], met);
                vote(&hosts->items[i], met, shared[i * n + j]);
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
    out->items = malloc(hosts->count * sizeof *out->items);
    if (!out->items)
        return error_memory(error);
    out->count = 0;
    for (size_t i = 0; i < hosts->count && !status; i++) {
        struct host *host = &out->items[out->count++];
        const struct csy_trace *file = hosts->items[i].trace;
        *host = hosts->items[i];
        host->is_fork = true;
        host->capture = (struct capture){0};
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
        bytes_free(host->bytes);
        if (host->is_fork)
            continue;
        free(host->name);
        free(host->ports);
        free(host->sample);
        free(host->knots);
    }
    free(hosts->items);
    *hosts = (struct hosts){0};
}
