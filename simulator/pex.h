/* The trace format, version 1, or 2 with ranks (pex(5)): the file header of the records, and the
 * document. */
#ifndef PDTSIM_PEX_H
#define PDTSIM_PEX_H

#include "simulator/options.h"
#include "simulator/sink.h"

/* Write the header with an unknown number of records, which can be patched in unless the file is
 * compressed. */
void pex_write_header(struct sink *trace);
void pex_patch_count(struct sink *trace, uint64_t records);

/* trace_paths: the record files, one for each node, in the same folder. The tids of contexts follow
 * main_tid. */
void pex_write_document(struct sink *pex, const struct options *options, char *const *trace_paths,
                        unsigned main_tid);

/* Write text within a quoted attribute. */
void pex_print_escaped(struct sink *pex, const char *text);

#endif
