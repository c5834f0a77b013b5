/* Restricts the files that the process may open, by Landlock, before the first byte is parsed. */
#ifndef TOOL_SANDBOX_H
#define TOOL_SANDBOX_H

#include <stdbool.h>
#include <stddef.h>

struct sandbox {
    const char *const *traces;
    size_t ntraces;
    const char *const *outputs; /* paths of outputs; NULL and "-" are ignored */
    size_t noutputs;
    const char *const *also; /* paths of more files to read; NULL is skipped */
    size_t nalso;
    const char *beside; /* path of another trace to read, or NULL */
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

#endif
