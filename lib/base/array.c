/* See array.h. */
#include "base/array.h"

#include "base/memory.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

bool array_grow(void **items, size_t *capacity, size_t need, size_t size)
{
    size_t grown = *capacity ? *capacity : 16;
    while (grown < need) {
        if (grown > SIZE_MAX / 2)
            return false;
        grown *= 2;
    }
    if (grown > SIZE_MAX / size || !memory_allows((uint128)grown * size))
        return false;
    void *moved = realloc(*items, grown * size);
    if (!moved)
        return false;
    *items = moved;
    *capacity = grown;
    return true;
}

void array_fit(void **items, size_t *capacity, size_t count, size_t size)
{
    void *moved = count > 0 && count < *capacity ? realloc(*items, count * size) : NULL;
    *items = moved ? moved : *items;
    *capacity = moved ? count : *capacity;
}

bool array_grow_ring(void **items, size_t *capacity, size_t size, size_t least, uint64_t first,
                     uint64_t end)
{
    size_t before = *capacity, grown = before ? 2 * before : least;
    if (before > SIZE_MAX / 2 || grown > SIZE_MAX / size || !memory_allows((uint128)grown * size))
        return false;
    char *moved = malloc(grown * size);
    if (!moved)
        return false;
    for (uint64_t i = first; i < end; i++)
        memcpy(moved + ((size_t)i & (grown - 1)) * size,
               (const char *)*items + ((size_t)i & (before - 1)) * size, size);
    free(*items);
    *items = moved;
    *capacity = grown;
    return true;
}
