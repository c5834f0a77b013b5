/* Files of symbols that documents name. Each file is read only once. */
#ifndef TRACE_PEX_SYMBOL_FILES_H
#define TRACE_PEX_SYMBOL_FILES_H

#include "base/texts.h"
#include "trace/addresses.h"
#include "trace/trace.h"

struct symbol_table {
    char *path; /* path of the file; NULL: the symbols are not from a file */
    struct symbols symbols;
};

struct symbol_files {
    struct symbol_table **items;
    size_t count, capacity;
    struct texts paths; /* paths of the items that are files: */
    size_t *of_path;    /* by number of a path in `paths`: the index of its item */
    size_t of_path_capacity;
    bool misses; /* a file does not exist, and the trace has a warning about it */
};

void symbol_files_fini(struct symbol_files *files);

/* Read the symbols that a document at `path` names, including those in files, into *out. files must
 * outlive *out. The first file that does not exist becomes a warning of the trace. CSY_INPUT for a
 * line that neither nm nor addr2line prints. */
csy_status symbol_files_read(struct symbol_files *files, struct csy_trace *trace, const char *path,
                             const struct said_symbols *said, struct addresses *out,
                             csy_error *error);

#endif
