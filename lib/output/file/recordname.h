/* Names of record files. The record file of x.pex is x.TAG.trace, or x.TAG.trace.gz if compressed.
 * If the trace has several buffers, each has a file x.BUFFER.TAG.trace with one TAG for all. TAG is
 * a checksum of the name of the .pex and of everything that determines the records, so two .pex
 * files with different names have different record files. */
#ifndef OUTPUT_FILE_RECORDNAME_H
#define OUTPUT_FILE_RECORDNAME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Size of the end of such a name, for example ".01234567.trace.gz" and a NUL. */
enum { RECORD_TAIL = 20 };

/* The path of the record file for the .pex at path and this tag. buffer is NULL if there is only
 * one. The caller frees the result. NULL: out of memory. */
char *record_path(const char *path, const char *buffer, uint32_t tag, bool gzip);

/* True if record_path can return `name` for this path. */
bool record_is_of(const char *path, const char *name);

/* Find the end that the names of all record files of the .pex `name` share. The end is "" if the
 * file is no .pex or has another kind of record file. False with errno if the file cannot be read.
 * */
bool record_tail(int folder_fd, const char *name, char tail[RECORD_TAIL]);

struct record_list {
    char **paths;
    size_t count, capacity;
};

/* List the existing record files that record_path gave for the .pex at path. Returns false with
 * errno if they cannot be found. Call record_list_fini even then. */
bool record_beside(const char *path, struct record_list *out);
void record_list_fini(struct record_list *list);

#endif
