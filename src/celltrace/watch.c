/*
 * See watch.h.  Linux ends a process with its last thread, and the C library calls exit() there; of
 * both the recorder's own threads would be the last.
 *
 * The main thread holds a robust mutex, for which a thread of the recorder waits: the kernel gives
 * it away when the main thread ends, however it does.  Only then, which is rare, that thread looks
 * from time to time which threads are left.
 */
#include "celltrace/watch.h"

#include "celltrace/page.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum { EVERY_NS = 20000000 };

static struct {
    void (*leave)(void);
    pthread_mutex_t held;
    pthread_key_t key;
    atomic_bool called_exit; /* main ended by pthread_exit */
    sigset_t signals;        /* that the main thread blocks */
} watch;

static void note_exit(void *unused)
{
    (void)unused;
    atomic_store(&watch.called_exit, true);
}

static void *run(void *unused)
{
    static const struct timespec a_while = {.tv_nsec = EVERY_NS};
    unsigned status;
    (void)unused;
    system_note_own();
    atomic_store(&local.busy, true); /* its lock is none of the program's */
    if (pthread_mutex_lock(&watch.held) != EOWNERDEAD)
        return NULL;
    while (!system_has_ended(&status))
        nanosleep(&a_while, NULL);
    atomic_store(&local.busy, false);
    pthread_sigmask(SIG_SETMASK, &watch.signals, NULL);
    if (atomic_load(&watch.called_exit))
        exit(0); /* as the C library does in the last thread */
    watch.leave();
    for (;;)
        syscall(SYS_exit_group, status);
}

void watch_begin(void (*leave)(void))
{
    pthread_mutexattr_t robust;
    if (system_thread() != (uint32_t)getpid() || pthread_mutexattr_init(&robust) != 0)
        return;
    watch.leave = leave;
    pthread_mutexattr_setrobust(&robust, PTHREAD_MUTEX_ROBUST);
    pthread_sigmask(SIG_BLOCK, NULL, &watch.signals);
    if (pthread_mutex_init(&watch.held, &robust) == 0 && pthread_mutex_lock(&watch.held) == 0 &&
        pthread_key_create(&watch.key, note_exit) == 0 &&
        pthread_setspecific(watch.key, &watch) == 0)
        system_start_own(run);
    pthread_mutexattr_destroy(&robust);
}
