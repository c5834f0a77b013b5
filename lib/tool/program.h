/* What is around the work of a program that solves traces: limits, signals, the sandbox, room for a
 * stack, standard output and the exit status. */
#ifndef TOOL_PROGRAM_H
#define TOOL_PROGRAM_H

#include "tool/sandbox.h"
#include "tool/solving.h"

enum program_exit { EXIT_GOOD = 0, EXIT_TROUBLE = 1, EXIT_USAGE = 2, EXIT_INFEASIBLE = 3 };

struct program {
    const struct solving *solving;
    struct sandbox sandbox; /* but for the traces; its outputs must stay, since signals ask for
                               them also when main has returned */
    csy_status (*work)(void *user);
    void *user;
};

/* At the begin of main.  False: EXIT_TROUBLE. */
bool program_begin(void);

/* Do the work, by another thread where this one has little stack (ulimit -s). */
csy_status program_run(struct program *program);

/* Whether files are refused for the sandbox. */
bool program_is_sandboxed(void);

/* At the end of main: its exit status. */
int program_end(const char *name, csy_status status);

/* "NAME VERSION", and what it was built with. */
void program_print_version(const char *name);

#endif
