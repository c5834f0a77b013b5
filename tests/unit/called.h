/* Random traces of routine calls. */
#ifndef UNIT_CALLED_H
#define UNIT_CALLED_H

#include "support.h"

enum { CALLED_RECORDS_MAX = 1500, CALLED_ROUTINES = 3 };

/* The .pex document of the traces. Most records enter or exit routines, or are marks. All others,
 * such as waits, are odd: a scan (instants/scan.c) must not skip them. */
extern const char called_document[];

/* Draw the records of a trial, by a few threads and contexts. `odd` percent of the records exit a
 * routine that may not be the innermost one. If odd is 0, there is at most one odd record; returns
 * true if there is one, and its type is known. */
bool called_draw(int trial, int odd, struct buffer *out);

/* Write calls.pex and calls.trace to the folder, and synchronize them. In some trials clocks drift
 * or global times are monotonic, so no single offset gives all times of a clock. */
void called_open(struct folder *folder, int trial, const struct buffer *records, csy_trace **trace,
                 csy_sync **sync);

#endif
