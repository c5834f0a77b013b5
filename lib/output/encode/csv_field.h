/* Writing fields of a CSV file. */
#ifndef OUTPUT_ENCODE_CSV_FIELD_H
#define OUTPUT_ENCODE_CSV_FIELD_H

#include "output/file/outfile.h"

/* Write a field of a report, quoted as RFC 4180 requires. A text that a spreadsheet would read as a
 * formula gets an apostrophe in front. Control characters, including line ends and tabs, and bytes
 * that are not UTF-8 become \xNN. */
void csv_field_write(struct outfile *out, const char *text);

/* Write a column heading as a field. The heading is a name from the trace and a constant `end` of
 * letters, digits, and _. */
void csv_field_write_heading(struct outfile *out, const char *name, const char *end);

/* Returns true if a quick test of each byte shows that the text needs neither escapes nor quotes. A
 * return of false proves nothing. */
bool csv_field_is_plain(const char *text, size_t size);

/* Write a field of a trace. Line ends and tabs are data and stay unchanged. */
typedef void (*csv_field_sink)(void *user, const char *bytes, size_t size);
void csv_field_put(csv_field_sink sink, void *user, const char *text, size_t size);

#endif
