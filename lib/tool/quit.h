/* SIGINT, SIGTERM, SIGHUP, SIGQUIT, and SIGXCPU leave no temporary files. SIGPIPE ends the program
 * as usual, but after cleaning up. */
#ifndef TOOL_QUIT_H
#define TOOL_QUIT_H

#include <stdbool.h>
#include <stddef.h>

/* Start a thread that waits for these signals, except ignored ones. At a signal it cleans up after
 * the n outputs (NULL: none) and lets the signal end the process. If no thread can be started,
 * signals end the process at once. Call it while there are no other threads; paths must remain
 * valid. */
void quit_watch(const char *const *paths, size_t n);

/* From now on, a write to a pipe without a reader fails, like a write to a full disk, and is
 * remembered. If SIGPIPE was ignored, nothing changes and nothing is remembered. */
void quit_heed_pipe(void);

/* True if there was such a write. */
bool quit_pipe_broke(void);

/* End the process by SIGPIPE. */
void quit_by_pipe(void);

#endif
