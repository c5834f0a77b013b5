/* See range.h. */
#include "io/range.h"

#include "base/error.h"

#include <errno.h>
#include <unistd.h>

void range_rewind(struct range *range)
{
    range->next = range->start;
    range->ended = false;
}

csy_status range_read(struct range *range, uint8_t *to, size_t size, size_t *got, csy_error *error)
{
    ssize_t n;
    do
        n = pread(range->fd, to, size, (off_t)range->next);
    while (n < 0 && errno == EINTR);
    if (n < 0)
        return error_io(error, range->name, NULL);
    range->next += (uint64_t)n;
    range->ended = n == 0;
    *got = (size_t)n;
    return CSY_OK;
}

bool range_read_at(int fd, void *bytes, size_t size, uint64_t offset)
{
    struct range range = {.fd = fd, .name = "", .next = offset};
    size_t got = 1;
    for (size_t have = 0; have < size && got > 0; have += got)
        if (range_read(&range, (uint8_t *)bytes + have, size - have, &got, NULL))
            return false;
    return got > 0;
}

void range_skip_hole(struct range *range)
{
#ifdef SEEK_DATA
    off_t before = lseek(range->fd, 0, SEEK_CUR);
    off_t data = lseek(range->fd, (off_t)range->next, SEEK_DATA);
    if (data < 0 && errno == ENXIO) /* no data follow, only a hole or the end */
        data = lseek(range->fd, 0, SEEK_END);
    if (data > 0 && (uint64_t)data > range->next)
        range->next = (uint64_t)data;
    if (before >= 0)
        lseek(range->fd, before, SEEK_SET);
#else
    (void)range;
#endif
}
