/* See worker.h. */
#include "base/worker.h"

#include <sched.h>
#include <signal.h>
#include <unistd.h>

enum { STACK_BYTES = 1 << 20 };

unsigned worker_cores(void)
{
    int cores = 0;
#ifdef HAVE_SCHED_GETAFFINITY /* count the cores that this process may use */
    cpu_set_t set;
    cores = sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : 0;
#endif
    if (cores == 0)
        cores = (int)sysconf(_SC_NPROCESSORS_ONLN);
    return cores > 0 ? (unsigned)cores : 1;
}

bool worker_start(pthread_t *out, void *(*run)(void *), void *user)
{
    sigset_t all, before;
    sigfillset(&all);
    if (pthread_sigmask(SIG_SETMASK, &all, &before) != 0)
        return false;
    /* do not rely on the default stack size, which `ulimit -s` may make too small */
    pthread_attr_t attributes;
    size_t size;
    bool started = false;
    if (pthread_attr_init(&attributes) == 0) {
        started =
            pthread_attr_getstacksize(&attributes, &size) == 0 &&
            (size >= STACK_BYTES || pthread_attr_setstacksize(&attributes, STACK_BYTES) == 0) &&
            pthread_create(out, &attributes, run, user) == 0;
        pthread_attr_destroy(&attributes);
    }
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return started;
}
