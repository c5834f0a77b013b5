/* Escaping text for output formats. */
#include "output/encode/escape.h"

#include "base/error.h"

#include <inttypes.h>
#include <string.h>

/* --- Bytes that may not be UTF-8 -------------------------------------------------------------- */

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

/* --- HTML ------------------------------------------------------------------------------------- */

/* Returns true for the backslash, control and format characters, separators, and noncharacters. */
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

void html_between(struct outfile *out, const char *before, const char *text, size_t most,
                  const char *after)
{
    outfile_add(out, before);
    html_text(out, text, most);
    outfile_add(out, after);
}

/* --- JSON (RFC 8259) -------------------------------------------------------------------------- */

/* Returns the number of bytes at p before the first byte that needs an escape. */
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

void json_member(struct outfile *out, const char *before, const char *string)
{
    outfile_add(out, before);
    if (string)
        json_string(out, string);
    else
        outfile_add(out, "null");
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

/* --- CSV (RFC 4180) --------------------------------------------------------------------------- */

/* Write bytes. If `quotes`, double the quotes. Control characters that are not in `kept`, and bytes
 * that are not UTF-8, become \xNN. */
static void write_characters(csv_field_sink sink, void *user, const char *bytes, size_t length,
                             const char *kept, bool quotes)
{
    const unsigned char *p = (const unsigned char *)bytes, *end = p + length;
    char escaped[8];
    while (p < end) {
        size_t n = utf8_length(p, (size_t)(end - p)), size = n ? n : 1;
        if (utf8_is_control(p, n) && (*p == 0 || !strchr(kept, *p)))
            for (size_t i = 0; i < size; i++)
                sink(user, escaped, (size_t)snprintf(escaped, sizeof escaped, "\\x%02x", p[i]));
        else if (*p == '"' && quotes)
            sink(user, "\"\"", 2);
        else
            sink(user, (const char *)p, size);
        p += size;
    }
}

bool csv_field_is_plain(const char *text, size_t size)
{
    for (size_t i = 0; i < size; i++) { /* text may be NULL if size is 0 */
        char c = text[i];
        if (!((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
              c == '_' || c == '.' || c == ' '))
            return false;
    }
    return true;
}

/* Write `text` and then `end`, a constant. If `data`, line ends and tabs stay unchanged. */
static void put_field(csv_field_sink sink, void *user, const char *text, size_t size,
                      const char *end, bool data)
{
    bool plain = csv_field_is_plain(text, size), quoted = false;
    bool formula = !plain && size > 0 && size + strlen(end) > 1 && *text &&
                   strchr(data ? "=+-@\t\r" : "=+-@", *text);
    for (size_t i = 0; i < size && !plain; i++)
        quoted = quoted || text[i] == ',' || text[i] == '"' ||
                 (data && (text[i] == '\r' || text[i] == '\n'));
    if (quoted)
        sink(user, "\"", 1);
    if (formula)
        sink(user, "'", 1);
    if (plain)
        sink(user, text, size);
    else
        write_characters(sink, user, text, size, data ? "\t\r\n" : "", true);
    if (*end)
        sink(user, end, strlen(end));
    if (quoted)
        sink(user, "\"", 1);
}

void csv_field_put(csv_field_sink sink, void *user, const char *text, size_t size)
{
    put_field(sink, user, text, size, "", true);
}

static void write_out(void *user, const char *bytes, size_t size)
{
    outfile_write(user, bytes, size);
}

void csv_field_write_heading(struct outfile *out, const char *name, const char *end)
{
    put_field(write_out, out, name, strlen(name), end, false);
}

void csv_field_write(struct outfile *out, const char *text)
{
    csv_field_write_heading(out, text, "");
}

void folded_text(struct outfile *out, const char *text)
{
    write_characters(write_out, out, text, strlen(text), "", false);
}

/* --- TeX -------------------------------------------------------------------------------------- */

/* Returns true for characters that TeX may join to a ligature, as in --, <<, ,, and ?`. */
static bool may_join(char c)
{
    return c != '\0' && strchr("-<>,?!`'", c);
}

/* Write printable ASCII. Characters in `others` are written in the typewriter font, because the
 * text's font has other signs at their codes. \char writes characters if their TeX command would
 * switch to another font. */
static void write_tex(struct outfile *out, const char *text, const char *others)
{
    for (const char *c = text; *c; c++) {
        if (strchr(others, *c))
            outfile_print(out, "\\texttt{\\char%d}", *c);
        else if (strchr("#%&_", *c))
            outfile_print(out, "\\%c", *c);
        else if (strchr("\\{}~^$", *c))
            outfile_print(out, "\\char%d{}", *c);
        else
            outfile_write(out, c, 1);
        if (!strchr(others, *c) && may_join(*c) && may_join(c[1]))
            outfile_print(out, "{}");
    }
}

void tex_name(struct outfile *out, const char *text)
{
    outfile_print(out, "\\texttt{");
    write_tex(out, text, "");
    outfile_print(out, "}");
}

void tex_text(struct outfile *out, const char *text)
{
    write_tex(out, text, "\\{}~^$<>|\"");
}

const char *tex_stem(const char *path, char *text)
{
    const char *slash = strrchr(path, '/');
    const char *name = slash && slash[1] ? slash + 1 : path;
    const char *dot = strrchr(name, '.');
    return error_escape(text, name, dot && dot > name ? (size_t)(dot - name) : strlen(name));
}

/* --- GitHub's Markdown, and DOT, the language of Graphviz ------------------------------------- */

/* Write a text without its escapes, and with a backslash before each `special` character. */
static void write_unescaped(struct outfile *out, const char *escaped, const char *special)
{
    char text[2 * CSY_WARNING_TEXT_MAX];
    (void)snprintf(text, sizeof text, "%s", escaped);
    for (const char *c = csy_unescape(text); *c; c++) {
        if (strchr(special, *c))
            outfile_add(out, "\\");
        outfile_write(out, c, 1);
    }
}

void markdown_text(struct outfile *out, const char *escaped)
{
    write_unescaped(out, escaped, "\\`*_[]<>|~&#$");
}

void dot_text(struct outfile *out, const char *text)
{
    char plain[ERROR_ESCAPED_MAX];
    error_escape(plain, text, strlen(text));
    dot_escaped(out, plain);
}

void dot_escaped(struct outfile *out, const char *escaped)
{
    write_unescaped(out, escaped, "\"\\");
}
