/* Functions of Linux for the recorder. All of them may be called in signal handlers. */
#ifndef CELLTRACE_SYSTEM_H
#define CELLTRACE_SYSTEM_H

#include <cellsync/celltrace.h>

#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>

/* system_wait waits as long as *word equals value. system_wake wakes all threads that wait for
 * word. */
void system_wait(atomic_uint *word, unsigned value);
void system_wake(atomic_uint *word);

/* The calling thread cannot be cancelled from system_hold_cancel to system_release_cancel, which
 * gets the result of the former. The recorder uses this around calls that are cancellation points,
 * for two reasons: it must not add such points to the program, and no thread may be cancelled while
 * it holds a lock. */
int system_hold_cancel(void);
void system_release_cancel(int held);

/* Block all signals that the C library lets a program block, and restore the old mask. Restoring
 * keeps the signal blocked that system_hold_cancel blocks; pthread_sigmask would unblock it. */
void system_block(sigset_t *old);
void system_restore(const sigset_t *old);

/* A lock that is held only for a short time. The thread that holds it cannot be cancelled. */
struct system_lock {
    atomic_uint taken; /* 0: free; 1: taken; 2: taken, and some thread waits */
    int cancel_state;  /* result of system_hold_cancel for the thread that holds the lock */
};

void system_lock(struct system_lock *lock);
void system_unlock(struct system_lock *lock);

uint32_t system_thread(void);

/* Start a thread of the recorder. All signals are blocked in it, because they belong to the
 * program. It is never joined, because a signal handler may end the process. Returns false with
 * errno on a failure. */
typedef void *own_routine(void *unused);
bool system_start_own(own_routine *run);

/* True if `run` is the function of a thread of the recorder. */
bool system_is_own_routine(own_routine *run);

/* system_note_own registers the calling thread as a thread of the recorder. system_is_own tests
 * whether a thread is one. */
void system_note_own(void);
bool system_is_own(uint32_t thread);

/* True if the main thread has ended and only threads of the recorder are left. *status is set to
 * the exit status of the main thread. */
bool system_has_ended(unsigned *status);

/* The CPU time of a thread of the process; 0 if the thread has ended. */
uint64_t system_cpu_ns(uint32_t thread);

/* Resources that a thread has used since it began; 0 if the system does not report them. */
struct system_spent {
    /* voluntary and involuntary: numbers of switches to another thread */
    uint64_t cpu_ns, voluntary, involuntary;
    struct ct_times times;
};

/* Get the resources that the calling thread has used. */
void system_spent(struct system_spent *out);

/* Call `visit` with the id of each thread of the process. */
void system_visit_threads(void (*visit)(void *user, uint32_t thread), void *user);

/* Get the resources that any thread of the process has used. Its CPU time is divided into user and
 * system time in the proportion of their clock ticks of 10 ms. */
void system_spent_of(uint32_t thread, struct system_spent *out);

/* The number of values in an event with these resources, and the fields of the type of the
 * event. */
enum { SPENT_VALUES = 8 };
#define SPENT_FIELDS                                                                               \
    "cpu:cpu_ns voluntary involuntary user:user_ns system:system_ns page_faults "                  \
    "running:running_ns runnable:runnable_ns"

void system_spent_values(const struct system_spent *spent, uint64_t out[SPENT_VALUES]);

/* Between quiet begin and end, a write beyond the limit of the file size fails, and the program
 * gets no signal. */
struct system_quiet {
    sigset_t xfsz, old;
    bool was_pending;
};

void system_be_quiet(struct system_quiet *q);
void system_be_loud(const struct system_quiet *q);

/* Write all bytes at this offset. Returns false with errno on a failure. */
bool system_write(int fd, const void *bytes, size_t size, uint64_t offset);

/* Read a small file as a text without its line end. The text is "" if the file cannot be read. */
void system_read_text(const char *path, char *out, size_t size);

/* Print "celltrace: ", the text, and a line end to standard error. errno does not change. */
void system_say(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
