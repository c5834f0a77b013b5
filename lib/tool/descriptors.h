/* Prepares the standard descriptors 0 to 2, and raises the limit for open descriptors. */
#ifndef TOOL_DESCRIPTORS_H
#define TOOL_DESCRIPTORS_H

#include <stdbool.h>

/* Prepare the descriptors 0 to 2, before anything else. Pipes and terminals become blocking; they
 * get new descriptors, because other programs may share the old ones. Closed ones are occupied, so
 * that no later file gets their numbers; their use fails with EBADF. Returns false on failure. */
bool descriptors_occupy(void);

/* Raise the limit for open files as far as possible. An OTF2 archive needs a file per location. */
void descriptors_raise(void);

#endif
