/* Functions of Linux for the recorder. All of them may be called in signal handlers. */
#ifndef CELLTRACE_SYSTEM_H
#define CELLTRACE_SYSTEM_H

#include <cellsync/celltrace.h>

#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>

/* Wait for system_wake if *word equals value. May return earlier. */
void system_wait(atomic_uint *word, unsigned value);

/* Wake all threads that wait for word. */
void system_wake(atomic_uint *word);

/* Make the calling thread uncancellable until it passes the result to system_release_cancel. Call
 * both functions around cancellation points: the recorder must not add cancellation points to the
 * program, and no thread may be cancelled while it holds a lock. */
int system_hold_cancel(void);
void system_release_cancel(int held);

/* Block all signals that the C library lets a program block, and store the old mask. */
void system_block(sigset_t *old);

/* Restore a mask of system_block. Unlike pthread_sigmask, this function keeps the signal of
 * system_hold_cancel blocked. */
void system_restore(const sigset_t *old);

/* A lock that threads hold only for a short time. The thread that holds the lock cannot be
 * cancelled. */
struct system_lock {
    atomic_uint taken; /* 0: free; 1: taken; 2: taken, and some thread waits */
    int cancel_state;  /* for system_unlock: what system_hold_cancel returned in system_lock */
};

void system_lock(struct system_lock *lock);
void system_unlock(struct system_lock *lock);

uint32_t system_thread(void);

/* Start a thread of the recorder. All signals are blocked in the thread, because they belong to the
 * program. The thread is never joined, because a signal handler may end the process. Returns false
 * with errno on failure. */
typedef void *own_routine(void *unused);
bool system_start_own(own_routine *run);

/* Returns true if `run` was started by system_start_own. */
bool system_is_own_routine(own_routine *run);

/* Register the calling thread as a thread of the recorder. */
void system_note_own(void);

/* Returns true if the thread with this id is registered as a thread of the recorder. */
bool system_is_own(uint32_t thread);

/* Returns true if only threads of the recorder are left. Then *status is the exit status of the
 * main thread. */
bool system_has_ended(unsigned *status);

/* Returns the CPU time of a thread of this process, or 0 if the thread has ended. */
uint64_t system_cpu_ns(uint32_t thread);

/* Resources that a thread has used since it began. Values that the system does not report are 0. */
struct system_spent {
    /* voluntary, involuntary: numbers of switches from this thread to another one */
    uint64_t cpu_ns, voluntary, involuntary;
    struct ct_times times;
};

void system_spent(struct system_spent *out);

/* Call `visit` with the id of each thread of the process. */
void system_visit_threads(void (*visit)(void *user, uint32_t thread), void *user);

/* Get the resources of any thread of the process. The kernel counts user and system time in ticks
 * of 10 ms; the exact CPU time is divided in the proportion of these counts. */
void system_spent_of(uint32_t thread, struct system_spent *out);

/* The number of values of an event that contains a struct system_spent, and the fields of its
 * type. */
enum { SPENT_VALUES = 8 };
#define SPENT_FIELDS                                                                               \
    "cpu:cpu_ns voluntary involuntary user:user_ns system:system_ns page_faults "                  \
    "running:running_ns runnable:runnable_ns"

void system_spent_values(const struct system_spent *spent, uint64_t out[SPENT_VALUES]);

/* The signal state that system_be_quiet saves. From then until system_be_loud, writes beyond the
 * limit for file sizes fail without the signal SIGXFSZ. */
struct system_quiet {
    sigset_t xfsz, old;
    bool was_pending;
};

void system_be_quiet(struct system_quiet *q);
void system_be_loud(const struct system_quiet *q);

/* Map cleared memory. Returns NULL with errno on failure. */
void *system_map(size_t size);

bool system_write(int fd, const void *bytes, size_t size, uint64_t offset);

/* Read a small file as a text without its line end. If it cannot be read, the text is empty. */
void system_read_text(const char *path, char *out, size_t size);

/* Returns the start time of the process in clock ticks of the kernel. An exec does not change
 * it. */
uint64_t system_start_time(void);

/* Print "celltrace: ", the text, and a line end to standard error. Keeps errno. */
void system_say(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
