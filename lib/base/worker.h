/* Workers: threads of the operating system that work for a caller. (Elsewhere "thread" means a
 * clock.) */
#ifndef BASE_WORKER_H
#define BASE_WORKER_H

#include <pthread.h>
#include <stdbool.h>

/* Returns the number of cores that this process may use, at least 1. */
unsigned worker_cores(void);

/* Start run(user) in a worker with all signals blocked, so that only the program's own threads
 * handle signals. The caller joins *out. Returns false if no thread is available; the caller must
 * then do the work. */
bool worker_start(pthread_t *out, void *(*run)(void *), void *user);

#endif
