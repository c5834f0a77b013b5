/* --max-memory: the library's limit, and below it the system's. */
#ifndef TOOL_MEMORY_H
#define TOOL_MEMORY_H

#include <stdint.h>

/* Take at most so many bytes beside what has been taken, or where it is 0 half of what the machine
 * has, 1 GiB at least. */
void memory_limit_to(uint64_t bytes);

#endif
