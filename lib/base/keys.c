/* See keys.h. */
#include "base/keys.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

enum { SLOTS_MIN = 64 };

void keys_fini(struct keys *keys)
{
    free(keys->slots);
    *keys = (struct keys){0};
}

static void put(struct keys *keys, uint64_t key, uint32_t number)
{
    uint64_t hash = key * UINT64_C(0x9e3779b97f4a7c15);
    size_t at = (size_t)(hash ^ hash >> 32) & (keys->nslots - 1);
    while (keys->slots[at].number != NO_KEY)
        at = (at + 1) & (keys->nslots - 1);
    keys->slots[at] = (struct key_slot){key, number};
}

bool keys_add(struct keys *keys, uint64_t key, uint32_t *out)
{
    if (keys->count >= NO_KEY - 1)
        return false;
    if (2 * (keys->count + 1) > keys->nslots) { /* grow if half of the slots are in use */
        struct keys grown = {.nslots = keys->nslots ? 2 * keys->nslots : SLOTS_MIN,
                             .count = keys->count};
        if (grown.nslots > SIZE_MAX / 2 / sizeof *grown.slots ||
            !memory_allows((uint128)grown.nslots * sizeof *grown.slots))
            return false;
        grown.slots = malloc(grown.nslots * sizeof *grown.slots);
        if (!grown.slots)
            return false;
        memset(grown.slots, 0xff, grown.nslots * sizeof *grown.slots);
        for (size_t i = 0; i < keys->nslots; i++)
            if (keys->slots[i].number != NO_KEY)
                put(&grown, keys->slots[i].key, keys->slots[i].number);
        free(keys->slots);
        *keys = grown;
    }
    *out = (uint32_t)keys->count++;
    put(keys, key, *out);
    return true;
}
