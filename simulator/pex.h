/* Writes the trace format of pex(5): the header of record files, and the XML document. The format
 * has version 2 if there are ranks or blocks, otherwise version 1. */
#ifndef PDTSIM_PEX_H
#define PDTSIM_PEX_H

#include "simulator/options.h"
#include "simulator/sink.h"

/* Write the header of a record file, without the number of records. */
void pex_write_header(struct sink *trace);

/* Insert the number of records into the header of a file that is not compressed. */
void pex_patch_count(struct sink *trace, uint64_t records);

/* Write the document. trace_paths are the paths of the record files, one for each node, in one
 * folder. The thread of context i has the tid main_tid + i. */
void pex_write_document(struct sink *pex, const struct options *options, char *const *trace_paths,
                        unsigned main_tid);

/* Write text as the value of an XML attribute, with special characters escaped. */
void pex_print_escaped(struct sink *pex, const char *text);

#endif
