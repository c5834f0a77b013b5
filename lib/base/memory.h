/* The memory limit of a run. Known requirements are compared with the limit before allocation.
 * Arrays of unknown size stop growing at the limit, and programs also set a limit of the system
 * (tool/program.c).
 *
 * All threads of the calling program share one limit. */
#ifndef BASE_MEMORY_H
#define BASE_MEMORY_H

#include "base/number.h"

/* Returns the limit in bytes set by csy_set_max_memory, or 0. */
uint64_t memory_limit(void);

/* Returns true if a single allocation of this size is permitted. */
bool memory_allows(uint128 bytes);

#endif
