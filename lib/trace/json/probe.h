/* Recognizes JSON by its first bytes.  It does not need yajl. */
#ifndef TRACE_JSON_PROBE_H
#define TRACE_JSON_PROBE_H

#include "trace/source.h"

#include <string.h>

/* True for an object with a member, or an array with an object or an array.  The header of a CSV
 * begins with neither. */
static inline bool json_probe(const struct head *head)
{
    static const char mark[] = "\xef\xbb\xbf";
    const uint8_t *at = head->bytes, *end = at + head->size;
    uint8_t first = 0;
    if (head->size >= 3 && memcmp(at, mark, 3) == 0)
        at += 3;
    for (; at < end; at++) {
        if (*at == ' ' || *at == '\t' || *at == '\r' || *at == '\n')
            continue;
        if (first == '{')
            return *at == '"' || *at == '}';
        if (first == '[')
            return *at == '{' || *at == '[' || *at == ']';
        if (*at != '{' && *at != '[')
            return false;
        first = *at;
    }
    return false;
}

/* For sources that source_json opens, or that the user names. */
static inline bool json_probe_none(const struct head *head)
{
    (void)head;
    return false;
}

#endif
