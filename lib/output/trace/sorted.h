/* Sorts the rows of a CSV by global time, without holding all of them: an external merge sort.
 *
 * Rows are collected in memory. Whenever SORTED_BYTES are full, the rows are sorted and written to
 * an unlinked temporary file as a run. In the end all runs are merged. Rows with equal times keep
 * the order in which they came. */
#ifndef OUTPUT_TRACE_SORTED_H
#define OUTPUT_TRACE_SORTED_H

#include <cellsync/cellsync.h>

enum { SORTED_BYTES = 16 * 1024 * 1024 };

struct sorted;

/* bytes: the memory for rows, usually SORTED_BYTES. */
csy_status sorted_new(size_t bytes, struct sorted **out, csy_error *error);
void sorted_free(struct sorted *sorted);

/* Begin the next row, at this time. */
void sorted_begin(struct sorted *sorted, int64_t ticks);

/* Append to the row; `tag`, below 256, is returned with the bytes. sorted_finish returns the first
 * failure. */
void sorted_append(struct sorted *sorted, unsigned tag, const char *bytes, size_t size);

/* Pass all appended bytes to `put`, row by row in the order of their times. O(n log n); the memory
 * for rows, and 64 KiB for each run. */
csy_status sorted_finish(struct sorted *sorted,
                         void (*put)(void *user, unsigned tag, const char *bytes, size_t size),
                         void *user, csy_error *error);

#endif
