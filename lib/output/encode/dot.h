/* Texts in the language of Graphviz. */
#ifndef OUTPUT_ENCODE_DOT_H
#define OUTPUT_ENCODE_DOT_H

#include "output/file/outfile.h"

/* Write a name in quotes. Long names are cut as in messages. */
void dot_text(struct outfile *out, const char *text);

/* Write a whole text with escaped names, such as a warning. */
void dot_escaped(struct outfile *out, const char *text);

#endif
