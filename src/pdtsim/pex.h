/* The trace format, version 1, or 2 where there are ranks (pex(5)): the file header of the
 * records, and the document beside them. */
#ifndef PDTSIM_PEX_H
#define PDTSIM_PEX_H

#include "pdtsim/options.h"
#include "pdtsim/sink.h"

/* With an unknown number of records, which can be patched in where nothing is compressed. */
void pex_write_header(struct sink *trace);
void pex_patch_count(struct sink *trace, uint64_t records);

/* trace_paths: of the records, a file a node, in the same folder.  main_tid: those of contexts
 * follow it. */
void pex_write_document(struct sink *pex, const struct options *options, char *const *trace_paths,
                        unsigned main_tid);

/* Text within quotes of an attribute. */
void pex_print_escaped(struct sink *pex, const char *text);

#endif
