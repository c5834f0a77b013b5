/* Threads of the operating system that work for a caller. (A "thread" without this addition is a
 * clock of the trace.) */
#ifndef BASE_WORKER_H
#define BASE_WORKER_H

#include <pthread.h>
#include <stdbool.h>

/* How many cores this process may use; at least 1. */
unsigned worker_cores(void);

/* Start run(user) with all signals blocked, so that the program's own threads handle signals; the
 * caller joins *out. False if no more threads are available; the caller must do the work. */
bool worker_start(pthread_t *out, void *(*run)(void *), void *user);

#endif
