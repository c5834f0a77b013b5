/* Processes whose ids stand in the names of temporary files. */
#ifndef BASE_PROCESS_H
#define BASE_PROCESS_H

#include <stdbool.h>
#include <stdint.h>

/* A CRC-32 of the host's name and of the namespace of process ids: an id means one process only
 * where this number is the same. */
uint32_t process_host(void);

/* Whether a process id of this host belongs to no process any more. */
bool process_is_dead(long pid);

#endif
