/* Growable arrays. The owner declares a pointer, a count, and a capacity. */
#ifndef BASE_ARRAY_H
#define BASE_ARRAY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* Returns the pointer without const, for free() and for functions that only read without const. */
static inline void *unconst(const void *pointer)
{
    union {
        const void *constant;
        void *plain;
    } both = {.constant = pointer};
    return both.plain;
}

/* Implements array_reserve for an array that must grow. */
bool array_grow(void **items, size_t *capacity, size_t need, size_t size);

/* Make room for `need` elements of `size` bytes at *items; a capacity that grows at least doubles.
 * Returns false, and changes nothing, if memory runs out. Amortized O(1) for each element. */
static inline bool array_reserve(void **items, size_t *capacity, size_t need, size_t size)
{
#ifdef __clang_analyzer__ /* to the analyzer, items may be NULL although the capacity is above 0 */
    return array_grow(items, capacity, need, size);
#else
    return need <= *capacity || array_grow(items, capacity, need, size);
#endif
}

/* Append an element at *items. Returns false, and changes nothing, if memory runs out. */
static inline bool array_push(void **items, size_t *count, size_t *capacity, size_t size,
                              const void *item)
{
    if (!array_reserve(items, capacity, *count + 1, size))
        return false;
    memcpy((char *)*items + (*count)++ * size, item, size);
    return true;
}

/* Append copies of `fill`, or zeroed elements if it is NULL, until the array has at least `need`
 * elements. Returns false if memory runs out. */
static inline bool array_extend(void **items, size_t *count, size_t *capacity, size_t need,
                                size_t size, const void *fill)
{
    if (need <= *count)
        return true;
    if (!array_reserve(items, capacity, need, size))
        return false;
    if (!fill)
        memset((char *)*items + *count * size, 0, (need - *count) * size);
    for (size_t i = *count; fill && i < need; i++)
        memcpy((char *)*items + i * size, fill, size);
    *count = need;
    return true;
}

/* Free the memory beyond `count` elements. */
void array_fit(void **items, size_t *capacity, size_t count, size_t size);

/* Double the capacity of a full ring, or allocate `least` elements for an empty ring; `least` is a
 * power of 2. Returns false, and changes nothing, if memory runs out. Element i is stored at index
 * i modulo capacity. The ring contains the elements `first` to `end` - 1. */
bool array_grow_ring(void **items, size_t *capacity, size_t size, size_t least, uint64_t first,
                     uint64_t end);

/* Returns true if `value` is one of the n sorted numbers. Successive values must ascend; *next is
 * the state of the search, initially 0. */
static inline bool sorted_has(const uint64_t *sorted, size_t n, size_t *next, uint64_t value)
{
    while (*next < n && sorted[*next] < value)
        ++*next;
    return *next < n && sorted[*next] == value;
}

/* Set `low` to the first index from low to high for which `before` is false. The condition `before`
 * depends on the index `middle`; it must be true before the result and false from the result on. */
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

/* Take an item from a pool: an array with a list of free items. *free is the index of the first
 * free item, or NO_ITEM; each free item has the index of the next one at the offset `next`. Set
 * *out to the index of the item, which the caller initializes. Returns false if memory runs out. */
#define NO_ITEM UINT32_MAX
static inline bool array_take_free(void **items, size_t *capacity, size_t *count, size_t size,
                                   size_t next, uint32_t *free, uint32_t *out)
{
    if (*free != NO_ITEM) {
        *out = *free;
        memcpy(free, (const char *)*items + *out * size + next, sizeof *free);
        return true;
    }
    if (*count >= NO_ITEM || !array_reserve(items, capacity, *count + 1, size))
        return false;
    *out = (uint32_t)(*count)++;
    return true;
}

#define ARRAY_TAKE(items, capacity, count, next, free, out)                                        \
    array_take_free((void **)&(items), &(capacity), &(count), sizeof *(items),                     \
                    offsetof(__typeof__(*(items)), next), &(free), (out))

#define RING_GROW(items, capacity, least, first, end)                                              \
    array_grow_ring((void **)&(items), &(capacity), sizeof *(items), (least), (first), (end))

#define ARRAY_RESERVE(items, capacity, need)                                                       \
    array_reserve((void **)&(items), &(capacity), (need), sizeof *(items))

/* The last arguments are the element to append, or the value of new elements. */
#define ARRAY_PUSH(items, count, capacity, ...)                                                    \
    array_push((void **)&(items), &(count), &(capacity), sizeof *(items),                          \
               (const __typeof__(*(items))[1]){__VA_ARGS__})

#define ARRAY_EXTEND(items, count, capacity, need, ...)                                            \
    array_extend((void **)&(items), &(count), &(capacity), (need), sizeof *(items),                \
                 (const __typeof__(*(items))[1]){__VA_ARGS__})

#define ARRAY_EXTEND_ZERO(items, count, capacity, need)                                            \
    array_extend((void **)&(items), &(count), &(capacity), (need), sizeof *(items), NULL)

#define ARRAY_FIT(items, capacity, count)                                                          \
    array_fit((void **)&(items), &(capacity), (count), sizeof *(items))

#endif
