/* Finds a record's block (records written to a buffer together) from its roles (trace/event.h), and
 * checks the names of blocks. A block may not continue after a newer block of its location and
 * buffer, or after its flush (the write). Consecutive numbers as names need no memory. */
#ifndef ORDER_BLOCK_NAMES_H
#define ORDER_BLOCK_NAMES_H

#include "base/texts.h"
#include "trace/event.h"

/* The state of the blocks that one location writes to one buffer. */
struct block_writer {
    bool any;  /* true if the writer has begun a block; the next members are about its last one */
    bool over; /* true if the last block was flushed */
    char *name;
    size_t size, capacity;
    /* true if the first name is a number; the names `least` to `greatest` were then all used */
    bool counts;
    bool jumped; /* true if numbers outside of least to greatest were used */
    uint64_t least, greatest;
};

struct block_names {
    struct texts locations; /* pairs of a location and a buffer (4 bytes each), called writers */
    struct block_writer *writers;
    size_t capacity;
    /* pairs of a writer (4 bytes) and a block name that is not within its `least` to `greatest` */
    struct texts names;
};

void block_names_fini(struct block_names *names);

/* Find the block of a record. `buffer` is UINT32_MAX if it has none. *number becomes the number of
 * the location and buffer in `writers`. *begins is true if the record begins a block. Returns
 * CSY_INPUT if the name is not valid; the message names no place in the file. Time: O(1). */
csy_status block_names_take(struct block_names *names, const struct event_roles *roles,
                            uint32_t location, uint32_t buffer, uint32_t *number, bool *begins,
                            csy_error *error);

#endif
