/* A process whose main thread has ended, while the recorder's own threads still run. */
#ifndef CELLTRACE_WATCH_H
#define CELLTRACE_WATCH_H

/* From now on the process ends as it would without the recorder: when the main thread, which calls
 * this, and all others of the program have ended.  Then `leave` is called, or exit(), as the C
 * library does if the main thread called pthread_exit.  Calls by other threads change nothing. */
void watch_begin(void (*leave)(void));

#endif
