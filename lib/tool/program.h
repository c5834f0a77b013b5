/* The frame of a program that solves traces: limits, signals, sandbox, stack, standard output, and
 * exit status. */
#ifndef TOOL_PROGRAM_H
#define TOOL_PROGRAM_H

#include "tool/sandbox.h"
#include "tool/solving.h"

enum program_exit { EXIT_GOOD = 0, EXIT_TROUBLE = 1, EXIT_USAGE = 2, EXIT_INFEASIBLE = 3 };

struct program {
    const struct solving *solving;
    /* All members except the traces. Its outputs must remain valid even after main returns, since
     * signal handling uses them. */
    struct sandbox sandbox;
    csy_status (*work)(void *user);
    void *user;
};

/* Call it at the begin of main. False: exit with EXIT_TROUBLE. */
bool program_begin(void);

/* Do the work, in another thread if this one has a small stack (ulimit -s). */
csy_status program_run(struct program *program);

/* True if the sandbox may be the reason that a file is refused. */
bool program_is_sandboxed(void);

/* Call it at the end of main. Returns the exit status. */
int program_end(const char *name, csy_status status);

/* Print "NAME VERSION" and the features of the build. */
void program_print_version(const char *name);

#endif
