/*
 * Middles: how often a value is among those of a slot, to find the middle one.
 *
 * Where there are too many values, neighbours are taken together, of all slots alike; then the
 * middle one is only known to lie among these.
 */
#ifndef ANALYSIS_MESSAGES_MIDDLES_H
#define ANALYSIS_MESSAGES_MIDDLES_H

#include "base/texts.h"

/* Values that are told apart. */
enum { MIDDLES_MAX = 1 << 19 };

struct middle_tally {
    int64_t bin; /* the values with these bits above the lowest shift ones */
    uint32_t slot;
    uint64_t count;
};

struct middles {
    struct middle_tally *items; /* as they come; sorted at the end */
    size_t count, capacity, most;
    struct texts keys;
    unsigned shift;
};

void middles_init(struct middles *middles, size_t most);
void middles_fini(struct middles *middles);

/* One more value; false on no memory. */
bool middles_add(struct middles *middles, uint32_t slot, int64_t value);

/* After the last. */
void middles_finish(struct middles *middles);

/* Between which values the middle one of a slot is, the lower one of two; false where it has
 * none. */
bool middles_find(const struct middles *middles, uint32_t slot, int64_t *lo, int64_t *hi);

#endif
