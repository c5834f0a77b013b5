/* Growable arrays. */
#include "base/array.h"

#include "base/memory.h"

#include <stdint.h>
#include <stdlib.h>

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
