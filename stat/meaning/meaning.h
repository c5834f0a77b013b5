/* csy_meaning: the documents that say what events mean, and those that say it anyway. */
#ifndef MEANING_MEANING_H
#define MEANING_MEANING_H

#include "meaning/rules.h"

#include <cellsync/analysis.h>

/* Documents in reading order, the built-in one first. */
struct csy_meaning {
    struct rules *documents;
    size_t count, capacity;
    struct topology topology; /* that goes before all of theirs */
    struct symbols symbols;   /* of addresses that none of them names; sealed */
};

#endif
