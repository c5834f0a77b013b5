/* See visible.h. */
#include "base/visible.h"
#include "base/ascii.h"

#include <cellsync/cellsync.h>

#include <string.h>

enum { ESCAPE_BYTES = 4, SEQUENCE_MAX = 4 };

struct range {
    uint32_t first, last;
};

static bool is_in(uint32_t point, const struct range *ranges, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (point >= ranges[i].first && point <= ranges[i].last)
            return true;
    return false;
}
#define IS_IN(point, ranges) is_in(point, ranges, sizeof(ranges) / sizeof *(ranges))

/* Characters that stay escaped: controls, surrogates, invisible ones, and changes of direction. */
static const struct range unseen[] = {
    {0x00, 0x9f},     {0xad, 0xad},     {0x61c, 0x61c},     {0x180e, 0x180e},
    {0x200b, 0x200f}, {0x2028, 0x202e}, {0x2060, 0x206f},   {0xd800, 0xdfff},
    {0xfeff, 0xfeff}, {0xfff9, 0xfffb}, {0xe0000, 0xe0fff}, {0x110000, UINT32_MAX},
};

/* Combining marks, which a terminal draws over the previous character. */
static const struct range combining[] = {
    {0x300, 0x36f},   {0x483, 0x489},   {0x591, 0x5bd},   {0x64b, 0x65f},   {0x93c, 0x93c},
    {0x94d, 0x94d},   {0xe31, 0xe31},   {0xe34, 0xe3a},   {0xe47, 0xe4e},   {0x1ab0, 0x1aff},
    {0x1dc0, 0x1dff}, {0x20d0, 0x20ff}, {0x3099, 0x309a}, {0xfe00, 0xfe0f}, {0xfe20, 0xfe2f},
};

/* Characters that take two columns of a terminal. */
static const struct range wide[] = {
    {0x1100, 0x115f},   {0x2e80, 0x303e},   {0x3041, 0x33ff},   {0x3400, 0x4dbf},
    {0x4e00, 0x9fff},   {0xa000, 0xa4cf},   {0xac00, 0xd7a3},   {0xf900, 0xfaff},
    {0xfe30, 0xfe6f},   {0xff00, 0xff60},   {0xffe0, 0xffe6},   {0x1f300, 0x1f64f},
    {0x1f680, 0x1f6ff}, {0x1f900, 0x1f9ff}, {0x20000, 0x3fffd},
};

/* Returns the byte that an escape \xNN stands for. Returns 0 if `text` begins with no escape, or
 * with the escape of an ASCII character. */
static unsigned byte_at(const char *text)
{
    if (text[0] != '\\' || text[1] != 'x')
        return 0;
    int high = ascii_hex(text[2]), low = high < 8 ? -1 : ascii_hex(text[3]);
    return low < 0 ? 0 : (unsigned)(16 * high + low);
}

/* Decode escapes to *length bytes of UTF-8. Returns the code point, or 0 to keep the escapes. */
static uint32_t point_at(const char *text, char out[SEQUENCE_MAX], size_t *length)
{
    static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
    unsigned first = byte_at(text);
    size_t size = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : first >= 0xc0 ? 2 : 0;
    uint32_t point = first & (0x7fU >> size);
    if (size == 0 || first >= 0xf8)
        return 0;
    for (size_t i = 0; i < size; i++) {
        unsigned byte = i ? byte_at(text + ESCAPE_BYTES * i) : first;
        if (i && (byte & 0xc0) != 0x80)
            return 0;
        point = i ? point << 6 | (byte & 0x3f) : point;
        out[i] = (char)byte;
    }
    *length = size;
    return point >= least[size] && !IS_IN(point, unseen) ? point : 0;
}

char *csy_unescape(char *text)
{
    char *to = text;
    for (const char *from = text; *from;) {
        char sequence[SEQUENCE_MAX];
        size_t length = 0;
        if (!point_at(from, sequence, &length)) {
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

size_t visible_columns(const char *escaped)
{
    size_t columns = 0;
    while (*escaped) {
        char sequence[SEQUENCE_MAX];
        size_t length = 0;
        uint32_t point = point_at(escaped, sequence, &length);
        columns += !point ? 1 : IS_IN(point, combining) ? 0 : IS_IN(point, wide) ? 2 : 1;
        escaped += point ? ESCAPE_BYTES * length : 1;
    }
    return columns;
}
