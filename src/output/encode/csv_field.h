/* Fields of a CSV. */
#ifndef OUTPUT_ENCODE_CSV_FIELD_H
#define OUTPUT_ENCODE_CSV_FIELD_H

#include "output/file/outfile.h"

/* A field of a report, quoted where RFC 4180 requires it.  If a spreadsheet would take the text for
 * a formula, an apostrophe stands in front.  All control characters, line ends and tabs too, and
 * bytes that are not UTF-8 become \xNN. */
void csv_field_write(struct outfile *out, const char *text);

/* The same for the heading of a column: a name from the trace, then an end of our own, which has
 * only letters, digits, and _. */
void csv_field_write_heading(struct outfile *out, const char *name, const char *end);

/* Whether a text needs no escapes and no quotes, as far as one look at each byte shows. */
bool csv_field_is_plain(const char *text, size_t size);

/* A field of a trace.  Line ends and tabs are data there and stay as they are, so that a reader
 * gets back what was recorded. */
typedef void (*csv_field_sink)(void *user, const char *bytes, size_t size);
void csv_field_put(csv_field_sink sink, void *user, const char *text, size_t size);

#endif
