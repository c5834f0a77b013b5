/* celltrace(1): creates the folder of a run, and starts a program that records into it. */
#include "recorder/folder.h"
#include "recorder/launcher/launcher_options.h"
#include "recorder/settings.h"
#include "tool/usage.h"

#include <cellsync/cellsync.h>
#include <dirent.h>
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <link.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* --- How the loader treats a program ------------------------------------------------------- */

enum { OWN_CLASS = sizeof(void *) == 8 ? ELFCLASS64 : ELFCLASS32, TEXT_MAX = 1 << 20 };

struct program {
    int fd; /* descriptor; -1 if the file is no ELF program of this word size */
    ElfW(Ehdr) head;
};

static bool read_at(const struct program *p, void *out, size_t size, uint64_t at)
{
    return at <= INT64_MAX && pread(p->fd, out, size, (off_t)at) == (ssize_t)size;
}

static struct program open_program(const char *path)
{
    struct program p = {.fd = open(path, O_RDONLY | O_CLOEXEC)};
    if (p.fd >= 0 &&
        (!read_at(&p, &p.head, sizeof p.head, 0) || memcmp(p.head.e_ident, ELFMAG, SELFMAG) != 0 ||
         p.head.e_ident[EI_CLASS] != OWN_CLASS)) {
        close(p.fd);
        p.fd = -1;
    }
    return p;
}

static bool read_segment(const struct program *p, unsigned index, ElfW(Phdr) * out)
{
    return index < p->head.e_phnum &&
           read_at(p, out, sizeof *out, p->head.e_phoff + (uint64_t)index * sizeof *out);
}

static bool find_segment(const struct program *p, unsigned type, ElfW(Phdr) * out)
{
    for (unsigned i = 0; read_segment(p, i, out); i++)
        if (out->p_type == type)
            return true;
    return false;
}

/* Read the string table of the program. The caller frees it. Returns NULL on failure. */
static char *read_names(const struct program *p, const ElfW(Dyn) * entries, size_t n, size_t *size)
{
    uint64_t address = 0, at = UINT64_MAX;
    ElfW(Phdr) segment;
    *size = 0;
    for (size_t i = 0; i < n; i++) {
        address = entries[i].d_tag == DT_STRTAB ? entries[i].d_un.d_ptr : address;
        *size = entries[i].d_tag == DT_STRSZ ? (size_t)entries[i].d_un.d_val : *size;
    }
    /* Find the offset of the address in the program's file. */
    for (unsigned i = 0; at == UINT64_MAX && read_segment(p, i, &segment); i++)
        if (segment.p_type == PT_LOAD && address >= segment.p_vaddr &&
            address - segment.p_vaddr < segment.p_filesz)
            at = segment.p_offset + (address - segment.p_vaddr);
    if (*size == 0 || *size > TEXT_MAX)
        return NULL;
    char *text = malloc(*size);
    if (text && read_at(p, text, *size, at) && !text[*size - 1])
        return text;
    free(text);
    return NULL;
}

/* Returns true if the program needs one of these n libraries. */
static bool needed_has(const char *path, const char *const *names, size_t n)
{
    ElfW(Phdr) segment;
    struct program p = open_program(path);
    bool found = false;
    if (p.fd < 0)
        return false;
    if (find_segment(&p, PT_DYNAMIC, &segment) && segment.p_filesz <= TEXT_MAX) {
        ElfW(Dyn) *entries = malloc((size_t)segment.p_filesz + 1);
        size_t size, nentries = (size_t)segment.p_filesz / sizeof *entries;
        char *text = NULL;
        if (entries && read_at(&p, entries, (size_t)segment.p_filesz, segment.p_offset))
            text = read_names(&p, entries, nentries, &size);
        for (size_t i = 0; text && i < nentries && !found; i++)
            for (size_t k = 0; k < n && !found; k++)
                found = entries[i].d_tag == DT_NEEDED && entries[i].d_un.d_val < size &&
                        strcmp(text + entries[i].d_un.d_val, names[k]) == 0;
        free(text);
        free(entries);
    }
    close(p.fd);
    return found;
}

/* --- The launcher -------------------------------------------------------------------------- */

enum { EXIT_TROUBLE = 125, EXIT_NOT_RUN = 126, EXIT_NOT_FOUND = 127 };

static int fail(const char *name, const char *what)
{
    fprintf(stderr, "celltrace: %s: %s\n", usage_visible(name), what);
    return EXIT_TROUBLE;
}

/* Returns true if this process was started as a rank of an MPI job. All ranks use one folder. */
static bool is_rank(void)
{
    static const char *const names[] = {"PMI_RANK", "PMIX_RANK", "OMPI_COMM_WORLD_RANK",
                                        "SLURM_PROCID"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (getenv(names[i]))
            return true;
    return false;
}

static bool is_empty(int fd)
{
    DIR *dir = fdopendir(dup(fd));
    bool empty = true;
    /* cppcheck-suppress readdirCalled ; of a folder of its own */
    for (const struct dirent *entry; dir && (entry = readdir(dir));)
        empty = empty && (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0);
    if (dir)
        closedir(dir);
    return empty;
}

/* Returns true if the folder is older than the parent of this process, and thus belongs to another
 * run. Both times come from file systems, so a difference below DOUBT_S is ignored. */
static bool is_older(int fd)
{
    enum { DOUBT_S = 2 };
    char parent[64];
    struct stat clock_file, started;
    if (snprintf(parent, sizeof parent, "/proc/%ld", (long)getppid()) < 0)
        return false;
    return fstatat(fd, "clock", &clock_file, AT_SYMLINK_NOFOLLOW) == 0 &&
           stat(parent, &started) == 0 &&
           clock_file.st_mtim.tv_sec + DOUBT_S < started.st_mtim.tv_sec;
}

/* Create the folder. If another process of the job created it, use it, and set *made to false.
 * Stores the full name of the folder. Returns 0, or an exit status. */
static int make_run(const char *name, bool *made, char out[PATH_MAX])
{
    *made = mkdir(name, FOLDER_MODE) == 0;
    if (!*made && errno != EEXIST)
        return fail(name, strerror(errno));
    int fd = open(name, O_RDONLY | O_NONBLOCK | O_CLOEXEC | (*made ? O_NOFOLLOW : 0));
    const char *fault = folder_fault(fd);
    if (!fault && !*made && (is_rank() ? is_older(fd) : !is_empty(fd)))
        fault = "the folder is not empty; each run needs a new folder";
    if (!fault && (!realpath(name, out) || access(out, W_OK | X_OK) < 0))
        fault = strerror(errno);
    if (fd >= 0)
        close(fd);
    if (fault && *made)
        rmdir(name);
    return fault ? fail(name, fault) : 0;
}

/* The MPI libraries of each implementation, and the environment variables that its mpirun sets. */
enum { MPI_LIBRARIES = 4 };
static const struct mpi_kind {
    const char *name, *built, *installed;
    const char *needed[MPI_LIBRARIES];
    const char *rank;
} mpi_kinds[] = {
    {"MPICH",
     "libcelltrace-mpich.so",
     CELLTRACE_MODULES "/libcelltrace-mpich.so",
     {"libmpich.so.12", "libmpi.so.12", "libmpichfort.so.12", "libmpifort.so.12"},
     "PMI_RANK"},
    {"Open MPI",
     "libcelltrace-openmpi.so",
     CELLTRACE_MODULES "/libcelltrace-openmpi.so",
     {"libmpi.so.40", "libmpi_mpifh.so.40", "libmpi_usempif08.so.40",
      "libmpi_usempi_ignore_tkr.so.40"},
     "OMPI_COMM_WORLD_RANK"},
};

/* Find a library beside this program in the build folder, or at its installed place. */
static bool find_library(const char *built, const char *installed, char out[PATH_MAX])
{
    const char *const names[] = {built, installed};
    char self[PATH_MAX], path[2 * PATH_MAX];
    ssize_t n = readlink("/proc/self/exe", self, sizeof self - 1);
    self[n > 0 ? n : 0] = 0;
    char *slash = strrchr(self, '/');
    if (slash)
        slash[1] = 0;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (snprintf(path, sizeof path, "%s%s", self, names[i]) > 0 && realpath(path, out))
            return true;
    return false;
}

static int choose_library(const struct launcher_options *o, const char *program, char out[PATH_MAX])
{
    const size_t n = sizeof mpi_kinds / sizeof *mpi_kinds;
    unsigned events = EVENTS_MPI; /* the default records MPI */
    const struct mpi_kind *mpi = NULL;
    bool wanted = !o->events ||
                  (settings_events(o->events, strlen(o->events), &events) && (events & EVENTS_MPI));
    for (size_t i = 0; i < n && wanted && !mpi; i++)
        if (needed_has(program, mpi_kinds[i].needed, MPI_LIBRARIES))
            mpi = &mpi_kinds[i];
    bool linked = mpi != NULL;
    /* A script, or a program that loads libraries itself, is linked with no MPI library. It uses
     * the library of the mpirun that started it, which has set `rank`. Search backwards, because
     * the mpirun of Open MPI, the last kind, may also set the variable of MPICH. */
    for (size_t i = n; i-- > 0 && wanted && !mpi;)
        if (getenv(mpi_kinds[i].rank))
            mpi = &mpi_kinds[i];
    bool found = mpi && find_library(mpi->built, mpi->installed, out);
    if (mpi && !found && linked)
        fprintf(stderr,
                "celltrace: %s: the program uses %s, but celltrace was built without it, so no "
                "calls of MPI are recorded\n",
                usage_visible(program), mpi->name);
    if (!found && !find_library("libcelltrace.so", CELLTRACE_LIBRARY, out))
        return fail(CELLTRACE_LIBRARY, "the library does not exist");
    return strpbrk(out, ": ")
               ? fail(out, "the path of the library must not contain blanks or colons")
               : 0;
}

/* Find the file that execvp would run. Returns false if there is none. */
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

/* Set CELLTRACE in the format of settings.h, and add the library to LD_PRELOAD. */
static bool set_environment(const struct launcher_options *o, const char *run, const char *library)
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
    const char *old = getenv("LD_PRELOAD");
    char *both;
    if (asprintf(&both, "%s%s%s", library, old && *old ? ":" : "", old ? old : "") < 0)
        return false;
    bool good = setenv("CELLTRACE", text, 1) == 0 && setenv("LD_PRELOAD", both, 1) == 0;
    free(both);
    return good;
}

static int launch(const struct launcher_options *o)
{
    char name[64], run[PATH_MAX], library[PATH_MAX], path[PATH_MAX];
    if (!o->run && is_rank())
        return fail("-o", "this option is required in an MPI job, so that all processes write to "
                          "the same folder");
    if (snprintf(name, sizeof name, "celltrace.%ld", (long)getpid()) < 0)
        return EXIT_TROUBLE;
    int status = 0;
    bool made = false;
    if (!find_program(o->program[0], path) || access(path, F_OK) < 0) {
        fail(o->program[0], "program not found");
        status = EXIT_NOT_FOUND;
    }
    if (!status)
        status = choose_library(o, path, library);
    if (!status)
        status = make_run(o->run ? o->run : name, &made, run);
    if (status)
        return status;
    struct program p = open_program(path);
    ElfW(Phdr) segment;
    if (p.fd >= 0 && !find_segment(&p, PT_INTERP, &segment)) /* nothing preloads the library */
        fail(o->program[0], "the program is linked statically, so only events that the program "
                            "itself records are available");
    if (p.fd >= 0)
        close(p.fd);
    if (!set_environment(o, run, library))
        return fail(run, strerror(errno));
    execvp(o->program[0], o->program);
    status = errno == ENOENT ? EXIT_NOT_FOUND : EXIT_NOT_RUN;
    fail(o->program[0], strerror(errno));
    if (made)
        rmdir(run); /* fails if another process of the job writes to the folder */
    return status;
}

int main(int argc, char **argv)
{
    struct launcher_options options;
    enum command_action action = launcher_read(argc, argv, &options);
    if (action == COMMAND_USAGE)
        return EXIT_TROUBLE;
    if (action == COMMAND_RUN)
        return launch(&options);
    if (action == COMMAND_VERSION)
        printf("celltrace %s\n", CSY_VERSION);
    else
        launcher_print_help();
    if (fflush(stdout) != 0 || ferror(stdout)) {
        fprintf(stderr, "celltrace: standard output: %s\n", strerror(errno));
        return EXIT_TROUBLE;
    }
    return 0;
}
