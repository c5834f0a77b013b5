/*
 * A heap that keeps what is freed: for tests that take and free much, of which the kernel's pages,
 * given back and taken anew, would be most of the time.
 */
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
