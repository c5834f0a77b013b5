/* Escaping text for HTML. No other file escapes HTML. */
#ifndef OUTPUT_ENCODE_HTML_H
#define OUTPUT_ENCODE_HTML_H

#include "output/file/outfile.h"

enum { HTML_NAME_MAX = 24, HTML_PATH_MAX = 240 };

/* Write text as the content of an element or of a quoted attribute, with markup escaped. Control
 * characters, directional and invisible characters, bytes that are not UTF-8, and backslashes
 * appear as \xNN or \u{NNNN}. A text of more than `most` displayed characters is cut and gets an
 * ellipsis. */
void html_text(struct outfile *out, const char *text, size_t most);

/* Returns the entity of a markup character, in HTML and XML, or NULL for other characters. */
const char *html_entity(uint32_t point);

/* Write the name of a thread, cut to HTML_NAME_MAX characters. */
void html_name(struct outfile *out, const char *name);

#endif
