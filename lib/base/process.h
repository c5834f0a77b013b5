/* Tells whether the process that owns a temporary file, named by its id, still exists. */
#ifndef BASE_PROCESS_H
#define BASE_PROCESS_H

#include <stdbool.h>
#include <stdint.h>

/* Returns a CRC-32 of host and pid namespace. Process ids are comparable if both are equal. */
uint32_t process_host(void);

bool process_is_dead(long pid);

#endif
