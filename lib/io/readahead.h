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

/* A block of bytes, or the end (no bytes), or an error. The source defines `mark`. */
struct readahead_block {
    uint8_t *bytes;
    size_t size;
    uint64_t mark;
    csy_status status;
    csy_error error;
    bool cut; /* the error is a file that ends too early */
};

/* Fills block->bytes, and sets the other members. Called by one worker, until the last one. */
typedef void (*readahead_source)(void *user, struct readahead_block *block);

struct readahead;

csy_status readahead_new(readahead_source source, void *user, size_t block_bytes,
                         struct readahead **out, csy_error *error);

/* Free all, after the block that the source is filling. Ends the worker. */
void readahead_free(struct readahead *a);

/* Drop all blocks, and end the worker. The source is called again in the next readahead_next. */
void readahead_rewind(struct readahead *a);

/* Allow or forbid to start the worker. A running worker continues. */
void readahead_allow(struct readahead *a, bool thread);

/* Get the next block, which is valid until the next call. Later calls return the end or an error
 * again. CSY_MEMORY if the ring cannot be allocated; the caller may then try again. */
csy_status readahead_next(struct readahead *a, const struct readahead_block **out,
                          csy_error *error);

#endif
