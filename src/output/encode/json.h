/* Strings of JSON (RFC 8259). */
#ifndef OUTPUT_ENCODE_JSON_H
#define OUTPUT_ENCODE_JSON_H

#include "output/file/outfile.h"

/* A string, quotes included; bytes that are not UTF-8 become U+FFFD each. */
void json_string(struct outfile *out, const char *text);

/* What stands between the quotes, of any bytes; a character must not be cut. */
void json_characters(struct outfile *out, const char *bytes, size_t size);

/* Whether that would be the same bytes. */
bool json_is_plain(const char *bytes, size_t size);

/* What all bounds rest on, csy_sync_delta_warning and the like: an array of strings. */
void json_warnings(struct outfile *out, const csy_sync *sync);

/* csy_sync_condition_at: an array. */
void json_conditions(struct outfile *out, const csy_sync *sync);

#endif
