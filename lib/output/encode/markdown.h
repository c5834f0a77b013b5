/* Escaping text for GitHub's Markdown. No other file escapes Markdown. */
#ifndef OUTPUT_ENCODE_MARKDOWN_H
#define OUTPUT_ENCODE_MARKDOWN_H

#include "output/file/outfile.h"

/* Write text from error_escape, csy_escape, or a caveat so that it looks the same in Markdown.
 * UTF-8 names are shown as by csy_unescape. Special characters get a backslash. Texts longer than
 * two warnings are cut. The text must not begin a line, because a line that begins with "1." or "+"
 * would become a list. */
void markdown_text(struct outfile *out, const char *escaped);

#endif
