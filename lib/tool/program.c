/* See program.h. */
#include "tool/program.h"

#include "tool/descriptors.h"
#include "tool/show.h"
#include "tool/usage.h"

#include <cellsync/cellsync.h>
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#ifdef HAVE_MALLOPT
#include <malloc.h>

/* Settings of glibc's malloc. Its defaults would keep more and more freed memory. Chunks of 256
 * KiB, which each location of an OTF2 archive needs, are below MMAP_BYTES to reuse freed memory.
 * Otherwise, getting new pages would take three quarters of the time. */
enum { TRIM_BYTES = 1024 * 1024, MMAP_BYTES = 512 * 1024 };
#endif

#define LEAST_BYTES ((uint64_t)1 << 30)

/* GCC defines a macro if a sanitizer is used, and Clang has __has_feature. */
#ifndef __has_feature
#define __has_feature(x) 0
#endif
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__) ||                               \
    __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define SANITIZED true
#else
#define SANITIZED false
#endif

/* Find how much memory of this process counts for RLIMIT_DATA. Returns false if unknown. */
static bool data_bytes(uint64_t *out)
{
    char line[256], *at = line;
    FILE *file = fopen("/proc/self/statm", "re");
    if (!file)
        return false;
    bool good = fgets(line, sizeof line, file) != NULL;
    (void)fclose(file);
    for (int field = 0; good && field < 5; field++)
        (void)strtoull(at, &at, 10);
    char *end = at;
    *out = good ? strtoull(at, &end, 10) * (uint64_t)sysconf(_SC_PAGESIZE) : 0;
    return end > at;
}

/* --- Signals --- */

static sigset_t awaited;
static const char *const *watched;
static size_t nwatched;

static volatile sig_atomic_t pipe_broke;

static void note_pipe(int unused)
{
    (void)unused;
    pipe_broke = 1;
}

bool program_pipe_broke(void)
{
    return pipe_broke != 0;
}

static void *watch(void *unused)
{
    (void)unused;
    int got;
    if (sigwait(&awaited, &got) != 0)
        return NULL;
    for (size_t i = 0; i < nwatched; i++)
        if (watched[i])
            csy_abandon(watched[i]);
    signal(got, SIG_DFL);
    raise(got);
    pthread_sigmask(SIG_UNBLOCK, &awaited, NULL);
    return NULL;
}

/* Start a thread that waits for SIGINT, SIGTERM, SIGHUP, SIGQUIT, and SIGXCPU, except ignored ones.
 * After a signal, the thread removes the temporary files of the n outputs and lets the signal end
 * the process. NULL paths are skipped. If the thread cannot be started, signals end the process at
 * once. Call this before starting other threads. The paths must remain valid. */
static void watch_outputs(const char *const *paths, size_t n)
{
    pthread_t thread;
    sigset_t before;
    bool any = false;
    for (size_t i = 0; i < n; i++)
        any |= paths[i] != NULL;
    if (!any)
        return;
    static const int signals[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGXCPU};
    struct sigaction old;
    sigemptyset(&awaited);
    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++)
        if (sigaction(signals[i], NULL, &old) == 0 && old.sa_handler != SIG_IGN)
            sigaddset(&awaited, signals[i]);
    if (pthread_sigmask(SIG_BLOCK, &awaited, &before) != 0)
        return;
    watched = paths;
    nwatched = n;
    if (pthread_create(&thread, NULL, watch, NULL) == 0)
        pthread_detach(thread);
    else
        pthread_sigmask(SIG_SETMASK, &before, NULL);
}

/* --- Parts of main --- */

enum { STACK_BYTES = 2 << 20 };

static bool sandboxed;

bool program_is_sandboxed(void)
{
    return sandboxed;
}

bool program_begin(void)
{
    struct sigaction old, heed = {.sa_handler = note_pipe};
    if (!descriptors_occupy())
        return false;
    /* Make a write to a pipe without a reader fail, like a write to a full disk. */
    sigemptyset(&heed.sa_mask);
    if (sigaction(SIGPIPE, NULL, &old) == 0 && old.sa_handler != SIG_IGN)
        sigaction(SIGPIPE, &heed, NULL);
    descriptors_raise();
    signal(SIGXFSZ, SIG_IGN); /* if SIGXFSZ is ignored, exceeding a quota is a write error */
#ifdef HAVE_MALLOPT
    mallopt(M_TRIM_THRESHOLD, TRIM_BYTES);
    mallopt(M_MMAP_THRESHOLD, MMAP_BYTES);
#endif
    usage_show = show_name;
    return true;
}

static void enter_sandbox(struct program *program)
{
    const struct solving *solving = program->solving;
    if (solving->no_sandbox)
        return;
    program->sandbox.traces = (const char *const *)solving->traces;
    program->sandbox.ntraces = solving->ntraces;
    sandboxed = sandbox_enter(&program->sandbox) > 0;
    if (solving->verbose)
        fprintf(stderr, "%s: sandbox: %s\n", solving->program,
                sandboxed ? "Landlock" : "none, because this system or this build lacks Landlock");
}

struct job {
    struct program *program;
    bool apart; /* true if work() enters the sandbox, false if program_run has entered it */
    csy_status status;
};

static void *work(void *user)
{
    struct job *job = user;
    if (job->apart)
        enter_sandbox(job->program);
    job->status = job->program->work(job->program->user);
    return NULL;
}

csy_status program_run(struct program *program)
{
    struct rlimit stack, data;
    struct job job = {program, true, CSY_OK};
    bool little = getrlimit(RLIMIT_STACK, &stack) == 0 && stack.rlim_cur < STACK_BYTES;
    /* By default, permit half of the machine's memory, at least 1 GiB, besides the memory in
     * use. */
    uint64_t bytes = program->solving->max_memory, before;
    if (!bytes) {
        long pages = sysconf(_SC_PHYS_PAGES), size = sysconf(_SC_PAGESIZE);
        bytes = pages > 0 && size > 0 ? (uint64_t)pages * (uint64_t)size / 2 : 0;
        bytes = bytes > LEAST_BYTES ? bytes : LEAST_BYTES;
    }
    csy_set_max_memory(bytes);
    /* Beyond the limit, malloc fails. With a sanitizer, malloc would end the program. */
    if (!SANITIZED && data_bytes(&before) && before + bytes >= bytes &&
        getrlimit(RLIMIT_DATA, &data) == 0 && data.rlim_cur > before + bytes) {
        data.rlim_cur = before + bytes;
        setrlimit(RLIMIT_DATA, &data);
    }
    csy_set_terminal(show_is_utf8());
    if (!little)
        enter_sandbox(program);
    watch_outputs(program->sandbox.outputs, program->sandbox.noutputs);
    /* Work in another thread with a large stack, if a thread can be started. */
    pthread_attr_t attributes;
    pthread_t thread;
    bool started = false;
    if (little && pthread_attr_init(&attributes) == 0) {
        started = pthread_attr_setstacksize(&attributes, STACK_BYTES) == 0 &&
                  pthread_create(&thread, &attributes, work, &job) == 0;
        pthread_attr_destroy(&attributes);
    }
    if (started) {
        pthread_join(thread, NULL);
    } else {
        job.apart = little;
        work(&job);
    }
    return job.status;
}

void program_print_version(const char *name)
{
    char features[256];
    csy_features(features, sizeof features);
    printf("%s %s\n%s, %s\n", name, csy_version(), features,
           sandbox_is_built() ? "sandbox by Landlock" : "no sandbox");
}

int program_end(const char *name, csy_status status)
{
    bool unwritten = fflush(stdout) != 0 || ferror(stdout);
    if ((unwritten || status == CSY_IO) && pipe_broke) {
        signal(SIGPIPE, SIG_DFL);
        raise(SIGPIPE);
    }
    if (unwritten) {
        fprintf(stderr, "%s: standard output: %s\n", name, strerror(errno));
        return EXIT_TROUBLE;
    }
    return status == CSY_OK           ? EXIT_GOOD
           : status == CSY_USAGE      ? EXIT_USAGE
           : status == CSY_INFEASIBLE ? EXIT_INFEASIBLE
                                      : EXIT_TROUBLE;
}
