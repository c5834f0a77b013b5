/* What a run may open, narrowed before the first byte of a file is parsed: Linux's Landlock. */
#ifndef TOOL_SANDBOX_H
#define TOOL_SANDBOX_H

#include <stdbool.h>
#include <stddef.h>

struct sandbox {
    const char *const *traces;
    size_t ntraces;
    const char *const *outputs; /* NULL, and "-": none */
    size_t noutputs;
    const char *const *also; /* files that are read, too; NULL: none */
    size_t nalso;
    const char *beside; /* a trace, or NULL */
    bool links;         /* outputs may get links of files of the traces */
    bool keeps_events;  /* the first trace is checked, whose events are copied if it is a CSV */
};

/* From here on the process may read the traces, what lies below their folders and what the C
 * library loads, may read and write below the folders of its outputs, and may open no other file
 * and no TCP connection.  Descriptors that are open stay as they are.  To be called before threads
 * are made.  Returns the version of Landlock that holds, or 0: the kernel has none, and nothing
 * changes. */
int sandbox_enter(const struct sandbox *sandbox);

/* Whether the program has a sandbox, whatever the kernel has. */
bool sandbox_is_built(void);

#endif
