/* Errors: a status, and a text that gives the place and the reason. */
#ifndef BASE_ERROR_H
#define BASE_ERROR_H

#include "base/number.h"

#include <cellsync/cellsync.h>

/* Set *error (may be NULL) and return status. */
csy_status error_set(csy_error *error, csy_status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Set the error "no memory", with the limit if there is one. Inline, so that compilers and
 * analyzers see that the status is an error. */
void error_set_memory(csy_error *error);

static inline csy_status error_memory(csy_error *error)
{
    error_set_memory(error);
    return CSY_MEMORY;
}

/* CSY_MEMORY if so many bytes exceed the limit (base/memory.h); the message has both numbers. name:
 * the name of the trace, or NULL. what: the subject of "would take N MiB". */
csy_status error_check_memory(uint128 bytes, const char *name, const char *what, csy_error *error);

/* Set the error CSY_IO with the text "name: what: strerror(errno)"; what may be NULL. */
csy_status error_io(csy_error *error, const char *name, const char *what);

/* CSY_USAGE, "NAME has no value N", unless value is between 0 and most. */
csy_status error_check_choice(const char *name, int value, int most, csy_error *error);

enum { ERROR_ESCAPED_MAX = 128 };

/* Copy untrusted bytes for a message: control bytes, non-ASCII bytes, and backslashes as \xNN. A
 * text that is too long ends in "...". Returns buffer. */
const char *error_escape(char buffer[ERROR_ESCAPED_MAX], const char *bytes, size_t size);

#endif
