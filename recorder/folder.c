/* See folder.h. */
#include "recorder/folder.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { HIGH_DESCRIPTOR = 700 };

int folder_lift(int fd)
{
    int high = fd >= 0 ? fcntl(fd, F_DUPFD_CLOEXEC, HIGH_DESCRIPTOR) : -1;
    if (high < 0)
        return fd;
    close(fd);
    return high;
}

const char *folder_fault(int fd)
{
    struct stat st;
    if (fd < 0 || fstat(fd, &st) < 0)
        return strerror(errno);
    if (!S_ISDIR(st.st_mode))
        return "this name is not a folder";
    if (st.st_uid != geteuid())
        return "the folder belongs to another user, who could make celltrace overwrite your files; "
               "name a folder that you own";
    if (st.st_mode & (S_IWGRP | S_IWOTH))
        return "other users can write to the folder, and could make celltrace overwrite your "
               "files; run chmod go-w on the folder, or name a new folder";
    return NULL;
}

static int open_path(const char *path)
{
    return folder_lift(open(path, O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
}

static bool is_open(int fd, dev_t device, ino_t inode)
{
    struct stat st;
    return fd >= 0 && fstat(fd, &st) == 0 && st.st_dev == device && st.st_ino == inode;
}

static bool note_file(int fd, dev_t *device, ino_t *inode)
{
    struct stat st;
    if (fd < 0 || fstat(fd, &st) < 0)
        return false;
    *device = st.st_dev;
    *inode = st.st_ino;
    return true;
}

const char *folder_open(struct folder *folder, const char *path)
{
    *folder = (struct folder){.path = path, .fd = -1};
    if (mkdir(path, FOLDER_MODE) < 0 && errno != EEXIST)
        return strerror(errno);
    folder->fd = open_path(path);
    if (!note_file(folder->fd, &folder->device, &folder->inode))
        return strerror(errno);
    return folder_fault(folder->fd);
}

/* Store the descriptor `again` in *fd. If it does not refer to the file with this device and inode,
 * close it and fail with ESTALE. */
static bool reopen(int *fd, int again, dev_t device, ino_t inode)
{
    *fd = again;
    if (again < 0 || is_open(again, device, inode))
        return again >= 0;
    close(again);
    *fd = -1;
    errno = ESTALE;
    return false;
}

static bool check_folder(struct folder *folder)
{
    return is_open(folder->fd, folder->device, folder->inode) ||
           reopen(&folder->fd, open_path(folder->path), folder->device, folder->inode);
}

int folder_file(struct folder *folder, const char *name, int flags)
{
    bool creates = (flags & O_CREAT) && !(flags & O_APPEND);
    if (!check_folder(folder))
        return -1;
    flags |= O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK | (creates ? O_EXCL : 0);
    return folder_lift(openat(folder->fd, name, flags, FOLDER_FILE_MODE));
}

bool folder_has(struct folder *folder, const char *name)
{
    struct stat st;
    return check_folder(folder) && fstatat(folder->fd, name, &st, AT_SYMLINK_NOFOLLOW) == 0;
}

void folder_remove(struct folder *folder, const char *name)
{
    if (check_folder(folder))
        unlinkat(folder->fd, name, 0);
}

bool folder_rename(struct folder *folder, const char *from, const char *to)
{
    return check_folder(folder) && renameat(folder->fd, from, folder->fd, to) == 0;
}

bool folder_keep(struct folder_open_file *file, struct folder *folder, const char *name, int flags)
{
    *file = (struct folder_open_file){.folder = folder, .name = name};
    file->fd = folder_file(folder, name, flags);
    return note_file(file->fd, &file->device, &file->inode);
}

bool folder_check(struct folder_open_file *file)
{
    return is_open(file->fd, file->device, file->inode) ||
           reopen(&file->fd, folder_file(file->folder, file->name, O_RDWR), file->device,
                  file->inode);
}
