/* Restricts the files that the process may open, before the first byte of a file is parsed. It uses
 * Landlock of Linux. */
#ifndef TOOL_SANDBOX_H
#define TOOL_SANDBOX_H

#include <stdbool.h>
#include <stddef.h>

struct sandbox {
    const char *const *traces;
    size_t ntraces;
    const char *const *outputs; /* NULL and "-" are ignored */
    size_t noutputs;
    const char *const *also; /* further files to read; NULL items are skipped */
    size_t nalso;
    const char *beside; /* another trace that is read, or NULL */
    bool links;         /* outputs may be links to files of the traces */
    bool keeps_events;  /* the first trace is checked; if it is a CSV, its events are copied */
};

/* Restrict the process. From now on it may read the traces, files below their folders, and files
 * that the C library loads. It may read and write below the folders of its outputs. It may open no
 * other file and no TCP connection. Open descriptors keep their rights. Call it before starting
 * threads. Returns the version of Landlock, or 0 if the kernel has none and nothing changed. */
int sandbox_enter(const struct sandbox *sandbox);

/* True if the program was built with a sandbox, regardless of the kernel. */
bool sandbox_is_built(void);

#endif
