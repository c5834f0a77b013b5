/* See path.h. */
#include "io/path.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { LOCK_WAIT_MS = 10 };

enum { LINKS_MAX = 40 }; /* greatest number of links that the kernel follows */

const char *path_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

char *path_folder(const char *path)
{
    size_t size = (size_t)(path_name(path) - path);
    return size > 0 ? strndup(path, size) : strdup("./");
}

char *path_plain(const char *path)
{
    size_t n = strlen(path);
    while (n > 1 && path[n - 1] == '/')
        n--;
    return strndup(path, n);
}

char *path_place(const char *path)
{
    char *whole = NULL, *folder = path_folder(path);
    char *real = folder ? realpath(folder, NULL) : NULL;
    if (real && asprintf(&whole, "%s/%s", strcmp(real, "/") == 0 ? "" : real, path_name(path)) < 0)
        whole = NULL;
    free(folder);
    free(real);
    return whole;
}

/* Returns the file descriptor that an absolute path such as /dev/fd/3 names, or -1. */
static int descriptor_of(const char *whole)
{
    char self[64] = "/proc/";
    ssize_t n = readlink("/proc/self", self + 6, sizeof self - 7);
    const char *rest = strstr(whole, "/fd/");
    bool own = n > 0 && strncmp(whole, self, 6 + (size_t)n) == 0 && whole[6 + n] == '/';
    if (!rest || !(own || strncmp(whole, "/dev/fd/", 8) == 0))
        return -1;
    char *end;
    long fd = strtol(rest + 4, &end, 10);
    return rest[4] >= '0' && rest[4] <= '9' && !*end && fd <= INT_MAX ? (int)fd : -1;
}

/* Does not follow the link of a descriptor such as /dev/fd/3, which leads to the open file. */
char *path_canonical(const char *path)
{
    char target[PATH_MAX];
    char *at = path_place(path);
    for (unsigned links = 0; at && descriptor_of(at) < 0; links++) {
        char *joined = NULL;
        ssize_t n = readlink(at, target, sizeof target - 1);
        if (n < 0)
            return at;
        target[n] = 0;
        if (links == LINKS_MAX ||
            asprintf(&joined, "%.*s%s", *target == '/' ? 0 : (int)(path_name(at) - at), at,
                     target) < 0)
            joined = NULL;
        free(at);
        at = joined ? path_place(joined) : NULL;
        free(joined);
    }
    return at;
}

int path_descriptor(const char *path)
{
    char *whole = path_canonical(path);
    int fd = whole ? descriptor_of(whole) : -1;
    free(whole);
    return fd;
}

/* Returns true if the path is in a file system of /dev or /proc, where names cannot be replaced. */
static bool is_of_system(const char *path)
{
    static const char *const tops[] = {"/dev", "/proc"};
    struct stat folder, top;
    bool is = false;
    char *whole = path_canonical(path), *at = whole ? path_folder(whole) : NULL;
    for (size_t i = 0; at && i < sizeof tops / sizeof *tops; i++)
        is |= strncmp(at, tops[i], strlen(tops[i])) == 0 && at[strlen(tops[i])] == '/' &&
              stat(at, &folder) == 0 && stat(tops[i], &top) == 0 && folder.st_dev == top.st_dev;
    free(at);
    free(whole);
    return is;
}

static bool is_null_device(const struct stat *file)
{
    struct stat null;
    return S_ISCHR(file->st_mode) && stat("/dev/null", &null) == 0 && file->st_rdev == null.st_rdev;
}

bool path_is_standard(const char *path)
{
    struct stat st, standard;
    return strcmp(path, "-") == 0 || path_descriptor(path) == STDOUT_FILENO ||
           (stat(path, &st) == 0 && fstat(STDOUT_FILENO, &standard) == 0 &&
            st.st_dev == standard.st_dev && st.st_ino == standard.st_ino && !is_null_device(&st));
}

bool path_is_regular(const char *path)
{
    struct stat st;
    return !path_is_standard(path) && path_descriptor(path) < 0 && !is_of_system(path) &&
           (stat(path, &st) < 0 || S_ISREG(st.st_mode));
}

char *path_resolve(const char *path)
{
    struct stat st;
    bool link = path_descriptor(path) < 0 && lstat(path, &st) == 0 && S_ISLNK(st.st_mode);
    char *resolved = link ? realpath(path, NULL) : NULL;
    return resolved ? resolved : strdup(path);
}

/* Returns true if both are the same regular file, and at least one is an open descriptor. */
static bool share_file(const char *a, const char *b)
{
    struct stat x, y;
    bool opened = path_is_standard(a) || path_descriptor(a) >= 0 || path_is_standard(b) ||
                  path_descriptor(b) >= 0;
    return opened && (strcmp(a, "-") == 0 ? fstat(STDOUT_FILENO, &x) : stat(a, &x)) == 0 &&
           (strcmp(b, "-") == 0 ? fstat(STDOUT_FILENO, &y) : stat(b, &y)) == 0 &&
           S_ISREG(x.st_mode) && x.st_dev == y.st_dev && x.st_ino == y.st_ino;
}

bool path_same(const char *a, const char *b)
{
    if (!a || !b)
        return false;
    if ((path_is_standard(a) && path_is_standard(b)) || share_file(a, b))
        return true;
    if (!path_is_regular(a) || !path_is_regular(b))
        return false;
    bool same = false;
    char *ends[] = {path_place(a), path_canonical(a), path_place(b), path_canonical(b)};
    for (size_t i = 0; i < 2; i++)
        for (size_t j = 2; j < 4; j++)
            same |= ends[i] && ends[j] && strcmp(ends[i], ends[j]) == 0;
    for (size_t i = 0; i < 4; i++)
        free(ends[i]);
    return same;
}

int path_open_folder(const char *path)
{
    char *folder = path_folder(path);
    int fd = folder ? open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1;
    free(folder);
    return fd;
}

bool path_sync_folder(int folder_fd)
{
    return folder_fd < 0 || fsync(folder_fd) == 0 || errno == EINVAL;
}

bool path_lock_folder(int folder_fd, unsigned seconds)
{
    static const struct timespec wait = {.tv_nsec = LOCK_WAIT_MS * 1000000L};
    for (unsigned ms = 0; flock(folder_fd, LOCK_EX | LOCK_NB) < 0; ms += LOCK_WAIT_MS) {
        if (errno != EWOULDBLOCK && errno != EINTR)
            return true;
        if (ms >= seconds * 1000)
            return false;
        nanosleep(&wait, NULL);
    }
    return true;
}
