/* Handles signals. If SIGINT, SIGTERM, SIGHUP, SIGQUIT, or SIGXCPU ends the program, no temporary
 * files remain. SIGPIPE ends the program as usual, after temporary files were removed. */
#ifndef TOOL_QUIT_H
#define TOOL_QUIT_H

#include <stdbool.h>
#include <stddef.h>

/* Start a thread that waits for SIGINT, SIGTERM, SIGHUP, SIGQUIT, and SIGXCPU, except ignored ones.
 * After a signal, the thread removes the temporary files of the n outputs and lets the signal end
 * the process. NULL paths are skipped. If the thread cannot be started, signals end the process at
 * once. Call this before starting other threads. The paths must remain valid. */
void quit_watch(const char *const *paths, size_t n);

/* Make a write to a pipe without a reader fail, like a write to a full disk. quit_pipe_broke then
 * returns true. If SIGPIPE was ignored when the program started, nothing changes. */
void quit_heed_pipe(void);

/* Returns true if a write failed because a pipe had no reader. */
bool quit_pipe_broke(void);

void quit_by_pipe(void);

#endif
