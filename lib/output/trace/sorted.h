/* An external merge sort for the rows of a CSV, by global time.
 *
 * Rows are collected in memory. Whenever SORTED_BYTES are full, the rows are sorted and written as
 * a run to an unlinked temporary file. At the end, all runs are merged. Rows with equal times keep
 * their order. */
#ifndef OUTPUT_TRACE_SORTED_H
#define OUTPUT_TRACE_SORTED_H

#include <cellsync/cellsync.h>

enum { SORTED_BYTES = 16 * 1024 * 1024 };

struct sorted;

/* bytes: how much memory rows may use, usually SORTED_BYTES. */
csy_status sorted_new(size_t bytes, struct sorted **out, csy_error *error);
void sorted_free(struct sorted *sorted);

/* Begin the next row, which has this time. */
void sorted_begin(struct sorted *sorted, int64_t ticks);

/* Append bytes to the row. `tag`, below 256, is passed on with them. sorted_finish returns the
 * first failure. */
void sorted_append(struct sorted *sorted, unsigned tag, const char *bytes, size_t size);

/* Pass all appended bytes to `put`, row by row in the order of times. Takes O(n log n) and, besides
 * the memory for rows, 64 KiB for each run. */
csy_status sorted_finish(struct sorted *sorted,
                         void (*put)(void *user, unsigned tag, const char *bytes, size_t size),
                         void *user, csy_error *error);

#endif
