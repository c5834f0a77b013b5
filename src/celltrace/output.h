/* A text that goes to a file, piece by piece, in memory that is there from the start. */
#ifndef CELLTRACE_OUTPUT_H
#define CELLTRACE_OUTPUT_H

#include <stdbool.h>
#include <stddef.h>

struct output {
    int fd;
    bool failed;
    size_t size;
    char *bytes;
};

/* To a file that is made, or emptied; false with errno.  One at a time. */
bool output_open(struct output *out, const char *path);

void output_put(struct output *out, const char *bytes, size_t size);

/* At most 1023 bytes, cut. */
void output_say(struct output *out, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* What was put is there, under that path in place of path; else false with errno, and neither is
 * changed. */
bool output_finish(struct output *out, const char *path, const char *as);

#endif
