/*
 * Rows of a CSV -> threads and local times.  A thread is its name; all rows of core ppe share one
 * clock, `ppe`, and so do rows without a core whose thread is called ppe.  Times are local already.
 */
#ifndef CLOCK_NAMES_H
#define CLOCK_NAMES_H

#include "clock/threads.h"
#include "trace/csv.h"

struct names;

/* threads is filled. */
csy_status names_new(struct threads *threads, struct names **out, csy_error *error);
void names_free(struct names *names);

/* Take the next row, the position-th: its thread.  file is for messages. */
csy_status names_push(struct names *names, const struct csv_row *row, uint64_t position,
                      const char *file, uint32_t *thread, csy_error *error);

#endif
