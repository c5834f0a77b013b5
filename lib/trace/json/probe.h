/* Recognizes JSON by the first bytes of a file, without yajl. */
#ifndef TRACE_JSON_PROBE_H
#define TRACE_JSON_PROBE_H

#include "trace/source.h"

#include <string.h>

/* Returns true if the file begins with an object that has a member, or with an array that contains
 * an object or an array. No CSV header begins with such a text. */
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

#endif
