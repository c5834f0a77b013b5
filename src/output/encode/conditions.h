/* What the figures of an analysis rest on, one after another: its values are looked at once. */
#ifndef ENCODE_CONDITIONS_H
#define ENCODE_CONDITIONS_H

#include <cellsync/analysis.h>

struct conditions {
    const csy_analysis *analysis;
    const csy_sync *sync;
    bool ranged, stamped;   /* it has ranges; figures as stamped, by stamps that are off */
    size_t next, of_bounds; /* conditions of bounds that were given */
    bool said_stamped;
};

struct conditions conditions_of(const csy_analysis *analysis, const csy_sync *sync);

/* The next one, as csy_analysis_condition has it; NULL after the last. */
const char *conditions_next(struct conditions *conditions, char text[CSY_WARNING_TEXT_MAX]);

#endif
