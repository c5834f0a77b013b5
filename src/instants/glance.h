/*
 * Glance: the scan of a trace whose records are calls, without their times.
 *
 * Where records do nothing but enter and exit routines, and each exit is of the routine that was
 * entered last, a scan finds nothing but who writes and which records are the last ones.  That is
 * seen in the file, for a third of the time that placing records takes.
 */
#ifndef INSTANTS_GLANCE_H
#define INSTANTS_GLANCE_H

#include "instants/reader.h"

/* How many records are to have been scanned, so that what they mean was met. */
enum { GLANCE_FIRST = 256 };

/* After the first records were scanned: all that a scan comes to, if they are all such; else what
 * was scanned stays as it is, and *at is the position of the first that is not.  A pass over the
 * file up to there. */
csy_status glance(struct instants *instants, struct reader *reader, bool *done, uint64_t *at,
                  csy_error *error);

#endif
