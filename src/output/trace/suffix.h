/* What the name of an output says of its format.  cellsync(1), -o and -r. */
#ifndef OUTPUT_TRACE_SUFFIX_H
#define OUTPUT_TRACE_SUFFIX_H

#include <cellsync/cellsync.h>

/* The format that path asks for: CSY_FORMAT_AUTO where it asks for none, that is, has no suffix, or
 * an unknown one but is no regular file.  CSY_USAGE for an unknown suffix of what is one, or will
 * be.  A name of nothing but a suffix has none. */
csy_status suffix_format(const char *path, csy_format *out, csy_error *error);

/* Whether path ends in .gz. */
bool suffix_is_gzip(const char *path);

/* Whether path ends in a suffix, known or not. */
bool suffix_is_there(const char *path);

#endif
