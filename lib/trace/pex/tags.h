/*
 * Finds the tags of a document in its bytes, and the attributes in a tag. Outputs need byte offsets
 * to change a document, and libxml2 only has offsets in the decoded text.
 *
 * The document must be well-formed. For other input, the results are meaningless, but no memory
 * outside of the input is read.
 */
#ifndef TRACE_PEX_TAGS_H
#define TRACE_PEX_TAGS_H

#include <stdbool.h>
#include <stddef.h>

/* How an encoding represents characters outside of ASCII. In the encodings that pex(5) allows, the
 * bytes of < > & = / ? ! - and of quotes have no other meaning. In some of them, the byte of ] may
 * also be the second byte of a character. */
enum letters { LETTERS_UTF8, LETTERS_OTHER, LETTERS_PAIRS, LETTERS_SHIFT_JIS };

/* A start tag, which may also be the end tag (<a/>), or an end tag: from its < to its >,
 * inclusive. */
struct tag {
    size_t begin, end;
    bool starts, ends; /* both are true for an empty element */
};

/* Find the next tag, beginning at tag->end. Returns false if there is none. */
bool tag_next(const char *xml, size_t size, enum letters letters, struct tag *tag);

/* An attribute, as offsets in its tag. */
struct tag_attribute {
    size_t begin; /* begin of the white space before it */
    size_t name, name_size;
    size_t value, value_size; /* the value as written, without its quotes */
    size_t end;               /* offset after the closing quote */
};

/* The length of the name of the element in a start tag. The name begins at byte 1. */
size_t tag_name_bytes(const char *tag, size_t size);

/* True if the element has this local name, with any prefix or without one. */
bool tag_is(const char *tag, size_t size, const char *local);

/* Find the next attribute at or after byte `at`, which is at first tag_name_bytes + 1, and later
 * the end of the previous attribute. Returns false if there is none. */
bool tag_attribute(const char *tag, size_t size, size_t at, struct tag_attribute *out);

/* True if the attribute has this name and no prefix. */
bool tag_attribute_is(const char *tag, const struct tag_attribute *attribute, const char *name);

#endif
