/* Sorts arrays of pointers, and arrays of numbers. */
#ifndef BASE_SORT_H
#define BASE_SORT_H

#include <stdint.h>
#include <stdlib.h>

/* Sort n pointers. The function `compare` receives the addresses of two pointers. n may be 0. */
static inline void sort_pointers(void *pointers, size_t n,
                                 int (*compare)(const void *, const void *))
{
    if (n > 1)
        qsort(pointers, n, sizeof(void *), compare);
}

static inline int compare_numbers(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

static inline int compare_signed(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

/* Sort n numbers in ascending order; n may be 0. */
static inline void sort_numbers(uint64_t *numbers, size_t n)
{
    if (n > 1)
        qsort(numbers, n, sizeof *numbers, compare_numbers);
}

#endif
