/* What the recorder asks of Linux: all of it may be called in signal handlers. */
#ifndef CELLTRACE_SYSTEM_H
#define CELLTRACE_SYSTEM_H

#include <cellsync/celltrace.h>

#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>

/* Wait while *word is value; and wake all who do. */
void system_wait(atomic_uint *word, unsigned value);
void system_wake(atomic_uint *word);

/* A lock that is held for short times only. */
struct system_lock {
    atomic_uint taken; /* 2: some thread waits */
};

void system_lock(struct system_lock *lock);
void system_unlock(struct system_lock *lock);

uint32_t system_thread(void);

/* CPU time of a thread of the process, that a thread alone can know of itself: 0 if it is gone. */
uint64_t system_cpu_ns(uint32_t thread);

/* What the calling thread has spent; switches, which are not in ct_times, may be NULL. */
struct system_switches {
    uint64_t voluntary, involuntary;
};

void system_times(struct ct_times *out, struct system_switches *switches);

/* Between these a file that may not grow is an error like others, and no signal for the program. */
struct system_quiet {
    sigset_t xfsz, old;
    bool was_pending;
};

void system_be_quiet(struct system_quiet *q);
void system_be_loud(const struct system_quiet *q);

/* Open a file under a descriptor that programs do not expect to be free: -1 with errno. */
int system_open(const char *path, int flags);

/* Write all of it there, or fail with errno. */
bool system_write(int fd, const void *bytes, size_t size, uint64_t offset);

/* The text of a small file without its line end; "" if it cannot be read. */
void system_read_text(const char *path, char *out, size_t size);

/* "celltrace: ..." and a line end on standard error, errno as it was. */
void system_say(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
