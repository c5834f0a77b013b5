/*
 * XML that comes from anywhere: parsed in bounded time, nothing fetched, nothing printed.
 */
#ifndef TRACE_DOCUMENT_H
#define TRACE_DOCUMENT_H

#include <cellsync/cellsync.h>

#include <libxml/tree.h>

/* The document under examination, for messages. */
struct source {
    const char *name;
    const char *xml;
    size_t size;
    csy_error *error;
};

/* CSY_INPUT and "NAME: offset N (line N): WHAT". */
csy_status document_refuse(const struct source *src, long line, const char *what);

/* Asked of every element that has ended; one that is taken is freed, with text right before it. */
typedef bool document_take(void *user, xmlNode *element);

/* The caller frees *out, also after a failure, and has called hush_begin.  Refused are a document
 * type declaration, what is not well-formed and what exceeds the limits of pex(5). */
csy_status document_parse(const struct source *src, document_take *take, void *user, xmlDoc **out);

#endif
