/* Temporary names, and what was left under them. */
#include "output/litter.h"

#include "base/crc.h"
#include "output/path.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { NAME_BYTES = 64 };

static pthread_mutex_t naming = PTHREAD_MUTEX_INITIALIZER;
static _Thread_local unsigned held; /* so many times */
static _Thread_local sigset_t before;

void litter_hold(void)
{
    sigset_t all;
    if (held++ > 0)
        return;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    pthread_mutex_lock(&naming);
}

void litter_release(void)
{
    if (--held > 0)
        return;
    pthread_mutex_unlock(&naming);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
}

static uint32_t sum_of(uint32_t sum, const char *text)
{
    return crc_add(sum, (const uint8_t *)text, strlen(text));
}

static uint32_t host(void)
{
    char name[256] = "", space[64] = "";
    gethostname(name, sizeof name - 1);
    ssize_t n = readlink("/proc/self/ns/pid", space, sizeof space - 1);
    space[n > 0 ? n : 0] = 0;
    return sum_of(sum_of(0, name), space);
}

char *litter_name(const char *path, unsigned n)
{
    size_t folder = (size_t)(path_name(path) - path);
    char *name = malloc(folder + NAME_BYTES);
    if (!name)
        return NULL;
    memcpy(name, path, folder);
    snprintf(name + folder, NAME_BYTES, ".cellsync.%08" PRIx32 ".%ld.%u", host(), (long)getpid(),
             n);
    return name;
}

char *litter_aside_name(const char *path, unsigned n)
{
    char *name = litter_name(path, n);
    if (name)
        snprintf(name + strlen(name), 10, ".%08" PRIx32, sum_of(0, path_name(path)));
    return name;
}

/* Whether nothing but this process can have given this name, or, where `kept` is not NULL, nothing
 * but a dead one of this host, and it is of no use now that `kept` stands. */
static bool is_stale(uint32_t here, const char *name, const char *kept)
{
    char again[NAME_BYTES], *end;
    int length = snprintf(again, sizeof again, ".cellsync.%08" PRIx32 ".", here);
    if (strncmp(name, again, (size_t)length) != 0)
        return false;
    long pid = strtol(name + length, &end, 10);
    unsigned long n = *end == '.' ? strtoul(end + 1, &end, 10) : 0;
    if (pid <= 0 || pid > INT_MAX)
        return false;
    length += snprintf(again + length, sizeof again - (size_t)length, "%ld.%lu", pid, n);
    if (*end == '.') {
        uint32_t aside = kept ? sum_of(0, kept) : (uint32_t)strtoul(end + 1, NULL, 16);
        snprintf(again + length, sizeof again - (size_t)length, ".%08" PRIx32, aside);
    }
    bool gone = kept ? kill((pid_t)pid, 0) < 0 && errno == ESRCH : pid == getpid();
    return gone && strcmp(again, name) == 0;
}

/* Remove the folder called name in folder_fd, if it holds no folder. */
static void remove_folder(int folder_fd, const char *name)
{
    int fd = openat(folder_fd, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    DIR *folder = fd >= 0 ? fdopendir(fd) : NULL;
    if (!folder && fd >= 0)
        close(fd);
    /* cppcheck-suppress readdirCalled ; one thread reads a folder */
    for (struct dirent *entry; folder && (entry = readdir(folder));)
        unlinkat(fd, entry->d_name, 0);
    if (folder)
        closedir(folder);
    unlinkat(folder_fd, name, AT_REMOVEDIR);
}

void litter_remove_folder(const char *path)
{
    remove_folder(AT_FDCWD, path);
}

/* Remove from the folder of path what is stale. */
static void sweep(const char *path, const char *kept)
{
    struct stat st;
    uint32_t here = host();
    char *where = path_folder(path);
    DIR *folder = where ? opendir(where) : NULL;
    /* cppcheck-suppress readdirCalled ; one thread reads a folder */
    for (struct dirent *entry; folder && (entry = readdir(folder));) {
        if (!is_stale(here, entry->d_name, kept) ||
            fstatat(dirfd(folder), entry->d_name, &st, AT_SYMLINK_NOFOLLOW) < 0 ||
            st.st_uid != geteuid())
            continue;
        if (S_ISREG(st.st_mode))
            unlinkat(dirfd(folder), entry->d_name, 0);
        else if (S_ISDIR(st.st_mode))
            remove_folder(dirfd(folder), entry->d_name);
    }
    if (folder)
        closedir(folder);
    free(where);
}

void litter_sweep(const char *path)
{
    sweep(path, path_name(path));
}

void litter_abandon(const char *path)
{
    litter_hold();
    sweep(path, NULL);
}
