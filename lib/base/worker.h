/* Starts workers: threads of the system. Elsewhere, "thread" is a sequence of records. */
#ifndef BASE_WORKER_H
#define BASE_WORKER_H

#include <pthread.h>
#include <stdbool.h>

/* Returns the number of cores that this process may use, at least 1. */
unsigned worker_cores(void);

/* Call run(user) in a new worker *out, which the caller joins. Signals are blocked in it, so that
 * the program's own threads handle them. If false is returned, the caller does the work itself. */
bool worker_start(pthread_t *out, void *(*run)(void *), void *user);

#endif
