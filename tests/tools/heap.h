/* Keeps freed memory in the heap. Tests that allocate and free much memory would otherwise spend
 * most of their time on returning pages to the kernel. */
#ifndef TOOLS_HEAP_H
#define TOOLS_HEAP_H

#ifdef HAVE_MALLOPT
#include <malloc.h>
#endif

static inline void heap_keep(void)
{
#ifdef HAVE_MALLOPT
    mallopt(M_TRIM_THRESHOLD, 256 << 20);
    mallopt(M_MMAP_THRESHOLD, 32 << 20);
#endif
}

#endif
