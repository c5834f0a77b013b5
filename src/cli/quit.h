/* SIGINT, SIGTERM, SIGHUP, SIGQUIT and SIGXCPU: a run they end leaves nothing under temporary
 * names. */
#ifndef CLI_QUIT_H
#define CLI_QUIT_H

#include "cli/options.h"

/* From here on a thread waits for these signals, those that are not ignored; at one it cleans up
 * behind all outputs, and has the process end by it.  Where there can be no thread, signals end the
 * process at once.  Call it while there are no other threads; options must stay. */
void cli_quit_watch(const struct cli_options *options);

#endif
