/* How much memory a run may take. */
#include "base/memory.h"

#include <stdatomic.h>
#include <sys/mman.h>

static _Atomic uint64_t limit_bytes;

void csy_set_max_memory(uint64_t bytes)
{
    atomic_store(&limit_bytes, bytes);
}

uint64_t memory_limit(void)
{
    return atomic_load(&limit_bytes);
}

bool memory_allows(uint128 bytes)
{
    uint64_t limit = memory_limit();
    return limit == 0 || bytes <= limit;
}

/* Twice the large pages of most machines: less would hardly gain by them. */
enum { EXPECT_BYTES_MIN = 4 << 20, PAGE_BYTES = 1 << 16 };

void memory_expect(void *array, size_t bytes)
{
#ifdef MADV_HUGEPAGE
    uintptr_t begin = ((uintptr_t)array + PAGE_BYTES - 1) / PAGE_BYTES * PAGE_BYTES;
    uintptr_t end = ((uintptr_t)array + bytes) / PAGE_BYTES * PAGE_BYTES;
    if (array && bytes >= EXPECT_BYTES_MIN)
        /* What comes of it makes no difference: NOLINTNEXTLINE(performance-no-int-to-ptr) */
        (void)madvise((void *)begin, end - begin, MADV_HUGEPAGE);
#else
    (void)array;
    (void)bytes;
#endif
}
