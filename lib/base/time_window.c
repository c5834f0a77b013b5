/* See time_window.h. */
#include "base/time_window.h"

#include "base/error.h"
#include "base/number.h"

#include <string.h>

static bool read_number(const char *text, size_t size, struct window_end *out)
{
    char copy[64];
    out->negative = size > 0 && *text == '-';
    text += out->negative;
    size -= out->negative;
    if (size == 0 || size >= sizeof copy)
        return false;
    memcpy(copy, text, size);
    copy[size] = 0;
    return strspn(copy, "0123456789.") == size && fraction_parse(copy, INT64_MAX, &out->value);
}

static bool ends_in(const char *text, size_t *size, const char *suffix)
{
    size_t n = strlen(suffix);
    bool good = *size > n && memcmp(text + *size - n, suffix, n) == 0;
    *size -= good ? n : 0;
    return good;
}

static bool read_end(const char *text, size_t size, struct window_end *out)
{
    static const struct {
        const char *suffix;
        int64_t per_second;
    } units[] = {{"ns", 1000000000}, {"us", 1000000}, {"ms", 1000}, {"s", 1}};
    *out = (struct window_end){.kind = END_OPEN};
    if (size == 0)
        return true;
    if (*text == '#') {
        out->kind = END_RECORD;
        out->begin = ends_in(text, &size, ".begin");
        return read_number(text + 1, size - 1, out) && !out->negative && out->value.den == 1;
    }
    if (ends_in(text, &size, "%")) {
        out->kind = END_PERCENT;
        return read_number(text, size, out);
    }
    for (size_t i = 0; i < sizeof units / sizeof *units; i++) {
        if (!ends_in(text, &size, units[i].suffix))
            continue;
        out->kind = END_TIME;
        out->per_second = units[i].per_second;
        return read_number(text, size, out);
    }
    out->kind = END_TICKS;
    return read_number(text, size, out) && out->value.den == 1;
}

/* Convert `end` to an integer. In the unit used, `other` is an integer, too. This does not
 * overflow: numerators have at most 63 bits, denominators 20, and per_second 30. */
static int128 in_parts(const struct window_end *end, const struct window_end *other)
{
    int128 value = end->negative ? -(int128)end->value.num : end->value.num;
    return value * other->value.den * (end->kind == END_TIME ? other->per_second : 1);
}

csy_status window_read(const char *text, struct window_end *from, struct window_end *to,
                       csy_error *error)
{
    const char *dots = strstr(text, "..");
    char shown[ERROR_ESCAPED_MAX];
    bool good = dots && read_end(text, (size_t)(dots - text), from) &&
                read_end(dots + 2, strlen(dots + 2), to);
    error_escape(shown, text, strlen(text));
    if (good && from->kind == to->kind && from->kind != END_OPEN && !from->begin && !to->begin &&
        in_parts(from, to) > in_parts(to, from))
        return error_set(error, CSY_USAGE, "window '%s': the window ends before it begins", shown);
    if (good)
        return CSY_OK;
    return error_set(error, CSY_USAGE,
                     "window '%s': expected A..B, where A and B are ticks, a time such as 1.5ms, a "
                     "part such as 25%%, a record such as #100, or nothing",
                     shown);
}
