/* Sets the access rights of an output that replaces a file. */
#ifndef IO_RIGHTS_H
#define IO_RIGHTS_H

#include <stdbool.h>
#include <sys/types.h>

struct rights {
    bool kept;   /* true if the replaced file exists and belongs to this user */
    mode_t mode; /* permission bits of the replaced file */
    gid_t group;
};

/* Examine the file at `path`, which a new file will replace. Returns the mode of the new file
 * before the umask: `fresh` if there is no old file, the old mode if another user owns the old
 * file, otherwise only the owner's bits of `fresh`. rights_give adds the other bits. */
mode_t rights_take(struct rights *rights, const char *path, mode_t fresh);

/* Give the new file the group and rights of the old file. If the group cannot be set, or the old
 * file has an access control list, the group gets no more rights than others. */
bool rights_give(const struct rights *rights, int fd);

#endif
