/* Writing texts in DOT, the language of Graphviz. */
#ifndef OUTPUT_ENCODE_DOT_H
#define OUTPUT_ENCODE_DOT_H

#include "output/file/outfile.h"

/* Write a name in quotes. Long names are cut to the same length as in messages. */
void dot_text(struct outfile *out, const char *text);

/* Write a whole text, such as a warning, whose names are already escaped. */
void dot_escaped(struct outfile *out, const char *text);

#endif
