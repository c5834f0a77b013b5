/* csy_meaning: documents, also a built-in one, that describe the meanings of events. */
#ifndef MEANING_MEANING_H
#define MEANING_MEANING_H

#include "meaning/rules.h"

#include <cellsync/analysis.h>

/* Documents in the order of reading. The built-in one is the first. */
struct csy_meaning {
    struct rules *documents;
    size_t count, capacity;
    struct topology topology; /* takes precedence over all documents */
    struct symbols symbols;   /* for addresses that no document names; sealed */
};

#endif
