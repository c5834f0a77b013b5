/* Paths of outputs. */
#include "output/path.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

bool path_is_standard(const char *path)
{
    struct stat st, standard;
    return strcmp(path, "-") == 0 ||
           (stat(path, &st) == 0 && fstat(STDOUT_FILENO, &standard) == 0 &&
            st.st_dev == standard.st_dev && st.st_ino == standard.st_ino);
}

bool path_is_regular(const char *path)
{
    struct stat st;
    return !path_is_standard(path) && (stat(path, &st) < 0 || S_ISREG(st.st_mode));
}

char *path_resolve(const char *path)
{
    struct stat st;
    bool link = lstat(path, &st) == 0 && S_ISLNK(st.st_mode);
    char *resolved = link ? realpath(path, NULL) : NULL;
    return resolved ? resolved : strdup(path);
}

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

char *path_canonical(const char *path)
{
    char *whole = realpath(path, NULL);
    if (whole)
        return whole;
    char *folder = path_folder(path);
    char *real = folder ? realpath(folder, NULL) : NULL;
    if (real && asprintf(&whole, "%s/%s", real, path_name(path)) < 0)
        whole = NULL;
    free(folder);
    free(real);
    return whole;
}

bool path_same(const char *a, const char *b)
{
    if (!a || !b)
        return false;
    if (path_is_standard(a) && path_is_standard(b))
        return true;
    if (!path_is_regular(a) || !path_is_regular(b))
        return false;
    char *x = path_canonical(a), *y = path_canonical(b);
    bool same = x && y && strcmp(x, y) == 0;
    free(x);
    free(y);
    return same;
}

void path_sync_folder(const char *path)
{
    char *folder = path_folder(path);
    int fd = folder ? open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1;
    if (fd >= 0) {
        fsync(fd);
        close(fd);
    }
    free(folder);
}
