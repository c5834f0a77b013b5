/* Errors: a status and one text that says where and what. */
#ifndef BASE_ERROR_H
#define BASE_ERROR_H

#include "base/number.h"

#include <cellsync/cellsync.h>

/* Set *error (may be NULL) and return status. */
csy_status error_set(csy_error *error, csy_status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* "no memory", and how much may be taken, if that is limited.  Inline, so that compilers and
 * analyzers see that it is an error. */
void error_set_memory(csy_error *error);

static inline csy_status error_memory(csy_error *error)
{
    error_set_memory(error);
    return CSY_MEMORY;
}

/* CSY_MEMORY where so much may not be taken (base/memory.h), with both numbers; name is the trace's
 * or NULL, and what the subject of "would take N MiB". */
csy_status error_check_memory(uint128 bytes, const char *name, const char *what, csy_error *error);

/* "name: what: strerror(errno)"; what may be NULL. */
csy_status error_io(csy_error *error, const char *name, const char *what);

/* CSY_USAGE, "NAME has no value N", unless value is from 0 to most. */
csy_status error_check_choice(const char *name, int value, int most, csy_error *error);

enum { ERROR_ESCAPED_MAX = 128 };

/* Copy untrusted bytes for a message: control and non-ASCII bytes and backslashes as \xNN, cut with
 * "..." when longer than the buffer.  Returns buffer. */
const char *error_escape(char buffer[ERROR_ESCAPED_MAX], const char *bytes, size_t size);

#endif
