/*
 * Which block a record belongs to, by what events say of it (trace/event.h).
 *
 * Names of blocks are checked: none goes on after another one of its location and buffer, or after
 * its flush.  Those that count up by one take no memory.
 */
#ifndef ORDER_BLOCK_NAMES_H
#define ORDER_BLOCK_NAMES_H

#include "base/texts.h"
#include "trace/event.h"

/* What is known of one location in one buffer. */
struct block_writer {
    bool any;  /* blocks; its last one: */
    bool over; /* has been flushed */
    char *name;
    size_t size, capacity;
    bool counts; /* it began to count its blocks: those from least to greatest have been, */
    bool jumped; /* and numbers beyond that, too */
    uint64_t least, greatest;
};

struct block_names {
    struct texts locations; /* location and buffer, of 4 bytes each */
    struct block_writer *writers;
    size_t capacity;
    struct texts names; /* a writer, of 4 bytes, and a block of it that it did not count */
};

void block_names_fini(struct block_names *names);

/* A record that says something of blocks, of this location and buffer, or UINT32_MAX: none.
 * *number: that of the two, from 0 as they come; *begins: its block is another one than that
 * writer's last.  CSY_INPUT, without the place, where that cannot be.  O(1). */
csy_status block_names_take(struct block_names *names, const struct event_roles *roles,
                            uint32_t location, uint32_t buffer, uint32_t *number, bool *begins,
                            csy_error *error);

#endif
