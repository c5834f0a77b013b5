/* What more records would make of the bounds to the reference.  cellsync-model(7), Advice. */
#ifndef ANALYSIS_ADVICE_H
#define ANALYSIS_ADVICE_H

#include "sync/solution.h"

/* The error that K records of a thread and K of the reference leave of an error, in ticks. */
int64_t advice_fine_ticks(int64_t error_ticks, uint64_t k);

/* How far in time they are apart on the reference, from the first to the last; INT64_MAX where that
 * is more. */
int64_t advice_span_ticks(int64_t fine_ticks, uint64_t k);

#endif
