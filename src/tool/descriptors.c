/* The standard descriptors. */
#include "tool/descriptors.h"

#include <fcntl.h>
#include <unistd.h>

/* The end of a pipe that cannot be used as a program uses that descriptor; its other end is closed.
 * All descriptors below are in use. */
static bool occupy(int fd)
{
    int ends[2];
    if (pipe(ends) < 0)
        return false;
    bool good = fd != STDIN_FILENO || dup2(ends[1], fd) == fd; /* ends[0] is the lowest: fd */
    close(ends[1]);
    return good;
}

bool descriptors_occupy(void)
{
    for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
        if (fcntl(fd, F_GETFD) < 0 && !occupy(fd))
            return false;
    return true;
}
