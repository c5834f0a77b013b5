/*
 * Sections: parts of a trace that events of a name are, or are between.
 *
 * A section is an interval of that name; what is between NAME_ENTRY and NAME_EXIT (also _ENTER,
 * _BEGIN, _LEAVE, _END) of an actor; or else what is from an event of that name to the next one of
 * its actor.  Its ends are moments of one clock, so that others say when they are but so well.
 */
#ifndef ANALYSIS_WINDOW_SECTIONS_H
#define ANALYSIS_WINDOW_SECTIONS_H

#include "analysis/ranges/levels.h"

/* A block, and the records that it is from and to; from where the first one begins. */
struct section {
    struct block block;
    uint64_t first, last;
    bool begins;
};

struct sections {
    struct section *items; /* by their begins */
    size_t count, capacity;
};

/* All of a name, or the first-th to the last-th, counted from 1, unless first is 0.  CSY_USAGE
 * where there are none, or more than CSY_BLOCKS_MAX.  A pass over the records; what sections_find
 * has found, sections_fini frees, also after a failure. */
csy_status sections_find(struct sections *out, const struct instants *instants, const char *name,
                         uint64_t first, uint64_t last, csy_error *error);
void sections_fini(struct sections *sections);

#endif
