/* Escaping text for GitHub's Markdown, the only place that does so. */
#ifndef OUTPUT_ENCODE_MARKDOWN_H
#define OUTPUT_ENCODE_MARKDOWN_H

#include "output/file/outfile.h"

/* Write text from error_escape, csy_escape, or a caveat so that it looks the same in Markdown.
 * Names in UTF-8 are shown as csy_unescape does, and special characters get a backslash. Texts
 * longer than two warnings are cut. The text must not begin a line, because a line that begins with
 * "1." or "+" would become a list. */
void markdown_text(struct outfile *out, const char *escaped);

#endif
