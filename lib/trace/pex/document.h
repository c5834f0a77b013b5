/* Parses XML from untrusted sources. Time and memory are bounded; nothing is fetched or printed. */
#ifndef TRACE_PEX_DOCUMENT_H
#define TRACE_PEX_DOCUMENT_H

#include "trace/pex/element.h"
#include "trace/pex/tags.h"

enum { DOCUMENT_BYTES_MAX = 256 * 1024 * 1024 };

/* Read an XML document from fd, from `start` to a NUL byte or the end of the file. *embedded is
 * true if there is a NUL byte. The caller frees *xml, even after a failure. Returns CSY_MEMORY if
 * parsing the document would need too much memory. */
csy_status document_load(int fd, const char *name, uint64_t start, char **xml, size_t *size,
                         bool *embedded, csy_error *error);

/* The document that is parsed. Error messages contain its name. */
struct document_bytes {
    const char *name;
    const char *xml;
    size_t size;
    csy_error *error;
};

/* Set the error "NAME: offset N (line N): WHAT". Returns CSY_INPUT. */
csy_status document_refuse(const struct document_bytes *src, long line, const char *what);

/* Set the error "NAME: WHAT" about an element, or "NAME: ATTRIBUTE="VALUE": WANT" about an
 * attribute. Return CSY_INPUT. */
csy_status document_refuse_element(const struct document_bytes *src, const struct element *element,
                                   const char *what);
csy_status document_refuse_value(const struct document_bytes *src, const struct element *element,
                                 const char *attribute, const char *value, const char *want);

/* Callbacks at the begin and the end of each element in the root's namespace. They return false if
 * memory runs out. */
typedef bool document_begin(void *user, const struct element *element);
typedef bool document_end(void *user, unsigned depth);

/* Properties of the whole document. */
struct document {
    size_t nelements; /* number of elements, in all namespaces */
    enum letters letters;
};

/* Parse a document. A document is refused if it has a document type declaration, is not
 * well-formed, or exceeds the limits of pex(5). Parsing needs a few times the memory of the longest
 * tag or comment. */
csy_status document_parse(const struct document_bytes *src, document_begin *begin,
                          document_end *end, void *user, struct document *out);

#endif
