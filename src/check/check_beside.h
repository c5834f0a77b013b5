/*
 * A CSV beside the trace that it was made of, where its rows do not say what gave their order: they
 * are the events of that trace, in its order.
 */
#ifndef CHECK_CHECK_BESIDE_H
#define CHECK_CHECK_BESIDE_H

#include "check/check.h"

/* The row of the next event of check->made_of, which holds until the next one.  CSY_CHECK where
 * they differ. */
csy_status check_beside_row(struct check *check, const struct event *event,
                            const struct csv_row **out, csy_error *error);

/* There is no other row. */
csy_status check_beside_end(struct check *check, csy_error *error);

#endif
