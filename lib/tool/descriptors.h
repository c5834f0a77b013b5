/* The standard descriptors. */
#ifndef TOOL_DESCRIPTORS_H
#define TOOL_DESCRIPTORS_H

#include <stdbool.h>

/* Make writes to a pipe or terminal block. This uses a new descriptor, since other programs may
 * share the old one. Also occupy closed descriptors among 0 to 2, so that no file opened later gets
 * one of these numbers; reading and writing there still fails with EBADF. Call it first. False on
 * failure. */
bool descriptors_occupy(void);

/* Raise the limit of open files as far as the system allows. All locations of an archive are open
 * while it is read. */
void descriptors_raise(void);

#endif
