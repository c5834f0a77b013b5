/*
 * Reading ahead: blocks come from a source, which a thread of its own runs while the caller looks
 * at the blocks before.
 *
 *     source --> slots, a ring of AHEAD_SLOTS blocks --> ahead_next --> the caller
 *     (the thread)                                                      (looks at one of them)
 *
 * The first block is always made by the caller's own thread, so that a short stream, or a look at
 * a header, starts no other.  An error stands in the ring behind the blocks before it, and what
 * the caller sees is the same with the thread and without.
 */
#ifndef TRACE_AHEAD_H
#define TRACE_AHEAD_H

#include <cellsync/cellsync.h>

enum { AHEAD_SLOTS = 4 };

/* A block, or the end (no bytes), or an error.  mark is what the source makes of it. */
struct ahead_block {
    uint8_t *bytes;
    size_t size;
    uint64_t mark;
    csy_status status;
    csy_error error;
    bool cut; /* the error is that the file ends too early */
};

/* Fill block->bytes and say the rest.  Called by one thread at a time, and not again behind the
 * end or an error. */
typedef void (*ahead_source)(void *user, struct ahead_block *block);

struct ahead;

/* block_bytes: how many bytes the source may fill in. */
csy_status ahead_new(ahead_source source, void *user, size_t block_bytes, struct ahead **out,
                     csy_error *error);

/* Ends the thread, and so does ahead_rewind; within the time that the source takes for a block. */
void ahead_free(struct ahead *a);

/* Forget every block; nobody calls the source until the next ahead_next. */
void ahead_rewind(struct ahead *a);

/* Whether a thread may be started; it takes effect where none has been yet. */
void ahead_allow(struct ahead *a, bool thread);

/* The next block.  It belongs to the ring and holds until the next call; the end and an error
 * come again at every later call.  CSY_MEMORY where there is no room for the ring; the caller may
 * ask again. */
csy_status ahead_next(struct ahead *a, const struct ahead_block **out, csy_error *error);

#endif
