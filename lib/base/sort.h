/* Compares values, and sorts arrays. */
#ifndef BASE_SORT_H
#define BASE_SORT_H

#include <stdint.h>
#include <stdlib.h>

/* COMPARE(a, b) is -1 if a < b, 0 if equal, and 1 if a > b; COMPARE_THEN is `rest` if equal. */
#define COMPARE(a, b) (((a) > (b)) - ((a) < (b)))
#define COMPARE_THEN(a, b, rest) ((a) != (b) ? COMPARE(a, b) : (rest))

/* Sort n items, as qsort does. If n is 0, `items` may be NULL. */
static inline void sort_items(void *items, size_t n, size_t size,
                              int (*compare)(const void *, const void *))
{
    if (n > 1)
        qsort(items, n, size, compare);
}
#define SORT(items, n, compare) sort_items((items), (n), sizeof *(items), (compare))

/* Sort n pointers. The function `compare` receives the addresses of two of them. */
static inline void sort_pointers(void *pointers, size_t n,
                                 int (*compare)(const void *, const void *))
{
    sort_items(pointers, n, sizeof(void *), compare);
}

/* Returns the item that equals *key among n sorted items, as bsearch() does, or NULL. */
static inline void *find_item(const void *key, const void *items, size_t n, size_t size,
                              int (*compare)(const void *, const void *))
{
    return n > 0 ? bsearch(key, items, n, size, compare) : NULL;
}
#define FIND(key, items, n, compare) find_item((key), (items), (n), sizeof *(items), (compare))

/* Compare two 64-bit numbers, or two structs that begin with such a number. */
static inline int compare_numbers(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return COMPARE(x, y);
}

static inline int compare_ids(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return COMPARE(x, y);
}

static inline int compare_signed(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return COMPARE(x, y);
}

static inline void sort_numbers(uint64_t *numbers, size_t n)
{
    SORT(numbers, n, compare_numbers);
}

#endif
