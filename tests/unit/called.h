/* Traces of calls, at random. */
#ifndef UNIT_CALLED_H
#define UNIT_CALLED_H

#include "support.h"

enum { CALLED_RECORDS_MAX = 1500, CALLED_ROUTINES = 3 };

/* Its records enter, exit and mark; an odd one is a wait or another record that a scan
 * (instants/scan.c) must not pass over. */
extern const char called_document[];

/* The records of a trial's trace of a few threads and contexts; odd: how many in 100 of them are
 * exits of what may not be the innermost; if it is 0, at most one record is odd.  Returns whether
 * one is, other than of an unknown type. */
bool called_draw(int trial, int odd, struct buffer *out);

/* Write them as calls.pex and calls.trace, and synchronize these.  Of some trials the last record
 * is not where one offset of its clock puts it. */
void called_open(struct folder *folder, int trial, const struct buffer *records, csy_trace **trace,
                 csy_sync **sync);

#endif
