/* How much memory a run may take. */
#include "base/memory.h"

#include <inttypes.h>
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

csy_status memory_check(uint128 bytes, const char *name, const char *what, csy_error *error)
{
    if (memory_allows(bytes))
        return CSY_OK;
    uint64_t mib = bytes >> 84 ? UINT64_MAX : (uint64_t)((bytes + (1 << 20) - 1) >> 20);
    return error_set(error, CSY_MEMORY,
                     "%s%s%s would take %" PRIu64 " MiB of memory; %" PRIu64
                     " MiB may be taken (--max-memory)",
                     name ? name : "", name ? ": " : "", what, mib, memory_limit() >> 20);
}
