/* The limit of memory for a run. Known requirements are compared with it before memory is
 * allocated. Otherwise arrays stop growing at the limit, and programs also set a limit of the
 * system (tool/program.c).
 *
 * All threads of the calling program share one limit. */
#ifndef BASE_MEMORY_H
#define BASE_MEMORY_H

#include "base/number.h"

/* The limit in bytes set by csy_set_max_memory; 0: none. */
uint64_t memory_limit(void);

/* True if a single allocation of this size is allowed. */
bool memory_allows(uint128 bytes);

#endif
