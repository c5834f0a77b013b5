/* Words that several formats share. */
#include "output/words.h"

#include <inttypes.h>
#include <string.h>

const char *words_ticks(int64_t ticks, const char *minus_inf, const char *inf,
                        char text[TICKS_TEXT_MAX])
{
    if (ticks == INT64_MIN)
        return minus_inf;
    if (ticks == INT64_MAX)
        return inf;
    snprintf(text, TICKS_TEXT_MAX, "%" PRId64, ticks);
    return text;
}

const char *words_time(int64_t ticks, uint64_t timebase_hz, char text[CSY_TIME_TEXT_MAX])
{
    return csy_time_text((csy_fraction){ticks, 1}, timebase_hz, text);
}

const char *words_grouped(const char *number, char text[GROUPED_TEXT_MAX])
{
    static const char space[] = "\u202f";
    size_t used = 0, sign = *number == '-';
    size_t point = sign + strspn(number + sign, "0123456789");
    for (size_t i = 0; number[i] && used < GROUPED_TEXT_MAX - sizeof space; i++) {
        if (i > sign && i < point && (point - i) % 3 == 0) {
            memcpy(text + used, space, sizeof space - 1);
            used += sizeof space - 1;
        }
        text[used++] = number[i];
    }
    text[used] = '\0';
    return text;
}

const char *words_relax(csy_relax relax)
{
    static const char *const words[] = {"exact", "paper", "none", "given"};
    return words[relax];
}

const char *words_center(csy_center center)
{
    static const char *const words[] = {"reference", "local"};
    return words[center];
}

const char *words_pairs(csy_pairs pairs)
{
    static const char *const words[] = {"auto", "all", "live", "reference", "none"};
    return words[pairs];
}

const char *words_method(csy_method method)
{
    static const char *const words[] = {"bhh", "lamport", "lamport-clock", "lsq"};
    return words[method];
}

const char *words_error(int64_t added_ticks)
{
    return added_ticks > 0 ? "event error" : "error bound";
}

const char *words_plural(uint64_t n)
{
    return n == 1 ? "" : "s";
}
