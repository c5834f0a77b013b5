/* Finds packets that two hosts captured. */
#include "trace/pcap/pairs.h"

#include "base/error.h"
#include "trace/trace.h"

#include <stdlib.h>
#include <string.h>

/* Copies may be sent this long after the first one. */
#define START_NS INT64_C(10000000000)

enum { LISTS = 1 << 16 };

/* Packets with equal low bits of the key, the oldest one first. */
struct list {
    uint32_t first, last;
};

/* The next packet of a capture. */
struct ahead {
    struct capture_block block;
    struct packet packet;
    int64_t aligned_ns;
    uint64_t steps;
    bool any;
};

struct pairs {
    struct hosts *hosts;
    bool salvage;
    struct ahead *ahead; /* by host */
    struct sighting *window;
    struct list *lists;
    uint64_t begin, end; /* numbers of the packets in the window */
    uint32_t *free;      /* numbers of pairs that are free, or were never used */
    uint8_t *waiting;    /* by number of a pair: packets of it that are still in the window */
    size_t nfree;
    struct pairs_counts *counts; /* by host */
};

static struct sighting *at(const struct pairs *p, uint64_t number)
{
    return &p->window[number % PAIRS_WINDOW];
}

/* --- Reading --------------------------------------------------------------------------------- */

static csy_status look_ahead(struct pairs *p, size_t host, csy_error *error)
{
    struct ahead *ahead = &p->ahead[host];
    struct host *h = &p->hosts->items[host];
    csy_status status = host_next(h, p->salvage, &ahead->block, &ahead->packet, &ahead->any, error);
    if (!status && ahead->any && ahead->block.interface >= h->nports)
        return error_set(error, CSY_IO, "%s: it was changed while it was read", h->trace->name);
    if (status || !ahead->any)
        return status;
    ahead->aligned_ns = host_align(h, ahead->block.time_ns);
    ahead->steps = capture_steps(&h->capture.interfaces[ahead->block.interface]);
    return CSY_OK;
}

/* Move the earliest of the next packets to the window. */
static csy_status fill(struct pairs *p, bool *more, csy_error *error)
{
    size_t best = SIZE_MAX;
    for (size_t i = 0; i < p->hosts->count; i++)
        if (p->ahead[i].any &&
            (best == SIZE_MAX || p->ahead[i].aligned_ns < p->ahead[best].aligned_ns))
            best = i;
    *more = best != SIZE_MAX;
    if (!*more)
        return CSY_OK;
    const struct ahead *ahead = &p->ahead[best];
    struct sighting *s = at(p, p->end);
    enum capture_way way = host_way(&p->hosts->items[best], &ahead->block, &ahead->packet);
    struct pairs_counts *counts = &p->counts[best];
    *s = (struct sighting){.key = ahead->packet.key,
                           .time_ns = ahead->block.time_ns,
                           .place = ahead->block.place,
                           .next = PAIRS_NONE,
                           .pair = PAIRS_NONE,
                           .host = (uint16_t)best,
                           .way = (uint8_t)way,
                           .state = ahead->packet.keyed && way != CAPTURE_WAY_UNKNOWN
                                        ? SIGHTING_WAITS
                                        : SIGHTING_ALONE,
                           .keyed = ahead->packet.keyed,
                           .unique = ahead->packet.unique,
                           .steps = ahead->steps};
    counts->sent += way == CAPTURE_WAY_OUT;
    counts->received += way == CAPTURE_WAY_IN;
    counts->unknown_way += way == CAPTURE_WAY_UNKNOWN;
    if (s->state == SIGHTING_WAITS) {
        struct list *list = &p->lists[s->key.low % LISTS];
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

/* The packets in the window with one key. */
struct group {
    uint32_t items[PAIRS_COPIES];
    size_t count;
    bool many; /* more than PAIRS_COPIES */
};

static void set_state(struct pairs *p, const struct group *group, enum sighting_state state)
{
    for (size_t i = 0; i < group->count; i++)
        p->window[group->items[i]].state = (uint8_t)state;
}

/* True if an earlier copy of the packet may be missing in the sender's capture, so that what was
 * received may be that one. */
static bool may_lack(const struct pairs *p, const struct sighting *sent)
{
    const struct host *host = &p->hosts->items[sent->host];
    return !sent->unique &&
           (host->unique || host->drops > 0 || sent->time_ns < host->first_ns + START_NS);
}

/* True if a host received more copies than were sent: some were sent before the capture of the
 * sender began, or the network made them. */
static bool has_more_received(const struct pairs *p, const struct group *group)
{
    size_t sent = 0;
    for (size_t i = 0; i < group->count; i++)
        sent += p->window[group->items[i]].way == CAPTURE_WAY_OUT;
    for (size_t i = 0; i < group->count; i++) {
        const struct sighting *s = &p->window[group->items[i]];
        size_t received = 0;
        for (size_t k = 0; k < group->count && s->way == CAPTURE_WAY_IN; k++) {
            const struct sighting *other = &p->window[group->items[k]];
            received += other->host == s->host;
        }
        if (received > sent)
            return true;
    }
    return false;
}

/* Decide on all packets with the key of the oldest one. */
static void judge(struct pairs *p, uint32_t oldest)
{
    struct sighting *w = p->window;
    const struct sighting *first = &w[oldest];
    struct group group = {.count = 0};
    uint32_t sent = PAIRS_NONE;
    bool forwarded = false, several = false;
    for (uint32_t i = oldest; i != PAIRS_NONE; i = w[i].next) {
        if (w[i].key.low != first->key.low || w[i].key.high != first->key.high ||
            w[i].state != SIGHTING_WAITS)
            continue;
        if (group.count == PAIRS_COPIES) {
            group.many = true;
            w[i].state = SIGHTING_COPY;
            continue;
        }
        for (size_t k = 0; k < group.count; k++) {
            const struct sighting *other = &w[group.items[k]];
            forwarded |= other->host == w[i].host && other->way != w[i].way;
            several |= other->host != w[i].host && other->way == CAPTURE_WAY_OUT &&
                       w[i].way == CAPTURE_WAY_OUT;
        }
        if (w[i].way == CAPTURE_WAY_OUT && (sent == PAIRS_NONE || w[i].time_ns < w[sent].time_ns))
            sent = i;
        group.items[group.count++] = i;
    }
    bool alone = true;
    for (size_t i = 1; i < group.count; i++)
        alone &= w[group.items[i]].host == first->host;
    if (group.many || forwarded || several) {
        set_state(p, &group, forwarded || several ? SIGHTING_FORWARDED : SIGHTING_COPY);
        return;
    }
    set_state(p, &group, alone || sent == PAIRS_NONE ? SIGHTING_ALONE : SIGHTING_COPY);
    if (alone || sent == PAIRS_NONE || may_lack(p, &w[sent]) ||
        (!w[sent].unique && has_more_received(p, &group)))
        return;
    /* The first copy that each host received. */
    uint32_t pair = p->free[--p->nfree];
    w[sent].receivers = 0;
    for (size_t i = 0; i < group.count; i++) {
        uint32_t best = group.items[i];
        bool again = w[best].way != CAPTURE_WAY_IN;
        for (size_t k = 0; k < i && !again; k++)
            again = w[group.items[k]].host == w[best].host;
        if (again)
            continue;
        for (size_t k = i + 1; k < group.count; k++) {
            uint32_t other = group.items[k];
            if (w[other].host == w[best].host && w[other].time_ns < w[best].time_ns)
                best = other;
        }
        w[best].state = SIGHTING_PAIRED;
        w[best].pair = pair;
        w[best].receiver = w[sent].receivers++;
    }
    w[sent].state = SIGHTING_PAIRED;
    w[sent].pair = pair;
    p->waiting[pair] = (uint8_t)(1 + w[sent].receivers);
}

static void count_state(struct pairs *p, const struct sighting *s)
{
    struct pairs_counts *counts = &p->counts[s->host];
    counts->paired += s->state == SIGHTING_PAIRED;
    counts->alone += s->state == SIGHTING_ALONE && s->keyed && s->way != CAPTURE_WAY_UNKNOWN;
    counts->copies += s->state == SIGHTING_COPY;
    counts->forwarded += s->state == SIGHTING_FORWARDED;
}

csy_status pairs_next(struct pairs *p, const struct sighting **out, csy_error *error)
{
    bool more = true;
    *out = NULL;
    while (more && p->end - p->begin < PAIRS_WINDOW) {
        csy_status status = fill(p, &more, error);
        if (status)
            return status;
    }
    if (p->begin == p->end)
        return CSY_OK;
    uint32_t oldest = (uint32_t)(p->begin++ % PAIRS_WINDOW);
    struct sighting *s = &p->window[oldest];
    if (s->state == SIGHTING_WAITS)
        judge(p, oldest);
    if (s->keyed && s->way != CAPTURE_WAY_UNKNOWN) /* it is the first one of its list */
        p->lists[s->key.low % LISTS].first = s->next;
    if (s->pair != PAIRS_NONE && --p->waiting[s->pair] == 0)
        p->free[p->nfree++] = s->pair;
    count_state(p, s);
    *out = s;
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
    p->nfree = PAIRS_WINDOW;
    for (uint32_t i = 0; i < PAIRS_WINDOW; i++)
        p->free[i] = PAIRS_WINDOW - 1 - i;
    memset(p->counts, 0, p->hosts->count * sizeof *p->counts);
    for (size_t i = 0; i < LISTS; i++)
        p->lists[i].first = PAIRS_NONE;
    for (size_t i = 0; i < p->hosts->count && !status; i++) {
        host_rewind(&p->hosts->items[i]);
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
    p->free = malloc(PAIRS_WINDOW * sizeof *p->free);
    p->waiting = malloc(PAIRS_WINDOW * sizeof *p->waiting);
    if (!p->ahead || !p->window || !p->lists || !p->counts || !p->free || !p->waiting)
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
    free(p->free);
    free(p->waiting);
    free(p);
}
