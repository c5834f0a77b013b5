/* The access rights of an output that replaces a file. */
#ifndef IO_RIGHTS_H
#define IO_RIGHTS_H

#include <stdbool.h>
#include <sys/types.h>

struct rights {
    bool kept;   /* a file of this user is replaced */
    mode_t mode; /* its permission bits */
    gid_t group;
};

/* Examine the file at path, and return the mode for creating its successor, before the umask:
 * `fresh` if there is no file, and the file's mode if another user owns it. If this user owns it,
 * only the owner's part of `fresh`; rights_give sets the rest. */
mode_t rights_take(struct rights *rights, const char *path, mode_t fresh);

/* Give the successor the group and the rights of the old file. If the group cannot be set, or the
 * old file has an access control list, the group gets no more rights than others. */
bool rights_give(const struct rights *rights, int fd);

#endif
