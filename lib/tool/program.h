/* The parts of main that all programs for solving traces share: limits, signals, the sandbox, the
 * stack, standard output, and the exit status. */
#ifndef TOOL_PROGRAM_H
#define TOOL_PROGRAM_H

#include "tool/sandbox.h"
#include "tool/solving.h"

enum program_exit { EXIT_GOOD = 0, EXIT_TROUBLE = 1, EXIT_USAGE = 2, EXIT_INFEASIBLE = 3 };

struct program {
    const struct solving *solving;
    /* The caller sets all members except the traces. The outputs must remain valid even after main
     * returns, because the handling of signals uses them. */
    struct sandbox sandbox;
    csy_status (*work)(void *user);
    void *user;
};

/* Call it at the begin of main. False: exit with EXIT_TROUBLE. */
bool program_begin(void);

/* Do the work. If the stack of this thread is small (ulimit -s), the work is done in another
 * thread. */
csy_status program_run(struct program *program);

/* True if the sandbox may be the reason why a file could not be opened. */
bool program_is_sandboxed(void);

/* Call it at the end of main. Returns the exit status. */
int program_end(const char *name, csy_status status);

/* Print "NAME VERSION" and the features of the build. */
void program_print_version(const char *name);

#endif
