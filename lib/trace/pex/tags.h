/* Finds the tags of a document and their attributes in its bytes. Outputs need byte offsets to
 * change a document, but libxml2 has only offsets in the decoded text.
 *
 * The document must be well-formed. For other input, the results are meaningless, but no memory
 * outside the input is read. */
#ifndef TRACE_PEX_TAGS_H
#define TRACE_PEX_TAGS_H

#include <stdbool.h>
#include <stddef.h>

/* How an encoding represents characters outside of ASCII. In the encodings that pex(5) permits, the
 * bytes of < > & = / ? ! - and of quotes have no other meaning. In some encodings, the byte of ]
 * may be the second byte of a character. */
enum letters { LETTERS_UTF8, LETTERS_OTHER, LETTERS_PAIRS, LETTERS_SHIFT_JIS };

/* The offsets of a start tag, an end tag, or a tag like <a/> that is both, including < and >. */
struct tag {
    size_t begin, end;
    bool starts, ends; /* both are true for <a/> */
};

/* Find the next tag at or after tag->end. Returns false if the document has no more tags. */
bool tag_next(const char *xml, size_t size, enum letters letters, struct tag *tag);

/* An attribute. All offsets count from the start of its tag. */
struct tag_attribute {
    size_t begin; /* offset of the blanks before the attribute */
    size_t name, name_size;
    size_t value, value_size; /* the value as in the document, without quotes */
    size_t end;               /* offset after the closing quote */
};

/* Returns the length of the name of a start tag. The name begins at byte 1. */
size_t tag_name_bytes(const char *tag, size_t size);

/* Returns true if the tag has the local name `local`, with or without a prefix. */
bool tag_is(const char *tag, size_t size, const char *local);

/* Find the next attribute at or after byte `at`. Begin with tag_name_bytes + 1, and continue with
 * `end` of the previous attribute. Returns false after the last attribute. */
bool tag_attribute(const char *tag, size_t size, size_t at, struct tag_attribute *out);

/* Returns true if the attribute has the name `name` and no prefix. */
bool tag_attribute_is(const char *tag, const struct tag_attribute *attribute, const char *name);

#endif
