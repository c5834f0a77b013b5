/* Fields of a CSV. */
#ifndef OUTPUT_ENCODE_CSV_FIELD_H
#define OUTPUT_ENCODE_CSV_FIELD_H

#include "output/file/outfile.h"

/* A field, between quotes where RFC 4180 asks for them.  Where a spreadsheet would take it for a
 * formula an apostrophe stands in front; control characters, and bytes that are not UTF-8, become
 * \xNN. */
void csv_field_write(struct outfile *out, const char *text);

/* The same into anything. */
typedef void (*csv_field_sink)(void *user, const char *bytes, size_t size);
/* Whether that would be the text itself, for all that is seen at a glance. */
bool csv_field_is_plain(const char *text, size_t size);

void csv_field_put(csv_field_sink sink, void *user, const char *text, size_t size);

#endif
