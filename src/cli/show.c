/* Names of others as people read them. */
#include "cli/show.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

enum { ESCAPE_BYTES = 4, SEQUENCE_MAX = 4 };

static bool names_utf8(void)
{
    static const char *const variables[] = {"LC_ALL", "LC_CTYPE", "LANG"};
    for (size_t i = 0; i < sizeof variables / sizeof *variables; i++) {
        const char *value = getenv(variables[i]);
        if (!value || !*value)
            continue;
        const char *dot = strchr(value, '.');
        return dot && (strncasecmp(dot, ".utf-8", 6) == 0 || strncasecmp(dot, ".utf8", 5) == 0);
    }
    return false;
}

/* The byte above ASCII that \xNN stands for there, or 0. */
static unsigned byte_at(const char *text)
{
    char digits[3] = "";
    if (text[0] != '\\' || text[1] != 'x' || strspn(text + 2, "0123456789abcdef") < 2)
        return 0;
    memcpy(digits, text + 2, 2);
    unsigned byte = (unsigned)strtoul(digits, NULL, 16);
    return byte >= 0x80 ? byte : 0;
}

/* Whether a terminal may be given the character: no control, and none that turns the writing. */
static bool is_seen(uint32_t point)
{
    return point >= 0xa0 && point <= 0x10ffff && (point < 0xd800 || point > 0xdfff) &&
           point != 0x61c && (point < 0x200b || point > 0x200f) &&
           (point < 0x2028 || point > 0x202e) && (point < 0x2060 || point > 0x206f) &&
           point != 0xfeff;
}

/* How many bytes the sequence that is escaped there has, or 0: none that may be seen. */
static size_t sequence_at(const char *text, char out[SEQUENCE_MAX])
{
    static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
    unsigned first = byte_at(text);
    size_t length = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : first >= 0xc0 ? 2 : 0;
    uint32_t point = first & (0x7fU >> length);
    if (first >= 0xf8)
        return 0;
    for (size_t i = 0; i < length; i++) {
        unsigned byte = i ? byte_at(text + ESCAPE_BYTES * i) : first;
        if (i && (byte & 0xc0) != 0x80)
            return 0;
        point = i ? point << 6 | (byte & 0x3f) : point;
        out[i] = (char)byte;
    }
    return length && point >= least[length] && is_seen(point) ? length : 0;
}

char *cli_show(char *text, FILE *stream)
{
    if (!isatty(fileno(stream)) || !names_utf8())
        return text;
    char *to = text;
    for (const char *from = text; *from;) {
        char sequence[SEQUENCE_MAX];
        size_t length = sequence_at(from, sequence);
        if (length == 0) {
            *to++ = *from++;
            continue;
        }
        memcpy(to, sequence, length);
        to += length;
        from += ESCAPE_BYTES * length;
    }
    *to = 0;
    return text;
}
