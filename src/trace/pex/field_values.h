/* Values of a payload as text, by the types that the document gives its fields. */
#ifndef TRACE_PEX_FIELD_VALUES_H
#define TRACE_PEX_FIELD_VALUES_H

#include "base/real.h"

#include <stdbool.h>
#include <stdint.h>

/* What the 64 bits of a value are. */
enum value_kind {
    VALUE_UNSIGNED, /* u64, and what is not known */
    VALUE_SIGNED,   /* i64 */
    VALUE_REAL,     /* f64: IEEE 754 */
    VALUE_ADDRESS
};

/* By the type of a field; NULL: it has none. */
enum value_kind value_kind_of(const char *type);

enum { VALUE_TEXT_MAX = REAL_TEXT_MAX };

/* Write a value at `at`, without a NUL, and return its end; there is room for VALUE_TEXT_MAX
 * characters, which may all be overwritten.  Of a real number it has as few digits as read back the
 * same, with a point whatever the locale; else "inf", "-inf", or "nan" for all of these.  Of an
 * address it is what number_put_address makes. */
char *value_put(char *at, enum value_kind kind, uint64_t bits);

/* Whether that text is a number in decimal. */
bool value_is_decimal(enum value_kind kind, uint64_t bits);

#endif
