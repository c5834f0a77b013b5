/* Blocks: the parts of a trace that are asked for. */
#ifndef ANALYSIS_WINDOW_TIME_PARTS_H
#define ANALYSIS_WINDOW_TIME_PARTS_H

#include "analysis/ranges/levels.h"

struct time_parts {
    struct block *items; /* by their begins; none: the whole trace */
    size_t count, capacity;
};

/* A window, its bins, or sections, which takes a pass over the records. */
csy_status time_parts_find(struct time_parts *blocks, struct instants *instants,
                           const csy_concurrency *asked, csy_error *error);

/* The blocks of n sections that csy_sync_sections has found; a pass over the records. */
csy_status time_parts_of_sections(struct block *out, const struct instants *instants,
                                  const csy_section *sections, size_t n, csy_error *error);
void time_parts_fini(struct time_parts *blocks);

#endif
