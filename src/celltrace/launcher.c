/* celltrace(1): makes the folder of a run, and has a program record into it. */
#include "celltrace/launcher_options.h"
#include "tool/usage.h"

#include <cellsync/cellsync.h>

#include <dirent.h>
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { EXIT_TROUBLE = 125, EXIT_NOT_RUN = 126, EXIT_NOT_FOUND = 127 };

static int fail(const char *name, const char *what)
{
    fprintf(stderr, "celltrace: %s: %s\n", usage_visible(name), what);
    return EXIT_TROUBLE;
}

/* Whether one of a job's processes starts this one: they share a folder. */
static bool is_rank(void)
{
    static const char *const names[] = {"PMI_RANK", "PMIX_RANK", "OMPI_COMM_WORLD_RANK",
                                        "SLURM_PROCID"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (getenv(names[i]))
            return true;
    return false;
}

static bool is_empty(const char *folder)
{
    DIR *dir = opendir(folder);
    bool empty = true;
    /* cppcheck-suppress readdirCalled ; of a folder of its own */
    for (const struct dirent *entry; dir && (entry = readdir(dir));)
        empty = empty && (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0);
    if (dir)
        closedir(dir);
    return empty;
}

/* Whether the run in that folder was begun before what started this process was: it is another
 * one.  Both times are of the file systems; a second of doubt is allowed. */
static bool is_older(const char *folder)
{
    enum { DOUBT_S = 2 };
    char path[PATH_MAX + 8], parent[64];
    struct stat clock_file, started;
    if (snprintf(path, sizeof path, "%s/clock", folder) < 0 ||
        snprintf(parent, sizeof parent, "/proc/%ld", (long)getppid()) < 0)
        return false;
    return stat(path, &clock_file) == 0 && stat(parent, &started) == 0 &&
           clock_file.st_mtim.tv_sec + DOUBT_S < started.st_mtim.tv_sec;
}

/* Make the folder, or take one that processes of the same job have made; its full name in out. */
static int make_run(const char *name, char out[PATH_MAX])
{
    enum { MODE = 0777 };
    bool made = mkdir(name, MODE) == 0;
    if (!made && errno != EEXIST)
        return fail(name, strerror(errno));
    if (!realpath(name, out))
        return fail(name, strerror(errno));
    struct stat st;
    if (stat(out, &st) == 0 && !S_ISDIR(st.st_mode))
        return fail(name, "it is not a folder");
    if (!made && (is_rank() ? is_older(out) : !is_empty(out)))
        return fail(name, "it holds something else already; each run wants a folder of its own");
    if (access(out, W_OK | X_OK) < 0)
        return fail(name, strerror(errno));
    return 0;
}

/* The library, beside this program as it was built, or where both are installed. */
static int find_library(char out[PATH_MAX])
{
    static const char *const places[] = {"libcelltrace.so", CELLTRACE_LIBRARY};
    char self[PATH_MAX], path[2 * PATH_MAX];
    ssize_t n = readlink("/proc/self/exe", self, sizeof self - 1);
    self[n > 0 ? n : 0] = 0;
    char *slash = strrchr(self, '/');
    if (slash)
        slash[1] = 0;
    for (size_t i = 0; i < sizeof places / sizeof *places; i++)
        if (snprintf(path, sizeof path, "%s%s", self, places[i]) > 0 && realpath(path, out))
            return strpbrk(out, ": ") ? fail(out, "the loader takes no names with blanks or colons")
                                      : 0;
    return fail(places[1], "the library is not found");
}

/* The file that execvp would run; false: there is none. */
static bool find_program(const char *name, char out[PATH_MAX])
{
    const char *path = getenv("PATH");
    if (strchr(name, '/') || !path)
        return snprintf(out, PATH_MAX, "%s", name) < PATH_MAX;
    for (const char *at = path;; at++) {
        int n = (int)strcspn(at, ":");
        int size = snprintf(out, PATH_MAX, "%.*s%s%s", n, at, n ? "/" : "", name);
        if (size > 0 && size < PATH_MAX && access(out, X_OK) == 0)
            return true;
        at += n;
        if (!*at)
            return false;
    }
}

/* Whether the loader has no part in the program: nothing can be preloaded then. */
static bool is_static(const char *path)
{
    union {
        Elf64_Ehdr wide;
        Elf32_Ehdr narrow;
    } head;
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t n = fd >= 0 ? pread(fd, &head, sizeof head, 0) : -1;
    bool wide = n == (ssize_t)sizeof head && head.wide.e_ident[EI_CLASS] == ELFCLASS64;
    bool elf = n == (ssize_t)sizeof head && memcmp(head.wide.e_ident, ELFMAG, SELFMAG) == 0;
    bool interpreted = false;
    for (unsigned i = 0; elf && wide && i < head.wide.e_phnum; i++) {
        Elf64_Phdr segment;
        off_t at = (off_t)(head.wide.e_phoff + i * sizeof segment);
        interpreted =
            interpreted || (pread(fd, &segment, sizeof segment, at) == (ssize_t)sizeof segment &&
                            segment.p_type == PT_INTERP);
    }
    if (fd >= 0)
        close(fd);
    return elf && wide && !interpreted;
}

/* CELLTRACE, as settings.h reads it. */
static bool set_settings(const struct launcher_options *o, const char *run)
{
    const struct {
        const char *name, *value;
    } parts[] = {{"events", o->events}, {"order", o->order}, {"page", o->page},
                 {"buffer", o->buffer}, {"full", o->full},   {"skew", o->skew},
                 {"run", run}};
    static char text[2 * PATH_MAX];
    size_t size = 0;
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        if (!parts[i].value)
            continue;
        int n = snprintf(text + size, sizeof text - size, "%s%s=%s", size ? ";" : "", parts[i].name,
                         parts[i].value);
        if (n < 0 || (size += (size_t)n) >= sizeof text)
            return false;
    }
    return setenv("CELLTRACE", text, 1) == 0;
}

static bool preload(const char *library)
{
    static const char name[] = "LD_PRELOAD";
    const char *old = getenv(name);
    size_t size = strlen(library) + (old ? strlen(old) : 0) + 2;
    char *both = malloc(size);
    bool good =
        both &&
        snprintf(both, size, "%s%s%s", library, old && *old ? ":" : "", old ? old : "") >= 0 &&
        setenv(name, both, 1) == 0;
    free(both);
    return good;
}

static int launch(const struct launcher_options *o)
{
    char name[64], run[PATH_MAX], library[PATH_MAX], path[PATH_MAX];
    if (!o->run && is_rank())
        return fail("-o", "name the folder of the run, which the processes of a job share");
    if (snprintf(name, sizeof name, "celltrace.%ld", (long)getpid()) < 0)
        return EXIT_TROUBLE;
    int status = find_library(library);
    if (!status && (!find_program(o->program[0], path) || access(path, F_OK) < 0)) {
        fail(o->program[0], "it is not found");
        status = EXIT_NOT_FOUND;
    }
    if (!status)
        status = make_run(o->run ? o->run : name, run);
    if (status)
        return status;
    if (is_static(path))
        fail(o->program[0], "it is linked statically: it records what it is linked to record only");
    if (!set_settings(o, run) || !preload(library))
        return fail(run, strerror(errno));
    execvp(o->program[0], o->program);
    status = errno == ENOENT ? EXIT_NOT_FOUND : EXIT_NOT_RUN;
    fail(o->program[0], strerror(errno));
    return status;
}

int main(int argc, char **argv)
{
    struct launcher_options options;
    switch (launcher_read(argc, argv, &options)) {
    case COMMAND_USAGE:
        return EXIT_TROUBLE;
    case COMMAND_RUN:
        return launch(&options);
    case COMMAND_HELP:
        launcher_print_help();
        break;
    case COMMAND_VERSION:
        printf("celltrace %s\n", CSY_VERSION);
        break;
    }
    if (fflush(stdout) != 0 || ferror(stdout)) {
        fprintf(stderr, "celltrace: standard output: %s\n", strerror(errno));
        return EXIT_TROUBLE;
    }
    return 0;
}
