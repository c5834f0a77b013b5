/* Texts in the language of Graphviz. */
#ifndef OUTPUT_ENCODE_DOT_H
#define OUTPUT_ENCODE_DOT_H

#include "output/file/outfile.h"

/* Within quotes, in which a backslash begins an escape. */
void dot_text(struct outfile *out, const char *text);

#endif
