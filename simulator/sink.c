/* See sink.h. */
#include "simulator/sink.h"

#include "base/array.h"
#include "base/error.h"
#include "base/process.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

enum { BUFFER_BYTES = 1 << 20, LINE_MAX_BYTES = 4096, ATTEMPTS = 100 };

struct sink {
    char *path, *temporary;
    bool created; /* true if the temporary file was created */
    int fd;       /* descriptor, or -1 if not open */
    gzFile gzip;  /* NULL if the file is not compressed */
    int failure;  /* errno of the first failure, or 0 */
    size_t used;
    uint8_t *buffer; /* room for BUFFER_BYTES; NULL after everything is written */
};

/* Remove temporary files of dead pdtsim processes of this host from the folder of `path`. */
static void sweep(const char *path)
{
    const char *slash = strrchr(path, '/');
    char *where = slash ? strndup(path, (size_t)(slash - path) + 1) : strdup(".");
    DIR *folder = where ? opendir(where) : NULL;
    free(where);
    /* cppcheck-suppress readdirCalled ; pdtsim has one thread */
    for (struct dirent *entry; folder && (entry = readdir(folder));) {
        struct stat st;
        uint32_t host;
        long pid;
        unsigned n;
        char again[64];
        /* widths keep numbers in range: NOLINTNEXTLINE(cert-err34-c) */
        if (sscanf(entry->d_name, ".pdtsim.%8" SCNx32 ".%9ld.%9u", &host, &pid, &n) == 3 &&
            pid > 0 && pid != getpid() && host == process_host() && process_is_dead(pid) &&
            snprintf(again, sizeof again, ".pdtsim.%08" PRIx32 ".%ld.%u", host, pid, n) > 0 &&
            strcmp(entry->d_name, again) == 0 &&
            fstatat(dirfd(folder), again, &st, AT_SYMLINK_NOFOLLOW) == 0 && S_ISREG(st.st_mode) &&
            st.st_uid == geteuid())
            unlinkat(dirfd(folder), again, 0);
    }
    if (folder)
        closedir(folder);
}

static csy_status create(struct sink *sink, bool compress, csy_error *error)
{
    struct stat old;
    if (stat(sink->path, &old) == 0 && S_ISDIR(old.st_mode)) {
        errno = EISDIR;
        return error_io(error, sink->path, NULL);
    }
    sweep(sink->path);
    /* Create a file ".pdtsim.HOST.PID.N" (base/process.h) in the folder of the path. An earlier
     * process with our id may have left a file with such a name. */
    static unsigned next;
    const char *slash = strrchr(sink->path, '/');
    int folder = slash ? (int)(slash - sink->path) + 1 : 0;
    errno = EEXIST;
    for (unsigned i = 0; i < ATTEMPTS && sink->fd < 0 && errno == EEXIST; i++) {
        free(sink->temporary);
        if (asprintf(&sink->temporary, "%.*s.pdtsim.%08" PRIx32 ".%ld.%u", folder, sink->path,
                     process_host(), (long)getpid(), next++) < 0) {
            sink->temporary = NULL;
            errno = ENOMEM;
            break;
        }
        sink->fd = open(sink->temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    }
    if (sink->fd < 0)
        return error_io(error, sink->path, NULL);
    sink->created = true;
    if (!compress)
        return CSY_OK;
    int copy = dup(sink->fd);
    sink->gzip = copy < 0 ? NULL : gzdopen(copy, "wb");
    if (sink->gzip)
        return CSY_OK;
    if (copy >= 0)
        close(copy);
    return error_memory(error);
}

csy_status sink_open(const char *path, bool compress, struct sink **out, csy_error *error)
{
    struct sink *sink = calloc(1, sizeof *sink);
    if (!sink)
        return error_memory(error);
    sink->fd = -1;
    sink->buffer = malloc(BUFFER_BYTES);
    sink->path = strdup(path);
    csy_status status =
        sink->buffer && sink->path ? create(sink, compress, error) : error_memory(error);
    if (status)
        sink_close(sink);
    else
        *out = sink;
    return status;
}

static void flush(struct sink *sink)
{
    const uint8_t *bytes = sink->buffer;
    if (sink->gzip && sink->used && gzwrite(sink->gzip, bytes, (unsigned)sink->used) <= 0)
        sink->failure = errno ? errno : EIO;
    while (!sink->gzip && sink->used && !sink->failure) {
        ssize_t n = write(sink->fd, bytes, sink->used);
        if (n < 0 && errno != EINTR)
            sink->failure = errno;
        if (n > 0) {
            bytes += n;
            sink->used -= (size_t)n;
        }
    }
    sink->used = 0;
}

uint8_t *sink_room(struct sink *sink, size_t size)
{
    if (sink->used + size > BUFFER_BYTES)
        flush(sink);
    return sink->buffer + sink->used;
}

void sink_advance(struct sink *sink, size_t size)
{
    sink->used += size;
}

void sink_write(struct sink *sink, const void *bytes, size_t size)
{
    memcpy(sink_room(sink, size), bytes, size);
    sink_advance(sink, size);
}

void sink_print(struct sink *sink, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    int size = vsnprintf((char *)sink_room(sink, LINE_MAX_BYTES), LINE_MAX_BYTES, format, args);
    va_end(args);
    if (size < 0 || size >= LINE_MAX_BYTES)
        sink->failure = EOVERFLOW;
    else
        sink_advance(sink, (size_t)size);
}

void sink_print_escaped(struct sink *sink, const char *text)
{
    static const char special[] = "&<\"";
    static const char *const escapes[] = {"&amp;", "&lt;", "&quot;"};
    for (; *text; text++) {
        const char *found = strchr(special, *text);
        sink_print(sink, "%.*s", found ? 6 : 1, found ? escapes[found - special] : text);
    }
}

bool sink_failed(const struct sink *sink)
{
    return sink->failure != 0;
}

void sink_patch(struct sink *sink, int64_t offset, const void *bytes, size_t size)
{
    flush(sink);
    if (!sink->failure && pwrite(sink->fd, bytes, size, offset) != (ssize_t)size)
        sink->failure = errno ? errno : EIO;
}

csy_status sink_finish(struct sink *sink, csy_error *error)
{
    flush(sink);
    if (sink->gzip && gzclose(sink->gzip) != Z_OK && !sink->failure)
        sink->failure = errno ? errno : EIO;
    sink->gzip = NULL;
    if (!sink->failure && fsync(sink->fd) != 0)
        sink->failure = errno;
    if (close(sink->fd) != 0 && !sink->failure)
        sink->failure = errno;
    sink->fd = -1;
    free(sink->buffer);
    sink->buffer = NULL;
    errno = sink->failure;
    return sink->failure ? error_io(error, sink->path, NULL) : CSY_OK;
}

csy_status sink_publish(struct sink *sink, csy_error *error)
{
    if (rename(sink->temporary, sink->path) != 0)
        return error_io(error, sink->path, NULL);
    free(sink->temporary);
    sink->temporary = NULL;
    return CSY_OK;
}

void sink_close(struct sink *sink)
{
    if (!sink)
        return;
    if (sink->gzip)
        gzclose(sink->gzip);
    if (sink->fd >= 0)
        close(sink->fd);
    if (sink->created && sink->temporary)
        unlink(sink->temporary);
    FREE_ALL(sink->buffer, sink->temporary, sink->path, sink);
}
