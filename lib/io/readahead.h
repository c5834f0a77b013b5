/* Reads ahead: a worker gets blocks from a source while the caller processes earlier blocks.
 *
 *    source --> slots, a ring of AHEAD_SLOTS blocks --> readahead_next --> the caller
 *    (the worker)                                       (uses one of them)
 *
 * The caller's thread always makes the first block, so a short stream, or reading only a header,
 * starts no worker. An error follows the blocks before it in the ring, so results are the same with
 * and without the worker. */
#ifndef IO_READAHEAD_H
#define IO_READAHEAD_H

#include <cellsync/cellsync.h>

enum { AHEAD_SLOTS = 4 };

/* A block of bytes; its size is 0 at the end of the data, or with an `error` and its `status`. */
struct readahead_block {
    uint8_t *bytes;
    size_t size;
    uint64_t mark; /* value that the source sets, such as a file offset */
    csy_status status;
    csy_error error;
    bool cut; /* true if the error is that the file ends too early */
};

/* Fills block->bytes and the other members. Only one thread at a time calls it. */
typedef void (*readahead_source)(void *user, struct readahead_block *block);

struct readahead;

csy_status readahead_new(readahead_source source, void *user, size_t block_bytes,
                         struct readahead **out, csy_error *error);

/* Free the blocks and end the worker. `a` may be NULL. */
void readahead_free(struct readahead *a);

/* Drop all blocks, and end the worker. The next readahead_next calls the source again. */
void readahead_rewind(struct readahead *a);

/* Permit or forbid starting the worker. A running worker continues. */
void readahead_allow(struct readahead *a, bool thread);

/* Get the next block, valid until the next call. After the end or an error, it stays the same.
 * Returns CSY_MEMORY if blocks cannot be allocated; then the caller may try again. */
csy_status readahead_next(struct readahead *a, const struct readahead_block **out,
                          csy_error *error);

#endif
