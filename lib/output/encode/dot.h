/* Writing texts in DOT, the language of Graphviz. */
#ifndef OUTPUT_ENCODE_DOT_H
#define OUTPUT_ENCODE_DOT_H

#include "output/file/outfile.h"

/* Write a name in quotes. Long names are cut to the length that names have in messages. */
void dot_text(struct outfile *out, const char *text);

/* Write a whole text in quotes, such as a warning, in which names are already escaped. */
void dot_escaped(struct outfile *out, const char *text);

#endif
