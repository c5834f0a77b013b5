/*
 * Where the tags of a document are in its bytes, and the attributes in a tag: what splicing needs
 * beside what libxml2 tells, whose offsets are those of the text after it has been decoded.
 *
 * The document has been found well-formed.  Of other bytes the answers mean nothing, but nothing
 * outside of them is read.
 */
#ifndef TRACE_PEX_TAGS_H
#define TRACE_PEX_TAGS_H

#include <stdbool.h>
#include <stddef.h>

/* How an encoding writes what is not ASCII.  In those of pex(5) the bytes of < > & = / ? ! - and
 * quotes stand for nothing else, but in some of them ] may be the second byte of a character. */
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

/* The name of the element, as written, begins at byte 1 of a start tag and has so many bytes. */
size_t tag_name_bytes(const char *tag, size_t size);

/* That of an element named with no prefix or any, so that its local name can be compared. */
bool tag_is(const char *tag, size_t size, const char *local);

/* The next attribute from byte `at` on, which is tag_name_bytes + 1, then the last one's end;
 * false: there is none. */
bool tag_attribute(const char *tag, size_t size, size_t at, struct tag_attribute *out);

/* Whether it has this name, with no prefix. */
bool tag_attribute_is(const char *tag, const struct tag_attribute *attribute, const char *name);

#endif
