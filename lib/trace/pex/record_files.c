/* See record_files.h. */
#include "trace/pex/record_files.h"

#include "base/error.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Returns the path of an href: beside the .pex, or in the current folder for "-". */
static char *beside(const char *pex, const char *href)
{
    const char *slash = strrchr(pex, '/');
    size_t folder = slash ? (size_t)(slash - pex) + 1 : 0;
    char *path = malloc(folder + strlen(href) + 1);
    if (path) {
        memcpy(path, pex, folder);
        memcpy(path + folder, href, strlen(href) + 1);
    }
    return path;
}

/* If the .pex is a link without records beside it, set *path beside the target of the link. Returns
 * false if memory runs out. */
static bool look_behind_link(const struct csy_trace *trace, const char *href, char **path)
{
    struct stat st;
    bool link = lstat(trace->name, &st) == 0 && S_ISLNK(st.st_mode);
    char *pex = link && stat(*path, &st) < 0 ? realpath(trace->name, NULL) : NULL;
    if (!pex)
        return true;
    free(*path);
    *path = beside(pex, href);
    free(pex);
    return *path != NULL;
}

static bool is_folder(const char *path)
{
    struct stat st;
    return stat(path, &st) == 0 && S_ISDIR(st.st_mode);
}

/* Refuse missing record files. For a .pex from a pipe, explain where they are searched. */
static csy_status refuse_records(const struct csy_trace *trace, const char *name, int reason,
                                 csy_error *error)
{
    bool standard = strcmp(trace->name, "-") == 0, pipe = trace->files[0].fd < 0;
    errno = reason;
    if (reason != ENOENT || (!standard && !pipe))
        return error_io(error, name, NULL);
    return error_set(error, CSY_IO,
                     "%s: %s; a .pex %s finds its records %s, or inside itself (see --embed)", name,
                     strerror(reason), standard ? "on standard input" : "from a pipe",
                     standard ? "in the current folder" : "beside the name of the pipe");
}

csy_status record_file_open(struct csy_trace *trace, const char *href, char **name, int *fd,
                            uint64_t *bytes, csy_error *error)
{
    struct stat st;
    *fd = -1;
    *name = beside(trace->name, href);
    if (!*name || !look_behind_link(trace, href, name))
        return error_memory(error);
    if (is_folder(*name))
        return error_set(error, CSY_INPUT, "%s: trace_file names a folder: %s", trace->name, *name);
    *fd = open(*name, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (*fd < 0) {
        int reason = errno; /* if the .pex was replaced, its records were removed */
        trace->replaced = reason == ENOENT && trace_is_replaced(trace);
        return refuse_records(trace, *name, reason, error);
    }
    csy_status status = trace_remember_file(trace, *fd, &st, *name, error);
    if (status)
        return status;
    if (!S_ISREG(st.st_mode))
        return error_set(error, CSY_IO, "%s: it is not a regular file", *name);
    *bytes = (uint64_t)st.st_size;
    return CSY_OK;
}

struct known_file {
    dev_t device;
    ino_t inode;
    size_t index;
};

static int compare_files(const void *a, const void *b)
{
    const struct known_file *x = a, *y = b;
    if (x->device != y->device)
        return x->device < y->device ? -1 : 1;
    if (x->inode != y->inode)
        return x->inode < y->inode ? -1 : 1;
    return x->index < y->index ? -1 : 1;
}

csy_status record_files_part(const struct csy_trace *trace, csy_error *error)
{
    size_t n = trace->nfiles, same = SIZE_MAX, with = 0;
    struct known_file *files = malloc((n + 1) * sizeof *files);
    if (!files)
        return error_memory(error);
    for (size_t i = 0; i < n; i++)
        files[i] = (struct known_file){trace->files[i].device, trace->files[i].inode, i};
    qsort(files, n, sizeof *files, compare_files);
    for (size_t i = 1; i < n; i++)
        if (files[i].device == files[i - 1].device && files[i].inode == files[i - 1].inode &&
            files[i].index < same) {
            same = files[i].index;
            with = files[i - 1].index;
        }
    free(files);
    return same == SIZE_MAX ? CSY_OK
           : with == 0
               ? error_set(error, CSY_INPUT, "%s: trace_file names the .pex itself", trace->name)
               : error_set(error, CSY_INPUT, "%s: two trace_files name one file: %s", trace->name,
                           trace->files[same].name);
}
