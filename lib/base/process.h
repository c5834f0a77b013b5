/* Identifies the processes that own temporary files by process ids in the names of the files. */
#ifndef BASE_PROCESS_H
#define BASE_PROCESS_H

#include <stdbool.h>
#include <stdint.h>

/* Returns a CRC-32 of the host's name and the namespace of process ids. A process id is unique only
 * among processes with the same CRC. */
uint32_t process_host(void);

/* Returns true if no process of this host has the id `pid`. */
bool process_is_dead(long pid);

#endif
