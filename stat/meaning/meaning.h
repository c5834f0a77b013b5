/* csy_meaning: the documents that describe the meanings of events, including the built-in one. */
#ifndef MEANING_MEANING_H
#define MEANING_MEANING_H

#include "meaning/rules.h"

#include <cellsync/analysis.h>

/* The documents in the order in which they were read. The built-in document is the first. */
struct csy_meaning {
    struct rules *documents;
    size_t count, capacity;
    struct topology topology; /* takes precedence over the topologies of all documents */
    struct symbols symbols;   /* symbols for addresses that no document names; sealed */
};

#endif
