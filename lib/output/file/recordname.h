/* Names of record files, which hold the records of a .pex (PDT-style trace). The record file of
 * x.pex is x.TAG.trace, or x.TAG.trace.gz if compressed. If there are several buffers, each has a
 * file x.BUFFER.TAG.trace with the same TAG. TAG is a checksum of the name of the .pex and of all
 * data that the records depend on, so .pex files with different names have different record
 * files. */
#ifndef OUTPUT_FILE_RECORDNAME_H
#define OUTPUT_FILE_RECORDNAME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Size of the end of a record file's name, such as ".01234567.trace.gz", with a NUL. */
enum { RECORD_TAIL = 20 };

/* Returns the path of a record file, given the path of the .pex and the checksum `tag`, or NULL if
 * out of memory. The caller frees the path. `buffer` is NULL if the trace has only one buffer. */
char *record_path(const char *path, const char *buffer, uint32_t tag, bool gzip);

/* Returns true if `name` may be the name of a record file of the .pex at path. */
bool record_is_of(const char *path, const char *name);

/* Find the end, such as ".01234567.trace", which the names of all record files of a .pex share.
 * `tail` becomes "" if `name` is no .pex. Returns false with errno if the file cannot be read. */
bool record_tail(int folder_fd, const char *name, char tail[RECORD_TAIL]);

struct record_list {
    char **paths;
    size_t count, capacity;
};

/* List the existing files that may be record files of the .pex at path. Returns false with errno if
 * they cannot be found. Call record_list_fini even after a failure. */
bool record_beside(const char *path, struct record_list *out);
void record_list_fini(struct record_list *list);

#endif
