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

/* Less would hardly gain by large pages.  Other sizes of pages than PAGE_BYTES are not asked for:
 * the system refuses such bounds. */
enum { EXPECT_BYTES_MIN = 2 << 20, PAGE_BYTES = 4096 };

/* All pages of the array, and no others where it has a mapping of its own: one whose mapping is
 * divided can only be copied when it grows. */
void memory_expect(void *array, size_t bytes)
{
#ifdef MADV_HUGEPAGE
    uintptr_t begin = (uintptr_t)array / PAGE_BYTES * PAGE_BYTES;
    uintptr_t end = ((uintptr_t)array + bytes + PAGE_BYTES - 1) / PAGE_BYTES * PAGE_BYTES;
    if (array && bytes >= EXPECT_BYTES_MIN)
        /* What comes of it makes no difference: NOLINTNEXTLINE(performance-no-int-to-ptr) */
        (void)madvise((void *)begin, end - begin, MADV_HUGEPAGE);
#else
    (void)array;
    (void)bytes;
#endif
}
