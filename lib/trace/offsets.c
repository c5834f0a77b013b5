/* Files of measured offsets, in memory. */
#include "trace/offsets.h"

#include <stdlib.h>

void offsets_free(struct measured_offsets *offsets)
{
    for (size_t i = 0; offsets && i < offsets->count; i++) {
        free(offsets->items[i].clock);
        free(offsets->items[i].other_clock);
    }
    if (offsets) {
        free(offsets->items);
        free(offsets->name);
    }
    free(offsets);
}
