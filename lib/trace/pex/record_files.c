/* See record_files.h. */
#include "trace/pex/record_files.h"

#include "base/error.h"
#include "base/texts.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

char *record_file_beside(const char *document, const char *href)
{
    const char *slash = strrchr(document, '/');
    size_t folder = slash ? (size_t)(slash - document) + 1 : 0;
    char *path = malloc(folder + strlen(href) + 1);
    if (path) {
        memcpy(path, document, folder);
        memcpy(path + folder, href, strlen(href) + 1);
    }
    return path;
}

csy_status record_file_open(struct csy_trace *trace, const char *href, char **name, int *fd,
                            uint64_t *bytes, csy_error *error)
{
    struct stat st;
    *fd = -1;
    *name = record_file_beside(trace->name, href);
    if (!*name)
        return error_memory(error);
    bool link = lstat(trace->name, &st) == 0 && S_ISLNK(st.st_mode);
    char *target = link && stat(*name, &st) < 0 ? realpath(trace->name, NULL) : NULL;
    if (target) {
        free(*name);
        *name = record_file_beside(target, href);
        free(target);
        if (!*name)
            return error_memory(error);
    }
    if (stat(*name, &st) == 0 && S_ISDIR(st.st_mode))
        return error_set(error, CSY_INPUT, "%s: the trace_file in the .pex is a folder: %s",
                         trace->name, *name);
    *fd = open(*name, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (*fd < 0) {
        bool missing = errno == ENOENT, standard = strcmp(trace->name, "-") == 0;
        if (missing && (standard || trace->files[0].fd < 0)) /* explain where files are searched */
            return error_set(error, CSY_IO,
                             "%s: %s; the record file of a .pex %s must be %s, or inside the .pex "
                             "(see --embed)",
                             *name, strerror(ENOENT),
                             standard ? "on standard input" : "from a pipe",
                             standard ? "in the current folder" : "in the folder of the pipe");
        csy_status status = error_io(error, *name, NULL);
        /* If the .pex was replaced, its records were removed. */
        trace->replaced = missing && trace_is_replaced(trace);
        return status;
    }
    csy_status status = trace_remember_file(trace, *fd, &st, *name, error);
    if (status)
        return status;
    if (!S_ISREG(st.st_mode))
        return error_set(error, CSY_IO, "%s: this is not a regular file", *name);
    *bytes = (uint64_t)st.st_size;
    return CSY_OK;
}

csy_status record_files_part(const struct csy_trace *trace, csy_error *error)
{
    struct texts known = {.count = 0}; /* device and inode of each file */
    csy_status status = CSY_OK;
    for (size_t i = 0; i < trace->nfiles && !status; i++) {
        const uint64_t file[] = {trace->files[i].device, trace->files[i].inode};
        uint32_t number; /* index of the earlier file */
        bool added;
        if (!texts_find(&known, (const char *)file, sizeof file, &number, &added))
            status = error_memory(error);
        else if (!added && number == 0)
            status = error_set(error, CSY_INPUT,
                               "%s: the trace_file in the .pex is the .pex itself", trace->name);
        else if (!added)
            status =
                error_set(error, CSY_INPUT, "%s: two elements trace_file have the same file: %s",
                          trace->name, trace->files[i].name);
    }
    texts_fini(&known);
    return status;
}
