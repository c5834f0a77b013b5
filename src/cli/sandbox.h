/* What a run may open, narrowed before the first byte of a file is parsed: Linux's Landlock. */
#ifndef CLI_SANDBOX_H
#define CLI_SANDBOX_H

#include "cli/options.h"

/* From here on the process may read the traces, what lies below their folders and what the C
 * library loads, may read and write below the folders of its outputs, and may open no other file
 * and no TCP connection.  Descriptors that are open stay as they are.  To be called before threads
 * are made.  Returns the version of Landlock that holds, or 0: the kernel has none, and nothing
 * changes. */
int cli_sandbox_enter(const struct cli_options *options);

/* Whether the program has a sandbox, whatever the kernel has. */
bool cli_sandbox_is_built(void);

#endif
