/* Parts of `main`: limits, signals, the sandbox, the stack, and the exit status. If SIGINT,
 * SIGTERM, SIGHUP, SIGQUIT, or SIGXCPU ends the program, no temporary files remain. SIGPIPE ends it
 * as usual, after temporary files were removed. */
#ifndef TOOL_PROGRAM_H
#define TOOL_PROGRAM_H

#include "tool/sandbox.h"
#include "tool/solving.h"

enum program_exit { EXIT_GOOD = 0, EXIT_TROUBLE = 1, EXIT_USAGE = 2, EXIT_INFEASIBLE = 3 };

struct program {
    const struct solving *solving;
    /* The caller sets all members except the traces. The paths of the outputs must remain valid
     * after main returns, because signal handling uses them. */
    struct sandbox sandbox;
    csy_status (*work)(void *user);
    void *user;
};

/* Call program_begin first in main. If it returns false, exit with EXIT_TROUBLE. */
bool program_begin(void);

/* Do the work of a program, in another thread if the present stack is small (ulimit -s). */
csy_status program_run(struct program *program);

/* Returns true if the sandbox may be the reason why a file could not be opened. */
bool program_is_sandboxed(void);

/* Call program_end last in main. Returns the exit status. */
int program_end(const char *name, csy_status status);

/* Returns true if a write failed because a pipe had no reader. */
bool program_pipe_broke(void);

void program_print_version(const char *name);

#endif
