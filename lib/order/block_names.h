/* Finds the block of a record, and checks the names of blocks. A block is a group of records that a
 * location writes to a buffer at once. A block may not continue after a newer block of its location
 * and buffer, or after it was written. If blocks are named by consecutive numbers, names need no
 * memory. */
#ifndef ORDER_BLOCK_NAMES_H
#define ORDER_BLOCK_NAMES_H

#include "base/texts.h"
#include "trace/event.h"

/* The names of the blocks of records that one location has written to one buffer. */
struct block_writer {
    bool any;  /* true if the writer has begun a block; the next members are about its last one */
    bool over; /* true if the last block was flushed (written), so it cannot continue */
    char *name;
    size_t size, capacity;
    /* true if the first block has a number as its name; then all numbers from `least` to `greatest`
     * are names of blocks */
    bool counts;
    bool jumped;
    uint64_t least, greatest;
};

struct block_names {
    struct texts locations; /* pairs of a location and a buffer (4 bytes each); a pair is called a
                             * writer */
    struct block_writer *writers;
    size_t capacity;
    /* names of blocks that are not numbers from `least` to `greatest`; before each name, the number
     * of its writer (4 bytes) */
    struct texts names;
};

void block_names_fini(struct block_names *names);

/* Find the block of a record. `buffer` is UINT32_MAX if the record has none. *number becomes the
 * index in names->writers of the record's location and buffer. *begins becomes true if the record
 * is the first one of its block. Returns CSY_INPUT if the name of the block is not valid; the
 * message names no place in the file. Time: O(1). */
csy_status block_names_take(struct block_names *names, const struct event_roles *roles,
                            uint32_t location, uint32_t buffer, uint32_t *number, bool *begins,
                            csy_error *error);

#endif
