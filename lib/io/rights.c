/* See rights.h. */
#include "io/rights.h"

#include <cellsync/cellsync.h>

#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/xattr.h>
#endif

enum { RWX = 0777, NAMES_BYTES = 65536 };

/* Returns true if a file has an attribute with this prefix, or too many attributes to list. */
static bool has_attribute(const char *path, const char *prefix)
{
#ifdef __linux__
    char names[NAMES_BYTES];
    ssize_t size = listxattr(path, names, sizeof names);
    for (const char *at = names; size > 0 && at < names + size; at += strlen(at) + 1)
        if (strncmp(at, prefix, strlen(prefix)) == 0)
            return true;
    return size < 0 && errno == ERANGE;
#else
    (void)path;
    (void)prefix;
    return false;
#endif
}

bool csy_has_attributes(const char *path)
{
    return has_attribute(path, "system.") || has_attribute(path, "user.");
}

/* Returns the mode without those rights of the group that others do not have. */
static mode_t narrow(mode_t mode)
{
    return (mode & ~(mode_t)S_IRWXG) | (mode & S_IRWXG & (mode & S_IRWXO) << 3);
}

mode_t rights_take(struct rights *rights, const char *path, mode_t fresh)
{
    struct stat st;
    *rights = (struct rights){.kept = false};
    if (stat(path, &st) < 0)
        return fresh;
    if (st.st_uid != geteuid())
        return st.st_mode & RWX;
    *rights = (struct rights){true, st.st_mode & RWX, st.st_gid};
    if (has_attribute(path, "system."))
        rights->mode = narrow(rights->mode);
    return fresh & S_IRWXU;
}

bool rights_give(const struct rights *rights, int fd)
{
    struct stat st;
    mode_t mode = rights->mode;
    if (!rights->kept)
        return true;
    if (fstat(fd, &st) < 0)
        return false;
    if (st.st_gid != rights->group && fchown(fd, (uid_t)-1, rights->group) < 0)
        mode = narrow(mode);
    return fchmod(fd, (st.st_mode & (mode_t)~RWX & 07777) | mode) == 0;
}
