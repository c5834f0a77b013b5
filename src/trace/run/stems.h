/* What the folder of a run holds. */
#ifndef TRACE_RUN_STEMS_H
#define TRACE_RUN_STEMS_H

#include "trace/trace.h"

/* The stems of its documents, in order. */
struct stems {
    char **items;
    size_t count, capacity;
    char *anchor; /* of an archive beside them, the first by name, or NULL */
    bool ctf;     /* a file beside them is called as the metadata of CTF */
};

/* Those of the folder of this name; begun as 0.  CSY_IO where there is none. */
csy_status stems_find(const struct csy_trace *trace, struct stems *stems, csy_error *error);

void stems_free(struct stems *stems);

#endif
