/* The trace format (pex(5)), version 1, or 2 with ranks: file header of records, and document. */
#ifndef PDTSIM_PEX_H
#define PDTSIM_PEX_H

#include "simulator/options.h"
#include "simulator/sink.h"

/* pex_write_header writes a header without the number of records. pex_patch_count inserts the
 * number later, except in a compressed file. */
void pex_write_header(struct sink *trace);
void pex_patch_count(struct sink *trace, uint64_t records);

/* Write the document. trace_paths: the record files of the nodes, in the same folder. The tids of
 * the contexts' threads follow main_tid. */
void pex_write_document(struct sink *pex, const struct options *options, char *const *trace_paths,
                        unsigned main_tid);

void pex_print_escaped(struct sink *pex, const char *text);

#endif
