/* Arrays that grow. The caller declares a pointer to the elements, the count, and the capacity. */
#ifndef BASE_ARRAY_H
#define BASE_ARRAY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* Returns the pointer without const, as free() and some functions that only read require. */
static inline void *unconst(const void *pointer)
{
    union {
        const void *constant;
        void *plain;
    } both = {.constant = pointer};
    return both.plain;
}

/* Free up to FREE_MOST pointers: FREE_ALL(a, b, c). Pointers may be NULL. */
enum { FREE_MOST = 24 };
static inline void free_all(void *const pointers[FREE_MOST])
{
    for (size_t i = 0; i < FREE_MOST; i++)
        free(pointers[i]);
}
#define FREE_ALL(...) free_all((void *const[FREE_MOST]){__VA_ARGS__})

/* Grows the array for array_reserve, which is the only caller. */
bool array_grow(void **items, size_t *capacity, size_t need, size_t size);

/* Make room for `need` elements of `size` bytes. A capacity that grows is at least doubled, so an
 * element costs O(1) on average. Returns false, and changes nothing, if memory runs out. */
static inline bool array_reserve(void **items, size_t *capacity, size_t need, size_t size)
{
#ifdef __clang_analyzer__ /* the analyzer does not know that capacity > 0 implies items */
    return array_grow(items, capacity, need, size);
#else
    return need <= *capacity || array_grow(items, capacity, need, size);
#endif
}

/* Append a copy of *item to the array. Returns false, and changes nothing, if memory runs out. */
static inline bool array_push(void **items, size_t *count, size_t *capacity, size_t size,
                              const void *item)
{
    if (!array_reserve(items, capacity, *count + 1, size))
        return false;
    memcpy((char *)*items + (*count)++ * size, item, size);
    return true;
}

/* Append elements until the array has at least `need` elements. New elements are copies of *fill,
 * or zero if `fill` is NULL. Returns false if memory runs out. */
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

void array_fit(void **items, size_t *capacity, size_t count, size_t size);

/* Double the capacity of a full ring buffer, or allocate `least` elements (a power of 2) for an
 * empty one. The ring contains the elements with numbers `first` to `end` - 1; element i is stored
 * at index i modulo capacity. Returns false, and changes nothing, if memory runs out. */
bool array_grow_ring(void **items, size_t *capacity, size_t size, size_t least, uint64_t first,
                     uint64_t end);

/* Returns true if `value` is one of n numbers in ascending order. The values of successive calls
 * must ascend. *next is the index where the search continues; set it to 0 before the first call. */
static inline bool sorted_has(const uint64_t *sorted, size_t n, size_t *next, uint64_t value)
{
    while (*next < n && sorted[*next] < value)
        ++*next;
    return *next < n && sorted[*next] == value;
}

/* Binary search: set `low` to the first index for which the condition `before` is false, or to
 * `high` if there is none. `before` is an expression in `middle`, the index to test. It must be
 * true for all smaller indices than the result, and false for all greater ones. */
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

/* Take an item from an array with a list of its unused items. *free is the index of the first
 * unused item, or NO_ITEM. An unused item stores the index of the next one at byte offset `next`.
 * *out becomes the item's index; its content is undefined. Returns false if memory runs out. */
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

/* Append an item to a ring (array_grow_ring), and increment *end. */
static inline bool ring_push(void **items, size_t *capacity, size_t size, uint64_t first,
                             uint64_t *end, const void *item)
{
    enum { LEAST = 4 };
    if (*end - first == *capacity && !array_grow_ring(items, capacity, size, LEAST, first, *end))
        return false;
    memcpy((char *)*items + ((size_t)*end & (*capacity - 1)) * size, item, size);
    ++*end;
    return true;
}
#define RING_PUSH(items, capacity, first, end, ...)                                                \
    ring_push((void **)&(items), &(capacity), sizeof *(items), (first), &(end),                    \
              (const __typeof__(*(items))[1]){__VA_ARGS__})

#define ARRAY_RESERVE(items, capacity, need)                                                       \
    array_reserve((void **)&(items), &(capacity), (need), sizeof *(items))

/* The last arguments are the members of the element that is appended. */
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
