/* Writing by another worker than the one that makes the bytes. A few writes may be pending, while
 * further bytes are made in other buffers. */
#ifndef OUTPUT_FILE_RELAY_H
#define OUTPUT_FILE_RELAY_H

#include <stddef.h>

/* A function that the worker calls to write bytes. */
typedef void (*relay_write)(void *file, const void *bytes, size_t size);

enum { RELAY_PENDING = 4 };

struct relay {
    /* Request that the other worker calls `write`. If it is busy, `write` is called directly.
     * Returns when fewer than RELAY_PENDING writes are pending. Therefore the bytes must stay valid
     * for that many further calls, or until the end. */
    void (*ask)(void *user, relay_write write, void *file, const void *bytes, size_t size);
    void *user;
};

#endif
