/* The events of a trace, kept to be gone through again. */
#include "check/replay.h"

#include "base/error.h"
#include "io/bytes.h"

#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

csy_status replay_init(struct replay *replay, csy_error *error)
{
    *replay = (struct replay){.fd = -1, .block = malloc(REPLAY_BLOCK * sizeof *replay->block)};
    return replay->block ? CSY_OK : error_memory(error);
}

void replay_fini(struct replay *replay)
{
    if (replay->block && replay->fd >= 0)
        close(replay->fd);
    free(replay->block);
    *replay = (struct replay){.fd = -1};
}

/* Move the block to the file, or from it. */
static csy_status move_block(struct replay *replay, uint64_t first, size_t n, bool in,
                             csy_error *error)
{
    char *at = (char *)replay->block;
    size_t left = n * sizeof *replay->block;
    off_t offset = (off_t)(first * sizeof *replay->block);
    while (left > 0) {
        ssize_t done =
            in ? pread(replay->fd, at, left, offset) : pwrite(replay->fd, at, left, offset);
        if (done < 0 && errno == EINTR)
            continue;
        if (done <= 0)
            return error_io(error, "temporary file", NULL);
        at += done;
        left -= (size_t)done;
        offset += done;
    }
    return CSY_OK;
}

static csy_status store(struct replay *replay, csy_error *error)
{
    csy_status status = replay->fd < 0 ? bytes_temporary(&replay->fd, error) : CSY_OK;
    if (!status)
        status = move_block(replay, replay->stored, replay->nblock, false, error);
    replay->stored += replay->nblock;
    replay->nblock = 0;
    return status;
}

csy_status replay_add(struct replay *replay, struct stamp stamp, csy_error *error)
{
    csy_status status = replay->nblock == REPLAY_BLOCK ? store(replay, error) : CSY_OK;
    if (!status)
        replay->block[replay->nblock++] = stamp;
    return status;
}

csy_status replay_end(struct replay *replay, csy_error *error)
{
    return replay->fd >= 0 ? store(replay, error) : CSY_OK;
}

static size_t block_size(const struct replay *replay, uint64_t first)
{
    uint64_t left = replay->stored - first;
    return left < REPLAY_BLOCK ? (size_t)left : REPLAY_BLOCK;
}

csy_status replay_forwards(struct replay *replay, replay_show show, void *user, csy_error *error)
{
    csy_status status = CSY_OK;
    for (size_t i = 0; replay->fd < 0 && i < replay->nblock && !status; i++)
        status = show(user, &replay->block[i], error);
    for (uint64_t first = 0; first < replay->stored && !status; first += REPLAY_BLOCK) {
        size_t n = block_size(replay, first);
        status = move_block(replay, first, n, true, error);
        for (size_t i = 0; i < n && !status; i++)
            status = show(user, &replay->block[i], error);
    }
    return status;
}

csy_status replay_backwards(struct replay *replay, replay_show show, void *user, csy_error *error)
{
    csy_status status = CSY_OK;
    for (size_t i = replay->fd < 0 ? replay->nblock : 0; i > 0 && !status; i--)
        status = show(user, &replay->block[i - 1], error);
    uint64_t blocks = (replay->stored + REPLAY_BLOCK - 1) / REPLAY_BLOCK;
    for (uint64_t b = blocks; b > 0 && !status; b--) {
        size_t n = block_size(replay, (b - 1) * REPLAY_BLOCK);
        status = move_block(replay, (b - 1) * REPLAY_BLOCK, n, true, error);
        for (size_t i = n; i > 0 && !status; i--)
            status = show(user, &replay->block[i - 1], error);
    }
    return status;
}
