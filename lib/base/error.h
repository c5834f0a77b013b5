/* Sets errors. An error has a status, and a text that names the place and the reason. */
#ifndef BASE_ERROR_H
#define BASE_ERROR_H

#include "base/number.h"

#include <cellsync/cellsync.h>

/* Set the status and the text of *error, unless error is NULL. Returns status. */
csy_status error_set(csy_error *error, csy_status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Set the error "NAME: offset N: TEXT", where the format and its arguments give TEXT. Returns
 * CSY_INPUT. */
csy_status error_offset(csy_error *error, const char *name, uint64_t offset, const char *format,
                        ...) __attribute__((format(printf, 4, 5)));

/* Put the formatted text and ": " before the text of *error, which may be NULL. Returns status. */
csy_status error_prefix(csy_error *error, csy_status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Set the error "no memory", and show the memory limit if there is one. The function error_memory
 * is inline so that compilers and analyzers see that it never returns CSY_OK. */
void error_set_memory(csy_error *error);

static inline csy_status error_memory(csy_error *error)
{
    error_set_memory(error);
    return CSY_MEMORY;
}

/* Returns CSY_MEMORY if `bytes` exceeds the limit of base/memory.h. The message shows both. `name`
 * is the trace's file or NULL; `what` names the data. */
csy_status error_check_memory(uint128 bytes, const char *name, const char *what, csy_error *error);

/* Set the error "NAME: WHAT: reason" from errno, and return CSY_IO. `what` may be NULL. */
csy_status error_io(csy_error *error, const char *name, const char *what);

/* Returns CSY_USAGE, with the message "NAME has no value N", unless `value` is from 0 to `most`. */
csy_status error_check_choice(const char *name, int value, int most, csy_error *error);

enum { ERROR_ESCAPED_MAX = 128 };

/* Copy untrusted bytes into a buffer, for a message. Control bytes, non-ASCII bytes, and
 * backslashes become \xNN. A text that does not fit ends in "...". Returns buffer. */
const char *error_escape(char buffer[ERROR_ESCAPED_MAX], const char *bytes, size_t size);

#endif
