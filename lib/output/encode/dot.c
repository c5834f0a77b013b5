/* Texts in DOT, the language of Graphviz. */
#include "output/encode/dot.h"

#include "base/error.h"

#include <string.h>

void dot_text(struct outfile *out, const char *text)
{
    char plain[ERROR_ESCAPED_MAX];
    error_escape(plain, text, strlen(text));
    dot_escaped(out, plain);
}

void dot_escaped(struct outfile *out, const char *text)
{
    for (const char *c = text; *c; c++)
        outfile_print(out, *c == '"' || *c == '\\' ? "\\%c" : "%c", *c);
}
