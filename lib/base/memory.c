/* See memory.h. */
#include "base/memory.h"

#include <stdatomic.h>

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
