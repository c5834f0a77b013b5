/* Converts ticks to seconds as doubles, with identical results on every machine. */
#ifndef PDTSIM_CLUSTER_SECONDS_H
#define PDTSIM_CLUSTER_SECONDS_H

#include <stdint.h>

/* Returns the bits (IEEE 754) of the double nearest to ticks / hz; 0 <= ticks < 2^63, 0 < hz <
 * 2^63. Uses integers, because some processors round a division of doubles twice. */
uint64_t seconds_bits(int64_t ticks, int64_t hz);

#endif
