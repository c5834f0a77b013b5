/*
 * Rows of a CSV -> threads and local times.  A thread is the name of its clock, which is that of
 * the row's thread unless the row says otherwise; all rows of core ppe share one clock, `ppe`, and
 * so do rows without a core whose clock is called ppe.  Each thread on a clock has a track.  Times
 * are local already.
 */
#ifndef CLOCK_NAMES_H
#define CLOCK_NAMES_H

#include "clock/threads.h"
#include "trace/csv.h"

struct names;

/* threads is filled. */
csy_status names_new(struct threads *threads, struct names **out, csy_error *error);
void names_free(struct names *names);

/* Take the next row, the position-th: its thread and track.  file is for messages. */
csy_status names_push(struct names *names, const struct csv_row *row, uint64_t position,
                      const char *file, uint32_t *thread, uint32_t *track, csy_error *error);

#endif
