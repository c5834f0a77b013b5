/* See system.h. */
#include "recorder/system.h"

#include "base/number.h"
#include "recorder/clock.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Machines with 32-bit pointers and 64-bit times have only the call futex_time64. */
#ifndef SYS_futex
#define SYS_futex SYS_futex_time64
#endif

void system_wait(atomic_uint *word, unsigned value)
{
    int reason = errno;
    syscall(SYS_futex, word, FUTEX_WAIT_PRIVATE, value, NULL, NULL, 0);
    errno = reason;
}

void system_wake(atomic_uint *word)
{
    enum { ALL = 1 << 30 };
    int reason = errno;
    syscall(SYS_futex, word, FUTEX_WAKE_PRIVATE, ALL, NULL, NULL, 0);
    errno = reason;
}

static void set_mask(int how, const sigset_t *set, sigset_t *old)
{
    syscall(SYS_rt_sigprocmask, how, set, old, (size_t)_NSIG / 8);
}

void system_block(sigset_t *old)
{
    sigset_t all;
    sigfillset(&all);
    set_mask(SIG_BLOCK, &all, old);
}

void system_restore(const sigset_t *old)
{
    set_mask(SIG_SETMASK, old, NULL);
}

/* The signal by which glibc cancels threads. sigaddset and pthread_sigmask refuse this signal. */
enum { CANCEL_SIGNAL = 32, HELD_BEFORE = 1 << 8 };

static void set_cancel_signal(int how, sigset_t *old)
{
    unsigned long only = 1UL << (CANCEL_SIGNAL - 1);
    sigset_t set;
    sigemptyset(&set);
    memcpy(&set, &only, sizeof only);
    set_mask(how, &set, old);
}

/* Disabling cancellation is not sufficient; the signal must be blocked, too. If pthread_cancel has
 * already sent the signal, glibc 2.36 cancels the thread when the signal arrives. */
int system_hold_cancel(void)
{
    int state;
    unsigned long blocked;
    sigset_t old;
    set_cancel_signal(SIG_BLOCK, &old);
    memcpy(&blocked, &old, sizeof blocked);
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &state);
    return state | (blocked >> (CANCEL_SIGNAL - 1) & 1 ? HELD_BEFORE : 0);
}

/* A pending cancellation takes effect in pthread_setcanceltype. If it took effect in
 * pthread_setcancelstate, glibc 2.36 would give the thread the result NULL. */
void system_release_cancel(int held)
{
    int type = PTHREAD_CANCEL_DEFERRED, state = held & ~HELD_BEFORE;
    if (state == PTHREAD_CANCEL_ENABLE)
        pthread_setcanceltype(PTHREAD_CANCEL_DEFERRED, &type);
    pthread_setcancelstate(state, NULL);
    if (!(held & HELD_BEFORE))
        set_cancel_signal(SIG_UNBLOCK, NULL);
    if (type != PTHREAD_CANCEL_DEFERRED)
        pthread_setcanceltype(type, NULL);
}

void system_lock(struct system_lock *lock)
{
    unsigned free_now = 0;
    int state = system_hold_cancel();
    if (!atomic_compare_exchange_strong(&lock->taken, &free_now, 1))
        while (atomic_exchange(&lock->taken, 2) != 0)
            system_wait(&lock->taken, 2);
    lock->cancel_state = state;
}

void system_unlock(struct system_lock *lock)
{
    int state = lock->cancel_state;
    if (atomic_exchange(&lock->taken, 0) == 2)
        system_wake(&lock->taken);
    system_release_cancel(state);
}

uint32_t system_thread(void)
{
    return (uint32_t)syscall(SYS_gettid);
}

enum { OWN_THREADS = 3 };

/* The routines of the threads of the recorder, so that hooks recognize these threads. */
static _Atomic(own_routine *) own_routines[OWN_THREADS];

bool system_is_own_routine(own_routine *run)
{
    for (unsigned i = 0; i < OWN_THREADS; i++)
        if (atomic_load(&own_routines[i]) == run)
            return true;
    return false;
}

bool system_start_own(own_routine *run)
{
    own_routine *none = NULL;
    sigset_t old;
    pthread_attr_t detached;
    pthread_t thread;
    pthread_attr_init(&detached);
    pthread_attr_setdetachstate(&detached, PTHREAD_CREATE_DETACHED);
    for (unsigned i = 0; i < OWN_THREADS; i++, none = NULL)
        if (atomic_compare_exchange_strong(&own_routines[i], &none, run) || none == run)
            break;
    system_block(&old);
    int reason = pthread_create(&thread, &detached, run, NULL);
    system_restore(&old);
    pthread_attr_destroy(&detached);
    errno = reason;
    return reason == 0;
}

static _Atomic(uint32_t) own_threads[OWN_THREADS];

void system_note_own(void)
{
    uint32_t none = 0;
    for (unsigned i = 0; i < OWN_THREADS; i++, none = 0)
        if (atomic_compare_exchange_strong(&own_threads[i], &none, system_thread()))
            return;
}

bool system_is_own(uint32_t thread)
{
    for (unsigned i = 0; i < OWN_THREADS; i++)
        if (atomic_load(&own_threads[i]) == thread)
            return true;
    return false;
}

static uint64_t ns_of(int64_t seconds, int64_t ns)
{
    return (uint64_t)seconds * CLOCK_NS_PER_S + (uint64_t)ns;
}

uint64_t system_cpu_ns(uint32_t thread)
{
    /* Linux encodes the CPU clock of a thread as this number. */
    clockid_t clock = (clockid_t)(~thread << 3 | 6);
    struct timespec t;
    if (thread >> 31)
        return 0;
    return clock_gettime(clock, &t) == 0 ? ns_of(t.tv_sec, t.tv_nsec) : 0;
}

/* Returns the n-th number, counted from 0, of a text with numbers separated by blanks. */
static uint64_t number_of(const char *text, unsigned n)
{
    for (; n > 0 && text; n--)
        text = (text = strchr(text, ' ')) ? text + 1 : NULL;
    return text ? strtoull(text, NULL, 10) : 0;
}

static uint64_t number_after(const char *text, const char *words)
{
    const char *at = strstr(text, words);
    return at ? strtoull(at + strlen(words), NULL, 10) : 0;
}

enum { TASK_PATH = 64, STAT_BYTES = 4096 };

static void read_all(const char *path, char *out, size_t size)
{
    int state = system_hold_cancel(), reason = errno, fd = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t n = fd >= 0 ? read(fd, out, size - 1) : -1;
    if (fd >= 0)
        close(fd);
    out[n > 0 ? n : 0] = 0;
    errno = reason;
    system_release_cancel(state);
}

/* Read /proc/self/task/THREAD/NAME. */
static void read_task(uint32_t thread, const char *name, char *out, size_t size)
{
    char path[TASK_PATH];
    out[0] = 0;
    if (snprintf(path, sizeof path, "/proc/self/task/%u/%s", (unsigned)thread, name) > 0)
        read_all(path, out, size);
}

/* An entry of a folder, as the kernel returns it. opendir is not used, because it allocates memory
 * and signal handlers must not call it. */
struct linux_dirent {
    uint64_t inode;
    int64_t next;
    uint16_t size;
    uint8_t type;
};

enum { DIRENT_NAME = 19 };

/* Parse the text "RUNNING RUNNABLE SLICES", with times in ns. The text is empty if the kernel does
 * not provide it. */
static void take_schedstat(const char *text, struct ct_times *out)
{
    out->running_ns = number_of(text, 0);
    out->runnable_ns = number_of(text, 1);
}

void system_spent(struct system_spent *out)
{
    enum { NS_PER_US = 1000, MOST = 128 };
    char text[MOST];
    struct rusage usage = {0};
    struct timespec cpu = {0};
    int reason = errno;
    /* clock_gettime comes first, because it updates the counts of the kernel, which may be a tick
     * old. */
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &cpu);
    getrusage(RUSAGE_THREAD, &usage);
    *out = (struct system_spent){
        .cpu_ns = ns_of(cpu.tv_sec, cpu.tv_nsec),
        .voluntary = (uint64_t)usage.ru_nvcsw,
        .involuntary = (uint64_t)usage.ru_nivcsw,
        .times = {
            .user_ns = ns_of(usage.ru_utime.tv_sec, (int64_t)usage.ru_utime.tv_usec * NS_PER_US),
            .system_ns = ns_of(usage.ru_stime.tv_sec, (int64_t)usage.ru_stime.tv_usec * NS_PER_US),
            .page_faults = (uint64_t)usage.ru_minflt + (uint64_t)usage.ru_majflt}};
    system_read_text("/proc/thread-self/schedstat", text, sizeof text);
    take_schedstat(text, &out->times);
    errno = reason;
}

void system_spent_of(uint32_t thread, struct system_spent *out)
{
    /* Positions in "TID (NAME) STATE ...", after the name, which may contain blanks. */
    enum { MINOR_FAULTS = 8, MAJOR_FAULTS = 10, USER = 12, SYSTEM = 13 };
    char text[STAT_BYTES];
    int reason = errno;
    *out = (struct system_spent){.cpu_ns = system_cpu_ns(thread)};
    read_task(thread, "stat", text, sizeof text);
    const char *stat = strrchr(text, ')');
    uint64_t user = number_of(stat, USER), system = number_of(stat, SYSTEM), all = user + system;
    out->times.user_ns = all ? (uint64_t)((uint128)out->cpu_ns * user / all) : out->cpu_ns;
    out->times.system_ns = out->cpu_ns - out->times.user_ns;
    out->times.page_faults = number_of(stat, MINOR_FAULTS) + number_of(stat, MAJOR_FAULTS);
    read_task(thread, "schedstat", text, sizeof text);
    take_schedstat(text, &out->times);
    read_task(thread, "status", text, sizeof text);
    out->voluntary = number_after(text, "\nvoluntary_ctxt_switches:\t");
    out->involuntary = number_after(text, "\nnonvoluntary_ctxt_switches:\t");
    errno = reason;
}

bool system_has_ended(unsigned *status)
{
    /* Positions in "PID (NAME) STATE ...", after the name. */
    enum { THREADS = 18, EXIT_CODE = 50, STATUS_SHIFT = 8, STATUS_MASK = 0xff };
    char text[STAT_BYTES];
    uint64_t own = 0;
    for (unsigned i = 0; i < OWN_THREADS; i++)
        own += atomic_load(&own_threads[i]) != 0;
    read_all("/proc/self/stat", text, sizeof text);
    const char *stat = strrchr(text, ')');
    *status = number_of(stat, EXIT_CODE) >> STATUS_SHIFT & STATUS_MASK;
    /* Until the process ends, a main thread that has ended remains as a zombie. */
    return stat && strncmp(stat, ") Z", 3) == 0 && number_of(stat, THREADS) <= 1 + own;
}

uint64_t system_start_time(void)
{
    enum { START_TIME = 20 }; /* position after the name of the process */
    char text[STAT_BYTES];
    read_all("/proc/self/stat", text, sizeof text);
    return number_of(strrchr(text, ')'), START_TIME);
}

void system_visit_threads(void (*visit)(void *user, uint32_t thread), void *user)
{
    enum { MOST = 4096 };
    _Alignas(struct linux_dirent) char bytes[MOST];
    int reason = errno, fd = open("/proc/self/task", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    long n;
    while (fd >= 0 && (n = syscall(SYS_getdents64, fd, bytes, sizeof bytes)) > 0)
        for (long at = 0; at < n;) {
            struct linux_dirent head;
            memcpy(&head, bytes + at, sizeof head);
            uint32_t thread = (uint32_t)strtoul(bytes + at + DIRENT_NAME, NULL, 10);
            if (thread)
                visit(user, thread);
            at += head.size;
        }
    if (fd >= 0)
        close(fd);
    errno = reason;
}

void system_spent_values(const struct system_spent *spent, uint64_t out[SPENT_VALUES])
{
    const struct ct_times *t = &spent->times;
    const uint64_t values[] = {spent->cpu_ns, spent->voluntary, spent->involuntary, t->user_ns,
                               t->system_ns,  t->page_faults,   t->running_ns,      t->runnable_ns};
    memcpy(out, values, sizeof values);
}

void system_be_quiet(struct system_quiet *q)
{
    sigset_t pending;
    sigemptyset(&q->xfsz);
    sigaddset(&q->xfsz, SIGXFSZ);
    sigpending(&pending);
    q->was_pending = sigismember(&pending, SIGXFSZ) == 1;
    set_mask(SIG_BLOCK, &q->xfsz, &q->old);
}

void system_be_loud(const struct system_quiet *q)
{
    static const struct timespec now = {0};
    int reason = errno;
    if (!q->was_pending)
        while (sigtimedwait(&q->xfsz, NULL, &now) < 0 && errno == EINTR)
            ;
    system_restore(&q->old);
    errno = reason;
}

void *system_map(size_t size)
{
    void *at = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (at == MAP_FAILED)
        return NULL;
    return at;
}

bool system_write(int fd, const void *bytes, size_t size, uint64_t offset)
{
    const char *at = bytes;
    while (size > 0) {
        ssize_t n = pwrite(fd, at, size, (off_t)offset);
        if (n < 0 && errno == EINTR)
            continue;
        if (n == 0)
            errno = ENOSPC;
        if (n <= 0)
            return false;
        at += n;
        size -= (size_t)n;
        offset += (uint64_t)n;
    }
    return true;
}

void system_read_text(const char *path, char *out, size_t size)
{
    read_all(path, out, size);
    out[strcspn(out, "\n")] = 0;
}

void system_say(const char *format, ...)
{
    enum { MOST = 4096 + 256 };
    char text[MOST];
    static const char program[] = "celltrace: ";
    int reason = errno;
    va_list arguments;
    memcpy(text, program, sizeof program);
    va_start(arguments, format);
    int n = vsnprintf(text + sizeof program - 1, sizeof text - sizeof program, format, arguments);
    va_end(arguments);
    size_t size = strlen(text);
    if (n >= 0) {
        int state = system_hold_cancel();
        text[size] = '\n';
        ssize_t written = write(STDERR_FILENO, text, size + 1);
        (void)written; /* a failure cannot be reported */
        system_release_cancel(state);
    }
    errno = reason;
}
