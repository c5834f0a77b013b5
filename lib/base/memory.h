/* The memory limit that csy_set_max_memory sets. All threads of the calling program share it.
 *
 * If the size of an allocation is known beforehand, it is compared with the limit. Arrays of
 * unknown size stop growing at the limit. Programs also set a limit of the operating system
 * (tool/program.c). */
#ifndef BASE_MEMORY_H
#define BASE_MEMORY_H

#include "base/number.h"

/* Returns the limit in bytes set by csy_set_max_memory, or 0. */
uint64_t memory_limit(void);

bool memory_allows(uint128 bytes);

#endif
