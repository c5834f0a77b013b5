/* A hash table that numbers 64-bit keys 0, 1, 2, ... in the order they are added. */
#ifndef BASE_KEYS_H
#define BASE_KEYS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define NO_KEY UINT32_MAX

struct key_slot {
    uint64_t key;
    uint32_t number; /* number of the key, or NO_KEY if the slot is free */
};

struct keys {
    struct key_slot *slots; /* hash table; nslots, its number of slots, is a power of 2 */
    size_t nslots, count;
};

void keys_fini(struct keys *keys);

/* Adds a key that is not in the table. Only keys_find calls this function. */
bool keys_add(struct keys *keys, uint64_t key, uint32_t *out);

/* Returns the slot where the search for a key begins. */
static inline size_t keys_home(const struct keys *keys, uint64_t key)
{
    uint64_t hash = key * UINT64_C(0x9e3779b97f4a7c15);
    return (size_t)(hash ^ hash >> 32) & (keys->nslots - 1);
}

/* Set *out to the number of a key. Returns false if the key is not in the table. */
static inline bool keys_look(const struct keys *keys, uint64_t key, uint32_t *out)
{
    if (keys->nslots == 0)
        return false;
    for (size_t at = keys_home(keys, key);; at++) {
        const struct key_slot *slot = &keys->slots[at & (keys->nslots - 1)];
        if (slot->number == NO_KEY)
            return false;
        if (slot->key == key) {
            *out = slot->number;
            return true;
        }
    }
}

/* Set *out to the number of a key, and *added to true if the key was new and has been added.
 * Returns false if memory runs out, or for more than 2^32 - 2 keys. */
static inline bool keys_find(struct keys *keys, uint64_t key, uint32_t *out, bool *added)
{
    *added = !keys_look(keys, key, out);
    return !*added || keys_add(keys, key, out);
}

/* If the caller chooses the numbers (below NO_KEY): keys_put adds a key that is not in the table,
 * and returns false if memory runs out. keys_remove removes a key and sets *out to its number, or
 * returns false if there is none. */
bool keys_put(struct keys *keys, uint64_t key, uint32_t number);
bool keys_remove(struct keys *keys, uint64_t key, uint32_t *out);

/* Returns a key for a pair of numbers; different pairs have different keys. */
static inline uint64_t keys_pair(uint32_t a, uint32_t b)
{
    return (uint64_t)a << 32 | b;
}

#endif
