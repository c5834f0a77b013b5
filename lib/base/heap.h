/* Binary heaps of items of any type in arrays of the caller. The first item precedes all others. */
#ifndef BASE_HEAP_H
#define BASE_HEAP_H

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

/* Compares two items of a heap. Returns true if item a comes before item b. */
typedef bool heap_order(const void *a, const void *b);

/* Add an item of `size` bytes; the array must have room. Increments *count. O(log count). */
static inline void heap_put(void *items, size_t *count, size_t size, const void *item,
                            heap_order *is_before)
{
    char *base = items;
    size_t at = (*count)++;
    for (size_t above; at > 0; at = above) {
        above = (at - 1) / 2;
        if (!is_before(item, base + above * size))
            break;
        memcpy(base + at * size, base + above * size, size);
    }
    memcpy(base + at * size, item, size);
}

/* Move the first item to *first; there must be one. Decrements *count. O(log count). */
static inline void heap_take(void *items, size_t *count, size_t size, void *first,
                             heap_order *is_before)
{
    char *base = items;
    const char *last = base + --*count * size;
    size_t at = 0;
    memcpy(first, base, size);
    for (size_t child; (child = 2 * at + 1) < *count; at = child) {
        child +=
            child + 1 < *count && is_before(base + (child + 1) * size, base + child * size) ? 1 : 0;
        if (!is_before(base + child * size, last))
            break;
        memcpy(base + at * size, base + child * size, size);
    }
    memmove(base + at * size, last, size);
}

#endif
