/* See output.h. */
#include "celltrace/output.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { TEXT_BYTES = 65536 };

static char output_bytes[TEXT_BYTES];

bool output_open(struct output *out, struct folder *folder, const char *name)
{
    *out = (struct output){.folder = folder, .name = name, .bytes = output_bytes};
    folder_remove(folder, name); /* of a process that was killed, or planted */
    out->fd = folder_file(folder, name, O_WRONLY | O_CREAT);
    return out->fd >= 0;
}

static void flush(struct output *out)
{
    const char *at = out->bytes;
    while (out->size > 0 && !out->failed) {
        ssize_t n = write(out->fd, at, out->size);
        if (n < 0 && errno == EINTR)
            continue;
        out->failed = n <= 0;
        at += n > 0 ? n : 0;
        out->size -= n > 0 ? (size_t)n : 0;
    }
    out->size = 0;
}

void output_put(struct output *out, const char *bytes, size_t size)
{
    while (size > 0) {
        size_t n = size < TEXT_BYTES - out->size ? size : TEXT_BYTES - out->size;
        memcpy(out->bytes + out->size, bytes, n);
        out->size += n;
        bytes += n;
        size -= n;
        if (out->size == TEXT_BYTES)
            flush(out);
    }
}

void output_say(struct output *out, const char *format, ...)
{
    char text[1024];
    va_list arguments;
    va_start(arguments, format);
    int n = vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    if (n > 0)
        output_put(out, text, strlen(text));
}

bool output_finish(struct output *out, const char *as)
{
    flush(out);
    int reason = out->failed ? errno : 0;
    if (close(out->fd) < 0 && !reason)
        reason = errno;
    if (!reason && folder_rename(out->folder, out->name, as))
        return true;
    reason = reason ? reason : errno;
    folder_remove(out->folder, out->name);
    errno = reason;
    return false;
}
