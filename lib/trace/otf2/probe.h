/* Recognizes OTF2 archives by file names, because anchor files have no magic number. */
#ifndef TRACE_OTF2_PROBE_H
#define TRACE_OTF2_PROBE_H

#include "trace/source.h"

#include <string.h>

static inline bool otf2_probe(const struct head *head)
{
    size_t size = strlen(head->name);
    return size > 5 && strcmp(head->name + size - 5, ".otf2") == 0;
}

#endif
