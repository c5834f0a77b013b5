/* Finds packets that one host sent and another one received. */
#include "trace/pcap/pairs.h"

#include "base/error.h"
#include "trace/trace.h"

#include <stdlib.h>
#include <string.h>

/* A host may send a copy of a packet up to this long after the first copy. */
#define START_NS INT64_C(10000000000)

/* A gap is longer than GAP_NS, and packets that prove a gap are at least GAP_SHOWN_NS apart. */
#define GAP_NS INT64_C(1000000000)
#define GAP_SHOWN_NS INT64_C(500000000)

/* With twice as many lists as packets, packets with different keys seldom share a list. */
enum { LISTS = 2 * PAIRS_WINDOW, FLOWS = 1 << 12 };

enum waiting_state {
    WAITS,
    ALONE, /* no other host captured the packet */
    PAIRED,
    COPY,     /* the packet may be a copy, so it has no pair (pairs.h) */
    FORWARDED /* a host sent and received the packet, or several hosts sent it */
};

/* A packet in the window. */
struct waiting {
    struct sighting seen;
    uint64_t key;
    uint32_t flow; /* as in struct sighted */
    uint32_t next; /* next packet in the list */
    uint8_t state; /* enum waiting_state */
    bool listed, unique;
};

/* A list of packets whose keys have equal low bits, the oldest packet first. */
struct list {
    uint32_t first, last;
};

/* The next packet of a capture, or NULL at the end. */
struct ahead {
    const struct sighted *packet;
    int64_t aligned_ns;
};

/* A flow, and the last host that sent a paired packet of this flow. */
struct flow {
    uint32_t flow, sender;
    bool any;
};

/* The time since the last packet of a host, which may be a gap. All times are aligned. */
struct silence {
    int64_t last_ns;            /* time of the last packet in the capture of the host */
    int64_t first_ns, until_ns; /* when other hosts received later packets of the host */
    bool begun, any; /* begun: `last_ns` is set; any: `first_ns` and `until_ns` are set */
};

struct pairs {
    struct hosts *hosts;
    bool salvage;
    struct ahead *ahead; /* for each host */
    struct waiting *window;
    int64_t *aligned_ns; /* for each packet in the window */
    struct list *lists;
    int64_t newest_ns;           /* aligned time of the newest packet */
    uint64_t begin, end;         /* the window has packets `begin` to `end` - 1 */
    uint32_t npairs;             /* number of pairs so far */
    struct pairs_counts *counts; /* for each host */
    struct silence *silences;    /* for each host */
    struct flow *flows;
};

static struct waiting *at(const struct pairs *p, uint64_t number)
{
    return &p->window[number % PAIRS_WINDOW];
}

/* --- Reading --------------------------------------------------------------------------------- */

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
        __builtin_prefetch(&p->lists[later->key % LISTS], 1);
    return CSY_OK;
}

/* Move a packet to the window: the earliest one among the next packets of all captures. */
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
    struct waiting *s = at(p, p->end);
    enum capture_way way = host_way(host, packet);
    struct pairs_counts *counts = &p->counts[best];
    bool listed = packet->keyed && way != CAPTURE_WAY_UNKNOWN;
    *s = (struct waiting){.seen = {.time_ns = packet->time_ns,
                                   .place = packet->place,
                                   .pair = PAIRS_NONE,
                                   .host = (uint16_t)best,
                                   .way = (uint8_t)(way & 3),
                                   .decimals = (uint8_t)(host->ports[packet->port].decimals & 15)},
                          .key = packet->key,
                          .flow = packet->flow,
                          .next = PAIRS_NONE,
                          .state = listed ? WAITS : ALONE,
                          .listed = listed,
                          .unique = packet->unique};
    p->newest_ns = ahead->aligned_ns;
    p->aligned_ns[p->end % PAIRS_WINDOW] = ahead->aligned_ns;
    counts->sent += way == CAPTURE_WAY_OUT;
    counts->received += way == CAPTURE_WAY_IN;
    counts->unknown_way += way == CAPTURE_WAY_UNKNOWN;
    if (listed) {
        struct list *list = &p->lists[s->key % LISTS];
        uint32_t index = (uint32_t)(p->end % PAIRS_WINDOW);
        if (list->first == PAIRS_NONE)
            list->first = index;
        else
            p->window[list->last].next = index;
        list->last = index;
    }
    p->end++;
    return look_ahead(p, best, error);
}

/* --- Judging --------------------------------------------------------------------------------- */

/* The packets in the window that have the same key. */
struct group {
    uint32_t items[PAIRS_COPIES];
    size_t count;
    bool many; /* the window has more than PAIRS_COPIES such packets */
};

static void set_state(struct pairs *p, const struct group *group, enum waiting_state state)
{
    for (size_t i = 0; i < group->count; i++)
        p->window[group->items[i]].state = (uint8_t)state;
}

/* Returns true if the sender's capture may lack an earlier copy of the packet. Another host may
 * then have received the earlier copy. */
static bool may_lack(const struct pairs *p, const struct waiting *sent)
{
    const struct host *host = &p->hosts->items[sent->seen.host];
    return !sent->unique &&
           (host->unique || host->drops > 0 || p->counts[sent->seen.host].gaps > 0 ||
            sent->seen.time_ns < host->first_ns + START_NS);
}

/* Returns true if a host received more copies than were sent. The other copies were sent before the
 * sender's capture began, or were made by the network. */
static bool has_more_received(const struct pairs *p, const struct group *group)
{
    size_t sent = 0;
    for (size_t i = 0; i < group->count; i++)
        sent += p->window[group->items[i]].seen.way == CAPTURE_WAY_OUT;
    for (size_t i = 0; i < group->count; i++) {
        const struct sighting *s = &p->window[group->items[i]].seen;
        size_t received = 0;
        for (size_t k = 0; k < group->count && s->way == CAPTURE_WAY_IN; k++) {
            const struct sighting *other = &p->window[group->items[k]].seen;
            received += other->host == s->host;
        }
        if (received > sent)
            return true;
    }
    return false;
}

/* Pair or reject all packets that have the key of the oldest packet. */
static void judge(struct pairs *p, uint32_t oldest)
{
    struct waiting *w = p->window;
    struct group group = {.count = 0};
    uint32_t sent = PAIRS_NONE;
    bool forwarded = false, alone = true;
    for (uint32_t i = oldest; i != PAIRS_NONE; i = w[i].next) {
        if (w[i].key != w[oldest].key || w[i].flow != w[oldest].flow || w[i].state != WAITS)
            continue;
        if (group.count == PAIRS_COPIES) {
            group.many = true;
            w[i].state = COPY;
            continue;
        }
        const struct sighting *seen = &w[i].seen;
        for (size_t k = 0; k < group.count; k++) {
            const struct sighting *other = &w[group.items[k]].seen;
            bool same = other->host == seen->host;
            forwarded |= same ? other->way != seen->way
                              : other->way == CAPTURE_WAY_OUT && seen->way == CAPTURE_WAY_OUT;
        }
        alone = alone && seen->host == w[oldest].seen.host;
        if (seen->way == CAPTURE_WAY_OUT &&
            (sent == PAIRS_NONE || seen->time_ns < w[sent].seen.time_ns))
            sent = i;
        group.items[group.count++] = i;
    }
    if (group.many || forwarded) {
        set_state(p, &group, forwarded ? FORWARDED : COPY);
        return;
    }
    set_state(p, &group, alone || sent == PAIRS_NONE ? ALONE : COPY);
    if (alone || sent == PAIRS_NONE || p->npairs == PAIRS_NONE || may_lack(p, &w[sent]) ||
        (!w[sent].unique && has_more_received(p, &group)))
        return;
    /* Pair the first copy that each host received. */
    uint32_t pair = p->npairs++;
    for (size_t i = 0; i < group.count; i++) {
        uint32_t best = group.items[i];
        bool again = w[best].seen.way != CAPTURE_WAY_IN;
        for (size_t k = 0; k < i && !again; k++)
            again = w[group.items[k]].seen.host == w[best].seen.host;
        if (again)
            continue;
        for (size_t k = i + 1; k < group.count; k++) {
            uint32_t other = group.items[k];
            if (w[other].seen.host == w[best].seen.host &&
                w[other].seen.time_ns < w[best].seen.time_ns)
                best = other;
        }
        w[best].state = PAIRED;
        w[best].seen.pair = pair;
        w[best].seen.receivers = w[sent].seen.receivers++;
    }
    w[sent].state = PAIRED;
    w[sent].seen.pair = pair;
    p->flows[w[sent].flow % FLOWS] = (struct flow){w[sent].flow, w[sent].seen.host, true};
}

/* Note what a packet that leaves the window shows about gaps. */
static void watch(struct pairs *p, const struct waiting *s, int64_t aligned_ns)
{
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

csy_status pairs_next(struct pairs *p, const struct sighting **out, csy_error *error)
{
    bool more = true;
    *out = NULL;
    while (more && p->end - p->begin < PAIRS_WINDOW &&
           (p->begin == p->end ||
            p->newest_ns - p->aligned_ns[p->begin % PAIRS_WINDOW] < PAIRS_WINDOW_NS)) {
        csy_status status = fill(p, &more, error);
        if (status)
            return status;
    }
    if (p->begin == p->end)
        return CSY_OK;
    uint32_t oldest = (uint32_t)(p->begin++ % PAIRS_WINDOW);
    struct waiting *s = &p->window[oldest];
    int64_t aligned_ns = p->aligned_ns[oldest];
    /* Prefetch packets: the window is larger than the caches of most processors. */
    __builtin_prefetch(at(p, p->begin + 16), 1);
    __builtin_prefetch(&p->lists[at(p, p->begin + 8)->key % LISTS], 1);
    __builtin_prefetch(&p->window[at(p, p->begin + 4)->next % PAIRS_WINDOW], 1);
    if (s->state == WAITS)
        judge(p, oldest);
    if (s->listed) /* the oldest packet is the first in the list */
        p->lists[s->key % LISTS].first = s->next;
    watch(p, s, aligned_ns);
    struct pairs_counts *counts = &p->counts[s->seen.host];
    counts->paired += s->state == PAIRED;
    counts->alone += s->state == ALONE && s->listed;
    counts->copies += s->state == COPY;
    counts->forwarded += s->state == FORWARDED;
    *out = &s->seen;
    return CSY_OK;
}

const struct pairs_counts *pairs_counts(const struct pairs *p, size_t host)
{
    return &p->counts[host];
}

/* --- Start and end --------------------------------------------------------------------------- */

csy_status pairs_rewind(struct pairs *p, bool salvage, csy_error *error)
{
    csy_status status = CSY_OK;
    p->salvage = salvage;
    p->begin = p->end = 0;
    p->npairs = 0;
    memset(p->counts, 0, p->hosts->count * sizeof *p->counts);
    memset(p->silences, 0, p->hosts->count * sizeof *p->silences);
    memset(p->flows, 0, FLOWS * sizeof *p->flows);
    for (size_t i = 0; i < LISTS; i++)
        p->lists[i].first = PAIRS_NONE;
    for (size_t i = 0; i < p->hosts->count && !status; i++) {
        status = host_begin(&p->hosts->items[i], error);
        if (!status)
            status = look_ahead(p, i, error);
    }
    return status;
}

csy_status pairs_new(struct hosts *hosts, bool salvage, struct pairs **out, csy_error *error)
{
    struct pairs *p = calloc(1, sizeof *p);
    if (!p)
        return error_memory(error);
    *out = p;
    p->hosts = hosts;
    p->ahead = calloc(hosts->count, sizeof *p->ahead);
    p->window = malloc(PAIRS_WINDOW * sizeof *p->window);
    p->lists = malloc(LISTS * sizeof *p->lists);
    p->counts = calloc(hosts->count, sizeof *p->counts);
    p->aligned_ns = malloc(PAIRS_WINDOW * sizeof *p->aligned_ns);
    p->silences = calloc(hosts->count, sizeof *p->silences);
    p->flows = malloc(FLOWS * sizeof *p->flows);
    if (!p->ahead || !p->window || !p->lists || !p->counts || !p->aligned_ns || !p->silences ||
        !p->flows)
        return error_memory(error);
    return pairs_rewind(p, salvage, error);
}

void pairs_free(struct pairs *p)
{
    if (!p)
        return;
    free(p->ahead);
    free(p->window);
    free(p->lists);
    free(p->counts);
    free(p->aligned_ns);
    free(p->silences);
    free(p->flows);
    free(p);
}
