/* Folders with an OTF2 archive. */
#include "output/trace/otf2_folder.h"

#include "base/error.h"
#include "io/path.h"
#include "output/file/outfolder.h"
#include "output/trace/otf2_anchor.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The contents of a folder, as far as visited. */
struct folder_contents {
    const char *path;
    char *name; /* name of the archive, from its anchor file */
};

/* True if name is the name of the archive plus this suffix. */
static bool is_of(const struct folder_contents *looking, const char *name, const char *suffix)
{
    size_t size = strlen(looking->name);
    return strncmp(name, looking->name, size) == 0 && strcmp(name + size, suffix) == 0;
}

/* Read the first bytes of a regular file. Returns false for other files. */
static bool read_head(int folder_fd, const char *name, uint8_t *head, size_t room, size_t *size)
{
    struct stat st;
    int fd = openat(folder_fd, name, O_RDONLY | O_NONBLOCK | O_NOFOLLOW | O_CLOEXEC);
    ssize_t n =
        fd >= 0 && fstat(fd, &st) == 0 && S_ISREG(st.st_mode) ? pread(fd, head, room, 0) : -1;
    if (fd >= 0)
        close(fd);
    *size = n > 0 ? (size_t)n : 0;
    return n >= 0;
}

static bool find_anchor(void *user, int folder_fd, const char *name)
{
    static const char suffix[] = ".otf2";
    struct folder_contents *looking = user;
    uint8_t head[OTF2_ANCHOR_MAGIC];
    size_t size = strlen(name), cut = sizeof suffix - 1, n;
    if (size <= cut || strcmp(name + size - cut, suffix) != 0)
        return true;
    if (looking->name || !read_head(folder_fd, name, head, sizeof head, &n) ||
        !otf2_anchor_is(head, n))
        return false;
    looking->name = strndup(name, size - cut);
    return looking->name != NULL;
}

/* True if the file begins as files of libotf2 do. */
static bool is_file(int folder_fd, const char *name)
{
    uint8_t head[2];
    size_t n;
    return read_head(folder_fd, name, head, sizeof head, &n) &&
           (n == 0 || (n == sizeof head && head[0] == 3 && (head[1] == 'B' || head[1] == '#')));
}

static bool is_location_file(void *user, int folder_fd, const char *name)
{
    const char *end = name + strspn(name, "0123456789");
    (void)user;
    return end > name &&
           (strcmp(end, ".evt") == 0 || strcmp(end, ".def") == 0 || strcmp(end, ".snap") == 0) &&
           is_file(folder_fd, name);
}

static bool is_archive_entry(void *user, int folder_fd, const char *name)
{
    const struct folder_contents *looking = user;
    struct stat st;
    if (is_of(looking, name, ".otf2"))
        return true;
    if (is_of(looking, name, ".def") || is_of(looking, name, ".marker"))
        return is_file(folder_fd, name);
    if (strcmp(name, looking->name) != 0 ||
        fstatat(folder_fd, name, &st, AT_SYMLINK_NOFOLLOW) != 0 || !S_ISDIR(st.st_mode))
        return false;
    char *path;
    if (asprintf(&path, "%s/%s", looking->path, name) < 0)
        return false;
    bool good = outfolder_visit(path, is_location_file, NULL);
    free(path);
    return good;
}

static bool is_entry(void *user, int folder_fd, const char *name)
{
    (void)user, (void)folder_fd, (void)name;
    return false;
}

static bool holds_archive(const char *path)
{
    struct folder_contents looking = {.path = path};
    bool good = outfolder_visit(path, find_anchor, &looking) && looking.name &&
                outfolder_visit(path, is_archive_entry, &looking);
    free(looking.name);
    return good;
}

/* True if the folder may be replaced. Read it twice, because another process may replace it
 * meanwhile and empty the old one. */
static bool may_go(const char *path)
{
    struct stat before, after;
    bool same = false, good = false;
    for (unsigned look = 0; !good && !same && look < 100; look++) {
        bool was = stat(path, &before) == 0;
        good = outfolder_visit(path, is_entry, NULL) || holds_archive(path);
        bool is = stat(path, &after) == 0;
        same = was == is && (!is || before.st_ino == after.st_ino);
    }
    return good;
}

static bool is_input(const struct csy_trace *trace, const struct stat *st)
{
    struct stat of_trace;
    char *anchor = path_canonical(trace->name), *folder = anchor ? path_folder(anchor) : NULL;
    bool same = folder && stat(folder, &of_trace) == 0 && of_trace.st_dev == st->st_dev &&
                of_trace.st_ino == st->st_ino;
    free(folder);
    free(anchor);
    return same;
}

csy_status otf2_check_target(const struct csy_trace *trace, const char *path, csy_error *error)
{
    struct stat st;
    if (path_is_standard(path))
        return error_set(
            error, CSY_USAGE,
            "%s: an OTF2 archive is a folder, so it cannot be written to standard output", path);
    if (stat(path, &st) < 0 && path_is_regular(path))
        return CSY_OK;
    if (stat(path, &st) < 0 || !S_ISDIR(st.st_mode))
        return error_set(error, CSY_IO, "%s: this name exists, but is not a folder", path);
    if (is_input(trace, &st))
        return error_set(error, CSY_INPUT,
                         "%s: this is the folder of the input trace; name another folder", path);
    return may_go(path)
               ? CSY_OK
               : error_set(error, CSY_IO,
                           "%s: this folder contains more than an OTF2 archive; name a new folder",
                           path);
}
