/* Growable arrays: a pointer, a count and a capacity that the owner declares as it likes. */
#ifndef BASE_ARRAY_H
#define BASE_ARRAY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The pointer without its const: for free(), and for functions that read but do not say so. */
static inline void *unconst(const void *pointer)
{
    union {
        const void *constant;
        void *plain;
    } both = {.constant = pointer};
    return both.plain;
}

/* What array_reserve does where there is too little. */
bool array_grow(void **items, size_t *capacity, size_t need, size_t size);

/* Make room for `need` elements of `size` bytes at *items, doubling; false on no memory, when
 * nothing has changed.  Amortized O(1) an element. */
static inline bool array_reserve(void **items, size_t *capacity, size_t need, size_t size)
{
#ifdef __clang_analyzer__ /* it would not know that where there is a capacity there are items */
    return array_grow(items, capacity, need, size);
#else
    return need <= *capacity || array_grow(items, capacity, need, size);
#endif
}

/* Twice the room for a ring, where all of it is in use, or `least`, a power of 2, where there is
 * none; false on no memory, when nothing has changed.  The element of a number, which only rises,
 * is at that modulo the capacity; those from first to before end are there. */
bool array_grow_ring(void **items, size_t *capacity, size_t size, size_t least, uint64_t first,
                     uint64_t end);

/* Whether value is among the n sorted ones; *next (begun as 0) is the first that may still come,
 * for values asked for in order. */
static inline bool sorted_has(const uint64_t *sorted, size_t n, size_t *next, uint64_t value)
{
    while (*next < n && sorted[*next] < value)
        ++*next;
    return *next < n && sorted[*next] == value;
}

/* Set low to the first index up to high for which `before`, a condition on the index `middle`, is
 * false.  It must be true for all indices before that, and false for all after it. */
/* NOLINTBEGIN(bugprone-macro-parentheses): middle is declared. */
#define BISECT(low, high, middle, before)                                                          \
    do {                                                                                           \
        while ((low) < (high)) {                                                                   \
            __typeof__(low) middle = (low) + ((high) - (low)) / 2;                                 \
            if (before)                                                                            \
                (low) = middle + 1;                                                                \
            else                                                                                   \
                (high) = middle;                                                                   \
        }                                                                                          \
    } while (0)
/* NOLINTEND(bugprone-macro-parentheses) */

#define RING_GROW(items, capacity, least, first, end)                                              \
    array_grow_ring((void **)&(items), &(capacity), sizeof *(items), (least), (first), (end))

#define ARRAY_RESERVE(items, capacity, need)                                                       \
    array_reserve((void **)&(items), &(capacity), (need), sizeof *(items))

#endif
