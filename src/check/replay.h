/*
 * The events of a trace, kept to be gone through again, forwards and backwards: in memory while
 * they are few, else in a temporary file of 16 bytes each.
 */
#ifndef CHECK_REPLAY_H
#define CHECK_REPLAY_H

#include <cellsync/cellsync.h>

enum { REPLAY_BLOCK = 64 * 1024 };

struct stamp {
    int64_t ticks;
    uint64_t thread;
};

struct replay {
    int fd; /* -1: they are all in the block */
    struct stamp *block;
    size_t nblock;
    uint64_t stored; /* in the file */
};

/* The caller calls replay_fini even after a failure. */
csy_status replay_init(struct replay *replay, csy_error *error);
void replay_fini(struct replay *replay);

csy_status replay_add(struct replay *replay, struct stamp stamp, csy_error *error);

/* The last one has been added. */
csy_status replay_end(struct replay *replay, csy_error *error);

/* Show all of them, in order or from the last to the first. */
typedef csy_status (*replay_show)(void *user, const struct stamp *stamp, csy_error *error);
csy_status replay_forwards(struct replay *replay, replay_show show, void *user, csy_error *error);
csy_status replay_backwards(struct replay *replay, replay_show show, void *user, csy_error *error);

#endif
