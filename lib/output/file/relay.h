/* A relay lets another thread write bytes. A few writes may be pending while the next bytes are
 * made in other buffers. */
#ifndef OUTPUT_FILE_RELAY_H
#define OUTPUT_FILE_RELAY_H

#include <stddef.h>

/* The function that the other thread calls to write bytes. */
typedef void (*relay_write)(void *file, const void *bytes, size_t size);

enum { RELAY_PENDING = 4 };

struct relay {
    /* Let the other thread call `write`. If that thread is busy, this one calls `write`. Returns
     * when fewer than RELAY_PENDING writes are pending. Therefore the bytes must stay valid for
     * that many further calls, or until the end. */
    void (*ask)(void *user, relay_write write, void *file, const void *bytes, size_t size);
    void *user;
};

#endif
