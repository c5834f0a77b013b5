/* Arrays of pointers in order. */
#ifndef BASE_SORT_H
#define BASE_SORT_H

#include <stdlib.h>

/* Sort n pointers, of which there may be none; compare gets pointers to two of them. */
static inline void sort_pointers(void *pointers, size_t n,
                                 int (*compare)(const void *, const void *))
{
    if (n > 1)
        qsort(pointers, n, sizeof(void *), compare);
}

#endif
