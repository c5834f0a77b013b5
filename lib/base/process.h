/* Identifies the processes that own temporary files by the process ids in names of files. */
#ifndef BASE_PROCESS_H
#define BASE_PROCESS_H

#include <stdbool.h>
#include <stdint.h>

/* Returns a CRC-32 of the host's name and the namespace of process ids. An id is unique only among
 * processes with the same value. */
uint32_t process_host(void);

/* Returns true if no process of this host has this id. */
bool process_is_dead(long pid);

#endif
