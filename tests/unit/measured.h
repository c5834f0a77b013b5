/* Checks statistics of order and distances against a count of events. */
#ifndef UNIT_MEASURED_H
#define UNIT_MEASURED_H

#include "sync/solution.h"

/* Fail the test unless the statistics of a solution with csy_options.measure are equal to a count
 * of its events, which are read one by one. */
void assert_measured(const csy_sync *sync);

#endif
