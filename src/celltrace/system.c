/* See system.h. */
#include "celltrace/system.h"

#include "celltrace/clock.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Where pointers have 32 bits and times 64, only that call fits. */
#ifndef SYS_futex
#define SYS_futex SYS_futex_time64
#endif

enum { HIGH_DESCRIPTOR = 700 };

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

void system_lock(struct system_lock *lock)
{
    unsigned free_now = 0;
    if (atomic_compare_exchange_strong(&lock->taken, &free_now, 1))
        return;
    while (atomic_exchange(&lock->taken, 2) != 0)
        system_wait(&lock->taken, 2);
}

void system_unlock(struct system_lock *lock)
{
    if (atomic_exchange(&lock->taken, 0) == 2)
        system_wake(&lock->taken);
}

uint32_t system_thread(void)
{
    return (uint32_t)syscall(SYS_gettid);
}

static uint64_t ns_of(int64_t seconds, int64_t ns)
{
    return (uint64_t)seconds * CLOCK_NS_PER_S + (uint64_t)ns;
}

uint64_t system_cpu_ns(uint32_t thread)
{
    /* The clock of one thread, as the kernel numbers them. */
    clockid_t clock = (clockid_t)(~thread << 3 | 6);
    struct timespec t;
    return clock_gettime(clock, &t) == 0 ? ns_of(t.tv_sec, t.tv_nsec) : 0;
}

/* "RUNNING RUNNABLE SLICES" in ns, where the kernel counts them. */
static void read_schedstat(struct ct_times *out)
{
    char text[128];
    uint64_t values[2] = {0};
    system_read_text("/proc/thread-self/schedstat", text, sizeof text);
    const char *at = text;
    for (int i = 0; i < 2; i++) {
        for (; *at >= '0' && *at <= '9'; at++)
            values[i] = values[i] * 10 + (uint64_t)(*at - '0');
        at += *at == ' ';
    }
    out->running_ns = values[0];
    out->runnable_ns = values[1];
}

void system_times(struct ct_times *out, struct system_switches *switches)
{
    enum { NS_PER_US = 1000 };
    struct rusage usage = {0};
    int reason = errno;
    getrusage(RUSAGE_THREAD, &usage);
    *out = (struct ct_times){
        .user_ns = ns_of(usage.ru_utime.tv_sec, (int64_t)usage.ru_utime.tv_usec * NS_PER_US),
        .system_ns = ns_of(usage.ru_stime.tv_sec, (int64_t)usage.ru_stime.tv_usec * NS_PER_US),
        .page_faults = (uint64_t)usage.ru_minflt + (uint64_t)usage.ru_majflt};
    read_schedstat(out);
    if (switches)
        *switches = (struct system_switches){(uint64_t)usage.ru_nvcsw, (uint64_t)usage.ru_nivcsw};
    errno = reason;
}

void system_be_quiet(struct system_quiet *q)
{
    sigset_t pending;
    sigemptyset(&q->xfsz);
    sigaddset(&q->xfsz, SIGXFSZ);
    sigpending(&pending);
    q->was_pending = sigismember(&pending, SIGXFSZ) == 1;
    pthread_sigmask(SIG_BLOCK, &q->xfsz, &q->old);
}

void system_be_loud(const struct system_quiet *q)
{
    static const struct timespec now = {0};
    int reason = errno;
    if (!q->was_pending)
        while (sigtimedwait(&q->xfsz, NULL, &now) < 0 && errno == EINTR)
            ;
    pthread_sigmask(SIG_SETMASK, &q->old, NULL);
    errno = reason;
}

int system_open(const char *path, int flags)
{
    enum { MODE = 0666 };
    int fd = open(path, flags | O_CLOEXEC, MODE);
    int high = fd >= 0 ? fcntl(fd, F_DUPFD_CLOEXEC, HIGH_DESCRIPTOR) : -1;
    if (high < 0)
        return fd;
    close(fd);
    return high;
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
    int reason = errno, fd = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t n = fd >= 0 ? read(fd, out, size - 1) : -1;
    if (fd >= 0)
        close(fd);
    out[n > 0 ? n : 0] = 0;
    out[strcspn(out, "\n")] = 0;
    errno = reason;
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
        text[size] = '\n';
        ssize_t written = write(STDERR_FILENO, text, size + 1);
        (void)written; /* there is nowhere to say that */
    }
    errno = reason;
}
