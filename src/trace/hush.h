/* libxml2 where it has no memory: it prints that, and often goes on with less than it was given. */
#ifndef TRACE_HUSH_H
#define TRACE_HUSH_H

#include <libxml/xmlerror.h>
#include <stdbool.h>

struct hush {
    bool no_memory;                 /* libxml2 has said so */
    xmlStructuredErrorFunc handler; /* what the calling thread had set before */
    void *context;
};

/* Between the two, in one thread, libxml2 prints nothing.  end: whether it had memory for all it
 * did. */
void hush_begin(struct hush *hush);
bool hush_end(const struct hush *hush);

#endif
