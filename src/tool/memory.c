/* --max-memory. */
#include "tool/memory.h"

#include <cellsync/cellsync.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <unistd.h>

#define LEAST_BYTES ((uint64_t)1 << 30)

/* GCC says so by macros, clang by features. */
#ifndef __has_feature
#define __has_feature(x) 0
#endif

/* Whether malloc is that of a sanitizer. */
static bool sanitized(void)
{
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__) ||                               \
    __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
    return true;
#else
    return false;
#endif
}

/* What RLIMIT_DATA counts of this process; false where that cannot be known. */
static bool data_bytes(uint64_t *out)
{
    char line[256], *at = line;
    FILE *file = fopen("/proc/self/statm", "re");
    if (!file)
        return false;
    bool good = fgets(line, sizeof line, file) != NULL;
    (void)fclose(file);
    for (int field = 0; good && field < 5; field++) /* the sixth is data and stack */
        (void)strtoull(at, &at, 10);
    char *end = at;
    *out = good ? strtoull(at, &end, 10) * (uint64_t)sysconf(_SC_PAGESIZE) : 0;
    return end > at;
}

void memory_limit_to(uint64_t bytes)
{
    struct rlimit limit;
    uint64_t before;
    if (!bytes) { /* half of the machine's memory */
        long pages = sysconf(_SC_PHYS_PAGES), size = sysconf(_SC_PAGESIZE);
        bytes = pages > 0 && size > 0 ? (uint64_t)pages * (uint64_t)size / 2 : 0;
        bytes = bytes > LEAST_BYTES ? bytes : LEAST_BYTES;
    }
    csy_set_max_memory(bytes);
    /* What is not predicted stops there: malloc fails.  The malloc of a sanitizer would end the
     * program instead. */
    if (sanitized() || !data_bytes(&before) || before + bytes < bytes ||
        getrlimit(RLIMIT_DATA, &limit) != 0 || limit.rlim_cur <= before + bytes)
        return;
    limit.rlim_cur = before + bytes;
    setrlimit(RLIMIT_DATA, &limit);
}
