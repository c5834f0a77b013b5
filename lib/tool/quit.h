/*
 * SIGINT, SIGTERM, SIGHUP, SIGQUIT and SIGXCPU: a run they end leaves nothing under temporary
 * names.  SIGPIPE: a run ends by it as usual, but only when it has cleaned up.
 */
#ifndef TOOL_QUIT_H
#define TOOL_QUIT_H

#include <stdbool.h>
#include <stddef.h>

/* From here on a thread waits for these signals, those that are not ignored; at one it cleans up
 * after the n outputs (NULL: there is none), and has the process end by it.  Where there can be no
 * thread, signals end the process at once.  Call it while there are no other threads; paths must
 * stay. */
void quit_watch(const char *const *paths, size_t n);

/* From here on a write to a pipe without a reader fails, as to a full disk, and is remembered.
 * Where SIGPIPE was ignored it stays so, and nothing is remembered. */
void quit_heed_pipe(void);

/* Whether there was such a write. */
bool quit_pipe_broke(void);

/* End by SIGPIPE. */
void quit_by_pipe(void);

#endif
