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
    size_t at = keys_home(keys, key);
    while (keys->slots[at].number != NO_KEY)
        at = (at + 1) & (keys->nslots - 1);
    keys->slots[at] = (struct key_slot){key, number};
}

bool keys_put(struct keys *keys, uint64_t key, uint32_t number)
{
    if (2 * (keys->count + 1) > keys->nslots) { /* grow if half of the slots would be in use */
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
    keys->count++;
    put(keys, key, number);
    return true;
}

bool keys_add(struct keys *keys, uint64_t key, uint32_t *out)
{
    *out = (uint32_t)keys->count;
    return keys->count < NO_KEY - 1 && keys_put(keys, key, *out);
}

bool keys_remove(struct keys *keys, uint64_t key, uint32_t *out)
{
    size_t mask = keys->nslots - 1;
    if (!keys_look(keys, key, out))
        return false;
    size_t hole = keys_home(keys, key);
    while (keys->slots[hole].key != key)
        hole = (hole + 1) & mask;
    /* Free the slot, and move up later keys that a search, which ends at a free slot, would
     * miss. */
    for (size_t at = (hole + 1) & mask; keys->slots[at].number != NO_KEY; at = (at + 1) & mask)
        if (((at - keys_home(keys, keys->slots[at].key)) & mask) >= ((at - hole) & mask)) {
            keys->slots[hole] = keys->slots[at];
            hole = at;
        }
    memset(&keys->slots[hole], 0xff, sizeof keys->slots[hole]);
    keys->count--;
    return true;
}
