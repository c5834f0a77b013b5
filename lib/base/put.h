/* Builds text from pieces. Each function writes at `at`, and returns the end. */
#ifndef BASE_PUT_H
#define BASE_PUT_H

#include "base/number.h"

#include <string.h>

static inline char *put_bytes(char *at, const char *bytes, size_t size)
{
    memcpy(at, bytes, size);
    return at + size;
}

static inline char *put_text(char *at, const char *text)
{
    return put_bytes(at, text, strlen(text));
}

/* Write the text `before`, such as the JSON key ",\"key\":", and then the number. */
static inline char *put_number(char *at, const char *before, int64_t value)
{
    return number_put(put_text(at, before), value);
}

static inline char *put_unsigned(char *at, const char *before, uint64_t value)
{
    return number_put_unsigned(put_text(at, before), value);
}

#endif
