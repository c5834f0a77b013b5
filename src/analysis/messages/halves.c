/* Ends of messages that wait for the other one. */
#include "analysis/messages/halves.h"

#include "base/array.h"

#include <stdlib.h>
#include <string.h>

enum { SLOTS_LEAST = 256 };

void halves_init(struct halves *halves)
{
    *halves = (struct halves){.free = NO_HALF};
}

void halves_fini(struct halves *halves)
{
    free(halves->items);
    free(halves->slots);
    halves_init(halves);
}

uint32_t halves_add(struct halves *halves, const struct half *half)
{
    uint32_t index = halves->free;
    if (index == NO_HALF) {
        if (halves->count == NO_HALF - 1 ||
            !ARRAY_RESERVE(halves->items, halves->capacity, halves->count + 1))
            return NO_HALF;
        index = (uint32_t)halves->count++;
    } else {
        halves->free = halves->items[index].next;
    }
    halves->items[index] = *half;
    halves->items[index].waits = true;
    return index;
}

void halves_drop(struct halves *halves, uint32_t index)
{
    halves->items[index].waits = false;
    halves->items[index].next = halves->free;
    halves->free = index;
}

static size_t home_of(const struct halves *halves, uint64_t key)
{
    return (size_t)(key * UINT64_C(0x9e3779b97f4a7c15) >> 32) & (halves->nslots - 1);
}

/* The slot of a key, or the free one where it would be. */
static size_t find(const struct halves *halves, uint64_t key)
{
    size_t at = home_of(halves, key);
    while (halves->slots[at] != NO_HALF && halves->items[halves->slots[at]].key != key)
        at = (at + 1) & (halves->nslots - 1);
    return at;
}

static bool grow(struct halves *halves)
{
    uint32_t *old = halves->slots;
    size_t before = halves->nslots, n = before ? 2 * before : SLOTS_LEAST;
    uint32_t *slots = malloc(n * sizeof *slots);
    if (!slots)
        return false;
    memset(slots, 0xff, n * sizeof *slots); /* NO_HALF */
    halves->slots = slots;
    halves->nslots = n;
    for (size_t i = 0; i < before; i++)
        if (old[i] != NO_HALF)
            slots[find(halves, halves->items[old[i]].key)] = old[i];
    free(old);
    return true;
}

/* Free a slot; those after it that are not in their home move up. */
static void take_out(struct halves *halves, size_t hole)
{
    size_t mask = halves->nslots - 1;
    for (size_t at = (hole + 1) & mask; halves->slots[at] != NO_HALF; at = (at + 1) & mask) {
        size_t home = home_of(halves, halves->items[halves->slots[at]].key);
        if (((at - home) & mask) >= ((at - hole) & mask)) {
            halves->slots[hole] = halves->slots[at];
            hole = at;
        }
    }
    halves->slots[hole] = NO_HALF;
    halves->nkeyed--;
}

bool halves_join(struct halves *halves, uint64_t key, uint32_t index, uint32_t *other)
{
    if (2 * (halves->nkeyed + 1) > halves->nslots && !grow(halves))
        return false;
    size_t at = find(halves, key);
    *other = halves->slots[at];
    if (*other != NO_HALF) {
        take_out(halves, at);
        return true;
    }
    halves->items[index].key = key;
    halves->slots[at] = index;
    halves->nkeyed++;
    return true;
}
