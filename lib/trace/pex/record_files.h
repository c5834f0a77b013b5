/* Opens the files that a .pex names: record files, and files of symbols. */
#ifndef TRACE_PEX_RECORD_FILES_H
#define TRACE_PEX_RECORD_FILES_H

#include "base/texts.h"
#include "trace/addresses.h"
#include "trace/trace.h"

/* Open the regular file `href` in the folder of the .pex or, if the file is not there and the .pex
 * is a symbolic link, in the folder of the link's target. Add the file to trace->files. The caller
 * closes *fd unless it is -1, and frees *name after the trace. */
csy_status record_file_open(struct csy_trace *trace, const char *href, char **name, int *fd,
                            uint64_t *bytes, csy_error *error);

/* Returns CSY_INPUT if two items of trace->files are the same file. */
csy_status record_files_part(const struct csy_trace *trace, csy_error *error);

struct symbol_table {
    char *path; /* path of the file, or NULL if the symbols are in a document */
    struct symbols symbols;
};

struct symbol_files {
    struct symbol_table **items;
    size_t count, capacity;
    struct texts paths; /* paths of all tables that were read from files */
    size_t *of_path;    /* for each path: index in `items` of the table that was read from it */
    size_t of_path_capacity;
    bool misses; /* true if a file is missing; the trace then has a warning */
};

void symbol_files_fini(struct symbol_files *files);

/* Read the symbols that the document at `path` names or contains. `files` must outlive *out. Warns
 * if a file is missing. Returns CSY_INPUT for lines that nm and addr2line do not print. */
csy_status symbol_files_read(struct symbol_files *files, struct csy_trace *trace, const char *path,
                             const struct said_symbols *said, struct addresses *out,
                             csy_error *error);

#endif
