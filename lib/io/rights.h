/* The access rights of an output that replaces a file. */
#ifndef IO_RIGHTS_H
#define IO_RIGHTS_H

#include <stdbool.h>
#include <sys/types.h>

struct rights {
    bool kept;   /* a file of this user is replaced */
    mode_t mode; /* the permission bits of the replaced file */
    gid_t group;
};

/* Examine the file at path, and return the mode, before the umask, for creating the file that
 * replaces it. If there is no file, the mode is `fresh`. If another user owns the file, it is the
 * mode of the file. If this user owns the file, it is only the owner's part of `fresh`, and
 * rights_give sets the rest. */
mode_t rights_take(struct rights *rights, const char *path, mode_t fresh);

/* Give the successor the group and the rights of the old file. If the group cannot be set, or the
 * old file has an access control list, the group gets no more rights than others. */
bool rights_give(const struct rights *rights, int fd);

#endif
