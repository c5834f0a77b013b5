/* Writing JSON strings (RFC 8259). */
#ifndef OUTPUT_ENCODE_JSON_H
#define OUTPUT_ENCODE_JSON_H

#include "output/encode/caveats.h"
#include "output/file/outfile.h"

/* Write a string in quotes. Each byte that is not UTF-8 becomes U+FFFD. */
void json_string(struct outfile *out, const char *text);

/* Write a part of a string without quotes. The part must consist of whole characters. */
void json_characters(struct outfile *out, const char *bytes, size_t size);

/* Returns true if json_characters would write the bytes unchanged. */
bool json_is_plain(const char *bytes, size_t size);

/* Write an array of strings. */
enum json_caveats { JSON_WARNINGS, JSON_CONDITIONS, JSON_ALL };
void json_caveats(struct outfile *out, struct caveats p, enum json_caveats which);

#endif
