/*
 * Finds the tags of a document in its bytes, and the attributes in a tag.  Splicing needs these,
 * because libxml2 only has offsets in the decoded text.
 *
 * The document must be well-formed.  For other bytes the results mean nothing, but nothing outside
 * of them is read.
 */
#ifndef TRACE_PEX_TAGS_H
#define TRACE_PEX_TAGS_H

#include <stdbool.h>
#include <stddef.h>

/* How an encoding writes characters outside ASCII. In the encodings of pex(5) the bytes of < > & =
 * / ? ! - and quotes have no other meaning, but in some of them ] may be the second byte of a
 * character. */
enum letters { LETTERS_UTF8, LETTERS_OTHER, LETTERS_PAIRS, LETTERS_SHIFT_JIS };

/* A start tag (which may be empty, <a/>) or an end tag, from < up to and with >. */
struct tag {
    size_t begin, end;
    bool starts, ends; /* both: empty */
};

/* From tag->end on, the next one; false: there is none. */
bool tag_next(const char *xml, size_t size, enum letters letters, struct tag *tag);

/* An attribute within its tag. */
struct tag_attribute {
    size_t begin; /* of the white space before it */
    size_t name, name_size;
    size_t value, value_size; /* as written, between its quotes */
    size_t end;               /* after the closing quote */
};

/* The number of bytes of the element's name in a start tag, which begins at byte 1. */
size_t tag_name_bytes(const char *tag, size_t size);

/* That of an element named with no prefix or any, so that its local name can be compared. */
bool tag_is(const char *tag, size_t size, const char *local);

/* The next attribute from byte `at` on, which is tag_name_bytes + 1, then the last one's end;
 * false: there is none. */
bool tag_attribute(const char *tag, size_t size, size_t at, struct tag_attribute *out);

/* True if it has this name and no prefix. */
bool tag_attribute_is(const char *tag, const struct tag_attribute *attribute, const char *name);

#endif
