/*
 * Writes that another worker does than the one that makes the bytes.
 *
 * A few of them are on their way at most: meanwhile bytes are made in other buffers.
 */
#ifndef OUTPUT_FILE_RELAY_H
#define OUTPUT_FILE_RELAY_H

#include <stddef.h>

/* Called by the worker that does the write. */
typedef void (*relay_write)(void *file, const void *bytes, size_t size);

enum { RELAY_PENDING = 4 };

struct relay {
    /* Have the other worker call write, unless it is busy.  Returns when less than RELAY_PENDING
     * writes are not done: the bytes must stay for as many calls, or until the end of the work. */
    void (*ask)(void *user, relay_write write, void *file, const void *bytes, size_t size);
    void *user;
};

#endif
