/* The standard descriptors, 0 to 2, and the limit for open descriptors. */
#ifndef TOOL_DESCRIPTORS_H
#define TOOL_DESCRIPTORS_H

#include <stdbool.h>

/* Prepare the standard descriptors. Call this first. If one of them is a pipe or a terminal,
 * writing is made to block; this uses a new descriptor, because other programs may share the old
 * one. Descriptors that are closed are occupied, so that no file that is opened later gets one of
 * these numbers. Reading from and writing to an occupied descriptor still fails with EBADF. Returns
 * false on a failure. */
bool descriptors_occupy(void);

/* Raise the limit for open files as far as the system allows. This is necessary because all
 * locations of an archive are open while it is read. */
void descriptors_raise(void);

#endif
