/* Reads the files of symbols that .pex documents name. Each file is read only once. */
#ifndef TRACE_PEX_SYMBOL_FILES_H
#define TRACE_PEX_SYMBOL_FILES_H

#include "base/texts.h"
#include "trace/addresses.h"
#include "trace/trace.h"

struct symbol_table {
    char *path; /* path of the file, or NULL if the symbols are in a document */
    struct symbols symbols;
};

struct symbol_files {
    struct symbol_table **items;
    size_t count, capacity;
    struct texts paths; /* paths of all tables that were read from files */
    size_t *of_path;    /* index in `items` of each path's table */
    size_t of_path_capacity;
    bool misses; /* true if a file is missing; the trace then has a warning */
};

void symbol_files_fini(struct symbol_files *files);

/* Read the symbols that the document at `path` names or contains into *out, which `files` must
 * outlive. The first missing file becomes a warning of the trace. Returns CSY_INPUT for a line that
 * neither nm nor addr2line prints. */
csy_status symbol_files_read(struct symbol_files *files, struct csy_trace *trace, const char *path,
                             const struct said_symbols *said, struct addresses *out,
                             csy_error *error);

#endif
