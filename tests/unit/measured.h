/* What global times do to order and distances, counted event by event. */
#ifndef UNIT_MEASURED_H
#define UNIT_MEASURED_H

#include "sync/solution.h"

/* What a solution with csy_options.measure says of it is what one by one its events come to, none
 * of which goes the quick way then. */
void assert_measured(const csy_sync *sync);

#endif
