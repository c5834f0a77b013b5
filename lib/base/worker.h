/* Threads of the operating system that work for a caller.  ("Thread" alone is a clock of the
 * trace.) */
#ifndef BASE_WORKER_H
#define BASE_WORKER_H

#include <pthread.h>
#include <stdbool.h>

/* How many cores this process may run on; at least 1. */
unsigned worker_cores(void);

/* Start run(user) with all signals blocked, so that the program's handlers stay in threads of its
 * own; the caller joins *out.  False where the system gives no more threads: the caller does the
 * work. */
bool worker_start(pthread_t *out, void *(*run)(void *), void *user);

#endif
