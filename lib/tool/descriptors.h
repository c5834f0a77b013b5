/* Prepares the standard descriptors 0 to 2, and raises the limit for open descriptors. */
#ifndef TOOL_DESCRIPTORS_H
#define TOOL_DESCRIPTORS_H

#include <stdbool.h>

/* Prepare the standard descriptors, before anything else. Writing to a pipe or terminal is made to
 * block, by a new descriptor, because other programs may share the old one. Closed descriptors are
 * occupied, so that no later file gets their numbers; using them still fails with EBADF. Returns
 * false on failure. */
bool descriptors_occupy(void);

/* Raise the limit for open files as far as possible: all locations of an archive are open. */
void descriptors_raise(void);

#endif
