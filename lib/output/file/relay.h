/* Writes by another worker than the maker of the bytes. A few of them may be
 * pending, while bytes are made in other buffers. */
#ifndef OUTPUT_FILE_RELAY_H
#define OUTPUT_FILE_RELAY_H

#include <stddef.h>

/* Called by the worker that writes. */
typedef void (*relay_write)(void *file, const void *bytes, size_t size);

enum { RELAY_PENDING = 4 };

struct relay {
    /* Ask the other worker to call write, unless it is busy. Returns when fewer than RELAY_PENDING
     * writes are pending: the bytes must stay valid for that many calls, or until the end. */
    void (*ask)(void *user, relay_write write, void *file, const void *bytes, size_t size);
    void *user;
};

#endif
