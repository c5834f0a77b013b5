/*
 * Names of record files.  That of x.pex is x.TAG.trace, packed x.TAG.trace.gz; of several buffers
 * x.BUFFER.TAG.trace each, with one TAG.  TAG is a checksum of
 * the name of the .pex and of what decides what is in the records, so that two .pex with different
 * names name two record files.
 */
#ifndef OUTPUT_FILE_RECORDNAME_H
#define OUTPUT_FILE_RECORDNAME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The end of such a name: ".01234567.trace.gz" and a NUL. */
enum { RECORD_TAIL = 20 };

/* The path of the record file of the .pex that will be at path, with this tag; buffer: of
 * several, else NULL.  The caller frees it.  NULL on no memory. */
char *record_path(const char *path, const char *buffer, uint32_t tag, bool gzip);

/* Whether `name` is one that record_path may give for path. */
bool record_is_of(const char *path, const char *name);

/* How the names end of the record files that the .pex called `name` in a folder names: "" where it
 * is no .pex, or its first is none that record_path may have given.  False where it cannot be read,
 * as errno says. */
bool record_tail(int folder_fd, const char *name, char tail[RECORD_TAIL]);

struct record_list {
    char **paths;
    size_t count, capacity;
};

/* The paths of the record files, those that are there, that record_path gave for the .pex that
 * is at path now; false where that cannot be told, as errno says.  The caller calls
 * record_list_fini even then. */
bool record_beside(const char *path, struct record_list *out);
void record_list_fini(struct record_list *list);

#endif
