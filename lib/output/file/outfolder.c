/* An output folder that replaces its target only when it is complete. */
#include "output/file/outfolder.h"

#include "base/crc.h"
#include "base/error.h"
#include "base/portable.h"
#include "io/path.h"
#include "io/rights.h"
#include "output/file/refuse.h"
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
    char *temp; /* present path; after publishing: path of the replaced folder, or NULL */
    int fd;     /* descriptor of temp */
    int parent_fd;
    struct rights rights;
    struct stat old;    /* the folder to be replaced; st_mode is 0 if there is none */
    atomic_int failure; /* errno of the first failed write */
    uint64_t bytes;     /* bytes appended */
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
    int failure = good ? errno : 0; /* errno of readdir */
    closedir(folder);
    errno = failure;
    return good && !failure;
}

/* Create a folder under the first name that `make` gives for path and that is free; the caller
 * frees the name. Returns NULL with errno if there is none. */
static char *make_temp(const char *path, mode_t mode, char *make(const char *, unsigned))
{
    for (unsigned attempt = 0; attempt < 100; attempt++) {
        char *temp = make(path, attempt);
        tempname_hold();
        bool made = temp && mkdir(temp, mode) == 0;
        int failure = errno;
        tempname_release();
        if (!temp || made)
            return temp;
        free(temp);
        errno = failure;
        if (failure != EEXIST)
            break;
    }
    return NULL;
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
    folder->temp = good ? make_temp(path, mode, tempname_name) : NULL;
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

/* Read the bytes of the file `name`, and write them to `to` unless it is -1. */
static csy_status pass_bytes(struct outfolder *folder, int from, const char *name, int to,
                             uint32_t *crc32, csy_error *error)
{
    enum { PIECE = 256 * 1024 };
    uint8_t *bytes = malloc(PIECE);
    csy_status status = bytes ? CSY_OK : error_memory(error);
    bool more = true;
    while (more && !status && !folder->failure) {
        ssize_t n = read(from, bytes, PIECE);
        if (n < 0 && errno != EINTR)
            status = error_io(error, name, NULL);
        if (n > 0) {
            *crc32 = crc_add(*crc32, bytes, (size_t)n);
            folder->bytes += (uint64_t)n;
            if (to >= 0)
                write_all(folder, to, bytes, (size_t)n);
        }
        more = n != 0;
    }
    free(bytes);
    return status;
}

csy_status outfolder_copy(struct outfolder *folder, const char *name, const char *from, bool linked,
                          uint32_t *crc32, csy_error *error)
{
    int to = -1, fd = open(from, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return error_io(error, from, NULL);
    tempname_hold();
    to = openat(folder->fd, name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
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
    csy_status status = pass_bytes(folder, fd, from, there ? -1 : to, crc32, error);
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
    uint64_t done = syncing->done_bytes, all = folder->bytes; /* others' bytes do not count */
    progress_tell(syncing->progress, "syncing", CSY_UNIT_BYTES, done < all ? done : all, all);
    if (fd < 0 || fstat(fd, &st) < 0 || fsync(fd) < 0)
        fail(folder);
    if (fd >= 0)
        close(fd);
    syncing->done_bytes += (uint64_t)st.st_size;
    return !folder->failure;
}

/* Move the old folder aside first, if the system cannot exchange folders. */
static bool replace_by_steps(struct outfolder *folder)
{
    char *aside = make_temp(folder->path, 0700, tempname_aside_name);
    bool good = aside != NULL;
    if (good && rename(folder->path, aside) < 0) {
        good = false;
        rmdir(aside);
    } else if (good && rename(folder->temp, folder->path) < 0) {
        good = false;
        (void)rename(aside, folder->path);
    }
    if (good) {
        free(folder->temp);
        folder->temp = aside;
        return true;
    }
    free(aside);
    return false;
}

/* Rename the folder. Retry, since another process may create or remove the target at any moment. */
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
        if (errno == EINVAL || errno == ENOSYS)
            return replace_by_steps(folder);
        if (errno != ENOENT)
            return false;
    }
    return false;
}

static bool take_name(struct outfolder *folder)
{
    tempname_hold();
    bool good = give_name(folder);
    int failure = errno;
    tempname_release();
    errno = failure;
    return good;
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
        !rights_give(&folder->rights, folder->fd))
        fail(folder);
    if (!folder->failure && (!path_sync_folder(folder->fd) || !take_name(folder) ||
                             !path_sync_folder(folder->parent_fd)))
        fail(folder);
    tempname_sweep(folder->path);
    if (folder->failure) {
        errno = folder->failure;
        return error_io(error, folder->path, NULL);
    }
    return CSY_OK;
}

/* True if the folder at temp is the new one or the replaced one. Another process may have put a
 * third folder there. */
static bool is_known(const struct outfolder *folder)
{
    struct stat st, made;
    return lstat(folder->temp, &st) == 0 && fstat(folder->fd, &made) == 0 &&
           st.st_dev == made.st_dev &&
           (st.st_ino == made.st_ino || st.st_ino == folder->old.st_ino);
}

void outfolder_close(struct outfolder *folder)
{
    if (!folder)
        return;
    if (folder->temp)
        tempname_remove_folder(folder->temp, is_known(folder));
    if (folder->fd >= 0)
        close(folder->fd);
    if (folder->parent_fd >= 0)
        close(folder->parent_fd);
    free(folder->temp);
    free(folder->path);
    free(folder);
}
