/* Files of OTF2, checked chunk by chunk. */
#include "trace/otf2/checked.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static void note_file(const struct stat *st, struct otf2_checked *out)
{
    out->device = st->st_dev;
    out->inode = st->st_ino;
    out->bytes = st->st_size;
    out->changed = st->st_ctim;
}

/* A file, so that reading it cannot wait; -1: none, as out says. */
static int open_file(const char *path, struct otf2_checked *out)
{
    struct stat st;
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    out->there = fd >= 0 || errno != ENOENT;
    if (fd >= 0 && fstat(fd, &st) == 0 && S_ISREG(st.st_mode)) {
        note_file(&st, out);
        return fd;
    }
    if (out->there)
        out->records.fault = fd >= 0 ? "this is no plain file" : "the file cannot be opened";
    if (fd >= 0)
        close(fd);
    return -1;
}

static bool read_at(int fd, uint8_t *bytes, size_t size, off_t from)
{
    size_t got = 0;
    while (got < size) {
        ssize_t n = pread(fd, bytes + got, size - got, from + (off_t)got);
        if (n == 0 || (n < 0 && errno != EINTR))
            return false;
        got += n > 0 ? (size_t)n : 0;
    }
    return true;
}

/* Check a file of at least one byte; room is for a chunk. */
static void check_chunks(int fd, uint8_t *room, struct otf2_checked *out)
{
    struct otf2_records *r = &out->records;
    bool more = true;
    while (more) {
        uint64_t left = (uint64_t)out->bytes - r->offset;
        bool last = left <= r->chunk_bytes;
        size_t size = (size_t)(last ? left : r->chunk_bytes);
        if (!read_at(fd, room, size, (off_t)r->offset)) {
            r->fault = "the file cannot be read";
            return;
        }
        more = otf2_records_check(r, room, size, last);
    }
}

bool otf2_check_file(const char *path, enum otf2_part part, uint64_t chunk_bytes,
                     struct otf2_checked *out)
{
    *out = (struct otf2_checked){.records = {.part = part, .chunk_bytes = chunk_bytes}};
    int fd = open_file(path, out);
    if (fd < 0)
        return true;
    if (out->bytes == 0 && part == OTF2_LOCAL_DEFINITIONS) {
        close(fd);
        return true;
    }
    uint64_t room = (uint64_t)out->bytes < chunk_bytes ? (uint64_t)out->bytes : chunk_bytes;
    uint8_t *bytes = room > 0 ? malloc((size_t)room) : NULL;
    bool good = bytes != NULL;
    if (good) {
        check_chunks(fd, bytes, out);
    } else {
        out->records.fault = "the file was cut off";
        out->records.cut = true;
    }
    free(bytes);
    close(fd);
    return good || room == 0;
}

bool otf2_check_anchor(const char *path, struct otf2_checked *out)
{
    *out = (struct otf2_checked){.there = false};
    int fd = open_file(path, out);
    if (fd < 0)
        return true;
    size_t size = (size_t)out->bytes;
    uint8_t *bytes = malloc(size > 0 ? size : 1);
    bool good = bytes != NULL;
    if (good)
        out->records.fault = size > 0 && !read_at(fd, bytes, size, 0)
                                 ? "the file cannot be read"
                                 : otf2_anchor_fault(bytes, size);
    free(bytes);
    close(fd);
    return good;
}

bool otf2_is_unchanged(const char *path, const struct otf2_checked *checked)
{
    struct stat st;
    struct otf2_checked now;
    if (stat(path, &st) != 0)
        return !checked->there;
    note_file(&st, &now);
    return now.device == checked->device && now.inode == checked->inode &&
           now.bytes == checked->bytes && now.changed.tv_sec == checked->changed.tv_sec &&
           now.changed.tv_nsec == checked->changed.tv_nsec;
}

uint64_t otf2_whole_events(const struct otf2_checked *checked)
{
    return checked->records.fault ? checked->records.records : UINT64_MAX;
}
