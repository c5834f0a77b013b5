/* A text that goes to a file, piece by piece, in memory that is there from the start. */
#ifndef CELLTRACE_OUTPUT_H
#define CELLTRACE_OUTPUT_H

#include "celltrace/folder.h"

#include <stdbool.h>
#include <stddef.h>

struct output {
    struct folder *folder;
    const char *name; /* of the temporary file, of the caller, which outlives it */
    int fd;
    bool failed;
    size_t size;
    char *bytes;
};

/* To a new file in place of any of this name; false with errno.  One at a time. */
bool output_open(struct output *out, struct folder *folder, const char *name);

void output_put(struct output *out, const char *bytes, size_t size);

/* At most 1023 bytes, cut. */
void output_say(struct output *out, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Give the file its own name; false with errno: it is removed, and the old one is unchanged. */
bool output_finish(struct output *out, const char *as);

#endif
