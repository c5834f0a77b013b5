/* Text of others inside TeX: the one place where it is escaped. */
#ifndef OUTPUT_ENCODE_TEX_H
#define OUTPUT_ENCODE_TEX_H

#include "output/file/outfile.h"

/* Printable ASCII, as error_escape leaves it: looks like itself, in the typewriter font or that of
 * the text around it. */
void tex_name(struct outfile *out, const char *text);
void tex_text(struct outfile *out, const char *text);

/* The name of a trace without folder and suffix.  Returns text, of ERROR_ESCAPED_MAX. */
const char *tex_stem(const char *path, char *text);

#endif
