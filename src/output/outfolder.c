/* A folder being written so that nothing is lost. */
#include "output/outfolder.h"

#include "base/error.h"
#include "output/litter.h"
#include "output/path.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct outfolder {
    char *path;
    char *temp; /* where it stands; once it is published, what it replaced, if anything */
    int fd;     /* of temp */
    bool replaces;
    int failure;    /* errno of the first failed write */
    uint64_t bytes; /* appended */
};

bool outfolder_visit(const char *path, bool (*visit)(void *user, int folder_fd, const char *name),
                     void *user)
{
    DIR *folder = opendir(path);
    if (!folder)
        return false;
    bool good = true;
    /* cppcheck-suppress readdirCalled ; one thread reads a folder */
    for (struct dirent *entry; good && (entry = readdir(folder));)
        if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0)
            good = visit(user, dirfd(folder), entry->d_name);
    closedir(folder);
    return good;
}

/* A new folder under a name that `make` gives for path, the mode as mkdir(2) makes it; the caller
 * frees the name.  NULL where there can be none. */
static char *make_temp(const char *path, char *make(const char *, unsigned))
{
    for (unsigned attempt = 0; attempt < 100; attempt++) {
        char *temp = make(path, attempt);
        litter_hold();
        bool made = temp && mkdir(temp, 0777) == 0;
        int failure = errno;
        litter_release();
        if (!temp || made)
            return temp;
        free(temp);
        errno = failure;
        if (failure != EEXIST)
            break;
    }
    return NULL;
}

/* The mode of what it replaces. */
static bool set_mode(struct outfolder *folder)
{
    struct stat st;
    folder->replaces = stat(folder->path, &st) == 0;
    return !folder->replaces || fchmod(folder->fd, st.st_mode & 07777) == 0;
}

csy_status outfolder_open(const char *path, struct outfolder **out, csy_error *error)
{
    struct outfolder *folder = calloc(1, sizeof *folder);
    if (!folder)
        return error_memory(error);
    folder->fd = -1;
    folder->path = strdup(path);
    folder->temp = make_temp(path, litter_name);
    csy_status status = folder->path ? CSY_OK : error_memory(error);
    if (!status && folder->temp)
        folder->fd = open(folder->temp, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (!status && (folder->fd < 0 || !set_mode(folder)))
        status = error_io(error, path, NULL);
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

void outfolder_append(struct outfolder *folder, const char *name, const void *bytes, size_t size)
{
    const char *from = bytes;
    litter_hold();
    int fd = openat(folder->fd, name, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
    if (fd < 0)
        fail(folder);
    litter_release();
    while (size > 0 && !folder->failure) {
        ssize_t n = write(fd, from, size);
        if (n < 0 && errno != EINTR)
            fail(folder);
        if (n > 0) {
            from += n;
            size -= (size_t)n;
            folder->bytes += (uint64_t)n;
        }
    }
    if (fd >= 0)
        close(fd);
}

bool outfolder_failed(const struct outfolder *folder)
{
    return folder->failure != 0;
}

char *outfolder_path(const struct outfolder *folder, const char *name)
{
    char *path;
    return asprintf(&path, "%s/%s", folder->temp, name) < 0 ? NULL : path;
}

struct syncing {
    struct outfolder *folder;
    const struct progress *progress;
    uint64_t done_bytes;
};

static bool sync_file(void *user, int folder_fd, const char *name)
{
    struct syncing *syncing = user;
    struct outfolder *folder = syncing->folder;
    struct stat st = {.st_size = 0};
    int fd = openat(folder_fd, name, O_RDONLY | O_CLOEXEC);
    uint64_t done = syncing->done_bytes, all = folder->bytes; /* but for what others wrote there */
    progress_tell(syncing->progress, "syncing", CSY_UNIT_BYTES, done < all ? done : all, all);
    if (fd < 0 || fstat(fd, &st) < 0 || fsync(fd) < 0)
        fail(folder);
    if (fd >= 0)
        close(fd);
    syncing->done_bytes += (uint64_t)st.st_size;
    return !folder->failure;
}

/* Where a folder cannot be exchanged for another one: the old one steps aside first. */
static bool replace_by_steps(struct outfolder *folder)
{
    char *aside = make_temp(folder->path, litter_aside_name);
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

static bool give_name(struct outfolder *folder)
{
    if (!folder->replaces)
        return rename(folder->temp, folder->path) == 0;
    if (renameat2(AT_FDCWD, folder->temp, AT_FDCWD, folder->path, RENAME_EXCHANGE) == 0)
        return true;
    return (errno == EINVAL || errno == ENOSYS) && replace_by_steps(folder);
}

static bool take_name(struct outfolder *folder)
{
    litter_hold();
    bool good = give_name(folder);
    int failure = errno;
    litter_release();
    errno = failure;
    return good;
}

csy_status outfolder_publish(struct outfolder *folder, const struct progress *progress,
                             csy_error *error)
{
    struct syncing syncing = {folder, progress, 0};
    outfolder_visit(folder->temp, sync_file, &syncing);
    if (!folder->failure && fsync(folder->fd) < 0 && errno != EINVAL)
        fail(folder);
    if (!folder->failure && !take_name(folder))
        fail(folder);
    if (folder->failure) {
        errno = folder->failure;
        return error_io(error, folder->path, NULL);
    }
    litter_sweep(folder->path);
    path_sync_folder(folder->path);
    if (!folder->replaces) {
        free(folder->temp);
        folder->temp = NULL;
    }
    return CSY_OK;
}

void outfolder_close(struct outfolder *folder)
{
    if (!folder)
        return;
    if (folder->fd >= 0)
        close(folder->fd);
    if (folder->temp)
        litter_remove_folder(folder->temp);
    free(folder->temp);
    free(folder->path);
    free(folder);
}
