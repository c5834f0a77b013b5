/* Reading bytes that may not be UTF-8. */
#include "output/encode/utf8.h"

size_t utf8_length(const unsigned char *p, size_t size)
{
    size_t n = *p < 0x80                 ? 1
               : *p >= 0xc2 && *p < 0xe0 ? 2
               : *p >= 0xe0 && *p < 0xf0 ? 3
               : *p >= 0xf0 && *p < 0xf5 ? 4
                                         : 0;
    if (n > size)
        return 0;
    for (size_t i = 1; i < n; i++)
        if ((p[i] & 0xc0) != 0x80)
            return 0;
    bool overlong = n > 1 && ((*p == 0xe0 && p[1] < 0xa0) || (*p == 0xf0 && p[1] < 0x90));
    bool beyond = n > 1 && ((*p == 0xed && p[1] > 0x9f) || (*p == 0xf4 && p[1] > 0x8f));
    return overlong || beyond ? 0 : n;
}

uint32_t utf8_point(const unsigned char *p, size_t length)
{
    static const unsigned char lead[] = {0, 0x7f, 0x1f, 0x0f, 0x07};
    uint32_t point = *p & lead[length];
    for (size_t i = 1; i < length; i++)
        point = point << 6 | (p[i] & 0x3f);
    return point;
}

bool utf8_is_control(const unsigned char *p, size_t length)
{
    uint32_t point = length ? utf8_point(p, length) : 0;
    return point < 0x20 || (point >= 0x7f && point < 0xa0);
}
