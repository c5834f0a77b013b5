/* Escaping text for Markdown. */
#include "output/encode/markdown.h"

#include <stdio.h>

void markdown_text(struct outfile *out, const char *escaped)
{
    char text[2 * CSY_WARNING_TEXT_MAX];
    (void)snprintf(text, sizeof text, "%s", escaped);
    for (const char *c = csy_unescape(text); *c; c++) {
        if (strchr("\\`*_[]<>|~&#$", *c))
            outfile_add(out, "\\");
        outfile_write(out, c, 1);
    }
}
