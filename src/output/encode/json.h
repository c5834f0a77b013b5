/* Strings of JSON (RFC 8259). */
#ifndef OUTPUT_ENCODE_JSON_H
#define OUTPUT_ENCODE_JSON_H

#include "output/encode/caveats.h"
#include "output/file/outfile.h"

/* A string, quotes included; bytes that are not UTF-8 become U+FFFD each. */
void json_string(struct outfile *out, const char *text);

/* What stands between the quotes, of any bytes; a character must not be cut. */
void json_characters(struct outfile *out, const char *bytes, size_t size);

/* Whether that would be the same bytes. */
bool json_is_plain(const char *bytes, size_t size);

/* An array of strings. */
enum json_caveats { JSON_WARNINGS, JSON_CONDITIONS, JSON_ALL };
void json_caveats(struct outfile *out, struct caveats p, enum json_caveats which);

#endif
