/* Symbols that documents name, each file of them read once. */
#ifndef TRACE_PEX_SYMBOL_FILES_H
#define TRACE_PEX_SYMBOL_FILES_H

#include "base/texts.h"
#include "trace/addresses.h"
#include "trace/trace.h"

struct symbol_table {
    char *path; /* NULL: not of a file */
    struct symbols symbols;
};

struct symbol_files {
    struct symbol_table **items;
    size_t count, capacity;
    struct texts paths; /* of the items that are files, in their order: */
    size_t *of_path;    /* which item */
    size_t of_path_capacity;
    bool misses; /* a file is not there, and a warning has said so */
};

void symbol_files_fini(struct symbol_files *files);

/* Read the symbols in the files of a document at that path into *out; files must outlive it.  The
 * first missing file is a warning of the trace; CSY_INPUT for a line that is neither from nm nor
 * from addr2line. */
csy_status symbol_files_read(struct symbol_files *files, struct csy_trace *trace, const char *path,
                             const struct said_symbols *said, struct addresses *out,
                             csy_error *error);

#endif
