/* Escaping text for TeX. No other file escapes TeX. */
#ifndef OUTPUT_ENCODE_TEX_H
#define OUTPUT_ENCODE_TEX_H

#include "output/file/outfile.h"

/* Write printable ASCII, such as the result of error_escape. tex_name writes for the typewriter
 * font, tex_text for the font of the surrounding text. */
void tex_name(struct outfile *out, const char *text);
void tex_text(struct outfile *out, const char *text);

/* Find the name of a trace without folder and suffix. Returns text, which has ERROR_ESCAPED_MAX
 * bytes. */
const char *tex_stem(const char *path, char *text);

#endif
