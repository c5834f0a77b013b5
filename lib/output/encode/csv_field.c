/* Fields of a CSV. */
#include "output/encode/csv_field.h"

#include "output/encode/utf8.h"

#include <string.h>

/* Control characters that stay unescaped: tabs and line ends in data, none in names. */
static const char kept_in_data[] = "\t\r\n", kept_in_names[] = "";

static bool is_formula(const char *text, size_t size)
{
    return size > 0 && *text && strchr("=+-@\t\r", *text);
}

static void write_characters(csv_field_sink sink, void *user, const unsigned char *p,
                             const unsigned char *end, const char *kept)
{
    char escaped[8];
    while (p < end) {
        size_t n = utf8_length(p, (size_t)(end - p)), size = n ? n : 1;
        if (utf8_is_control(p, n) && (*p == 0 || !strchr(kept, *p)))
            for (size_t i = 0; i < size; i++)
                sink(user, escaped, (size_t)snprintf(escaped, sizeof escaped, "\\x%02x", p[i]));
        else if (*p == '"')
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
    sink(user, "'", size > 1 && is_formula(text, size));
    write_characters(sink, user, (const unsigned char *)text, (const unsigned char *)text + size,
                     kept_in_data);
    sink(user, "\"", quoted);
}

static void write_out(void *user, const char *bytes, size_t size)
{
    outfile_write(user, bytes, size);
}

void csv_field_write(struct outfile *out, const char *text)
{
    csv_field_write_heading(out, text, "");
}

void csv_field_write_heading(struct outfile *out, const char *name, const char *end)
{
    size_t size = strlen(name);
    if (csv_field_is_plain(name, size)) {
        outfile_add(out, name);
        outfile_add(out, end);
        return;
    }
    bool quoted = strpbrk(name, ",\"") != NULL;
    bool formula = (size > 1 || *end) && is_formula(name, size) && !strchr("\t\r", *name);
    outfile_write(out, "\"", quoted);
    outfile_write(out, "'", formula);
    write_characters(write_out, out, (const unsigned char *)name,
                     (const unsigned char *)name + size, kept_in_names);
    outfile_add(out, end);
    outfile_write(out, "\"", quoted);
}
