/* Finds packets that one host sent and another one received. */
#include "trace/pcap/pairs.h"

#include "base/array.h"
#include "base/error.h"
#include "trace/trace.h"

#include <stdlib.h>
#include <string.h>

/* A host may send a copy of a packet up to this long after the first copy. */
#define START_NS INT64_C(10000000000)

/* A gap in a capture is longer than GAP_NS. The packets that prove a gap are at least GAP_SHOWN_NS
 * apart. */
#define GAP_NS INT64_C(1000000000)
#define GAP_SHOWN_NS INT64_C(500000000)

/* With twice as many lists as packets, packets with different keys seldom share a list. */
enum { LISTS = 2 * PAIRS_WINDOW, FLOWS = 1 << 12, WINDOW_LEAST = 1 << 10 };

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
    int64_t aligned_ns;
    uint64_t key;
    uint32_t flow; /* hash of the addresses and ports, as in struct packet */
    uint32_t next; /* number of packets until the next one in the list; 0 if there is none */
    uint8_t state; /* enum waiting_state */
    bool listed, unique;
};

/* The next packet of a capture, or NULL at the end. */
struct ahead {
    const struct sighted *packet;
    int64_t aligned_ns;
};

/* The last host that sent a paired packet with certain addresses and ports (`flow`). */
struct flow {
    uint32_t flow, sender;
    bool any;
};

/* The time since the last packet in the capture of a host, which may be a gap. All times are by the
 * clock that is common to all hosts. */
struct silence {
    int64_t last_ns;            /* time of the last packet in the host's capture */
    int64_t first_ns, until_ns; /* when other hosts first and last received later packets */
    bool begun, any; /* true if `last_ns` is set; true if `first_ns` and `until_ns` are set */
};

struct pairs {
    struct hosts *hosts;
    bool salvage;
    struct ahead *ahead;    /* next packet of each host */
    struct waiting *window; /* ring buffer, which grows to PAIRS_WINDOW packets */
    size_t capacity;
    /* Packets in the window with equal low bits of the key form a list, the oldest packet first.
     * last[i] has the low bits of the number of the last packet in list i, which may have left the
     * window. */
    uint32_t *last;
    int64_t newest_ns;           /* aligned time of the newest packet */
    uint64_t begin, end;         /* the window has packets `begin` to `end` - 1 */
    uint32_t npairs;             /* number of pairs so far */
    struct pairs_counts *counts; /* counts of each host */
    struct silence *silences;    /* time since the last packet of each host */
    struct flow *flows;
};

static struct waiting *at(const struct pairs *p, uint64_t number)
{
    return &p->window[number & (p->capacity - 1)];
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
        __builtin_prefetch(&p->last[later->key % LISTS], 1);
    return CSY_OK;
}

/* Move the earliest of the next packets of all captures to the window. *more becomes false if no
 * packet is left. */
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
    struct pairs_counts *counts = &p->counts[best];
    bool listed = packet->keyed && way != CAPTURE_WAY_UNKNOWN;
    *s = (struct waiting){.seen = {.time_ns = packet->time_ns,
                                   .place = packet->place,
                                   .pair = PAIRS_NONE,
                                   .host = (uint16_t)best,
                                   .way = (uint8_t)(way & 3),
                                   .decimals = (uint8_t)(host->ports[packet->port].decimals & 15)},
                          .aligned_ns = ahead->aligned_ns,
                          .key = packet->key,
                          .flow = packet->flow,
                          .state = listed ? WAITS : ALONE,
                          .listed = listed,
                          .unique = packet->unique};
    p->newest_ns = ahead->aligned_ns;
    counts->sent += way == CAPTURE_WAY_OUT;
    counts->received += way == CAPTURE_WAY_IN;
    counts->unknown_way += way == CAPTURE_WAY_UNKNOWN;
    if (listed) {
        uint32_t *last = &p->last[s->key % LISTS], number = (uint32_t)p->end;
        struct waiting *before = at(p, *last);
        /* The number may belong to a packet of another list if this list is empty. */
        if (*last - (uint32_t)p->begin < number - (uint32_t)p->begin && before->listed &&
            before->key % LISTS == s->key % LISTS)
            before->next = number - *last;
        *last = number;
    }
    p->end++;
    return look_ahead(p, best, error);
}

/* --- Judging --------------------------------------------------------------------------------- */

/* The packets in the window that have the same key. */
struct group {
    struct waiting *items[PAIRS_COPIES];
    size_t count;
    bool many; /* true if the window has more than PAIRS_COPIES such packets */
};

static void set_state(const struct group *group, enum waiting_state state)
{
    for (size_t i = 0; i < group->count; i++)
        group->items[i]->state = (uint8_t)state;
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

/* Returns true if a host received more copies of a packet than were sent. The other copies were
 * sent before the sender's capture began, or the network made them. */
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

/* Find the packets with the key of the oldest packet in the window, and pair or reject them. */
static void judge(struct pairs *p, uint64_t number)
{
    const struct waiting *oldest = at(p, number);
    struct group group = {.count = 0};
    struct waiting *sent = NULL;
    bool forwarded = false, alone = true;
    for (uint32_t step = 1; step > 0; number += step) {
        struct waiting *s = at(p, number);
        step = s->next;
        if (s->key != oldest->key || s->flow != oldest->flow || s->state != WAITS)
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
        return;
    }
    set_state(&group, alone || !sent ? ALONE : COPY);
    if (alone || !sent || p->npairs == PAIRS_NONE || may_lack(p, sent) ||
        (!sent->unique && has_more_received(&group)))
        return;
    /* Pair the first copy that each host received. */
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
        best->seen.pair = pair;
        best->seen.receivers = sent->seen.receivers++;
    }
    sent->state = PAIRED;
    sent->seen.pair = pair;
    p->flows[sent->flow % FLOWS] = (struct flow){sent->flow, sent->seen.host, true};
}

/* Note what a packet that leaves the window shows about gaps in captures. */
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

csy_status pairs_next(struct pairs *p, const struct sighting **out, csy_error *error)
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
    /* Prefetch packets: the window is larger than the caches of most processors. */
    __builtin_prefetch(at(p, p->begin + 16), 1);
    __builtin_prefetch(at(p, p->begin + 4 + at(p, p->begin + 4)->next), 1);
    if (s->state == WAITS)
        judge(p, oldest);
    watch(p, s);
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
    memset(p->last, 0, LISTS * sizeof *p->last);
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
    p->last = malloc(LISTS * sizeof *p->last);
    p->counts = calloc(hosts->count, sizeof *p->counts);
    p->silences = calloc(hosts->count, sizeof *p->silences);
    p->flows = malloc(FLOWS * sizeof *p->flows);
    if (!p->ahead || !p->last || !p->counts || !p->silences || !p->flows)
        return error_memory(error);
    return pairs_rewind(p, salvage, error);
}

void pairs_free(struct pairs *p)
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
