/* The functions of an image, as nm -S lists them, for those who read addresses later. */
#ifndef CELLTRACE_SYMBOLS_H
#define CELLTRACE_SYMBOLS_H

#include "celltrace/folder.h"

#include <stdint.h>

/* Whether an image's file lists functions, and calls what tells the recorder of its own: hooks of
 * functions or blocks, or a library of OpenMP, which a program may also have in itself.  If so they
 * are written to a file, under a temporary name first, unless that is there.  The build id, of n
 * bytes, is that of the image in memory: a file that has another one by now is not the image's. */
bool symbols_write(const char *image, bool program, const uint8_t *build_id, unsigned n,
                   struct folder *folder, const char *name, const char *temporary);

#endif
