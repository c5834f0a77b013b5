/* An output folder that replaces its target only when it is complete. */
#include "output/file/outfolder.h"

#include "base/array.h"
#include "base/crc.h"
#include "base/error.h"
#include "base/portable.h"
#include "io/path.h"
#include "io/rights.h"
#include "output/file/outfile.h"
#include "output/file/tempname.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct outfolder {
    char *path;
    char *temp; /* temporary path; later the path of the replaced folder, or NULL */
    int fd;     /* descriptor of the folder at `temp` */
    int parent_fd;
    struct rights rights;
    struct stat old;    /* the folder that is replaced; st_mode is 0 if there is none */
    atomic_int failure; /* errno of the first failed write, or 0 */
    uint64_t bytes;     /* number of bytes appended to all files */
};

bool outfolder_visit(const char *path, bool (*visit)(void *user, int folder_fd, const char *name),
                     void *user)
{
    DIR *folder = opendir(path);
    if (!folder)
        return false;
    bool good = true;
    while (good) {
        errno = 0;
        /* cppcheck-suppress readdirCalled ; one thread reads a folder */
        const struct dirent *entry = readdir(folder);
        if (!entry)
            break;
        if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0)
            good = visit(user, dirfd(folder), entry->d_name);
    }
    int failure = good ? errno : 0; /* errno of readdir, or 0 after the last file */
    closedir(folder);
    errno = failure;
    return good && !failure;
}

ssize_t outfolder_read_head(int folder_fd, const char *name, void *head, size_t size)
{
    struct stat st;
    int fd = openat(folder_fd, name, O_RDONLY | O_NONBLOCK | O_NOFOLLOW | O_CLOEXEC);
    ssize_t n =
        fd >= 0 && fstat(fd, &st) == 0 && S_ISREG(st.st_mode) ? pread(fd, head, size, 0) : -1;
    if (fd >= 0)
        close(fd);
    return n;
}

/* Returns false for any file, to test whether a folder is empty. */
static bool refuse_entry(void *user, int folder_fd, const char *name)
{
    (void)user, (void)folder_fd, (void)name;
    return false;
}

csy_status outfolder_check_target(const char *path, const char *what, bool holds(const char *path),
                                  csy_error *error)
{
    struct stat before, after;
    if (path_is_standard(path))
        return error_set(error, CSY_USAGE,
                         "%s: %s is a folder, so it cannot be written to standard output", path,
                         what);
    bool there = stat(path, &before) == 0;
    if (!there && path_is_regular(path))
        return CSY_OK;
    /* If nothing was at path at first, another process may have created a folder since then. */
    if (!(there || stat(path, &before) == 0) || !S_ISDIR(before.st_mode))
        return error_set(error, CSY_IO, "%s: this name exists, but is not a folder", path);
    /* If another process replaced the folder during the test, repeat the test. */
    bool same = false, good = false;
    for (unsigned look = 0; !good && !same && look < 100; look++) {
        there = stat(path, &before) == 0;
        good = outfolder_visit(path, refuse_entry, NULL) || holds(path);
        bool still = stat(path, &after) == 0;
        same = there == still && (!still || before.st_ino == after.st_ino);
    }
    return good ? CSY_OK
                : error_set(error, CSY_IO,
                            "%s: this folder contains more than %s; name a new folder", path, what);
}

/* Create a folder with the permissions *user, a mode_t. */
static bool make_at(void *user, const char *name)
{
    const mode_t *mode = user;
    return mkdir(name, *mode) == 0;
}

csy_status outfolder_open(const char *path, struct outfolder **out, csy_error *error)
{
    struct outfolder *folder = calloc(1, sizeof *folder);
    if (!folder)
        return error_memory(error);
    folder->fd = -1;
    folder->parent_fd = path_open_folder(path);
    bool good = folder->parent_fd >= 0 || errno == EACCES;
    folder->path = strdup(path);
    if (lstat(path, &folder->old) < 0)
        folder->old.st_mode = 0;
    mode_t mode = rights_take(&folder->rights, path, 0777);
    folder->temp = good ? tempname_take(path, tempname_name, make_at, &mode) : NULL;
    csy_status status = folder->path ? CSY_OK : error_memory(error);
    if (!status && folder->temp)
        folder->fd = open(folder->temp, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (!status && folder->fd < 0)
        status = refuse_place(path, error);
    if (status)
        outfolder_close(folder);
    else
        *out = folder;
    return status;
}

static void fail(struct outfolder *folder)
{
    if (!folder->failure)
        folder->failure = errno;
}

static void write_all(struct outfolder *folder, int fd, const uint8_t *bytes, size_t size)
{
    while (size > 0 && !folder->failure) {
        ssize_t n = write(fd, bytes, size);
        if (n < 0 && errno != EINTR)
            fail(folder);
        if (n > 0) {
            bytes += n;
            size -= (size_t)n;
        }
    }
}

void outfolder_append(struct outfolder *folder, const char *name, const void *bytes, size_t size)
{
    tempname_hold();
    int fd = openat(folder->fd, name, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
    if (fd < 0)
        fail(folder);
    tempname_release();
    write_all(folder, fd, bytes, size);
    folder->bytes += folder->failure ? 0 : size;
    if (fd >= 0)
        close(fd);
}

csy_status outfolder_copy(struct outfolder *folder, const char *name, const char *from, bool linked,
                          uint32_t *crc32, csy_error *error)
{
    enum { PIECE = 256 * 1024 };
    int fd = open(from, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return error_io(error, from, NULL);
    uint8_t *bytes = malloc(PIECE);
    csy_status status = bytes ? CSY_OK : error_memory(error);
    tempname_hold();
    int to = openat(folder->fd, name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (to < 0)
        fail(folder);
    bool there = to >= 0 && portable_clone(to, fd) == 0;
    if (to >= 0 && !there && linked) {
        unlinkat(folder->fd, name, 0);
        there = linkat(AT_FDCWD, from, folder->fd, name, AT_SYMLINK_FOLLOW) == 0;
        if (!there) {
            close(to);
            to = openat(folder->fd, name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
            if (to < 0)
                fail(folder);
        }
    }
    tempname_release();
    for (ssize_t n = 1; n != 0 && !status && !folder->failure;) {
        n = read(fd, bytes, PIECE);
        if (n < 0 && errno != EINTR)
            status = error_io(error, from, NULL);
        if (n > 0) {
            *crc32 = crc_add(*crc32, bytes, (size_t)n);
            folder->bytes += (uint64_t)n;
            if (!there)
                write_all(folder, to, bytes, (size_t)n);
        }
    }
    free(bytes);
    if (to >= 0 && close(to) < 0)
        fail(folder);
    close(fd);
    return status;
}

const char *outfolder_temp(const struct outfolder *folder)
{
    return folder->temp;
}

char *outfolder_path(const struct outfolder *folder, const char *name)
{
    char *path;
    return asprintf(&path, "%s/%s", folder->temp, name) < 0 ? NULL : path;
}

bool outfolder_failed(const struct outfolder *folder)
{
    return folder->failure != 0;
}

struct sync_state {
    struct outfolder *folder;
    const struct progress *progress;
    uint64_t done_bytes;
};

static bool sync_file(void *user, int folder_fd, const char *name)
{
    struct sync_state *syncing = user;
    struct outfolder *folder = syncing->folder;
    struct stat st = {.st_size = 0};
    int fd = openat(folder_fd, name, O_RDONLY | O_CLOEXEC);
    /* `done` also counts bytes of files that were not appended, so `done` may exceed `all` */
    uint64_t done = syncing->done_bytes, all = folder->bytes;
    progress_tell(syncing->progress, "syncing", CSY_UNIT_BYTES, done < all ? done : all, all);
    if (fd < 0 || fstat(fd, &st) < 0 || fsync(fd) < 0)
        fail(folder);
    if (fd >= 0)
        close(fd);
    syncing->done_bytes += (uint64_t)st.st_size;
    return !folder->failure;
}

/* Rename the folder. Retry, because other processes may create or remove the target meanwhile. */
static bool give_name(struct outfolder *folder)
{
    for (unsigned attempt = 0; attempt < 100; attempt++) {
        if (rename(folder->temp, folder->path) == 0) {
            free(folder->temp);
            folder->temp = NULL;
            return true;
        }
        if (errno != ENOTEMPTY && errno != EEXIST)
            return false;
        if (portable_exchange(folder->temp, folder->path) == 0)
            return true;
        if (errno == EINVAL || errno == ENOSYS) {
            /* If the system cannot exchange two folders, the old folder is moved aside first. */
            mode_t mode = 0700;
            char *aside = tempname_take(folder->path, tempname_aside_name, make_at, &mode);
            bool moved = aside && rename(folder->path, aside) == 0;
            if (aside && !moved)
                rmdir(aside);
            if (moved && rename(folder->temp, folder->path) == 0) {
                free(folder->temp);
                folder->temp = aside;
                return true;
            }
            if (moved)
                (void)rename(aside, folder->path);
            free(aside);
            return false;
        }
        if (errno != ENOENT)
            return false;
    }
    return false;
}

static bool sync_entry(void *user, int folder_fd, const char *name)
{
    struct sync_state *syncing = user;
    struct stat st;
    if (fstatat(folder_fd, name, &st, AT_SYMLINK_NOFOLLOW) == 0 && S_ISDIR(st.st_mode)) {
        char *path = outfolder_path(syncing->folder, name);
        bool good = path && outfolder_visit(path, sync_file, syncing);
        free(path);
        if (!good)
            fail(syncing->folder);
    }
    return sync_file(user, folder_fd, name);
}

csy_status outfolder_publish(struct outfolder *folder, const struct progress *progress,
                             csy_error *error)
{
    struct sync_state syncing = {folder, progress, 0};
    if (!outfolder_visit(folder->temp, sync_entry, &syncing) ||
        !rights_give(&folder->rights, folder->fd) || !path_sync_folder(folder->fd))
        fail(folder);
    if (!folder->failure) {
        tempname_hold();
        if (!give_name(folder))
            fail(folder);
        tempname_release();
    }
    if (!folder->failure && !path_sync_folder(folder->parent_fd))
        fail(folder);
    tempname_sweep(folder->path);
    if (folder->failure) {
        errno = folder->failure;
        return error_io(error, folder->path, NULL);
    }
    return CSY_OK;
}

void outfolder_close(struct outfolder *folder)
{
    if (!folder)
        return;
    /* `temp` may have been replaced by a folder of another program. Only the folder made here, or
     * the old folder moved to `temp`, is removed without a look at its files. */
    struct stat st, made;
    if (folder->temp)
        tempname_remove_folder(folder->temp,
                               lstat(folder->temp, &st) == 0 && fstat(folder->fd, &made) == 0 &&
                                   st.st_dev == made.st_dev &&
                                   (st.st_ino == made.st_ino || st.st_ino == folder->old.st_ino));
    if (folder->fd >= 0)
        close(folder->fd);
    if (folder->parent_fd >= 0)
        close(folder->parent_fd);
    FREE_ALL(folder->temp, folder->path, folder);
}
