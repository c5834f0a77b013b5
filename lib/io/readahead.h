/*
 * Reading ahead: blocks come from a source, which a worker of its own runs while the caller looks
 * at the blocks before.
 *
 *     source --> slots, a ring of AHEAD_SLOTS blocks --> readahead_next --> the caller
 *     (the worker)                                                      (looks at one of them)
 *
 * The first block is always made by the caller's thread, so that a short stream, or a look at
 * a header, starts no worker.  An error follows in the ring the blocks before it, and what
 * the caller sees is the same with the worker and without.
 */
#ifndef IO_READAHEAD_H
#define IO_READAHEAD_H

#include <cellsync/cellsync.h>

enum { AHEAD_SLOTS = 4 };

/* A block, or the end (no bytes), or an error.  mark is what the source makes of it. */
struct readahead_block {
    uint8_t *bytes;
    size_t size;
    uint64_t mark;
    csy_status status;
    csy_error error;
    bool cut; /* the error is that the file ends too early */
};

/* Fill block->bytes and say the rest.  Called by one worker at a time, and not again after the
 * end or an error. */
typedef void (*readahead_source)(void *user, struct readahead_block *block);

struct readahead;

/* block_bytes: how many bytes the source may fill in. */
csy_status readahead_new(readahead_source source, void *user, size_t block_bytes,
                         struct readahead **out, csy_error *error);

/* Ends the worker, and so does readahead_rewind; within the time that the source takes for a
 * block. */
void readahead_free(struct readahead *a);

/* Forget every block; the source is not called until the next readahead_next. */
void readahead_rewind(struct readahead *a);

/* Whether a worker may be started; it takes effect where none has been yet. */
void readahead_allow(struct readahead *a, bool thread);

/* The next block.  It belongs to the ring and holds until the next call; the end and an error
 * come again at every later call.  CSY_MEMORY where there is no room for the ring; the caller may
 * ask again. */
csy_status readahead_next(struct readahead *a, const struct readahead_block **out,
                          csy_error *error);

#endif
