/* Names of record files. The record file of x.pex is x.TAG.trace, or x.TAG.trace.gz if compressed;
 * with several buffers, x.BUFFER.TAG.trace for each, with one TAG. TAG is a checksum of the name of
 * the .pex and of everything that determines the records, so that two .pex files with different
 * names use different record files. */
#ifndef OUTPUT_FILE_RECORDNAME_H
#define OUTPUT_FILE_RECORDNAME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The end of such a name: ".01234567.trace.gz" and a NUL. */
enum { RECORD_TAIL = 20 };

/* The path of the record file for the .pex at path, with this tag. buffer is NULL unless there are
 * several. The caller frees it. NULL: out of memory. */
char *record_path(const char *path, const char *buffer, uint32_t tag, bool gzip);

/* True if record_path can give `name` for path. */
bool record_is_of(const char *path, const char *name);

/* The end of the names of the record files of the .pex `name` in a folder; "" if it is not a .pex,
 * or if its first record file is not from record_path. False with errno if it cannot be read. */
bool record_tail(int folder_fd, const char *name, char tail[RECORD_TAIL]);

struct record_list {
    char **paths;
    size_t count, capacity;
};

/* List the existing record files that record_path gave for the .pex now at path. False with errno
 * if that is unknown. Call record_list_fini even then. */
bool record_beside(const char *path, struct record_list *out);
void record_list_fini(struct record_list *list);

#endif
