/* Implements requests.h by a hash table with linear probing. */
#include "trace/otf2/requests.h"

#include <stdlib.h>
#include <string.h>

enum { SLOTS_LEAST = 16 };

void requests_fini(struct requests *requests)
{
    free(requests->slots);
    *requests = (struct requests){0};
}

void requests_clear(struct requests *requests)
{
    if (requests->count > 0)
        memset(requests->slots, 0, requests->nslots * sizeof *requests->slots);
    requests->count = 0;
}

static size_t home_of(const struct requests *requests, uint64_t id)
{
    return (size_t)((id * UINT64_C(0x9e3779b97f4a7c15)) >> 32) & (requests->nslots - 1);
}

/* Returns the slot of a request, or a free slot for this request. */
static size_t find(const struct requests *requests, uint64_t id)
{
    size_t at = home_of(requests, id);
    while (requests->slots[at].used && requests->slots[at].id != id)
        at = (at + 1) & (requests->nslots - 1);
    return at;
}

bool requests_put(struct requests *requests, uint64_t id, int64_t ticks)
{
    if (2 * (requests->count + 1) > requests->nslots) {
        struct requests more = {.nslots = requests->nslots ? 2 * requests->nslots : SLOTS_LEAST,
                                .count = requests->count};
        more.slots = calloc(more.nslots, sizeof *more.slots);
        if (!more.slots)
            return false;
        for (size_t i = 0; i < requests->nslots; i++)
            if (requests->slots[i].used)
                more.slots[find(&more, requests->slots[i].id)] = requests->slots[i];
        free(requests->slots);
        *requests = more;
    }
    requests->slots[find(requests, id)] = (struct request){id, ticks, true};
    requests->count++;
    return true;
}

bool requests_take(struct requests *requests, uint64_t id, int64_t *ticks)
{
    size_t mask = requests->nslots - 1;
    if (requests->count == 0)
        return false;
    size_t at = find(requests, id);
    if (!requests->slots[at].used)
        return false;
    *ticks = requests->slots[at].ticks;
    requests->count--;
    /* Move later requests up, so that a search from the home slot of a request still finds it. */
    for (size_t next = (at + 1) & mask; requests->slots[next].used; next = (next + 1) & mask) {
        size_t home = home_of(requests, requests->slots[next].id);
        if (((next - home) & mask) >= ((next - at) & mask)) {
            requests->slots[at] = requests->slots[next];
            at = next;
        }
    }
    requests->slots[at].used = false;
    return true;
}

bool requests_first(const struct requests *requests, int64_t *ticks)
{
    bool any = false;
    for (size_t i = 0; i < requests->nslots && requests->count > 0; i++) {
        const struct request *request = &requests->slots[i];
        if (request->used && (!any || request->ticks < *ticks))
            *ticks = request->ticks;
        any |= request->used;
    }
    return any;
}
