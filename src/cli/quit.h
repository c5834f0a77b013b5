/*
 * SIGINT, SIGTERM, SIGHUP, SIGQUIT and SIGXCPU: a run they end leaves nothing under temporary
 * names.  SIGPIPE: a run ends by it as usual, but only when it has cleaned up.
 */
#ifndef CLI_QUIT_H
#define CLI_QUIT_H

#include "cli/options.h"

/* From here on a thread waits for these signals, those that are not ignored; at one it cleans up
 * behind all outputs, and has the process end by it.  Where there can be no thread, signals end the
 * process at once.  Call it while there are no other threads; options must stay. */
void cli_quit_watch(const struct cli_options *options);

/* From here on a write to a pipe that nobody reads fails, as to a full disk, and is remembered.
 * Where SIGPIPE was ignored it stays so, and nothing is remembered. */
void cli_quit_heed_pipe(void);

/* Whether there was such a write. */
bool cli_quit_pipe_broke(void);

/* End by SIGPIPE. */
void cli_quit_by_pipe(void);

#endif
