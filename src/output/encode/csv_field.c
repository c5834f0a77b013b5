/* Fields of a CSV. */
#include "output/encode/csv_field.h"

#include "output/encode/utf8.h"

#include <string.h>

static bool is_formula(const char *text, size_t size)
{
    return size > 1 && *text && strchr("=+-@\t\r", *text);
}

/* Whether a terminal might obey what of n bytes (0: no UTF-8) is at p; line ends and tabs are
 * harmless. */
static bool is_control(const unsigned char *p, size_t n)
{
    uint32_t point = n ? utf8_point(p, n) : 0;
    return n == 0 || (point < 0x20 && !strchr("\t\r\n", *p)) || (point >= 0x7f && point < 0xa0);
}

static void write_characters(csv_field_sink sink, void *user, const unsigned char *p,
                             const unsigned char *end)
{
    char escaped[8];
    while (p < end) {
        size_t n = utf8_length(p, (size_t)(end - p)), size = n ? n : 1;
        if (is_control(p, n))
            for (size_t i = 0; i < size; i++)
                sink(user, escaped, (size_t)snprintf(escaped, sizeof escaped, "\\x%02x", p[i]));
        else if (*p == '"')
            sink(user, "\"\"", 2);
        else
            sink(user, (const char *)p, size);
        p += size;
    }
}

/* Whether a character may stand as it is wherever it is. */
static bool is_harmless(unsigned char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '.' || c == ' ';
}

bool csv_field_is_plain(const char *text, size_t size)
{
    size_t n = 0;
    while (n < size && is_harmless((unsigned char)text[n]))
        n++;
    return n == size;
}

void csv_field_put(csv_field_sink sink, void *user, const char *text, size_t size)
{
    bool quoted = false;
    if (csv_field_is_plain(text, size)) {
        sink(user, text, size);
        return;
    }
    for (size_t i = 0; i < size; i++)
        quoted = quoted || text[i] == ',' || text[i] == '"' || text[i] == '\r' || text[i] == '\n';
    sink(user, "\"", quoted);
    sink(user, "'", is_formula(text, size));
    write_characters(sink, user, (const unsigned char *)text, (const unsigned char *)text + size);
    sink(user, "\"", quoted);
}

static void write_out(void *user, const char *bytes, size_t size)
{
    outfile_write(user, bytes, size);
}

void csv_field_write(struct outfile *out, const char *text)
{
    csv_field_put(write_out, out, text, strlen(text));
}
