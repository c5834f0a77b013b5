/*
 * Strict unwrapping: a gap that several numbers of wraps would fit divides its live interval, and
 * both parts get bounds of their own.  Where these leave one number of wraps, the parts are merged
 * again.  cellsync-model(7), Unwrapping.
 */
#ifndef SYNC_LINE_STRICT_H
#define SYNC_LINE_STRICT_H

#include "sync/solution.h"

/* Settle what the bounds settle in the lore of sync->survey; *before is a copy of it as it was, the
 * caller's.  *merged: something was, so the trace has to be surveyed and solved again.  O(T W) a
 * gap. */
csy_status strict_merge(struct csy_sync *sync, struct unwrap_lore *before, bool *merged,
                        csy_error *error);

#endif
