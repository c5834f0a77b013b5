/*
 * Parses XML from untrusted sources. Time and memory are bounded, nothing is fetched, and nothing
 * is printed.
 */
#ifndef TRACE_PEX_DOCUMENT_H
#define TRACE_PEX_DOCUMENT_H

#include "trace/pex/element.h"
#include "trace/pex/tags.h"

enum { DOCUMENT_BYTES_MAX = 256 * 1024 * 1024 };

/* Read a document from fd, from `start` to a NUL or the end of the file.  The caller frees *xml,
 * even after a failure.  CSY_MEMORY if the document and its kept parts would need too much. */
csy_status document_load(int fd, const char *name, uint64_t start, char **xml, size_t *size,
                         bool *embedded, csy_error *error);

/* The document that is being read, for messages. */
struct document_bytes {
    const char *name;
    const char *xml;
    size_t size;
    csy_error *error;
};

/* Set an error with CSY_INPUT and the message "NAME: offset N (line N): WHAT". */
csy_status document_refuse(const struct document_bytes *src, long line, const char *what);

/* The same for an element, with the message "NAME: WHAT", and for an attribute of an element, with
 * the message "NAME: ATTRIBUTE="VALUE": WANT". */
csy_status document_refuse_element(const struct document_bytes *src, const struct element *element,
                                   const char *what);
csy_status document_refuse_value(const struct document_bytes *src, const struct element *element,
                                 const char *attribute, const char *value, const char *want);

/* Read an attribute whose value is one of two words. The result is whether it is the second word.
 * If the attribute or the element is missing, the first word is assumed. */
csy_status document_read_word(const struct document_bytes *src, const struct element *element,
                              const char *attribute, const char *const words[2], const char *want,
                              bool *second);

/* Functions that are called for the begins and ends of the elements in the namespace of the root,
 * in their order. They return false if memory runs out. */
typedef bool document_begin(void *user, const struct element *element);
typedef bool document_end(void *user, unsigned depth);

/* Properties of the whole document. */
struct document {
    size_t nelements; /* number of elements in any namespace */
    enum letters letters;
};

/* Parse a document.  It is rejected if it has a document type declaration, is not well-formed, or
 * exceeds the limits of pex(5).  Memory: a few times the longest tag or comment. */
csy_status document_parse(const struct document_bytes *src, document_begin *begin,
                          document_end *end, void *user, struct document *out);

#endif
