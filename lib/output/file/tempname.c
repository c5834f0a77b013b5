/* Temporary names, and the removal of files that ended processes left under such names. */
#include "output/file/tempname.h"

#include "base/crc.h"
#include "base/process.h"
#include "io/path.h"
#include "output/file/recordname.h"

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
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

enum { NAME_BYTES = 64, ATTEMPTS = 100 };

static pthread_mutex_t naming = PTHREAD_MUTEX_INITIALIZER;
/* Reset the mutex in a forked child process, where no thread would release the mutex. */
static void free_in_child(void)
{
    pthread_mutex_init(&naming, NULL);
}

__attribute__((constructor)) static void watch_forks(void)
{
    (void)pthread_atfork(NULL, NULL, free_in_child);
}

static _Thread_local unsigned held; /* number of calls of tempname_hold still open */
static _Thread_local sigset_t before;

void tempname_hold(void)
{
    sigset_t all;
    if (held++ > 0)
        return;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    pthread_mutex_lock(&naming);
}

void tempname_release(void)
{
    if (--held > 0)
        return;
    pthread_mutex_unlock(&naming);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
}

static uint32_t sum_of(const char *text)
{
    return crc_add(0, (const uint8_t *)text, strlen(text));
}

char *tempname_name(const char *path, unsigned n)
{
    size_t folder = (size_t)(path_name(path) - path);
    char *name = malloc(folder + NAME_BYTES);
    if (!name)
        return NULL;
    memcpy(name, path, folder);
    snprintf(name + folder, NAME_BYTES, ".cellsync.%08" PRIx32 ".%ld.%u", process_host(),
             (long)getpid(), n);
    return name;
}

char *tempname_aside_name(const char *path, unsigned n)
{
    char *name = tempname_name(path, n);
    if (name)
        snprintf(name + strlen(name), 10, ".%08" PRIx32, sum_of(path_name(path)));
    return name;
}

char *tempname_pex_name(const char *path, unsigned n)
{
    char *name = tempname_name(path, n);
    if (name)
        snprintf(name + strlen(name), 5, ".pex");
    return name;
}

char *tempname_take(const char *path, char *make(const char *, unsigned),
                    bool take(void *user, const char *name), void *user)
{
    for (unsigned attempt = 0; attempt < ATTEMPTS; attempt++) {
        char *name = make(path, attempt);
        tempname_hold();
        bool taken = name && take(user, name);
        int failure = errno;
        tempname_release();
        if (!name || taken)
            return name;
        free(name);
        errno = failure;
        if (failure != EEXIST)
            break;
    }
    return NULL;
}

enum kind { FOREIGN, PLAIN, PEX, ASIDE };

/* Parse a temporary name. The kind is FOREIGN unless cellsync made the name on this host. */
static enum kind read_name(uint32_t here, const char *name, long *pid, uint32_t *aside)
{
    char again[NAME_BYTES], *end;
    int length = snprintf(again, sizeof again, ".cellsync.%08" PRIx32 ".", here);
    if (strncmp(name, again, (size_t)length) != 0)
        return FOREIGN;
    *pid = strtol(name + length, &end, 10);
    unsigned long n = *end == '.' ? strtoul(end + 1, &end, 10) : 0;
    if (*pid <= 0 || *pid > INT_MAX)
        return FOREIGN;
    enum kind kind = strcmp(end, ".pex") == 0 ? PEX : *end == '.' ? ASIDE : PLAIN;
    *aside = kind == ASIDE ? (uint32_t)strtoul(end + 1, NULL, 16) : 0;
    length += snprintf(again + length, sizeof again - (size_t)length, "%ld.%lu", *pid, n);
    if (kind == PEX)
        snprintf(again + length, sizeof again - (size_t)length, ".pex");
    if (kind == ASIDE)
        snprintf(again + length, sizeof again - (size_t)length, ".%08" PRIx32, *aside);
    return strcmp(again, name) == 0 ? kind : FOREIGN;
}

/* Returns the next name in an open folder, except "." and "..", or NULL. */
static const char *next_name(DIR *folder)
{
    const struct dirent *entry;
    do {
        /* cppcheck-suppress readdirCalled ; one thread reads a folder */
        entry = readdir(folder);
    } while (entry && (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0));
    return entry ? entry->d_name : NULL;
}

/* Open the folder `name` in an open folder; "." is the open folder itself. */
static DIR *open_inner(int folder_fd, const char *name)
{
    int fd = openat(folder_fd, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    DIR *folder = fd >= 0 ? fdopendir(fd) : NULL;
    if (!folder && fd >= 0)
        close(fd);
    return folder;
}

/* Returns true for a regular file that belongs to this user. */
static bool is_own_file(int folder_fd, const char *name)
{
    struct stat st;
    return fstatat(folder_fd, name, &st, AT_SYMLINK_NOFOLLOW) == 0 && S_ISREG(st.st_mode) &&
           st.st_uid == geteuid();
}

static bool ends_in(const char *name, const char *end)
{
    size_t size = strlen(name), n = strlen(end);
    return size > n && strcmp(name + size - n, end) == 0;
}

/* Returns true if cellsync writes files called `name` in folders of CTF (trace_ctf.c), OTF2
 * (trace_otf2.c), or figures (report.c). */
static bool is_written(int folder_fd, const char *name)
{
    bool archive = ends_in(name, ".otf2") || ends_in(name, ".def") || ends_in(name, ".marker");
    if ((archive || ends_in(name, ".svg")) && is_own_file(folder_fd, name))
        return true;
    /* An OTF2 archive has a file NAME.otf2, which is written first, and a folder NAME beside it. */
    char anchor[NAME_MAX + 1];
    int size = snprintf(anchor, sizeof anchor, "%s.otf2", name);
    bool anchored = size > 0 && (size_t)size < sizeof anchor && is_own_file(folder_fd, anchor);
    DIR *locations = anchored ? open_inner(folder_fd, name) : NULL;
    if (locations) {
        bool good = true;
        for (const char *file; good && (file = next_name(locations));) {
            const char *end = file + strspn(file, "0123456789");
            good =
                end > file && is_own_file(dirfd(locations), file) &&
                (strcmp(end, ".evt") == 0 || strcmp(end, ".def") == 0 || strcmp(end, ".snap") == 0);
        }
        closedir(locations);
        return good;
    }
    size_t word = strcspn(name, "0123456789");
    bool numbered = (word == 3 && strncmp(name, "spe", 3) == 0) ||
                    (word == 5 && strncmp(name, "clock", 5) == 0) ||
                    (word == 7 && strncmp(name, "context", 7) == 0);
    bool made = strcmp(name, "metadata") == 0 || strcmp(name, "ppe") == 0 ||
                strcmp(name, "others") == 0 || strncmp(name, ".cellsync.", 10) == 0 ||
                (numbered && name[word] && !name[word + strspn(name + word, "0123456789")]);
    return made && is_own_file(folder_fd, name);
}

/* Remove a file or an archive. The anchor file is removed last, because it identifies the archive
 * if this process dies early. */
static void drop(int folder_fd, const char *name)
{
    size_t stem = strlen(name) - (ends_in(name, ".otf2") ? strlen(".otf2") : 0);
    char inner[NAME_MAX + 1];
    snprintf(inner, sizeof inner, "%.*s", (int)stem, name);
    DIR *folder = open_inner(folder_fd, inner);
    for (const char *file; folder && (file = next_name(folder));)
        unlinkat(dirfd(folder), file, 0);
    if (folder) {
        closedir(folder);
        unlinkat(folder_fd, inner, AT_REMOVEDIR);
    }
    unlinkat(folder_fd, name, 0);
}

/* Remove a folder and its files. Unless `known`, first test that all files have names that cellsync
 * writes. Try several times, because readdir may miss entries and threads may still write. */
static void remove_folder(int folder_fd, const char *path, bool known)
{
    struct stat st;
    for (int i = 0; i < ATTEMPTS && unlinkat(folder_fd, path, AT_REMOVEDIR) < 0; i++) {
        DIR *folder = open_inner(folder_fd, path);
        if (!folder)
            continue;
        bool good = known || (fstat(dirfd(folder), &st) == 0 && st.st_uid == geteuid());
        for (const char *name; good && !known && (name = next_name(folder));)
            good = is_written(dirfd(folder), name);
        known = good;
        rewinddir(folder);
        for (const char *name; good && (name = next_name(folder));)
            drop(dirfd(folder), name);
        closedir(folder);
    }
}

void tempname_remove_folder(const char *path, bool known)
{
    remove_folder(AT_FDCWD, path, known);
}

/* Remove an entry of a folder if no process needs it any more: if `own` is true, an entry of this
 * process, otherwise an entry of a dead process. */
static void sweep_entry(int folder_fd, const char *name, uint32_t here, bool own)
{
    struct stat st;
    long pid;
    uint32_t sum;
    char tail[RECORD_TAIL]; /* end of the names of record files to remove */
    enum kind kind = read_name(here, name, &pid, &sum);
    if (kind == FOREIGN || fstatat(folder_fd, name, &st, AT_SYMLINK_NOFOLLOW) < 0 ||
        st.st_uid != geteuid() || !(own ? pid == getpid() : process_is_dead(pid)))
        return;
    bool aside = kind == ASIDE && !own, replaced = false;
    bool pex = kind == PEX && record_tail(folder_fd, name, tail) && *tail;
    DIR *folder = aside || pex ? open_inner(folder_fd, ".") : NULL;
    for (const char *other; folder && (other = next_name(folder));) {
        replaced |= aside && sum_of(other) == sum;
        if (pex && ends_in(other, tail) && is_own_file(folder_fd, other))
            unlinkat(folder_fd, other, 0);
    }
    if (folder)
        closedir(folder);
    if (aside && !replaced)
        return;
    if (S_ISREG(st.st_mode))
        unlinkat(folder_fd, name, 0);
    else if (S_ISDIR(st.st_mode))
        remove_folder(folder_fd, name, own);
}

/* Remove all entries that no process needs from the folder that contains path. */
static void sweep(const char *path, bool own)
{
    uint32_t here = process_host();
    char *where = path_folder(path);
    DIR *folder = where ? opendir(where) : NULL;
    bool allowed =
        folder && (own || flock(dirfd(folder), LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK);
    for (const char *name; allowed && (name = next_name(folder));)
        sweep_entry(dirfd(folder), name, here, own);
    if (folder)
        closedir(folder);
    free(where);
}

void tempname_sweep(const char *path)
{
    sweep(path, false);
}

void tempname_abandon(const char *path)
{
    tempname_hold();
    sweep(path, true);
}
