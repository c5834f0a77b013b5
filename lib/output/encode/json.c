/* Strings of JSON. */
#include "output/encode/json.h"

#include "output/encode/utf8.h"

#include <inttypes.h>
#include <string.h>

/* Returns the number of bytes at p, up to the first one that needs an escape. */
static size_t plain_length(const unsigned char *p, size_t size)
{
    size_t n = 0;
    while (n < size && p[n] >= 0x20 && p[n] < 0x7f && p[n] != '"' && p[n] != '\\')
        n++;
    return n;
}

bool json_is_plain(const char *bytes, size_t size)
{
    return plain_length((const unsigned char *)bytes, size) == size;
}

void json_characters(struct outfile *out, const char *bytes, size_t size)
{
    const unsigned char *p = (const unsigned char *)bytes, *end = p + size;
    while (p < end) {
        size_t plain = plain_length(p, (size_t)(end - p));
        outfile_write(out, p, plain);
        p += plain;
        if (p == end)
            break;
        size_t n = utf8_length(p, (size_t)(end - p));
        uint32_t point = n ? utf8_point(p, n) : 0xfffd;
        if (*p == '"' || *p == '\\')
            outfile_print(out, "\\%c", *p);
        else if (utf8_is_control(p, n))
            outfile_print(out, "\\u%04" PRIx32, point);
        else
            outfile_write(out, p, n);
        p += n ? n : 1;
    }
}

void json_string(struct outfile *out, const char *text)
{
    outfile_write(out, "\"", 1);
    json_characters(out, text, strlen(text));
    outfile_write(out, "\"", 1);
}

void json_caveats(struct outfile *out, struct caveats p, enum json_caveats which)
{
    const char *before = "";
    outfile_print(out, "[");
    while (caveats_next(&p))
        if (which == JSON_ALL || p.condition == (which == JSON_CONDITIONS)) {
            outfile_print(out, "%s", before);
            json_string(out, p.text);
            before = ", ";
        }
    outfile_print(out, "]");
}
