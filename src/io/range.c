/* A file from some byte on. */
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
