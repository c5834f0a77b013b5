/* See program.h and landlock(7). A ruleset names operations that the kernel then denies to this
 * process, permanently. A rule permits some of them again, for one file or for everything below one
 * folder. A denied operation fails with EACCES. A missing path gets no rule. */
#include "tool/program.h"

#include <sys/syscall.h>

#if defined(__linux__) && defined(SYS_landlock_create_ruleset) && defined(CELLSYNC_SANDBOX)

#include <fcntl.h>
#include <libgen.h>
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <unistd.h>

/* Constants from landlock(7), because installed headers may be older than the kernel. */
enum {
    CREATE_RULESET_VERSION = 1,
    RULE_PATH_BENEATH = 1,
    FS_EXECUTE = 1 << 0,
    FS_WRITE_FILE = 1 << 1,
    FS_READ_FILE = 1 << 2,
    FS_READ_DIR = 1 << 3,
    FS_REMOVE_DIR = 1 << 4,
    FS_REMOVE_FILE = 1 << 5,
    FS_MAKE_DIR = 1 << 7,
    FS_MAKE_REG = 1 << 8,
    FS_ALL = (1 << 13) - 1,
    FS_REFER = 1 << 13,    /* exists from version 2 of Landlock on */
    FS_TRUNCATE = 1 << 14, /* exists from version 3 of Landlock on */
    NET_ALL = 3            /* bind and connect, which exist from version 4 of Landlock on */
};

struct ruleset_attr {
    uint64_t fs, net;
};

/* The struct is packed, because the kernel requires 12 bytes. */
struct __attribute__((packed)) path_beneath_attr {
    uint64_t allowed;
    int32_t fd;
};

struct rules {
    int fd;
    uint64_t handled;
};

enum {
    READ = FS_READ_FILE | FS_READ_DIR,
    WRITE_ONE = FS_READ_FILE | FS_WRITE_FILE | FS_TRUNCATE,
    WRITE = READ | WRITE_ONE | FS_REMOVE_DIR | FS_REMOVE_FILE | FS_MAKE_DIR | FS_MAKE_REG | FS_REFER
};

static void allow(const struct rules *rules, const char *path, uint64_t what)
{
    struct stat st;
    int fd = open(path, O_PATH | O_CLOEXEC);
    if (fd < 0)
        return;
    if (fstat(fd, &st) == 0 && !S_ISDIR(st.st_mode))
        what &= WRITE_ONE; /* for a file, the kernel refuses rights of folders */
    struct path_beneath_attr rule = {what & rules->handled, fd};
    syscall(SYS_landlock_add_rule, rules->fd, RULE_PATH_BENEATH, &rule, 0);
    close(fd);
}

/* Returns false if the path is too long. */
static bool copy_path(char out[PATH_MAX], const char *path)
{
    return snprintf(out, PATH_MAX, "%s", path) < PATH_MAX;
}

static void allow_folder_of(const struct rules *rules, const char *path, uint64_t what)
{
    char copy[PATH_MAX];
    if (copy_path(copy, path))
        allow(rules, dirname(copy), what);
}

/* Follow symbolic links. The final path need not exist. Returns false if a path is too long. */
static bool follow(const char *path, char end[PATH_MAX])
{
    char link[PATH_MAX], copy[PATH_MAX];
    bool good = copy_path(end, path);
    for (int hops = 0; good && hops < 40; hops++) {
        ssize_t n = readlink(end, link, sizeof link - 1);
        if (n < 0)
            return true;
        link[n] = 0;
        good = copy_path(copy, end);
        if (*link == '/')
            good = good && copy_path(end, link);
        else
            good = good && snprintf(end, PATH_MAX, "%s/%s", dirname(copy), link) < PATH_MAX;
    }
    return false;
}

static void allow_temporary(const struct rules *rules)
{
    const char *tmp = getenv("TMPDIR");
    allow(rules, tmp && *tmp ? tmp : "/tmp", WRITE);
}

/* Permit reading a trace and the files in its folder. If `linked` is true, outputs may be hard
 * links to these files, which requires all rights of the output folder. The contents of a pipe or
 * device are copied to a temporary file. */
static void allow_trace(const struct rules *rules, const char *path, bool linked)
{
    struct stat st = {0};
    bool standard = strcmp(path, "-") == 0;
    bool found = (standard ? fstat(STDIN_FILENO, &st) : stat(path, &st)) == 0;
    if (found && !S_ISREG(st.st_mode) && !S_ISDIR(st.st_mode))
        allow_temporary(rules);
    if (standard) { /* for a .pex from standard input, the record files are in the current folder */
        allow(rules, ".", READ);
        return;
    }
    allow(rules, path, READ);
    if (found && !S_ISREG(st.st_mode))
        return;
    char *real = realpath(path, NULL);
    allow_folder_of(rules, path, linked ? WRITE : READ);
    if (real)
        allow_folder_of(rules, real, linked ? WRITE : READ);
    free(real);
}

int sandbox_enter(const struct sandbox *sandbox)
{
    long version = syscall(SYS_landlock_create_ruleset, NULL, 0, CREATE_RULESET_VERSION);
    if (version < 2) /* version 1 of Landlock forbids renaming between folders */
        return 0;
    uint64_t fs = FS_ALL | FS_REFER | (version >= 3 ? (uint64_t)FS_TRUNCATE : 0);
    struct ruleset_attr attr = {fs, NET_ALL};
    size_t size = version >= 4 ? sizeof attr : sizeof attr.fs;
    struct rules rules = {(int)syscall(SYS_landlock_create_ruleset, &attr, size, 0), fs};
    if (rules.fd < 0)
        return 0;
    /* The C library reads these paths to convert characters and to count the processor's cores. */
    static const char *const paths[] = {"/lib",       "/lib64",           "/usr/lib",
                                        "/usr/lib64", "/etc/ld.so.cache", "/sys/devices/system/cpu",
                                        "/proc/stat", "/proc/meminfo"};
    const char *converters = getenv("GCONV_PATH");
    /* The last step of this loop is for sandbox->beside. */
    for (size_t i = 0; i < sandbox->ntraces + (sandbox->beside != NULL); i++) {
        const char *trace = i < sandbox->ntraces ? sandbox->traces[i] : sandbox->beside;
        const char *named = strchr(trace, '=');
        bool names = named && access(trace, F_OK) != 0; /* true for NAME=FILE */
        allow_trace(&rules, names ? named + 1 : trace, sandbox->links);
        if (names || sandbox->ntraces > 1) /* several CSV files are joined in a temporary file */
            allow_temporary(&rules);
    }
    for (size_t i = 0; i < sandbox->noutputs; i++) {
        const char *path = sandbox->outputs[i];
        struct stat st;
        char end[PATH_MAX];
        if (!path || strcmp(path, "-") == 0)
            continue;
        if (stat(path, &st) == 0 && !S_ISREG(st.st_mode) && !S_ISDIR(st.st_mode)) {
            allow(&rules, path, WRITE_ONE); /* the path is a device or a pipe */
            continue;
        }
        allow_folder_of(&rules, path, WRITE);
        if (follow(path, end))
            allow_folder_of(&rules, end, WRITE);
    }
    for (size_t i = 0; i < sandbox->nalso; i++)
        if (sandbox->also[i])
            allow(&rules, sandbox->also[i], READ);
    if (sandbox->temporary)
        allow_temporary(&rules);
    for (size_t i = 0; i < sizeof paths / sizeof *paths; i++)
        allow(&rules, paths[i], READ);
    if (converters)
        allow(&rules, converters, READ);
    bool entered = prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
                   syscall(SYS_landlock_restrict_self, rules.fd, 0) == 0;
    close(rules.fd);
    return entered ? (int)version : 0;
}

bool sandbox_is_built(void)
{
    return true;
}

#else

int sandbox_enter(const struct sandbox *sandbox)
{
    (void)sandbox;
    return 0;
}

bool sandbox_is_built(void)
{
    return false;
}

#endif
