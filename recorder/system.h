/* Linux functions for the recorder; all may be called in signal handlers. */
#ifndef CELLTRACE_SYSTEM_H
#define CELLTRACE_SYSTEM_H

#include <cellsync/celltrace.h>

#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>

/* Wait while *word equals value; and wake all waiters. */
void system_wait(atomic_uint *word, unsigned value);
void system_wake(atomic_uint *word);

/* From hold to release, which gets hold's result, the calling thread cannot be cancelled. The
 * recorder holds around cancellation points, so that it adds none to the program, and no thread is
 * cancelled while it holds a lock. */
int system_hold_cancel(void);
void system_release_cancel(int held);

/* Block all signals that the C library lets a program block, and restore the old mask. Unlike
 * pthread_sigmask, restoring leaves the signal blocked that a hold blocks. */
void system_block(sigset_t *old);
void system_restore(const sigset_t *old);

/* A lock held only briefly; its holder cannot be cancelled. */
struct system_lock {
    atomic_uint taken; /* 2: some thread waits */
    int cancel_state;  /* from system_hold_cancel, of the holder */
};

void system_lock(struct system_lock *lock);
void system_unlock(struct system_lock *lock);

uint32_t system_thread(void);

/* Start a thread of the recorder, with all signals blocked, since they belong to the program. It is
 * not joined, because a signal handler may end the process. False with errno. */
typedef void *own_routine(void *unused);
bool system_start_own(own_routine *run);

/* True for the function of such a thread. */
bool system_is_own_routine(own_routine *run);

/* Such a thread registers itself; and test whether a thread is one. */
void system_note_own(void);
bool system_is_own(uint32_t thread);

/* True if the main thread has ended and only threads of the recorder are left; *status gets the
 * main thread's exit status. */
bool system_has_ended(unsigned *status);

/* CPU time of a thread of the process, measured by its clock; 0 if it is gone. */
uint64_t system_cpu_ns(uint32_t thread);

/* Resources that a thread has used since it began; 0 if the system does not report them. */
struct system_spent {
    uint64_t cpu_ns, voluntary, involuntary; /* switches to another thread */
    struct ct_times times;
};

/* The calling thread. */
void system_spent(struct system_spent *out);

/* Call visit for the id of each thread of the process. */
void system_visit_threads(void (*visit)(void *user, uint32_t thread), void *user);

/* The same for any thread of the process. user and system divide its CPU time in proportion to
 * their clock ticks of 10 ms. */
void system_spent_of(uint32_t thread, struct system_spent *out);

/* The values of an event with these, and the fields of its type. */
enum { SPENT_VALUES = 8 };
#define SPENT_FIELDS                                                                               \
    "cpu:cpu_ns voluntary involuntary user:user_ns system:system_ns page_faults "                  \
    "running:running_ns runnable:runnable_ns"

void system_spent_values(const struct system_spent *spent, uint64_t out[SPENT_VALUES]);

/* Between these, exceeding the file size limit is an error, without a signal for the program. */
struct system_quiet {
    sigset_t xfsz, old;
    bool was_pending;
};

void system_be_quiet(struct system_quiet *q);
void system_be_loud(const struct system_quiet *q);

/* Write all of it at this offset, or fail with errno. */
bool system_write(int fd, const void *bytes, size_t size, uint64_t offset);

/* Read a small file as text without its line end; "" if it cannot be read. */
void system_read_text(const char *path, char *out, size_t size);

/* Print "celltrace: ..." and a line end to standard error; errno is preserved. */
void system_say(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
