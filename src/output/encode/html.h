/* Text of others inside HTML: the one place where it is escaped. */
#ifndef OUTPUT_ENCODE_HTML_H
#define OUTPUT_ENCODE_HTML_H

#include "output/file/outfile.h"

enum { HTML_NAME_MAX = 24, HTML_PATH_MAX = 240 };

/* Text as the content of an element, or of an attribute between quotes.  Markup is escaped; what
 * would not show, or would turn the text around it (control characters, directional and invisible
 * ones, bytes that are not UTF-8), and the backslash appear as \xNN or \u{NNNN}.  Where more than
 * `most` characters would show: the first ones and an ellipsis. */
void html_text(struct outfile *out, const char *text, size_t most);

/* The entity of a character that is markup, in HTML as in XML; NULL of any other one. */
const char *html_entity(uint32_t point);

/* The name of a thread, cut to HTML_NAME_MAX. */
void html_name(struct outfile *out, const char *name);

#endif
