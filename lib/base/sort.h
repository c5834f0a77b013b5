/* Sorts arrays of pointers, and arrays of numbers. */
#ifndef BASE_SORT_H
#define BASE_SORT_H

#include <stdint.h>
#include <stdlib.h>

/* Returns -1, 0, or 1 if `a` is less than, equal to, or greater than `b`. To compare two items by
 * several members, add the orders of the members, with falling powers of 2 as weights:
 * 2 * ORDER(x->group, y->group) + ORDER(x->bytes, y->bytes) compares groups first. */
#define ORDER(a, b) (((a) > (b)) - ((a) < (b)))

/* Sort n items. n may be 0. */
#define SORT(items, n, compare) sort_items((items), (n), sizeof *(items), (compare))
static inline void sort_items(void *items, size_t n, size_t size,
                              int (*compare)(const void *, const void *))
{
    if (n > 1)
        qsort(items, n, size, compare);
}

/* Sort n pointers. The function `compare` receives the addresses of two pointers. n may be 0. */
static inline void sort_pointers(void *pointers, size_t n,
                                 int (*compare)(const void *, const void *))
{
    sort_items(pointers, n, sizeof(void *), compare);
}

static inline int compare_numbers(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return ORDER(x, y);
}

/* Sort n numbers in ascending order; n may be 0. */
static inline void sort_numbers(uint64_t *numbers, size_t n)
{
    SORT(numbers, n, compare_numbers);
}

#endif
