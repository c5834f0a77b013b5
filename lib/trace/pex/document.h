/* Parses XML from untrusted sources. Time and memory are bounded; nothing is fetched or printed. */
#ifndef TRACE_PEX_DOCUMENT_H
#define TRACE_PEX_DOCUMENT_H

#include <cellsync/cellsync.h>

/* The start tag of an element. `text` contains its name, and then the names and values of its
 * attributes without namespace, as UTF-8 texts that end with NUL. */
struct element {
    char *text; /* NULL if there is no such element */
    size_t size;
    long line;
    size_t index;   /* number of the element, from 0, in the order of start tags */
    unsigned depth; /* number of enclosing elements; 0 for the root */
};

/* Returns true if the element exists and has the local name `name`. */
bool element_is(const struct element *element, const char *name);

/* Returns the value of an attribute in O(size), or NULL if the attribute is missing. */
const char *element_text(const struct element *element, const char *attribute);

/* Read an attribute as a number, decimal or hexadecimal (0x). Returns false for other texts. */
bool element_number(const struct element *element, const char *attribute, uint64_t *out);

/* Read an attribute as ticks, -inf (INT64_MIN), or inf (INT64_MAX). Otherwise, returns false. */
bool element_ticks(const struct element *element, const char *attribute, int64_t *out);

bool element_fraction(const struct element *element, const char *attribute, csy_fraction *out);

bool element_says(const struct element *element, const char *attribute, const char *text);

/* Copy an element; free it by element_fini. Returns false if memory runs out. */
bool element_keep(struct element *to, const struct element *element);
void element_fini(struct element *element);

/* --- Tags -----------------------------------------------------------------------------------
 *
 * Byte offsets of tags and attributes, which outputs need to change a document. libxml2 has only
 * offsets in the decoded text. The document must be well-formed. For other input, the results are
 * meaningless, but no memory outside the input is read. */

/* How an encoding represents characters outside of ASCII. If pex(5) permits the encoding, no byte
 * of such a character equals < > & = / ? ! - or a quote. A second byte may equal ]. */
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

/* Returns the length of a start tag's name, which begins at byte 1 of the tag. */
size_t tag_name_bytes(const char *tag, size_t size);

/* Returns true if the tag has the local name `local`, with or without a prefix. */
bool tag_is(const char *tag, size_t size, const char *local);

/* Find the next attribute at or after byte `at`. Begin with tag_name_bytes + 1, and continue with
 * `end` of the previous attribute. Returns false after the last attribute. */
bool tag_attribute(const char *tag, size_t size, size_t at, struct tag_attribute *out);

bool tag_attribute_is(const char *tag, const struct tag_attribute *attribute, const char *name);

enum { DOCUMENT_BYTES_MAX = 256 * 1024 * 1024 };

/* Read an XML document up to the end of the file or a NUL (*embedded), after which records follow.
 * The caller frees *xml, even after a failure. Returns CSY_MEMORY if parsing needs too much. */
csy_status document_load(int fd, const char *name, uint64_t start, char **xml, size_t *size,
                         bool *embedded, csy_error *error);

struct document_bytes {
    const char *name;
    const char *xml;
    size_t size;
    csy_error *error;
};

/* Set the error "NAME: offset N (line N): WHAT". Returns CSY_INPUT. */
csy_status document_refuse(const struct document_bytes *src, long line, const char *what);

/* Set the error "NAME: WHAT" or "NAME: ATTRIBUTE="VALUE": WANT". Returns CSY_INPUT. */
csy_status document_refuse_element(const struct document_bytes *src, const struct element *element,
                                   const char *what);
csy_status document_refuse_value(const struct document_bytes *src, const struct element *element,
                                 const char *attribute, const char *value, const char *want);

/* Functions for each element of the root's namespace. They return false if memory runs out. */
typedef bool document_begin(void *user, const struct element *element);
typedef bool document_end(void *user, unsigned depth);

struct document_layout {
    size_t nelements; /* number of elements, in all namespaces */
    enum letters letters;
};

/* Parse a document. It must be well-formed, within the limits of pex(5), and without a document
 * type declaration. Parsing needs a few times the memory of the longest tag or comment. */
csy_status document_parse(const struct document_bytes *src, document_begin *begin,
                          document_end *end, void *user, struct document_layout *out);

#endif
