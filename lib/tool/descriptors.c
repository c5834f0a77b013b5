/* See descriptors.h. */
#include "tool/descriptors.h"

#include <fcntl.h>
#include <stdio.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

/* If fd is a nonblocking pipe or terminal, open it again, blocking, and replace fd. */
static void have_it_wait(int fd)
{
    char name[32];
    struct stat st;
    int flags = fcntl(fd, F_GETFL);
    if (flags < 0 || !(flags & O_NONBLOCK) || fstat(fd, &st) < 0 ||
        !(S_ISFIFO(st.st_mode) || isatty(fd)))
        return;
    snprintf(name, sizeof name, "/dev/fd/%d", fd);
    int again = open(name, O_WRONLY | O_NONBLOCK | O_NOCTTY); /* so that open does not block */
    if (again < 0)
        return;
    if (fcntl(again, F_SETFL, flags & ~O_NONBLOCK) == 0)
        dup2(again, fd);
    close(again);
}

bool descriptors_occupy(void)
{
    have_it_wait(STDOUT_FILENO);
    have_it_wait(STDERR_FILENO);
    /* In closed descriptors, put pipe ends that fail: for writing in 0, for reading in 1 and 2. */
    for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++) {
        int ends[2];
        if (fcntl(fd, F_GETFD) >= 0)
            continue;
        if (pipe(ends) < 0) /* ends[0] is fd, because fd is the lowest free descriptor */
            return false;
        bool good = fd != STDIN_FILENO || dup2(ends[1], fd) == fd;
        close(ends[1]);
        if (!good)
            return false;
    }
    return true;
}

void descriptors_raise(void)
{
    struct rlimit limit;
    if (getrlimit(RLIMIT_NOFILE, &limit) < 0)
        return;
    limit.rlim_cur = limit.rlim_max;
    setrlimit(RLIMIT_NOFILE, &limit);
}
