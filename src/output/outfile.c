/* A file being written so that nothing is lost. */
#include "output/outfile.h"

#include "base/error.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { BUFFER_BYTES = 256 * 1024 };

struct outfile {
    int fd;
    char *path;  /* its name, behind links; for messages */
    char *temp;  /* NULL: written directly */
    char *aside; /* where an old file of that name waits, or NULL */
    bool published;
    int failure; /* errno of the first failed write */
    size_t used;
    char buffer[BUFFER_BYTES];
};

bool outfile_is_regular(const char *path)
{
    struct stat st;
    return strcmp(path, "-") != 0 && (stat(path, &st) < 0 || S_ISREG(st.st_mode));
}

char *outfile_resolve(const char *path)
{
    char *resolved = realpath(path, NULL);
    return resolved ? resolved : strdup(path);
}

/* "folder/.name.XXXXXX" beside path */
static char *temp_name(const char *path)
{
    static const char suffix[] = ".XXXXXX";
    const char *slash = strrchr(path, '/');
    size_t folder = slash ? (size_t)(slash - path) + 1 : 0;
    size_t name = strlen(path) - folder;
    char *temp = malloc(folder + 1 + name + sizeof suffix);
    if (!temp)
        return NULL;
    memcpy(temp, path, folder);
    temp[folder] = '.';
    memcpy(temp + folder + 1, path + folder, name);
    memcpy(temp + folder + 1 + name, suffix, sizeof suffix);
    return temp;
}

static csy_status refuse_input(const struct csy_trace *input, const char *path, csy_error *error)
{
    struct stat st;
    if (!input || stat(path, &st) < 0)
        return CSY_OK;
    for (size_t i = 0; i < input->nfiles; i++)
        if (S_ISREG(st.st_mode) && st.st_dev == input->files[i].device &&
            st.st_ino == input->files[i].inode)
            return error_set(error, CSY_INPUT, "%s: the output would be written onto its input",
                             path);
    return CSY_OK;
}

/* The mode that open(2) would have given, or that of the file to be replaced. */
static mode_t final_mode(const char *path)
{
    struct stat st;
    if (stat(path, &st) == 0)
        return st.st_mode & 07777;
    mode_t mask = umask(0);
    umask(mask);
    return 0666 & ~mask;
}

static csy_status open_temp(struct outfile *file, csy_error *error)
{
    file->temp = temp_name(file->path);
    if (!file->temp)
        return error_memory(error);
    file->fd = mkostemp(file->temp, O_CLOEXEC);
    if (file->fd < 0) {
        free(file->temp);
        file->temp = NULL;
        return error_io(error, file->path, NULL);
    }
    if (fchmod(file->fd, final_mode(file->path)) < 0)
        return error_io(error, file->path, NULL);
    return CSY_OK;
}

static csy_status open_direct(struct outfile *file, bool standard, csy_error *error)
{
    file->fd = standard ? STDOUT_FILENO : open(file->path, O_WRONLY | O_CLOEXEC);
    return file->fd < 0 ? error_io(error, file->path, NULL) : CSY_OK;
}

csy_status outfile_open(const char *path, const struct csy_trace *input, struct outfile **out,
                        csy_error *error)
{
    bool standard = strcmp(path, "-") == 0;
    csy_status status = standard ? CSY_OK : refuse_input(input, path, error);
    if (status)
        return status;
    struct outfile *file = malloc(sizeof *file);
    if (!file)
        return error_memory(error);
    file->fd = -1;
    file->temp = file->aside = NULL;
    file->published = false;
    file->failure = 0;
    file->used = 0;
    file->path = standard ? strdup("standard output") : outfile_resolve(path);
    if (!file->path)
        status = error_memory(error);
    else if (standard || !outfile_is_regular(path))
        status = open_direct(file, standard, error);
    else
        status = open_temp(file, error);
    if (status)
        outfile_close(file);
    else
        *out = file;
    return status;
}

static void write_out(struct outfile *file, const char *bytes, size_t size)
{
    while (size > 0 && !file->failure) {
        ssize_t n = write(file->fd, bytes, size);
        if (n < 0 && errno != EINTR)
            file->failure = errno;
        if (n > 0) {
            bytes += n;
            size -= (size_t)n;
        }
    }
}

void outfile_write(struct outfile *file, const void *bytes, size_t size)
{
    if (size > BUFFER_BYTES - file->used) {
        write_out(file, file->buffer, file->used);
        file->used = 0;
        if (size > BUFFER_BYTES) {
            write_out(file, bytes, size);
            return;
        }
    }
    memcpy(file->buffer + file->used, bytes, size);
    file->used += size;
}

void outfile_print(struct outfile *file, const char *format, ...)
{
    va_list args, again;
    va_start(args, format);
    va_copy(again, args);
    char text[512];
    int length = vsnprintf(text, sizeof text, format, args);
    if (length >= (int)sizeof text) {
        char *longer = malloc((size_t)length + 1);
        if (longer) {
            vsnprintf(longer, (size_t)length + 1, format, again);
            outfile_write(file, longer, (size_t)length);
        } else if (!file->failure) {
            file->failure = ENOMEM;
        }
        free(longer);
    } else if (length > 0) {
        outfile_write(file, text, (size_t)length);
    }
    va_end(again);
    va_end(args);
}

bool outfile_failed(const struct outfile *file)
{
    return file->failure != 0;
}

csy_status outfile_finish(struct outfile *file, csy_error *error)
{
    write_out(file, file->buffer, file->used);
    file->used = 0;
    if (!file->failure && file->temp && fsync(file->fd) < 0)
        file->failure = errno;
    if (file->failure) {
        errno = file->failure;
        return error_io(error, file->path, NULL);
    }
    if (file->fd != STDOUT_FILENO) {
        int closed = close(file->fd);
        file->fd = -1;
        if (closed < 0)
            return error_io(error, file->path, NULL);
    }
    return CSY_OK;
}

/* Make a rename durable; where a folder cannot be synced, that is not an error. */
static void sync_folder(const char *path)
{
    char *folder = strdup(path);
    if (!folder)
        return;
    char *slash = strrchr(folder, '/');
    if (slash)
        slash[slash == folder] = 0;
    int fd = open(slash ? folder : ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd >= 0) {
        fsync(fd);
        close(fd);
    }
    free(folder);
}

csy_status outfile_publish(struct outfile *file, csy_error *error)
{
    if (file->temp && rename(file->temp, file->path) < 0)
        return error_io(error, file->path, NULL);
    file->published = true;
    if (file->temp)
        sync_folder(file->path);
    return CSY_OK;
}

void outfile_close(struct outfile *file)
{
    if (!file)
        return;
    if (file->fd >= 0 && file->fd != STDOUT_FILENO)
        close(file->fd);
    if (file->temp && !file->published)
        unlink(file->temp);
    if (file->aside) {
        unlink(file->aside);
        free(file->aside);
    }
    free(file->temp);
    free(file->path);
    free(file);
}

csy_status outfile_set_aside(struct outfile *file, csy_error *error)
{
    struct stat st;
    if (!file->temp || lstat(file->path, &st) < 0)
        return CSY_OK;
    char *aside = temp_name(file->path);
    if (!aside)
        return error_memory(error);
    int fd = mkostemp(aside, O_CLOEXEC);
    if (fd >= 0)
        close(fd);
    if (fd < 0 || rename(file->path, aside) < 0) {
        csy_status status = error_io(error, file->path, NULL);
        if (fd >= 0)
            unlink(aside);
        free(aside);
        return status;
    }
    file->aside = aside;
    return CSY_OK;
}

void outfile_put_back(struct outfile *file)
{
    if (!file->aside)
        return;
    rename(file->aside, file->path);
    free(file->aside);
    file->aside = NULL;
}
