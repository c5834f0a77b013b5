/* Opens the files that the attributes href of a .pex name. */
#ifndef TRACE_PEX_RECORD_FILES_H
#define TRACE_PEX_RECORD_FILES_H

#include "trace/trace.h"

/* Returns the path of an href in the folder of the document, or in the current folder if the
 * document is "-". The caller frees the path. Returns NULL if memory runs out. */
char *record_file_beside(const char *document, const char *href);

/* Open the regular file that an href names, and add the file to trace->files. The file is in the
 * folder of the .pex or, if the .pex is a link, of the link's target. The caller closes *fd unless
 * it is -1, and frees *name after the trace, even after a failure. */
csy_status record_file_open(struct csy_trace *trace, const char *href, char **name, int *fd,
                            uint64_t *bytes, csy_error *error);

/* Returns CSY_INPUT if two items of trace->files are the same file. */
csy_status record_files_part(const struct csy_trace *trace, csy_error *error);

#endif
