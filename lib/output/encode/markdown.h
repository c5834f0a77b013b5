/* Escaping text for Markdown (GitHub's, which has tables), the only place that does so. */
#ifndef OUTPUT_ENCODE_MARKDOWN_H
#define OUTPUT_ENCODE_MARKDOWN_H

#include "output/file/outfile.h"

/* Write text from error_escape, csy_escape, or a caveat as inline text that looks the same: names
 * in UTF-8 are shown as csy_unescape does, and characters with a meaning get a backslash. Longer
 * texts than two warnings are cut. The text must follow something else on its line, because a line
 * that begins with "1." or "+" would be a list. */
void markdown_text(struct outfile *out, const char *escaped);

#endif
