/* See tags.h. */
#include "trace/pex/tags.h"

#include <string.h>

static bool begins(const char *xml, size_t size, size_t at, const char *with)
{
    size_t n = strlen(with);
    return size - at >= n && memcmp(xml + at, with, n) == 0;
}

/* Returns the offset after the next `with`, or the end. */
static size_t skip_past(const char *xml, size_t size, size_t at, const char *with)
{
    const char *found;
    while ((found = memchr(xml + at, with[0], size - at))) {
        at = (size_t)(found - xml);
        if (begins(xml, size, at, with))
            return at + strlen(with);
        at++;
    }
    return size;
}

/* Returns the offset after the ]]> of a CDATA section. In encodings with two-byte characters, the
 * second byte of a character may be a ]. */
static size_t skip_cdata(const char *xml, size_t size, size_t at, enum letters letters)
{
    if (letters < LETTERS_PAIRS)
        return skip_past(xml, size, at, "]]>");
    while (at < size && !begins(xml, size, at, "]]>")) {
        unsigned char byte = (unsigned char)xml[at];
        bool leads =
            letters == LETTERS_PAIRS ? byte > 0x80 : byte >= 0xe0 || (byte > 0x80 && byte < 0xa0);
        at += leads ? 2 : 1;
    }
    return at < size ? at + 3 : size;
}

/* Returns the offset after the > of a tag at `at`, or the end. */
static size_t skip_tag(const char *xml, size_t size, size_t at)
{
    char quote = 0;
    for (; at < size; at++) {
        char c = xml[at];
        if (quote) {
            const char *close = memchr(xml + at, quote, size - at);
            if (!close)
                return size;
            at = (size_t)(close - xml);
            quote = 0;
        } else if (c == '>') {
            return at + 1;
        } else if (c == '"' || c == '\'') {
            quote = c;
        }
    }
    return size;
}

bool tag_next(const char *xml, size_t size, enum letters letters, struct tag *tag)
{
    const char *found;
    size_t at = tag->end;
    while (at < size && (found = memchr(xml + at, '<', size - at))) {
        at = (size_t)(found - xml);
        if (begins(xml, size, at, "<!--")) {
            at = skip_past(xml, size, at + 4, "-->");
        } else if (begins(xml, size, at, "<![CDATA[")) {
            at = skip_cdata(xml, size, at + 9, letters);
        } else if (begins(xml, size, at, "<?")) {
            at = skip_past(xml, size, at + 2, "?>");
        } else {
            size_t end = skip_tag(xml, size, at);
            bool closes = begins(xml, size, at, "</");
            *tag = (struct tag){at, end, !closes, closes || (end > at + 2 && xml[end - 2] == '/')};
            return true;
        }
    }
    return false;
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

/* Returns the first byte at or after `at` that is not blank (blank: true), or is blank (false). */
static size_t skip_blanks(const char *tag, size_t size, size_t at, bool blank)
{
    while (at < size && is_blank(tag[at]) == blank)
        at++;
    return at;
}

size_t tag_name_bytes(const char *tag, size_t size)
{
    size_t at = 1;
    while (at < size && !is_blank(tag[at]) && tag[at] != '/' && tag[at] != '>')
        at++;
    return at - 1;
}

bool tag_is(const char *tag, size_t size, const char *local)
{
    size_t n = tag_name_bytes(tag, size), wanted = strlen(local);
    return n >= wanted && memcmp(tag + 1 + n - wanted, local, wanted) == 0 &&
           (n == wanted || tag[n - wanted] == ':');
}

bool tag_attribute(const char *tag, size_t size, size_t at, struct tag_attribute *out)
{
    out->begin = at;
    out->name = at = skip_blanks(tag, size, at, true);
    while (at < size && !is_blank(tag[at]) && tag[at] != '=' && tag[at] != '/' && tag[at] != '>')
        at++;
    out->name_size = at - out->name;
    at = skip_blanks(tag, size, at, true);
    if (out->name_size == 0 || at >= size || tag[at] != '=')
        return false;
    at = skip_blanks(tag, size, at + 1, true);
    if (at >= size || (tag[at] != '"' && tag[at] != '\''))
        return false;
    const char *close = memchr(tag + at + 1, tag[at], size - at - 1);
    if (!close)
        return false;
    out->value = at + 1;
    out->value_size = (size_t)(close - tag) - out->value;
    out->end = (size_t)(close - tag) + 1;
    return true;
}

bool tag_attribute_is(const char *tag, const struct tag_attribute *attribute, const char *name)
{
    return attribute->name_size == strlen(name) &&
           memcmp(tag + attribute->name, name, attribute->name_size) == 0;
}
