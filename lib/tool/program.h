/* Parts of `main`: limits, signals, the sandbox, the stack, and the exit status. If SIGINT,
 * SIGTERM, SIGHUP, SIGQUIT, or SIGXCPU ends the program, no temporary files remain. SIGPIPE ends it
 * as usual, after temporary files were removed. */
#ifndef TOOL_PROGRAM_H
#define TOOL_PROGRAM_H

#include "tool/solving.h"

/* Restricts the files that the process may open, by Landlock, before the first byte is parsed. */
struct sandbox {
    const char *const *traces;
    size_t ntraces;
    const char *const *outputs; /* paths of outputs; NULL and "-" are ignored */
    size_t noutputs;
    const char *const *also; /* paths of other files that the program reads; NULL is skipped */
    size_t nalso;
    const char *beside; /* path of another trace, such as the original, or NULL */
    bool links;         /* true if outputs may be links to files of the traces */
    bool temporary;     /* true if a check or sorting needs temporary files */
};

/* Restrict the process, before threads start. It may then read the traces, files below their
 * folders, and files that the C library loads, and may read and write below the folders of its
 * outputs. It may open no other file and no TCP connection. Open descriptors keep their rights.
 * Returns the version of Landlock, or 0 without effect if the kernel has none. */
int sandbox_enter(const struct sandbox *sandbox);

/* Returns true if the program was built with a sandbox, even if the kernel has none. */
bool sandbox_is_built(void);

enum program_exit { EXIT_GOOD = 0, EXIT_TROUBLE = 1, EXIT_USAGE = 2, EXIT_INFEASIBLE = 3 };

struct program {
    const struct solving *solving;
    /* The caller sets all members of `sandbox` except `traces` and `ntraces`. The paths in
     * `outputs` must remain valid after main returns, because signal handling uses them. */
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
