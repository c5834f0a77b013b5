/* Escaping text for HTML. */
#include "output/encode/html.h"

#include "output/encode/utf8.h"

#include <inttypes.h>
#include <string.h>

/* Returns true for characters that are shown as numbers: the backslash, control characters,
 * directional marks, line separators, tags, and noncharacters. */
static bool is_unseen(uint32_t point)
{
    return point < 0x20 || point == '\\' || (point >= 0x7f && point < 0xa0) || point == 0xad ||
           point == 0x61c || (point >= 0x200b && point < 0x2010) ||
           (point >= 0x2028 && point < 0x202f) || (point >= 0x2060 && point < 0x2070) ||
           point == 0xfeff || (point >= 0xfdd0 && point < 0xfdf0) || (point & 0xfffe) == 0xfffe ||
           (point >= 0xe0000 && point < 0xe1000);
}

const char *html_entity(uint32_t point)
{
    return point == '&'    ? "&amp;"
           : point == '<'  ? "&lt;"
           : point == '>'  ? "&gt;"
           : point == '"'  ? "&quot;"
           : point == '\'' ? "&#39;"
                           : NULL;
}

void html_text(struct outfile *out, const char *text, size_t most)
{
    const unsigned char *p = (const unsigned char *)text;
    char escape[16];
    size_t n;
    for (; *p; p += n ? n : 1) {
        n = utf8_length(p, SIZE_MAX);
        uint32_t point = n ? utf8_point(p, n) : 0;
        bool unseen = n == 0 || is_unseen(point);
        const char *other = unseen ? escape : html_entity(point);
        size_t shown = 1; /* displayed width of the text in characters */
        if (unseen && n > 1)
            shown = (size_t)snprintf(escape, sizeof escape, "\\u{%" PRIx32 "}", point);
        else if (unseen)
            shown = (size_t)snprintf(escape, sizeof escape, "\\x%02x", *p);
        if (shown > most)
            break;
        most -= shown;
        outfile_write(out, other ? other : (const char *)p, other ? strlen(other) : n);
    }
    if (*p)
        outfile_print(out, "\u2026");
}

void html_name(struct outfile *out, const char *name)
{
    html_text(out, name, HTML_NAME_MAX);
}
