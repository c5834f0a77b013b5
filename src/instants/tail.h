/*
 * Tail: who records what last, seen from the end of the file backwards.
 *
 * A piece of the file before those that were seen is gone over from a place where records seem to
 * begin, and must end where these begin.  So it is a guess, which who uses it has to prove.
 */
#ifndef INSTANTS_TAIL_H
#define INSTANTS_TAIL_H

#include "instants/met.h"
#include "io/bytes.h"

/* Slots for writers, a power of 2. */
enum { TAIL_SLOTS = 256 };

/* A writer. */
struct tail_slot {
    uint64_t key; /* of instants/met.h; 0: free */
    uint64_t last;
    int64_t level, least; /* what it has entered less what it has exited, at the end and at least */
    uint64_t routine;     /* of the exit that came to the least (met_named) */
};

struct tail {
    struct met *met;
    const struct senses *senses;
    struct bytes *bytes; /* which it moves */
    uint64_t first;      /* offset of the first record that was seen, */
    uint64_t position;   /* which one it is, and how many writers there are: */
    size_t n;
    struct tail_slot slots[TAIL_SLOTS];
};

/* Nothing was seen of a file that ends with so many records, at an offset. */
void tail_init(struct tail *tail, struct met *met, const struct senses *senses, struct bytes *bytes,
               uint64_t end, uint64_t records);

/* Go back to an offset at which records may begin, or a few that follow it, in steps of 8.  *good
 * is false where it cannot be told what is there, or there are too many writers; nothing more is to
 * be seen then.  O(bytes that were not seen). */
csy_status tail_extend(struct tail *tail, uint64_t offset, bool *good, csy_error *error);

/* A writer; NULL where it was not seen. */
const struct tail_slot *tail_find(const struct tail *tail, uint64_t key);

#endif
