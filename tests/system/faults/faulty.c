/*
 * Preloaded, it makes one call of a program fail, and counts what the program leaves behind.
 *
 *   CELLSYNC_FAULT=KIND:N   the N-th call of that kind (from 1; 0: none) fails once:
 *                           alloc, open, read, write, fsync, name (rename, link, mkdir and their
 *                           kin), close, thread, folder (opendir and its kin, readdir)
 *                 storm:N   calls of read and write are interrupted, or do less than they were
 *                           asked, N times in a row before each that goes well
 *                  slow:N   each write sleeps N microseconds, so that there is time for a kill
 *                   die:N   SIGKILL comes before the N-th call that changes something on disk;
 *                           folders are read from the last name to the first, on any disk
 *                 pause:N   SIGSTOP comes before the N-th read
 *                  stop:N   SIGTERM comes there, to the process as a whole
 *                  turn:0   SIGSTOP comes before each call that changes something on disk
 *   CELLSYNC_FAULT_LOG=FILE at exit: how many calls of that kind there were, and how many blocks of
 *                           memory are still allocated
 *
 * fsync only pretends, but for turn, unless it fails: the tests would wait for disks.  Standard
 * error is left alone.
 */
#undef _FILE_OFFSET_BITS /* both names of open and others are defined here */
#undef _TIME_BITS
#undef _FORTIFY_SOURCE /* defines read and others inline */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <unistd.h>

enum kind {
    ALLOC,
    OPEN,
    READ,
    WRITE,
    FSYNC,
    NAME,
    CLOSE,
    THREAD,
    FOLDER,
    STORM,
    SLOW,
    DIE,
    STOP,
    PAUSE,
    TURN,
    NONE
};

static const char *const kinds[] = {"alloc", "open",  "read",   "write",  "fsync",
                                    "name",  "close", "thread", "folder", "storm",
                                    "slow",  "die",   "stop",   "pause",  "turn"};

static enum kind kind = NONE;
static unsigned long wanted;
static int log_fd = -1;
static atomic_ulong calls;
static atomic_long blocks;
static atomic_ulong storming;

#define REAL(name) (__extension__(__typeof__(&name)) dlsym(RTLD_NEXT, #name))

/* glibc's own; its malloc calls these where it is not replaced. */
void *__libc_malloc(size_t);
void *__libc_calloc(size_t, size_t);
void *__libc_realloc(void *, size_t);
void *__libc_memalign(size_t, size_t);
void __libc_free(void *);

static void begin(void)
{
    const char *text = getenv("CELLSYNC_FAULT");
    const char *colon = text ? strchr(text, ':') : NULL;
    for (size_t k = 0; colon && k < NONE; k++)
        if (strncmp(text, kinds[k], (size_t)(colon - text)) == 0)
            kind = (enum kind)k;
    wanted = colon ? strtoul(colon + 1, NULL, 10) : 0;
    const char *path = getenv("CELLSYNC_FAULT_LOG");
    int fd = path ? REAL(open)(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644) : -1;
    if (fd >= 0) { /* now, as the sandbox lets nothing be opened later, and out of the way */
        log_fd = fcntl(fd, F_DUPFD_CLOEXEC, 100);
        REAL(close)(fd);
    }
}

typedef int main_function(int argc, char **argv, char **envp);

static main_function *main_of_program;

static int begin_main(int argc, char **argv, char **envp)
{
    begin();
    return main_of_program(argc, argv, envp);
}

/* The C library's.  What is counted begins with main: with starter.c preloaded behind this, that is
 * when a run begins. */
int __libc_start_main(main_function *main, int argc, char **argv, void (*init)(void),
                      void (*fini)(void), void (*rtld_fini)(void), void *stack_end);
int __libc_start_main(main_function *main, int argc, char **argv, void (*init)(void),
                      void (*fini)(void), void (*rtld_fini)(void), void *stack_end)
{
    main_of_program = main;
    return REAL(__libc_start_main)(begin_main, argc, argv, init, fini, rtld_fini, stack_end);
}

/* Have a library free what it keeps for good. */
static void tidy(const char *function)
{
    void (*call)(void) = __extension__(void (*)(void)) dlsym(RTLD_DEFAULT, function);
    if (call)
        call();
}

__attribute__((destructor)) static void end(void)
{
    char text[64];
    unsigned long n = atomic_load(&calls);
    kind = NONE;
    tidy("xmlInitParser");
    tidy("xmlResetLastError");
    tidy("xmlCleanupParser");
    long left = atomic_load(&blocks);
    if (log_fd >= 0) {
        int length = snprintf(text, sizeof text, "%lu %ld\n", n, left);
        if (REAL(write)(log_fd, text, (size_t)length) != length)
            abort();
        REAL(close)(log_fd);
    }
}

/* Whether this call is the one. */
static bool fails(enum kind of, int failure)
{
    if (kind != of || atomic_fetch_add(&calls, 1) + 1 != wanted)
        return false;
    errno = failure;
    return true;
}

/* Whether a call is interrupted by the storm; *size is lessened where it is not. */
static bool interrupted(size_t *size)
{
    if (kind != STORM)
        return false;
    bool now = atomic_fetch_add(&storming, 1) % (wanted + 1) < wanted;
    if (!now && *size > 4096)
        *size = *size / 2 + 1;
    errno = EINTR;
    return now;
}

static void *counted(void *block)
{
    if (block)
        atomic_fetch_add(&blocks, 1);
    return block;
}

void *malloc(size_t size)
{
    return fails(ALLOC, ENOMEM) ? NULL : counted(__libc_malloc(size));
}

void *calloc(size_t n, size_t size)
{
    return fails(ALLOC, ENOMEM) ? NULL : counted(__libc_calloc(n, size));
}

void *realloc(void *old, size_t size)
{
    if (fails(ALLOC, ENOMEM))
        return NULL;
    return old ? __libc_realloc(old, size) : counted(__libc_realloc(old, size));
}

void *aligned_alloc(size_t alignment, size_t size)
{
    return fails(ALLOC, ENOMEM) ? NULL : counted(__libc_memalign(alignment, size));
}

int posix_memalign(void **out, size_t alignment, size_t size)
{
    *out = aligned_alloc(alignment, size);
    return *out ? 0 : ENOMEM;
}

void free(void *block)
{
    if (block)
        atomic_fetch_sub(&blocks, 1);
    __libc_free(block);
}

/* Before a call that changes something on disk. */
static void disturb(void)
{
    if (kind == SLOW)
        usleep((useconds_t)wanted);
    if (kind == TURN)
        raise(SIGSTOP);
    if ((kind == DIE || kind == STOP) && atomic_fetch_add(&calls, 1) + 1 == wanted) {
        kill(getpid(), kind == DIE ? SIGKILL : SIGTERM);
        usleep(kind == DIE ? 0 : 20000); /* for who waits for it */
    }
}

int open(const char *path, int flags, ...)
{
    va_list args;
    va_start(args, flags);
    mode_t mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(args, mode_t) : 0;
    va_end(args);
    if (flags & O_CREAT)
        disturb();
    return fails(OPEN, EMFILE) ? -1 : REAL(open)(path, flags, mode);
}

int open64(const char *path, int flags, ...)
{
    va_list args;
    va_start(args, flags);
    mode_t mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(args, mode_t) : 0;
    va_end(args);
    return open(path, flags, mode);
}

int openat64(int folder, const char *path, int flags, ...)
{
    va_list args;
    va_start(args, flags);
    mode_t mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(args, mode_t) : 0;
    va_end(args);
    if (flags & O_CREAT)
        disturb();
    return REAL(openat64)(folder, path, flags, mode);
}

int openat(int folder, const char *path, int flags, ...)
{
    va_list args;
    va_start(args, flags);
    mode_t mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(args, mode_t) : 0;
    va_end(args);
    return openat64(folder, path, flags, mode);
}

int truncate64(const char *path, off64_t size)
{
    disturb();
    return REAL(truncate64)(path, size);
}

int truncate(const char *path, off_t size)
{
    return truncate64(path, size);
}

static void pause_reading(void)
{
    if (kind == PAUSE && atomic_fetch_add(&calls, 1) + 1 == wanted)
        raise(SIGSTOP);
}

ssize_t read(int fd, void *to, size_t size)
{
    pause_reading();
    return fails(READ, EIO) || interrupted(&size) ? -1 : REAL(read)(fd, to, size);
}

ssize_t pread64(int fd, void *to, size_t size, off64_t at)
{
    pause_reading();
    return fails(READ, EIO) || interrupted(&size) ? -1 : REAL(pread64)(fd, to, size, at);
}

ssize_t pread(int fd, void *to, size_t size, off_t at)
{
    return pread64(fd, to, size, at);
}

ssize_t write(int fd, const void *from, size_t size)
{
    if (fd == STDERR_FILENO)
        return REAL(write)(fd, from, size);
    disturb();
    return fails(WRITE, ENOSPC) || interrupted(&size) ? -1 : REAL(write)(fd, from, size);
}

ssize_t pwrite64(int fd, const void *from, size_t size, off64_t at)
{
    disturb();
    return fails(WRITE, ENOSPC) || interrupted(&size) ? -1 : REAL(pwrite64)(fd, from, size, at);
}

ssize_t pwrite(int fd, const void *from, size_t size, off_t at)
{
    return pwrite64(fd, from, size, at);
}

int fsync(int fd)
{
    disturb();
    return fails(FSYNC, EIO) ? -1 : kind == TURN ? REAL(fsync)(fd) : 0;
}

int rename(const char *from, const char *to)
{
    disturb();
    return fails(NAME, EIO) ? -1 : REAL(rename)(from, to);
}

int link(const char *from, const char *to)
{
    disturb();
    return fails(NAME, EIO) ? -1 : REAL(link)(from, to);
}

int linkat(int from_fd, const char *from, int to_fd, const char *to, int flags)
{
    disturb();
    return fails(NAME, EIO) ? -1 : REAL(linkat)(from_fd, from, to_fd, to, flags);
}

int renameat2(int from_fd, const char *from, int to_fd, const char *to, unsigned flags)
{
    disturb();
    return fails(NAME, EIO) ? -1 : REAL(renameat2)(from_fd, from, to_fd, to, flags);
}

int unlink(const char *path)
{
    disturb();
    return REAL(unlink)(path);
}

int unlinkat(int fd, const char *path, int flags)
{
    disturb();
    return REAL(unlinkat)(fd, path, flags);
}

int mkdir(const char *path, mode_t mode)
{
    disturb();
    return fails(NAME, ENOSPC) ? -1 : REAL(mkdir)(path, mode);
}

DIR *opendir(const char *path)
{
    return fails(FOLDER, EMFILE) ? NULL : REAL(opendir)(path);
}

DIR *fdopendir(int fd)
{
    return fails(FOLDER, EMFILE) ? NULL : REAL(fdopendir)(fd);
}

enum { FOLDERS = 16 };

/* How far folders were read backwards. */
static struct backward {
    DIR *folder;
    struct dirent64 last;
} backward[FOLDERS];

static struct backward *find_backward(const DIR *folder)
{
    for (unsigned i = 0; i < FOLDERS; i++)
        if (backward[i].folder == folder)
            return &backward[i];
    return NULL;
}

void rewinddir(DIR *folder)
{
    struct backward *of = find_backward(folder);
    if (of)
        of->folder = NULL;
    REAL(rewinddir)(folder);
}

int closedir(DIR *folder)
{
    struct backward *of = find_backward(folder);
    if (of)
        of->folder = NULL;
    return REAL(closedir)(folder);
}

/* The greatest name below the last one, as that is the one thing that stays while others go. */
static struct dirent64 *read_backward(DIR *folder)
{
    struct backward *of = find_backward(folder);
    bool first = !of;
    if (first && !(of = find_backward(NULL)))
        abort();
    struct dirent64 best = {.d_name = ""};
    REAL(rewinddir)(folder);
    for (const struct dirent64 *entry; (entry = REAL(readdir64)(folder));)
        if ((first || strcmp(entry->d_name, of->last.d_name) < 0) &&
            strcmp(entry->d_name, best.d_name) > 0)
            memcpy(&best, entry, entry->d_reclen);
    of->folder = folder;
    of->last = best;
    return *best.d_name ? &of->last : NULL;
}

struct dirent64 *readdir64(DIR *folder)
{
    if (fails(FOLDER, EIO))
        return NULL;
    return kind == DIE ? read_backward(folder) : REAL(readdir64)(folder);
}

/* Shaped alike where files have 64 bits. */
struct dirent *readdir(DIR *folder)
{
    return (struct dirent *)readdir64(folder);
}

int close(int fd)
{
    int result = REAL(close)(fd);
    return fails(CLOSE, EIO) ? -1 : result;
}

int pthread_create(pthread_t *out, const pthread_attr_t *attributes, void *(*run)(void *),
                   void *user)
{
    return fails(THREAD, EAGAIN) ? EAGAIN : REAL(pthread_create)(out, attributes, run, user);
}
