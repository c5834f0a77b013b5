/* Checks that the files of a trace do not change while it is read. */
#include "base/array.h"
#include "base/error.h"
#include "base/portable.h"
#include "trace/trace.h"

#include <string.h>
#include <time.h>

/* How often to examine a file that seems to have changed. */
enum { LOOKS_MAX = 10 };

csy_status trace_remember_file(struct csy_trace *trace, int fd, struct stat *st, const char *name,
                               csy_error *error)
{
    if (fstat(fd, st) < 0)
        return error_io(error, name, NULL);
    if (S_ISDIR(st->st_mode) && !(trace->source && trace->source->folder))
        return error_set(error, CSY_IO, "%s: it is a folder", name);
    if (!ARRAY_RESERVE(trace->files, trace->files_capacity, trace->nfiles + 1))
        return error_memory(error);
    trace->files[trace->nfiles++] = (struct file_identity){name,
                                                           st->st_dev,
                                                           st->st_ino,
                                                           S_ISREG(st->st_mode) ? fd : -1,
                                                           st->st_size,
                                                           st->st_nlink,
                                                           portable_modified(st),
                                                           portable_changed(st)};
    return CSY_OK;
}

csy_status trace_refuse_changed(const struct csy_trace *trace, csy_error *error)
{
    return error_set(error, CSY_IO, "%s: the trace has changed while it was read", trace->name);
}

static bool same_time(const struct timespec *a, const struct timespec *b)
{
    return a->tv_sec == b->tv_sec && a->tv_nsec == b->tv_nsec;
}

/* Returns true if the name now belongs to another file. */
static bool is_replaced(const char *name, const struct file_identity *file)
{
    struct stat st;
    return strcmp(name, "-") != 0 && stat(name, &st) == 0 &&
           (st.st_dev != file->device || st.st_ino != file->inode);
}

/* Returns true if the file was written to. A new or removed hard link changes the ctime, too, so
 * the ctime counts only if the number of links is the same. */
static bool is_changed(const char *name, const struct file_identity *file, const struct stat *st)
{
    struct timespec modified = portable_modified(st), changed = portable_changed(st);
    if (st->st_size != file->size || !same_time(&modified, &file->modified))
        return true;
    return st->st_nlink == file->links && !same_time(&changed, &file->changed) &&
           !is_replaced(name, file);
}

bool trace_is_replaced(const struct csy_trace *trace)
{
    return is_replaced(trace->name, &trace->files[0]);
}

csy_status trace_check_unchanged(const struct csy_trace *trace, csy_error *error)
{
    static const struct timespec wait = {.tv_nsec = 2000000};
    struct stat st;
    for (size_t i = 0; i < trace->nfiles; i++) {
        const struct file_identity *file = &trace->files[i];
        bool changed = file->fd >= 0;
        /* A rename may change the ctime before the name, so examine the file again. */
        for (unsigned look = 0; look < LOOKS_MAX && changed; look++) {
            if (look > 0)
                nanosleep(&wait, NULL);
            if (fstat(file->fd, &st) < 0)
                return error_io(error, trace->name, NULL);
            changed = is_changed(file->name, file, &st);
        }
        if (changed)
            return trace_refuse_changed(trace, error);
    }
    return CSY_OK;
}

csy_status trace_check_file(const struct csy_trace *trace, size_t file, int fd, csy_error *error)
{
    const struct file_identity *known = &trace->files[file];
    struct stat st;
    if (fstat(fd, &st) < 0)
        return error_io(error, known->name, NULL);
    return st.st_dev != known->device || st.st_ino != known->inode ||
                   is_changed(known->name, known, &st)
               ? trace_refuse_changed(trace, error)
               : CSY_OK;
}
