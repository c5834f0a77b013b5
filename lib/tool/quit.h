/* Handling of signals. If SIGINT, SIGTERM, SIGHUP, SIGQUIT, or SIGXCPU ends the program, no
 * temporary files are left. SIGPIPE ends the program as usual, but temporary files are removed
 * before. */
#ifndef TOOL_QUIT_H
#define TOOL_QUIT_H

#include <stdbool.h>
#include <stddef.h>

/* Start a thread that waits for these signals, except for signals that are ignored. When a signal
 * arrives, the thread removes the temporary files of the n outputs (NULL paths are skipped) and
 * lets the signal end the process. If the thread cannot be started, signals end the process at
 * once. Call this while there are no other threads. The paths must remain valid. */
void quit_watch(const char *const *paths, size_t n);

/* From now on, writing to a pipe without a reader fails, as writing to a full disk does, and
 * quit_pipe_broke returns true afterwards. If SIGPIPE was ignored when the program started, this
 * changes nothing. */
void quit_heed_pipe(void);

/* True if a write failed because a pipe had no reader. */
bool quit_pipe_broke(void);

/* End the process by SIGPIPE. */
void quit_by_pipe(void);

#endif
