/* Functions that differ between systems. cmake/warnings.cmake defines HAVE_... for those that
 * exist; otherwise, slower or less atomic POSIX functions are used. */
#ifndef BASE_PORTABLE_H
#define BASE_PORTABLE_H

#include <errno.h>
#include <fcntl.h>
#include <search.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/ioctl.h>
#include <sys/syscall.h>
#endif

/* Exchange two files or folders atomically. Fails with ENOSYS if the system cannot do this. */
static inline int portable_exchange(const char *a, const char *b)
{
#if defined HAVE_RENAMEAT2
    return renameat2(AT_FDCWD, a, AT_FDCWD, b, RENAME_EXCHANGE);
#elif defined HAVE_RENAMEX_NP
    return renamex_np(a, b, RENAME_SWAP);
#elif defined SYS_renameat2
    /* from linux/fs.h, which conflicts with the headers of some C libraries */
    enum { EXCHANGE = 2 };
    return (int)syscall(SYS_renameat2, AT_FDCWD, a, AT_FDCWD, b, EXCHANGE);
#else
    (void)a, (void)b;
    errno = ENOSYS;
    return -1;
#endif
}

/* Let an empty file share the disk blocks of another file, if the file system can do this. */
static inline int portable_clone(int to, int from)
{
#ifdef __linux__
    return ioctl(to, _IOW(0x94, 9, int), from); /* this number is FICLONE of linux/fs.h */
#else
    (void)to, (void)from;
    errno = EOPNOTSUPP;
    return -1;
#endif
}

/* Open a new file in a folder, without a name. Fails if the system cannot do this. */
static inline int portable_nameless(const char *folder, int flags, mode_t mode)
{
#ifdef O_TMPFILE
    return open(folder, O_TMPFILE | flags, mode);
#else
    (void)folder, (void)flags, (void)mode;
    errno = EOPNOTSUPP;
    return -1;
#endif
}

/* Return when a file's content was last written (modified), or also its attributes (changed). */
static inline struct timespec portable_modified(const struct stat *st)
{
#ifdef HAVE_ST_MTIMESPEC
    return st->st_mtimespec;
#else
    return st->st_mtim;
#endif
}

static inline struct timespec portable_changed(const struct stat *st)
{
#ifdef HAVE_ST_MTIMESPEC
    return st->st_ctimespec;
#else
    return st->st_ctim;
#endif
}

#ifndef HAVE_TDESTROY
static inline int portable_same(const void *a, const void *b)
{
    (void)a, (void)b;
    return 0; /* tdelete then finds the root of any tree */
}
#endif

/* Free a tree of tsearch(). Calls `release` for each item in it. */
static inline void portable_tdestroy(void *root, void (*release)(void *))
{
#ifdef HAVE_TDESTROY
    tdestroy(root, release);
#else
    while (root) {
        void *item = *(void **)root;
        tdelete(item, &root, portable_same);
        release(item);
    }
#endif
}

/* Marks a large local variable that compilers should not clear, because this is slow. */
#if defined(__has_attribute)
#if __has_attribute(uninitialized)
#define UNINITIALIZED __attribute__((uninitialized))
#endif
#endif
#ifndef UNINITIALIZED
#define UNINITIALIZED
#endif

#endif
