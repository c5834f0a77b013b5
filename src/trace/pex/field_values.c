/* Values of a payload as text. */
#include "trace/pex/field_values.h"

#include "base/number.h"

#include <string.h>

enum value_kind value_kind_of(const char *type)
{
    return !type                          ? VALUE_UNSIGNED
           : strcmp(type, "i64") == 0     ? VALUE_SIGNED
           : strcmp(type, "f64") == 0     ? VALUE_REAL
           : strcmp(type, "address") == 0 ? VALUE_ADDRESS
                                          : VALUE_UNSIGNED;
}

char *value_put(char *at, enum value_kind kind, uint64_t bits)
{
    switch (kind) {
    case VALUE_SIGNED:
        return number_put(at, (int64_t)bits);
    case VALUE_REAL:
        return real_put(at, bits);
    case VALUE_ADDRESS:
        return number_put_address(at, bits);
    case VALUE_UNSIGNED:
        break;
    }
    return number_put_unsigned(at, bits);
}

bool value_is_decimal(enum value_kind kind, uint64_t bits)
{
    return kind == VALUE_REAL ? real_is_finite(bits) : kind != VALUE_ADDRESS;
}
