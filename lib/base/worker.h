/* Workers: threads of the system that work for a caller. (Elsewhere "thread" means a clock.) */
#ifndef BASE_WORKER_H
#define BASE_WORKER_H

#include <pthread.h>
#include <stdbool.h>

/* Returns the number of cores that this process may use, at least 1. */
unsigned worker_cores(void);

/* Start run(user) in a worker with all signals blocked, so that only the program's threads handle
 * signals. The caller joins *out. Returns false if the caller must do the work instead. */
bool worker_start(pthread_t *out, void *(*run)(void *), void *user);

#endif
