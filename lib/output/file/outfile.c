/* An output file that replaces its target only when it is complete. */
#include "output/file/outfile.h"

#include "base/array.h"
#include "base/error.h"
#include "base/portable.h"
#include "base/visible.h"
#include "io/gzip_out.h"
#include "io/path.h"
#include "io/rights.h"
#include "output/file/recordname.h"
#include "output/file/tempname.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

/* A buffer fits in the processor's caches. After UNSYNCED_BYTES, the disk is told to write. */
enum { BUFFER_BYTES = 2 * OUTFILE_ROOM_MAX, UNSYNCED_BYTES = 1024 * 1024 };

/* The longest wait for a folder that another process has locked. Locks are short. */
enum { LOCK_SECONDS = 60 };

struct outfile {
    int fd;
    int folder_fd;                 /* descriptor of the file's folder if `safe`; -1 if unreadable */
    char *path;                    /* final path with symbolic links resolved, for messages */
    const struct csy_trace *input; /* the input, with files that must not be overwritten; or NULL */
    bool safe;  /* true if the file replaces its target only when it is complete */
    char *temp; /* temporary path, or NULL */
    struct rights rights;
    mode_t mode;
    bool nameless; /* true while the file has no name in its folder */
    bool published;
    bool shows_utf8;                 /* true if printed text is converted for a UTF-8 terminal */
    atomic_int failure;              /* errno of the first failed write, or 0 */
    struct gzip_out *gzip;           /* compresses the appended bytes; or NULL */
    const struct progress *progress; /* receives the progress; or NULL */
    size_t unsynced;                 /* number of bytes since the last call of begin_sync */
    const struct relay *relay;       /* writes full buffers in another thread; or NULL */
    char *spares[RELAY_PENDING];     /* buffers that the relay's thread may still write */
    size_t nspares, next_spare;
    size_t used;
    uint64_t flushed; /* number of bytes written so far, without the buffer */
    char *buffer;
};

/* Create the file with the temporary path `name`. */
static bool open_at(void *user, const char *name)
{
    struct outfile *file = user;
    file->fd = open(name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, file->mode);
    return file->fd >= 0;
}

/* Give a file without a name a temporary path, or rename a file that has a temporary path. */
static bool give_name(void *user, const char *name)
{
    const struct outfile *file = user;
    struct stat st;
    char link[64];
    if (!file->nameless) {
        errno = EEXIST;
        return lstat(name, &st) < 0 && rename(file->temp, name) == 0;
    }
    snprintf(link, sizeof link, "/proc/self/fd/%d", file->fd);
    return linkat(AT_FDCWD, link, AT_FDCWD, name, AT_SYMLINK_FOLLOW) == 0;
}

static bool name_it(struct outfile *file, char *make(const char *, unsigned))
{
    char *name = tempname_take(file->path, make, give_name, file);
    if (!name)
        return false;
    free(file->temp);
    file->temp = name;
    file->nameless = false;
    return true;
}

csy_status outfile_open(const char *path, const struct csy_trace *input, struct outfile **out,
                        csy_error *error)
{
    bool standard = path_is_standard(path);
    csy_status status = strcmp(path, "-") == 0 ? CSY_OK : refuse_input(input, path, error);
    if (status)
        return status;
    struct outfile *file = calloc(1, sizeof *file);
    if (!file || !(file->buffer = malloc(BUFFER_BYTES))) {
        free(file);
        return error_memory(error);
    }
    file->fd = file->folder_fd = -1;
    file->input = input;
    file->progress = input ? &input->progress : NULL;
    file->path = standard ? strdup("standard output") : path_resolve(path);
    if (!file->path) {
        status = error_memory(error);
    } else if (standard || !path_is_regular(path)) {
        /* Write directly to a device, pipe, or descriptor, but replace a regular file. */
        struct stat st;
        int fd = standard ? STDOUT_FILENO : path_descriptor(path);
        file->fd = fd == STDOUT_FILENO ? fd
                   : fd >= 0           ? fcntl(fd, F_DUPFD_CLOEXEC, STDERR_FILENO + 1)
                                       : open(path, O_WRONLY | O_CLOEXEC);
        if (file->fd < 0)
            status = error_io(error, file->path, NULL);
        else if (fd < 0 && fstat(file->fd, &st) == 0 && S_ISREG(st.st_mode))
            status =
                error_set(error, CSY_IO, "%s: cellsync does not replace system files", file->path);
    } else {
        file->safe = true;
        file->mode = rights_take(&file->rights, file->path, 0666);
        file->folder_fd = path_open_folder(file->path);
        if (file->folder_fd < 0 && errno != EACCES) /* EACCES: the folder may still be writable */
            status = refuse_place(file->path, error);
        /* The file has no name at first, if possible, so that SIGKILL leaves no file behind. */
        char *folder = status ? NULL : path_folder(file->path);
        if (folder && access("/proc/self/fd", X_OK) == 0)
            file->fd = portable_nameless(folder, O_WRONLY | O_CLOEXEC, file->mode);
        free(folder);
        file->nameless = file->fd >= 0;
        if (!status && !file->nameless)
            file->temp = tempname_take(file->path, tempname_name, open_at, file);
        if (!status && file->fd < 0)
            status = error_io(error, file->path, NULL);
    }
    if (status)
        outfile_close(file);
    else
        *out = file;
    return status;
}

/* Store the errno of the file's first failure. */
static void fail(struct outfile *file, int failure)
{
    int none = 0;
    atomic_compare_exchange_strong(&file->failure, &none, failure);
}

/* Tell the system to write these bytes to the disk now, so that the sync at the end is short. */
static void begin_sync(const struct outfile *file, uint64_t at, size_t size)
{
#ifdef SYNC_FILE_RANGE_WRITE
    sync_file_range(file->fd, (off_t)at, (off_t)size, SYNC_FILE_RANGE_WRITE);
#else
    (void)file, (void)at, (void)size;
#endif
}

/* Write bytes to the file `user`. Relays, gzip_out, and flush call this function. */
static void write_out(void *user, const void *from, size_t size)
{
    struct outfile *file = user;
    const char *bytes = from;
    file->unsynced += size;
    while (size > 0 && !file->failure) {
        ssize_t n = write(file->fd, bytes, size);
        struct pollfd room = {.fd = file->fd, .events = POLLOUT};
        if (n < 0 && errno == EAGAIN && (poll(&room, 1, -1) > 0 || errno == EINTR))
            continue; /* the file does not block; poll has waited until it accepts more bytes */
        if (n < 0 && errno != EINTR)
            fail(file, errno);
        if (n > 0) {
            bytes += n;
            size -= (size_t)n;
        }
    }
    if (!file->safe || file->failure || file->unsynced < UNSYNCED_BYTES)
        return;
    begin_sync(file, (uint64_t)lseek(file->fd, 0, SEEK_CUR) - file->unsynced, file->unsynced);
    file->unsynced = 0;
}

/* Write the buffer to the file, or let the relay write the buffer. */
static void flush(struct outfile *file)
{
    if (file->relay) {
        char **spare = &file->spares[file->next_spare++ % RELAY_PENDING], *full = file->buffer;
        file->relay->ask(file->relay->user, write_out, file, full, file->used);
        file->buffer = *spare;
        *spare = full;
    } else {
        write_out(file, file->buffer, file->used);
    }
    file->flushed += file->used;
    file->used = 0;
}

uint64_t outfile_appended(const struct outfile *file)
{
    return file->flushed + file->used;
}

void outfile_relay(struct outfile *file, const struct relay *relay)
{
    while (relay && !file->gzip && file->nspares < RELAY_PENDING &&
           (file->spares[file->nspares] = malloc(BUFFER_BYTES)))
        file->nspares++;
    file->relay = file->nspares == RELAY_PENDING ? relay : NULL;
}

uint8_t *outfile_room(struct outfile *file, size_t size)
{
    if (size > BUFFER_BYTES - file->used)
        flush(file);
    return (uint8_t *)file->buffer + file->used;
}

void outfile_advance(struct outfile *file, size_t size)
{
    if (file->gzip)
        gzip_out_write(file->gzip, file->buffer, size);
    else
        file->used += size;
}

char *outfile_text(struct outfile *file, size_t size)
{
    return (char *)outfile_room(file, size);
}

void outfile_end(struct outfile *file, const char *end)
{
    outfile_advance(file, (size_t)(end - file->buffer) - file->used);
}

csy_status outfile_compress(struct outfile *file, int level, unsigned nthreads, csy_error *error)
{
    flush(file);
    return gzip_out_new(level, nthreads, write_out, file, &file->gzip, error);
}

void outfile_write(struct outfile *file, const void *bytes, size_t size)
{
    const char *from = bytes;
    if (file->gzip) {
        gzip_out_write(file->gzip, bytes, size);
        return;
    }
    while (size > BUFFER_BYTES - file->used) {
        size_t room = BUFFER_BYTES - file->used;
        memcpy(file->buffer + file->used, from, room);
        file->used = BUFFER_BYTES;
        from += room;
        size -= room;
        flush(file);
    }
    if (size > 0) /* bytes may be NULL if size is 0 */
        memcpy(file->buffer + file->used, from, size);
    file->used += size;
}

static atomic_bool terminal_utf8;

void csy_set_terminal(bool utf8)
{
    terminal_utf8 = utf8;
}

void outfile_show_text(struct outfile *file)
{
    file->shows_utf8 = terminal_utf8 && file->fd >= 0 && isatty(file->fd);
}

size_t outfile_columns(const struct outfile *file, const char *escaped)
{
    return file->shows_utf8 ? visible_columns(escaped) : strlen(escaped);
}

void outfile_print_name(struct outfile *file, int columns, const char *escaped)
{
    int spaces = abs(columns) - (int)outfile_columns(file, escaped);
    spaces = spaces > 0 ? spaces : 0;
    outfile_print(file, "%*s", columns > 0 ? spaces : 0, "");
    if (file->shows_utf8)
        outfile_print(file, "%s", escaped);
    else
        outfile_add(file, escaped);
    outfile_print(file, "%*s", columns < 0 ? spaces : 0, "");
}

void outfile_print_made(struct outfile *file, char *text, size_t length)
{
    if (file->shows_utf8)
        length = strlen(csy_unescape(text));
    outfile_write(file, text, length);
}

void outfile_print(struct outfile *file, const char *format, ...)
{
    va_list args, again;
    va_start(args, format);
    va_copy(again, args);
    char text[512] UNINITIALIZED; /* clearing the array would take as long as formatting */
    /* begun above: NOLINTNEXTLINE(clang-analyzer-valist.Uninitialized) */
    int length = vsnprintf(text, sizeof text, format, args);
    if (length >= (int)sizeof text) {
        char *longer = malloc((size_t)length + 1);
        if (longer) {
            (void)vsnprintf(longer, (size_t)length + 1, format, again);
            outfile_print_made(file, longer, (size_t)length);
        } else {
            fail(file, ENOMEM);
        }
        free(longer);
    } else if (length > 0) {
        outfile_print_made(file, text, (size_t)length);
    }
    va_end(again);
    va_end(args);
}

const char *outfile_path(const struct outfile *file)
{
    return file->path;
}

bool outfile_rename(struct outfile *file, const char *path)
{
    char *copy = strdup(path);
    if (copy) {
        free(file->path);
        file->path = copy;
    }
    return copy != NULL;
}

bool outfile_can_place(const struct outfile *file)
{
    return file->safe && !file->gzip;
}

uint64_t outfile_claim(struct outfile *file, size_t size)
{
    flush(file);
    off_t end = lseek(file->fd, (off_t)size, SEEK_CUR);
    if (end < 0)
        fail(file, errno);
    return (uint64_t)end - size;
}

void outfile_place(struct outfile *file, const void *bytes, size_t size, uint64_t at)
{
    size_t placed = 0;
    while (placed < size && !outfile_failed(file)) {
        ssize_t n =
            pwrite(file->fd, (const char *)bytes + placed, size - placed, (off_t)(at + placed));
        if (n < 0 && errno != EINTR)
            fail(file, errno);
        if (n > 0)
            placed += (size_t)n;
    }
    if (!outfile_failed(file))
        begin_sync(file, at, size);
}

void outfile_patch(struct outfile *file, uint64_t at, const void *bytes, size_t size)
{
    flush(file);
    outfile_place(file, bytes, size, at);
}

bool outfile_failed(const struct outfile *file)
{
    return atomic_load(&file->failure) != 0;
}

csy_status outfile_finish(struct outfile *file, csy_error *error)
{
    if (file->gzip)
        gzip_out_finish(file->gzip);
    flush(file);
    if (!file->failure && file->safe && !rights_give(&file->rights, file->fd))
        file->failure = errno;
    if (!file->failure && file->safe) {
        off_t size = lseek(file->fd, 0, SEEK_END);
        progress_tell(file->progress, "syncing", CSY_UNIT_BYTES, size > 0 ? (uint64_t)size : 0, 0);
        if (fsync(file->fd) < 0)
            file->failure = errno;
    }
    if (file->failure) {
        errno = file->failure;
        return error_io(error, file->path, NULL);
    }
    return file->input ? trace_check_unchanged(file->input, error) : CSY_OK;
}

/* Rename the record files, and then the .pex that refers to them. Until then, the .pex has a
 * temporary name, which marks the record files as unfinished. A replaced .pex with other record
 * files gets a temporary name, too, until these are removed. */
static bool commit(struct outfile *file, struct outfile *const *records, size_t n,
                   const struct record_list *old, const struct outfile **failed)
{
    size_t equal = 0; /* number of new record files that have the names of old ones */
    while (equal < n && equal < old->count && strcmp(old->paths[equal], records[equal]->path) == 0)
        equal++;
    bool same = n > 0 && equal == n && equal == old->count;
    bool swap = old->count > 0 && !same, mark = swap || (n > 0 && !same), named = true;
    if ((file->nameless || mark) && !name_it(file, mark ? tempname_pex_name : tempname_name))
        return false;
    for (size_t i = 0; i < n && named; i++) {
        struct outfile *one = records[i];
        *failed = one;
        named =
            (!one->nameless || name_it(one, tempname_name)) && rename(one->temp, one->path) == 0;
        one->published = named;
    }
    *failed = named ? file : *failed;
    if (named && (n == 0 || path_sync_folder(file->folder_fd)))
        file->published = (swap && portable_exchange(file->temp, file->path) == 0) ||
                          rename(file->temp, file->path) == 0;
    int failure = errno;
    for (size_t i = 0; i < old->count && file->published && swap; i++)
        unlink(old->paths[i]);
    if (file->published && swap)
        unlink(file->temp);
    for (size_t i = 0; i < n && !file->published && !same; i++)
        if (records[i]->published)
            unlink(records[i]->path);
    errno = failure;
    return file->published;
}

/* List the record files of the replaced .pex, if it is one; none if one of them is an input
 * file. */
static csy_status find_old(const struct outfile *file, struct record_list *old, csy_error *error)
{
    if (!record_beside(file->path, old))
        return error_io(error, file->path, NULL);
    for (size_t i = 0; i < old->count; i++)
        if (refuse_input(file->input, old->paths[i], NULL))
            record_list_fini(old);
    return CSY_OK;
}

/* Give the files their final names. If `file` is or replaces a .pex, lock the folder meanwhile. */
static csy_status publish(struct outfile *file, struct outfile *const *records, size_t n, bool pex,
                          csy_error *error)
{
    struct record_list old;              /* files that belong to the replaced .pex, if any */
    const struct outfile *failed = file; /* file that could not get its name */
    if (!file->safe)
        return CSY_OK;
    csy_status status = find_old(file, &old, error);
    bool shared = !status && (old.count > 0 || pex);
    if (shared && !path_lock_folder(file->folder_fd, LOCK_SECONDS))
        status = error_set(
            error, CSY_IO,
            "%s: the folder of this file has been locked by another process for %d seconds",
            file->path, LOCK_SECONDS);
    record_list_fini(&old);
    if (status)
        return status;
    tempname_hold();
    status = find_old(file, &old, error);
    if (!status && (!commit(file, records, n, &old, &failed) || !path_sync_folder(file->folder_fd)))
        status = error_io(error, failed->path, NULL);
    tempname_release();
    record_list_fini(&old);
    if (shared)
        flock(file->folder_fd, LOCK_UN);
    tempname_sweep(file->path);
    return status;
}

csy_status outfile_publish(struct outfile *file, csy_error *error)
{
    return publish(file, NULL, 0, false, error);
}

csy_status outfile_publish_pex(struct outfile *file, struct outfile *const *records, size_t n,
                               csy_error *error)
{
    return publish(file, records, n, true, error);
}

void outfile_close(struct outfile *file)
{
    if (!file)
        return;
    gzip_out_free(file->gzip);
    if (file->fd >= 0 && file->fd != STDOUT_FILENO)
        close(file->fd);
    if (file->temp && !file->nameless && !file->published)
        unlink(file->temp);
    if (file->folder_fd >= 0)
        close(file->folder_fd);
    for (size_t i = 0; i < file->nspares; i++)
        free(file->spares[i]);
    FREE_ALL(file->temp, file->path, file->buffer, file);
}

csy_status outfile_complete(struct outfile *file, csy_status status, csy_error *error)
{
    status = status ? status : outfile_finish(file, error);
    status = status ? status : outfile_publish(file, error);
    int failure = errno; /* save errno, because callers may report it */
    outfile_close(file);
    errno = failure;
    return status;
}

/* --- Refused places --- */

csy_status refuse_input(const struct csy_trace *input, const char *path, csy_error *error)
{
    struct stat st;
    if (!input || stat(path, &st) < 0)
        return CSY_OK;
    for (size_t i = 0; i < input->nfiles; i++)
        if (S_ISREG(st.st_mode) && st.st_dev == input->files[i].device &&
            st.st_ino == input->files[i].inode)
            return error_set(error, CSY_INPUT,
                             "%s: the output file is also an input file; name another output",
                             path);
    return CSY_OK;
}

csy_status refuse_place(const char *path, csy_error *error)
{
    int failure = errno;
    struct stat st;
    char *folder = failure == ENOENT ? path_folder(path) : NULL;
    bool missing = folder && stat(folder, &st) < 0 && errno == ENOENT;
    errno = failure;
    csy_status status = error_io(error, path, NULL);
    if (missing) {
        size_t size = strlen(folder);
        folder[size > 1 ? size - 1 : size] = 0;
        status = error_set(error, CSY_IO, "%s: the folder %s does not exist", path, folder);
    }
    free(folder);
    return status;
}
