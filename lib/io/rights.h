/* The rights of an output that replaces something. */
#ifndef IO_RIGHTS_H
#define IO_RIGHTS_H

#include <stdbool.h>
#include <sys/types.h>

struct rights {
    bool kept;   /* there is something to replace, and it is this user's own */
    mode_t mode; /* its bits to read, write and execute */
    gid_t group;
};

/* Look at what is at path; returns the mode to create its successor with, before the umask:
 * `fresh` where there is nothing, that of what is another user's, and of what is this user's own
 * only the owner's part of `fresh`, until rights_give. */
mode_t rights_take(struct rights *rights, const char *path, mode_t fresh);

/* Give the successor the group and the rights that are kept.  Where the group cannot be, or what is
 * replaced has an access control list, the group gets no more than all others. */
bool rights_give(const struct rights *rights, int fd);

#endif
