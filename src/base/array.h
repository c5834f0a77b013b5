/* Growable arrays: a pointer, a count and a capacity that the owner declares as it likes. */
#ifndef BASE_ARRAY_H
#define BASE_ARRAY_H

#include <stdbool.h>
#include <stddef.h>

/* The pointer without its const: for free(), and for functions that read but do not say so. */
static inline void *unconst(const void *pointer)
{
    union {
        const void *constant;
        void *plain;
    } both = {.constant = pointer};
    return both.plain;
}

/* Make room for `need` elements of `size` bytes at *items, doubling; false on no memory, when
 * nothing has changed.  Amortized O(1) an element. */
bool array_reserve(void **items, size_t *capacity, size_t need, size_t size);

#define ARRAY_RESERVE(items, capacity, need)                                                       \
    array_reserve((void **)&(items), &(capacity), (need), sizeof *(items))

#endif
