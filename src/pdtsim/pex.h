/* The trace format, version 1 (pex(5)): the file header of the records, and the document beside
 * them. */
#ifndef PDTSIM_PEX_H
#define PDTSIM_PEX_H

#include "pdtsim/options.h"
#include "pdtsim/sink.h"

/* With an unknown number of records, which can be patched in where nothing is compressed. */
void pex_write_header(struct sink *trace);
void pex_patch_count(struct sink *trace, uint64_t records);

/* trace_path: of the records, in the same folder.  main_tid: those of contexts follow it. */
void pex_write_document(struct sink *pex, const struct options *options, const char *trace_path,
                        unsigned main_tid);

#endif
