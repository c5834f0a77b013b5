/* Fields of a CSV. */
#include "output/csv_field.h"

#include "output/utf8.h"

#include <string.h>

static bool is_formula(const char *text)
{
    return *text && text[1] && strchr("=+-@\t\r", *text);
}

/* Whether a terminal might obey what of n bytes (0: no UTF-8) is at p; line ends and tabs are
 * harmless. */
static bool is_control(const unsigned char *p, size_t n)
{
    uint32_t point = n ? utf8_point(p, n) : 0;
    return n == 0 || (point < 0x20 && !strchr("\t\r\n", *p)) || (point >= 0x7f && point < 0xa0);
}

static void write_characters(struct outfile *out, const unsigned char *p)
{
    while (*p) {
        size_t n = utf8_length(p, 4), size = n ? n : 1;
        if (is_control(p, n))
            for (size_t i = 0; i < size; i++)
                outfile_print(out, "\\x%02x", p[i]);
        else if (*p == '"')
            outfile_write(out, "\"\"", 2);
        else
            outfile_write(out, p, size);
        p += size;
    }
}

void csv_field_write(struct outfile *out, const char *text)
{
    const char *quote = text[strcspn(text, ",\"\r\n")] ? "\"" : "";
    outfile_print(out, "%s%s", quote, is_formula(text) ? "'" : "");
    write_characters(out, (const unsigned char *)text);
    outfile_write(out, quote, strlen(quote));
}
