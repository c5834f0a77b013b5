/* Escaping text for TeX. */
#include "output/encode/tex.h"

#include "base/error.h"

/* Write a byte of printable ASCII, as a number if a TeX command would switch to another font. */
static void write_byte(char c, struct outfile *out)
{
    if (strchr("#%&_", c))
        outfile_print(out, "\\%c", c);
    else if (strchr("\\{}~^$", c))
        outfile_print(out, "\\char%d{}", c);
    else
        outfile_write(out, &c, 1);
}

/* Returns true for characters that TeX may join to a ligature, as in --, <<, ,, and ?`. */
static bool may_join(char c)
{
    return c != '\0' && strchr("-<>,?!`'", c);
}

void tex_name(struct outfile *out, const char *text)
{
    outfile_print(out, "\\texttt{");
    for (const char *c = text; *c; c++) {
        write_byte(*c, out);
        if (may_join(*c) && may_join(c[1]))
            outfile_print(out, "{}");
    }
    outfile_print(out, "}");
}

/* Some ASCII codes are other characters in TeX's text fonts. TeX commands replace such codes. */
void tex_text(struct outfile *out, const char *text)
{
    for (const char *c = text; *c; c++)
        if (strchr("\\{}~^$<>|\"", *c))
            outfile_print(out, "\\texttt{\\char%d}", *c);
        else {
            write_byte(*c, out);
            if (may_join(*c) && may_join(c[1]))
                outfile_print(out, "{}");
        }
}

const char *tex_stem(const char *path, char *text)
{
    const char *slash = strrchr(path, '/');
    const char *name = slash && slash[1] ? slash + 1 : path;
    const char *dot = strrchr(name, '.');
    return error_escape(text, name, dot && dot > name ? (size_t)(dot - name) : strlen(name));
}
