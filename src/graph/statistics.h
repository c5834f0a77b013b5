/* The figures of [BHH08] Table 1, over unordered pairs of threads that are bounded both ways. */
#ifndef GRAPH_STATISTICS_H
#define GRAPH_STATISTICS_H

#include "graph/bounds.h"

/* spe[t] says whether thread t is an SPE's.  Everything but unbounded_threads is filled.  CSY_INPUT
 * where a sum leaves 64 bits.  O(T^2), with a sweep O(T^2 W). */
csy_status statistics_gather(const struct bounds *b, const bool *spe, csy_summary *out,
                             csy_error *error);

#endif
