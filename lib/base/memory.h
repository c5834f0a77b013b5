/*
 * How much memory a run may take.  What will be needed is compared with that before it is taken,
 * wherever it can be known; elsewhere arrays stop growing there, and the program has the system
 * refuse more (cli/main.c).
 *
 * One limit for all threads of the calling program.
 */
#ifndef BASE_MEMORY_H
#define BASE_MEMORY_H

#include "base/number.h"

/* The limit in bytes that csy_set_max_memory has set; 0: there is none. */
uint64_t memory_limit(void);

/* Whether so much may be taken at once. */
bool memory_allows(uint128 bytes);

#endif
