/* The standard descriptors. */
#ifndef TOOL_DESCRIPTORS_H
#define TOOL_DESCRIPTORS_H

#include <stdbool.h>

/* Have writes to a pipe or terminal wait, by a descriptor of its own, since the old one may be
 * shared with other programs.  Occupy those of descriptors 0 to 2 that are closed, so that no file
 * that is opened later becomes one of them: to read or to write there goes on being EBADF.  Call it
 * first; false where it fails. */
bool descriptors_occupy(void);

#endif
