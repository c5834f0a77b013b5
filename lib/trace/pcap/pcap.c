/* Reads packet captures as a source of events (trace/source.h). */
#include "trace/pcap/pcap.h"

#include "base/array.h"
#include "base/error.h"
#include "io/path.h"
#include "trace/trace.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- The search for pairs --------------------------------------------------------------------- */

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
 *   forwarded by a host (sent and received by it,   a pair for each received copy, with a copy that
 *   or sent by several hosts)                       was certainly sent before
 *
 * Each router lowers the hop limit of a packet, so a copy with a greater hop limit is earlier. Of
 * copies with equal limits, only the copy of a host that did not also receive one is the first, and
 * only if no other host sent one. Copies without a hop limit or a unique key make no pair.
 *
 * A packet without an identification and without a TCP timestamp may be a copy of a packet that was
 * sent before the sender's capture began.  Such packets make no pair in the first 10 s of a
 * capture, if the capture lost packets, or if more copies arrived than were sent.  They make no
 * pair at all if a 16th of the packets that the host sent have an identification or a timestamp.
 *
 * A capture has a gap if it contains no packet for more than 1 s, and another host received packets
 * in that time that this host must have sent: at least two, half a second apart, with the addresses
 * and ports of an earlier pair.  After a gap, the capture is treated as if it had lost packets.
 *
 * Packets are returned in the order of their aligned times; packets of one host in the order of its
 * file.  Memory does not depend on the length of the captures.
 */

#define PAIRS_NONE UINT32_MAX

enum { PAIRS_WINDOW = 1 << 17, PAIRS_COPIES = 8 };

/* Greatest time for which a packet waits in the window. */
#define PAIRS_WINDOW_NS INT64_C(2000000000)

/* A packet that a host captured. */
struct sighting {
    int64_t time_ns;
    uint64_t place;
    uint32_t pair; /* number of the packet's pair, or PAIRS_NONE */
    uint16_t host;
    uint8_t way;       /* enum capture_way */
    uint8_t receivers; /* sender: number of receivers; receiver: its number, from 0 */
};

/* For this time after a capture began, a packet may be a copy of one sent before the capture. */
#define START_NS INT64_C(10000000000)

/* If a host's capture has no packets for GAP_NS, it may have stopped. It certainly lacks packets if
 * other hosts received packets of this host during a part of this time that is at least
 * GAP_SHOWN_NS long. */
#define GAP_NS INT64_C(1000000000)
#define GAP_SHOWN_NS INT64_C(500000000)

/* Packets in the window are in lists by their keys. With twice as many lists as packets, packets
 * with different keys seldom share a list. */
enum { LISTS = 2 * PAIRS_WINDOW, FLOWS = 1 << 12, WINDOW_LEAST = 1 << 10 };

enum waiting_state {
    WAITS,
    ALONE, /* no other host captured the packet */
    PAIRED,
    COPY,      /* no pair, because the packet may be a copy of an earlier one */
    FORWARDED, /* no pair, although a host sent and received it, or several hosts sent it */
    STATES
};

struct pairs_counts {
    uint64_t states[STATES]; /* numbers of IP packets with a direction in each state */
    uint64_t gaps;           /* number of gaps, where the host's capture lacks packets */
};

struct waiting {
    struct sighting seen;
    int64_t aligned_ns;
    uint64_t key;
    uint32_t flow; /* hash of the addresses and ports, as in struct packet */
    uint32_t next; /* distance to the next packet in the same list (pairs.last), or 0 */
    uint8_t state; /* enum waiting_state */
    uint8_t hops;  /* as in struct packet */
    bool listed, unique, translates;
};

struct ahead {
    const struct sighted *packet;
    int64_t aligned_ns;
};

/* The last host that sent a paired packet that arrived with these addresses and ports. */
struct flow {
    uint32_t flow, sender;
    bool any;
};

/* The time since a host's last packet, perhaps a gap, by the clock common to all hosts. */
struct silence {
    int64_t last_ns;            /* time of the last packet in the host's capture */
    int64_t first_ns, until_ns; /* first and last time after last_ns when other hosts received
                                 * packets of the host */
    bool begun, any; /* true if `last_ns` is set; true if `first_ns` and `until_ns` are set */
};

struct pairs {
    struct hosts *hosts;
    bool salvage;
    struct ahead *ahead;    /* next packet of each host */
    struct waiting *window; /* ring buffer, which grows to PAIRS_WINDOW packets */
    size_t capacity;
    /* Packets in the window with equal keys modulo LISTS form a list, oldest first. last[i] is the
     * number of the last packet in list i, modulo 2^32. This packet may have left the window. */
    uint32_t *last;
    int64_t newest_ns;           /* time of the newest packet by the clock common to all hosts */
    uint64_t begin, end;         /* numbers of the oldest packet in `window`, and of the next packet
                                  * to be added */
    bool forwarded;              /* true if copies of a forwarded packet were paired */
    uint32_t npairs;             /* number of times that a sent packet was paired with its received
                                  * copies */
    struct pairs_counts *counts; /* counts of each host */
    struct silence *silences;    /* time since the last packet of each host */
    struct flow *flows;
};

static struct waiting *at(const struct pairs *p, uint64_t number)
{
    return &p->window[number & (p->capacity - 1)];
}

/* --- Reading packets -------------------------------------------------------------------------- */

static csy_status look_ahead(struct pairs *p, size_t host, csy_error *error)
{
    struct ahead *ahead = &p->ahead[host];
    struct host *h = &p->hosts->items[host];
    csy_status status = host_next(h, p->salvage, &ahead->packet, error);
    if (status || !ahead->packet)
        return status;
    ahead->aligned_ns = host_align(h, h->next - 1, ahead->packet->time_ns);
    const struct sighted *later = spool_later(&h->reader, 3);
    if (later)
        __builtin_prefetch(&p->last[later->key % LISTS], 1);
    return CSY_OK;
}

/* Move the earliest next packet of all captures to the window. *more is false if there is none. */
static csy_status fill(struct pairs *p, bool *more, csy_error *error)
{
    size_t best = SIZE_MAX;
    for (size_t i = 0; i < p->hosts->count; i++)
        if (p->ahead[i].packet &&
            (best == SIZE_MAX || p->ahead[i].aligned_ns < p->ahead[best].aligned_ns))
            best = i;
    *more = best != SIZE_MAX;
    if (!*more)
        return CSY_OK;
    const struct ahead *ahead = &p->ahead[best];
    const struct sighted *packet = ahead->packet;
    const struct host *host = &p->hosts->items[best];
    if (p->end - p->begin == p->capacity &&
        !RING_GROW(p->window, p->capacity, WINDOW_LEAST, p->begin, p->end))
        return error_memory(error);
    struct waiting *s = at(p, p->end);
    enum capture_way way = host_way(host, packet);
    bool listed = packet->keyed && way != CAPTURE_WAY_UNKNOWN;
    *s = (struct waiting){.seen = {.time_ns = packet->time_ns,
                                   .place = packet->place,
                                   .pair = PAIRS_NONE,
                                   .host = (uint16_t)best,
                                   .way = (uint8_t)way},
                          .aligned_ns = ahead->aligned_ns,
                          .key = packet->key,
                          .flow = packet->flow,
                          .state = listed ? WAITS : ALONE,
                          .hops = (uint8_t)packet->hops,
                          .listed = listed,
                          .unique = packet->unique,
                          .translates = packet->translates};
    p->newest_ns = ahead->aligned_ns;
    if (listed) {
        uint32_t *last = &p->last[s->key % LISTS], number = (uint32_t)p->end;
        struct waiting *before = at(p, *last);
        /* If the list is empty, *last is meaningless. So check that it is a packet of this list. */
        if (*last - (uint32_t)p->begin < number - (uint32_t)p->begin && before->listed &&
            before->key % LISTS == s->key % LISTS)
            before->next = number - *last;
        *last = number;
    }
    p->end++;
    return look_ahead(p, best, error);
}

/* --- Judging --------------------------------------------------------------------------------- */

/* The packets in pairs.window that may be copies of one packet, because they have the same key. */
struct group {
    struct waiting *items[PAIRS_COPIES];
    size_t count;
    bool many;
};

static void set_state(const struct group *group, enum waiting_state state)
{
    for (size_t i = 0; i < group->count; i++)
        group->items[i]->state = (uint8_t)state;
}

/* Returns true if the packet may be a copy of an earlier packet that the sender's capture lacks. */
static bool may_lack(const struct pairs *p, const struct waiting *sent)
{
    const struct host *host = &p->hosts->items[sent->seen.host];
    return !sent->unique &&
           (host->unique || host->drops > 0 || p->counts[sent->seen.host].gaps > 0 ||
            sent->seen.time_ns < host->first_ns + START_NS);
}

/* Returns true if a host received more copies of a packet than were sent. Either some were sent
 * before the sender's capture began, or the network made copies. */
static bool has_more_received(const struct group *group)
{
    size_t sent = 0;
    for (size_t i = 0; i < group->count; i++)
        sent += group->items[i]->seen.way == CAPTURE_WAY_OUT;
    for (size_t i = 0; i < group->count; i++) {
        const struct sighting *s = &group->items[i]->seen;
        size_t received = 0;
        for (size_t k = 0; k < group->count && s->way == CAPTURE_WAY_IN; k++) {
            const struct sighting *other = &group->items[k]->seen;
            received += other->host == s->host;
        }
        if (received > sent)
            return true;
    }
    return false;
}

/* Returns true if the packet's host captured the same copy earlier, for example at a bridge. */
static bool is_again(const struct group *group, size_t i)
{
    const struct waiting *s = group->items[i];
    for (size_t k = 0; k < group->count; k++) {
        const struct waiting *other = group->items[k];
        bool earlier = other->seen.time_ns < s->seen.time_ns ||
                       (other->seen.time_ns == s->seen.time_ns && k < i);
        if (earlier && other->seen.host == s->seen.host && other->seen.way == s->seen.way &&
            other->hops == s->hops)
            return true;
    }
    return false;
}

/* Returns true if no other copy with the hop limit of `sent` may have been sent earlier. */
static bool is_first_sent(const struct group *group, const struct waiting *sent)
{
    for (size_t k = 0; k < group->count; k++) {
        const struct waiting *other = group->items[k];
        bool out = other->seen.way == CAPTURE_WAY_OUT, own = other->seen.host == sent->seen.host;
        if (other->hops == sent->hops && out != own)
            return false;
    }
    return true;
}

/* Returns true if the host of a copy also received the packet. */
static bool has_received(const struct group *group, const struct waiting *sent)
{
    for (size_t k = 0; k < group->count; k++)
        if (group->items[k]->seen.host == sent->seen.host &&
            group->items[k]->seen.way == CAPTURE_WAY_IN)
            return true;
    return false;
}

/* Find the last copy that was certainly sent before a received copy, or NULL. Copies with the hop
 * limit `most`, and copies of hosts that also received the packet, are preferred, because they
 * relate clocks in both directions. */
static struct waiting *find_sent(const struct group *group, const struct waiting *received,
                                 uint8_t most)
{
    struct waiting *best = NULL;
    bool best_fits = false;
    for (size_t k = 0; k < group->count; k++) {
        struct waiting *sent = group->items[k];
        if (sent->seen.way != CAPTURE_WAY_OUT || sent->seen.host == received->seen.host ||
            sent->hops < received->hops || is_again(group, k) ||
            (sent->hops == received->hops && !is_first_sent(group, sent)))
            continue;
        bool fits = sent->hops == most || has_received(group, sent);
        if (!best || fits > best_fits || (fits == best_fits && sent->hops < best->hops)) {
            best = sent;
            best_fits = fits;
        }
    }
    return best;
}

/* Note that packets with the addresses and ports of `received` come from the host of `sent`. */
static void note_flow(struct pairs *p, const struct waiting *sent, const struct waiting *received)
{
    p->flows[received->flow % FLOWS] = (struct flow){received->flow, sent->seen.host, true};
}

/* Pair the copies of a packet that hosts forwarded (see above). */
static void pair_forwarded(struct pairs *p, const struct group *group)
{
    uint8_t most = 0;
    for (size_t i = 0; i < group->count; i++) {
        const struct waiting *s = group->items[i];
        if (!s->unique || s->hops == 0)
            return;
        most = s->hops > most ? s->hops : most;
    }
    for (size_t i = 0; i < group->count; i++) {
        struct waiting *received = group->items[i];
        if (received->seen.way != CAPTURE_WAY_IN || is_again(group, i))
            continue;
        struct waiting *sent = find_sent(group, received, most);
        if (!sent || (sent->state != PAIRED && p->npairs == PAIRS_NONE))
            continue;
        if (sent->state != PAIRED)
            sent->seen.pair = p->npairs++;
        sent->state = received->state = PAIRED;
        received->seen.pair = sent->seen.pair;
        received->seen.receivers = sent->seen.receivers++;
        p->forwarded = true;
        if (sent->hops == most)
            note_flow(p, sent, received);
    }
}

/* Decide which packets in pairs.window are received copies of packet `number`, the oldest one, and
 * pair them with it. If this is uncertain, pair none. */
static void judge(struct pairs *p, uint64_t number)
{
    const struct waiting *oldest = at(p, number);
    struct group group = {.count = 0};
    struct waiting *sent = NULL;
    bool forwarded = false, alone = true;
    for (uint32_t step = 1; step > 0; number += step) {
        struct waiting *s = at(p, number);
        step = s->next;
        if (s->key != oldest->key || s->state != WAITS ||
            (s->flow != oldest->flow && !(s->translates && oldest->translates)))
            continue;
        if (group.count == PAIRS_COPIES) {
            group.many = true;
            s->state = COPY;
            continue;
        }
        const struct sighting *seen = &s->seen;
        for (size_t k = 0; k < group.count; k++) {
            const struct sighting *other = &group.items[k]->seen;
            bool same = other->host == seen->host;
            forwarded |= same ? other->way != seen->way
                              : other->way == CAPTURE_WAY_OUT && seen->way == CAPTURE_WAY_OUT;
        }
        alone = alone && seen->host == oldest->seen.host;
        if (seen->way == CAPTURE_WAY_OUT && (!sent || seen->time_ns < sent->seen.time_ns))
            sent = s;
        group.items[group.count++] = s;
    }
    if (group.many || forwarded) {
        set_state(&group, forwarded ? FORWARDED : COPY);
        if (!group.many)
            pair_forwarded(p, &group);
        return;
    }
    set_state(&group, alone || !sent ? ALONE : COPY);
    if (alone || !sent || p->npairs == PAIRS_NONE || may_lack(p, sent) ||
        (!sent->unique && has_more_received(&group)))
        return;
    /* A host may have captured several copies. Only the first one is paired. */
    uint32_t pair = p->npairs++;
    for (size_t i = 0; i < group.count; i++) {
        struct waiting *best = group.items[i];
        bool again = best->seen.way != CAPTURE_WAY_IN;
        for (size_t k = 0; k < i && !again; k++)
            again = group.items[k]->seen.host == best->seen.host;
        if (again)
            continue;
        for (size_t k = i + 1; k < group.count; k++) {
            struct waiting *other = group.items[k];
            if (other->seen.host == best->seen.host && other->seen.time_ns < best->seen.time_ns)
                best = other;
        }
        best->state = PAIRED;
        note_flow(p, sent, best);
        best->seen.pair = pair;
        best->seen.receivers = sent->seen.receivers++;
    }
    sent->state = PAIRED;
    sent->seen.pair = pair;
}

/* Process a packet that is removed from pairs.window. Count a gap if its host's capture lacks
 * packets before it. */
static void watch(struct pairs *p, const struct waiting *s)
{
    const int64_t aligned_ns = s->aligned_ns;
    struct silence *own = &p->silences[s->seen.host];
    p->counts[s->seen.host].gaps += own->begun && aligned_ns - own->last_ns > GAP_NS && own->any &&
                                    own->until_ns - own->first_ns >= GAP_SHOWN_NS;
    *own = (struct silence){.last_ns = aligned_ns, .begun = true};
    const struct flow *flow = &p->flows[s->flow % FLOWS];
    if (s->state != ALONE || !s->listed || s->seen.way != CAPTURE_WAY_IN || !flow->any ||
        flow->flow != s->flow || flow->sender == s->seen.host)
        return;
    struct silence *sender = &p->silences[flow->sender];
    if (!sender->any)
        sender->first_ns = aligned_ns;
    sender->until_ns = aligned_ns;
    sender->any = true;
}

/* Read the next packet. *out is valid until the next call, and NULL at the end. */
static csy_status pairs_next(struct pairs *p, const struct sighting **out, csy_error *error)
{
    bool more = true;
    *out = NULL;
    while (more && p->end - p->begin < PAIRS_WINDOW &&
           (p->begin == p->end || p->newest_ns - at(p, p->begin)->aligned_ns < PAIRS_WINDOW_NS)) {
        csy_status status = fill(p, &more, error);
        if (status)
            return status;
    }
    if (p->begin == p->end)
        return CSY_OK;
    uint64_t oldest = p->begin++;
    struct waiting *s = at(p, oldest);
    __builtin_prefetch(at(p, p->begin + 16), 1);
    __builtin_prefetch(at(p, p->begin + 4 + at(p, p->begin + 4)->next), 1);
    if (s->state == WAITS)
        judge(p, oldest);
    watch(p, s);
    p->counts[s->seen.host].states[s->state] += s->listed;
    *out = &s->seen;
    return CSY_OK;
}

/* --- Start and end of the search ------------------------------------------------------------- */

static csy_status pairs_rewind(struct pairs *p, bool salvage, csy_error *error)
{
    csy_status status = CSY_OK;
    p->salvage = salvage;
    p->begin = p->end = 0;
    p->npairs = 0;
    memset(p->counts, 0, p->hosts->count * sizeof *p->counts);
    memset(p->silences, 0, p->hosts->count * sizeof *p->silences);
    memset(p->flows, 0, FLOWS * sizeof *p->flows);
    memset(p->last, 0, LISTS * sizeof *p->last);
    for (size_t i = 0; i < p->hosts->count && !status; i++) {
        status = host_begin(&p->hosts->items[i], error);
        if (!status)
            status = look_ahead(p, i, error);
    }
    return status;
}

/* Start to find pairs in captures that hosts_survey has read. The caller owns `hosts`. */
static csy_status pairs_new(struct hosts *hosts, bool salvage, struct pairs **out, csy_error *error)
{
    struct pairs *p = calloc(1, sizeof *p);
    if (!p)
        return error_memory(error);
    *out = p;
    p->hosts = hosts;
    p->ahead = calloc(hosts->count, sizeof *p->ahead);
    p->last = malloc(LISTS * sizeof *p->last);
    p->counts = calloc(hosts->count, sizeof *p->counts);
    p->silences = calloc(hosts->count, sizeof *p->silences);
    p->flows = malloc(FLOWS * sizeof *p->flows);
    if (!p->ahead || !p->last || !p->counts || !p->silences || !p->flows)
        return error_memory(error);
    return pairs_rewind(p, salvage, error);
}

static void pairs_free(struct pairs *p)
{
    if (!p)
        return;
    free(p->ahead);
    free(p->window);
    free(p->last);
    free(p->counts);
    free(p->silences);
    free(p->flows);
    free(p);
}

/* --- The state of a trace --------------------------------------------------------------------- */

/* The place of an event in file k is (k << FILE_SHIFT) plus the offset of its packet in the
 * file. */
enum { FILE_SHIFT = 44, FILES_MAX = 4096 };

/* Number of base-32 digits that the number of a pair has in a key. */
enum { KEY_DIGITS = 7 };

/* The state of a trace of one or more files, or of a fork of such a trace. */
struct reading {
    struct hosts hosts;
    struct pairs *pairs;
    bool surveyed, counted;
    bool forwarded; /* true if copies of forwarded packets were paired */
    /* The packets found so far, as struct sighting. Reading the trace begins with these packets,
     * and then searches the captures. Copies for other threads (forks) need `complete`. */
    struct spool spool;
    bool complete, failed;          /* true if `spool` has all packets; true after a failure */
    bool salvage;                   /* true if the spool was written with --salvage */
    const struct reading *original; /* reading of the trace that was forked, or this reading
                                     * itself */
    struct spool_reader reader;
    uint64_t at, known; /* at: number of the next packet; known: number of packets in `spool` */
    /* Element 2k is the thread of packets that host k sent. Element 2k + 1 is the thread of packets
     * that it received, or with an unknown direction. The names of threads are allocated. */
    struct named_stamp *threads;
    bool is_fork; /* true for a fork, which does not own the survey and the threads */
    struct event_roles roles;
    char key[PAIRS_COPIES * 16]; /* texts of the keys in `roles` */
    size_t last;                 /* index of the last event's thread, or SIZE_MAX */
};

static struct reading *reading_of(const struct csy_trace *trace)
{
    return trace->state;
}

const struct hosts *pcap_hosts(const struct csy_trace *trace)
{
    return &reading_of(trace)->hosts;
}

const char *pcap_thread(const struct csy_trace *trace, size_t host, enum capture_way way)
{
    const struct reading *r = reading_of(trace);
    return r->threads[2 * host + (way != CAPTURE_WAY_OUT)].thread;
}

static bool probe(const struct head *head)
{
    return capture_begins(head->bytes, head->size);
}

static csy_status look(struct csy_trace *trace, csy_error *error)
{
    (void)trace, (void)error;
    return CSY_OK;
}

/* --- Opening --------------------------------------------------------------------------------- */

/* Returns the host's name that the user gave, or otherwise the name of the file without suffixes.
 * The caller frees the name. Returns NULL if memory runs out. */
static char *name_of(const struct csy_trace *trace)
{
    static const char *const suffixes[] = {".gz", ".pcapng", ".pcap", ".cap", ".ntar"};
    char *name = strdup(trace->part_name ? trace->part_name : path_name(trace->name));
    for (size_t i = 0; name && !trace->part_name && i < sizeof suffixes / sizeof *suffixes; i++) {
        size_t n = strlen(name), m = strlen(suffixes[i]);
        if (n > m && strcmp(name + n - m, suffixes[i]) == 0)
            name[n - m] = 0;
    }
    return name;
}

/* Make an empty state. Returns NULL if memory runs out. */
static struct reading *new_reading(struct csy_trace *trace)
{
    struct reading *r = trace->state = calloc(1, sizeof *r);
    if (!r)
        return NULL;
    r->hosts = HOSTS_NONE;
    r->spool.fd = -1;
    r->last = SIZE_MAX;
    r->original = r;
    return r;
}

static csy_status make_reading(struct csy_trace *trace, struct csy_trace *const *files, size_t n,
                               csy_error *error)
{
    struct reading *r = new_reading(trace);
    if (!r || !(r->hosts.items = calloc(n + 1, sizeof *r->hosts.items)) ||
        !(r->threads = calloc(2 * n + 1, sizeof *r->threads)))
        return error_memory(error);
    r->hosts.count = n;
    for (size_t i = 0; i < n; i++) {
        struct host *host = &r->hosts.items[i];
        const struct csy_trace *file = files[i];
        host->trace = file;
        host->name = name_of(file);
        csy_status status = host->name ? CSY_OK : error_memory(error);
        for (size_t k = 0; k < i && !status; k++)
            if (strcmp(r->hosts.items[k].name, host->name) == 0)
                status =
                    error_set(error, CSY_INPUT,
                              "%s: the host '%s' is also in %s; give the hosts different names, as "
                              "in A=%s B=%s",
                              file->name, host->name, files[k]->name, files[k]->name, file->name);
        if (!status)
            status = bytes_new(file->fd, file->name, file->record_start, file->gzip, trace->workers,
                               &host->bytes, error);
        if (status)
            return status;
    }
    return CSY_OK;
}

static csy_status open_pcap(struct csy_trace *trace, uint64_t start, csy_error *error)
{
    struct capture capture = {0};
    struct capture_block block;
    bool more;
    trace->record_start = start;
    trace->timebase_hz = 1000000000;
    trace->partial = trace->loose = true;
    trace->complete = true;
    trace->hosts = 1;
    csy_status status = make_reading(trace, &trace, 1, error);
    if (status)
        return status;
    /* A file with a wrong header is refused before anything else is read. */
    capture_start(&capture, reading_of(trace)->hosts.items[0].bytes, trace->name);
    status = capture_next(&capture, &block, &more, true, error);
    capture_fini(&capture);
    return status;
}

static csy_status join_pcap(struct csy_trace *trace, csy_error *error)
{
    if (trace->nparts > FILES_MAX)
        return error_set(error, CSY_USAGE, "%s: more than %d captures are given", trace->name,
                         FILES_MAX);
    trace->source = trace->parts[0]->source;
    for (size_t i = 0; i < trace->nparts; i++)
        trace->part_places[i] =
            (struct part_places){(uint64_t)i << FILE_SHIFT, trace->parts[i]->record_start};
    return make_reading(trace, trace->parts, trace->nparts, error);
}

/* For source.dates (times are always dates) and source.joins (files are joined by default). */
static bool always(const struct csy_trace *trace)
{
    (void)trace;
    return true;
}

/* --- The survey ------------------------------------------------------------------------------ */

/* Add a warning about a host, unless the trace has TRACE_WARNINGS_MAX warnings. */
static void warn(struct csy_trace *trace, const struct host *host, uint64_t count, const char *what)
{
    char number[24] = "";
    if (trace->nwarnings == TRACE_WARNINGS_MAX)
        return;
    if (count > 0)
        snprintf(number, sizeof number, "%" PRIu64 " ", count);
    snprintf(trace->warnings[trace->nwarnings++], CSV_WARNING_MAX, "%.60s: %s%.160s", host->name,
             number, what);
}

/* Warn if hosts_survey found something that may make results inaccurate or wrong. */
static void warn_of_host(struct csy_trace *trace, const struct host *host)
{
    bool unknown = false;
    for (size_t p = 0; p < host->nports; p++)
        unknown |= host->ports[p].packets > 0 && host->ports[p].nown != 1;
    if (host->drops > 0)
        warn(trace, host, host->drops,
             "packets were dropped during the capture, so it is not complete; packets that may be "
             "copies of dropped ones are not used");
    if (unknown)
        warn(trace, host, 0,
             "it is unknown which packets this host sent, so they give no bounds; capture with "
             "tcpdump -i any");
    if (host->two_clocks)
        warn(trace, host, 0,
             "received and sent packets have timestamps of different clocks, so they are treated "
             "as two clocks; capture with tcpdump -j host");
    if (host->cut > 0)
        warn(trace, host, host->cut,
             "packets are cut too short to recognize them: capture at least 128 bytes of each");
}

/* Call hosts_survey for all files, unless it was called. A file that ends within a packet is
 * refused later, when the events of the file are read. */
static csy_status survey(struct csy_trace *trace, csy_error *error)
{
    struct reading *r = reading_of(trace);
    if (r->surveyed)
        return CSY_OK;
    csy_status status = hosts_survey(&r->hosts, true, error);
    for (size_t i = 0; i < 2 * r->hosts.count && !status; i++) {
        const struct host *host = &r->hosts.items[i / 2];
        char *name;
        int size =
            asprintf(&name, "%s%s", host->name, i % 2 && host->two_clocks ? " (received)" : "");
        if (size < 0)
            return error_memory(error);
        struct named_stamp *stamp = &r->threads[i];
        *stamp = (struct named_stamp){
            .thread = name, .thread_size = (size_t)size, .number = 1 + (uint32_t)i};
        stamp->node =
            (csy_text){r->threads[i & ~(size_t)1].thread, r->threads[i & ~(size_t)1].thread_size};
    }
    for (size_t i = 0; i < r->hosts.count && !status; i++)
        warn_of_host(trace, &r->hosts.items[i]);
    r->surveyed = !status;
    return status;
}

/* --- Events ---------------------------------------------------------------------------------- */

/* Read the next packet, from r->spool or from the captures. *out is NULL at the end. */
static csy_status next_sighting(struct reading *r, const struct sighting **out, csy_error *error)
{
    const void *known = NULL;
    csy_status status = CSY_OK;
    *out = NULL;
    if (r->at < r->known) {
        status = spool_next(&r->reader, &known, error);
        *out = known;
    } else if (r->pairs && (r->known == 0 || !r->original->complete)) {
        status = pairs_next(r->pairs, out, error);
        r->failed |= status != CSY_OK;
        if (!status && *out && !r->is_fork)
            *(struct sighting *)spool_add(&r->spool) = **out;
        r->complete = !status && !*out;
    }
    r->at += *out != NULL;
    return status;
}

static csy_status start_pass(struct csy_trace *trace, csy_error *error)
{
    struct reading *r = reading_of(trace);
    const struct reading *of = r->original;
    csy_status status = CSY_OK;
    r->last = SIZE_MAX;
    r->at = r->known = 0;
    if (!r->is_fork)
        spool_flush(&r->spool);
    if (of->spool.fd >= 0 && of->salvage == trace->salvage && !of->failed &&
        (of->complete || !r->is_fork)) {
        r->known = of->spool.count;
        return spool_read(&of->spool, 0, r->known, SPOOL_BUFFER_BYTES, &r->reader, error);
    }
    if (!r->is_fork) {
        spool_fini(&r->spool);
        r->complete = r->failed = false;
        r->salvage = trace->salvage;
        status = spool_init(&r->spool, sizeof(struct sighting), error);
    }
    if (status)
        return status;
    if (!r->pairs)
        return pairs_new(&r->hosts, trace->salvage, &r->pairs, error);
    return pairs_rewind(r->pairs, trace->salvage, error);
}

static csy_status rewind_pcap(struct csy_trace *trace, csy_error *error)
{
    csy_status status = survey(trace, error);
    return status ? status : start_pass(trace, error);
}

/* Append the key of a message: the number of the pair in base 32, and a letter for the receiver.
 * All digits are computed at once, each in a byte of one word. */
static size_t put_key(char *key, size_t n, uint64_t pair, unsigned receiver)
{
    const uint64_t ones = 0x0101010101010101;
    uint64_t word = (pair & 0xfffff) | pair >> 20 << 32;
    word = (word & 0x000003ff000003ff) | (word & 0x000ffc00000ffc00) << 6;
    word = (word & 0x001f001f001f001f) | (word & 0x03e003e003e003e0) << 3;
    word += '0' * ones + ((word + 0x76 * ones) >> 7 & ones) * ('a' - 10 - '0');
    word = __builtin_bswap64(word) >> 8 | (uint64_t)('A' + receiver) << 56;
    for (unsigned i = 0; i <= KEY_DIGITS; i++)
        key[n + i] = (char)(word >> 8 * i);
    return n + KEY_DIGITS + 1;
}

/* Set r->roles to the messages of a packet. A sent packet is a message to each receiver. */
static void set_roles(struct reading *r, const struct sighting *s)
{
    bool out = s->way == CAPTURE_WAY_OUT, paired = s->pair != PAIRS_NONE;
    size_t n = paired && !out ? put_key(r->key, 0, s->pair, s->receivers) : 0;
    for (unsigned i = 0; paired && out && i < s->receivers; i++) {
        if (i > 0)
            r->key[n++] = ' ';
        n = put_key(r->key, n, s->pair, i);
    }
    r->roles.send = (csy_text){r->key, out ? n : 0};
    r->roles.recv = (csy_text){r->key, out ? 0 : n};
}

/* After all packets were read, warn of each host with gaps or with mostly unpaired packets. */
static void warn_of_unmatched(struct csy_trace *trace)
{
    struct reading *r = reading_of(trace);
    for (size_t i = 0; i < r->hosts.count && !r->counted; i++) {
        const struct pairs_counts *counts = &r->pairs->counts[i];
        const uint64_t paired = counts->states[PAIRED], alone = counts->states[ALONE];
        const uint64_t copies = counts->states[COPY] + counts->states[FORWARDED];
        const struct host *host = &r->hosts.items[i];
        char text[CSV_WARNING_MAX];
        int size = paired == 0 ? snprintf(text, sizeof text, "none")
                               : snprintf(text, sizeof text, "only %" PRIu64, paired);
        snprintf(text + size, sizeof text - (size_t)size,
                 " of its %" PRIu64 " packets bound%s a clock: %" PRIu64
                 " are in no other capture, %" PRIu64
                 " were forwarded or may be copies, and %" PRIu64
                 " are not IP or have no direction",
                 host->packets, paired < 2 ? "s" : "", alone, copies,
                 host->packets - alone - copies - paired);
        if (counts->gaps > 0)
            warn(trace, host, counts->gaps,
                 "gaps of more than 1 s, in which other hosts received packets from this host, so "
                 "the capture is not complete");
        if (paired < host->packets / 2)
            warn(trace, host, 0, text);
    }
    r->counted = true;
    r->forwarded |= r->pairs->forwarded;
}

static csy_status next_packet(struct csy_trace *trace, struct event *event, bool *more,
                              csy_error *error)
{
    static const csy_text ways[] = {[CAPTURE_WAY_UNKNOWN] = {"packet", 6},
                                    [CAPTURE_WAY_IN] = {"in", 2},
                                    [CAPTURE_WAY_OUT] = {"out", 3}};
    struct reading *r = reading_of(trace);
    const struct sighting *s = NULL;
    csy_status status = r->pairs || r->known || r->complete ? CSY_OK : rewind_pcap(trace, error);
    if (!status)
        status = next_sighting(r, &s, error);
    *more = !status && s;
    if (!status && !s && r->pairs) {
        if (!r->is_fork)
            warn_of_unmatched(trace);
        pairs_free(r->pairs);
        r->pairs = NULL;
    }
    if (status || !*more)
        return status;
    size_t number = 2 * (size_t)s->host + (s->way != CAPTURE_WAY_OUT);
    if (!trace->skips_roles)
        set_roles(r, s);
    event->place = s->place;
    if (trace->part_places)
        event->place += trace->part_places[s->host].first - trace->part_places[s->host].own;
    event->file = s->host;
    event->bytes = NULL;
    event->size = 0;
    event->record = NULL;
    event->row = NULL;
    event->stamp = r->threads[number];
    event->stamp.same = number == r->last;
    event->stamp.time_ticks = s->time_ns;
    r->last = number;
    event->name = ways[s->way].bytes;
    event->name_size = ways[s->way].size;
    event->roles = trace->skips_roles ? NULL : &r->roles;
    return CSY_OK;
}

/* --- The rest of the source ------------------------------------------------------------------ */

static void close_pcap(struct csy_trace *trace)
{
    struct reading *r = reading_of(trace);
    trace->state = NULL;
    if (!r)
        return;
    pairs_free(r->pairs);
    spool_fini(&r->spool);
    spool_reader_fini(&r->reader);
    for (size_t i = 0; i < 2 * r->hosts.count && r->threads && !r->is_fork; i++)
        free(unconst(r->threads[i].thread));
    if (!r->is_fork)
        free(r->threads);
    hosts_fini(&r->hosts);
    free(r);
}

static csy_status fork_pcap(const struct csy_trace *trace, struct csy_trace *fork, csy_error *error)
{
    const struct reading *of = reading_of(trace);
    csy_status surveyed = survey(unconst(trace), error);
    if (surveyed)
        return surveyed;
    struct reading *r = new_reading(fork);
    if (!r)
        return error_memory(error);
    r->is_fork = r->surveyed = true;
    r->threads = of->threads;
    r->original = of;
    csy_status status = hosts_fork(&of->hosts, trace->workers, &r->hosts, error);
    return status ? status : start_pass(fork, error);
}

static const csy_cut *cut(const struct csy_trace *trace)
{
    const struct hosts *hosts = pcap_hosts(trace);
    for (size_t i = 0; i < hosts->count; i++)
        if (hosts->items[i].is_cut)
            return &hosts->items[i].cut_at;
    return NULL;
}

static uint64_t steps_of(const struct host *host)
{
    uint64_t steps = 1;
    for (unsigned i = 0; i < host->decimals; i++)
        steps *= 10;
    return steps;
}

static uint64_t time_steps(const struct csy_trace *trace)
{
    const struct reading *r = reading_of(trace);
    return steps_of(&r->hosts.items[r->last / 2]);
}

static uint64_t coarsest_steps(const struct csy_trace *trace, const char **clock)
{
    const struct hosts *hosts = pcap_hosts(trace);
    const struct host *coarsest = NULL;
    *clock = NULL;
    for (size_t i = 0; i < hosts->count; i++) {
        const struct host *host = &hosts->items[i];
        if (host->packets > 0 && (!coarsest || host->decimals < coarsest->decimals))
            coarsest = host;
    }
    for (size_t i = 0; i < hosts->count && coarsest; i++)
        if (hosts->items[i].packets > 0 && hosts->items[i].decimals > coarsest->decimals)
            *clock = coarsest->name;
    return coarsest ? steps_of(coarsest) : 0;
}

static bool time_decimals(const struct csy_trace *trace, unsigned *decimals)
{
    (void)trace;
    *decimals = 0;
    return false;
}

static const char *place_file(const struct csy_trace *trace)
{
    const struct reading *r = reading_of(trace);
    size_t host = r->last == SIZE_MAX ? 0 : r->last / 2;
    return r->hosts.items[host].trace->name;
}

static void progress(const struct csy_trace *trace, uint64_t *done, uint64_t *total)
{
    const struct reading *r = reading_of(trace);
    *done = r->at;
    *total = 0;
    for (size_t i = 0; i < r->hosts.count; i++)
        *total += r->hosts.items[i].packets;
}

static const char *keys(const struct csy_trace *trace)
{
    return reading_of(trace)->original->forwarded
               ? "packets with the same content, apart from fields that routers change, are one "
                 "packet, no copy was sent before the captures began, and no router raised a hop "
                 "limit"
               : "packets with the same content, apart from fields that routers change, are one "
                 "packet, and no copy was sent before the captures began";
}

const struct source source_pcap = {
    .format = CSY_FORMAT_PCAP,
    .written_as = CSY_FORMAT_PCAP,
    .title = "a packet capture",
    .place = "offset",
    .called = "packet",
    .rows_keep_order = true,
    .probe = probe,
    .look = look,
    .open = open_pcap,
    .rewind = rewind_pcap,
    .next = next_packet,
    .close = close_pcap,
    .fork = fork_pcap,
    .join = close_pcap,
    .cut = cut,
    .time_decimals = time_decimals,
    .time_steps = time_steps,
    .coarsest_steps = coarsest_steps,
    .dates = always,
    .keys = keys,
    .joins = always,
    .join_parts = join_pcap,
    .place_file = place_file,
    .progress = progress,
};
