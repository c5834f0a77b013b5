/* What an output cannot be. */
#ifndef OUTPUT_FILE_REFUSE_H
#define OUTPUT_FILE_REFUSE_H

#include "trace/trace.h"

/* CSY_INPUT where path is one of the input's files. */
csy_status refuse_input(const struct csy_trace *input, const char *path, csy_error *error);

/* Say why an output cannot be begun, as errno has it: if it has no folder, which one is missing. */
csy_status refuse_place(const char *path, csy_error *error);

#endif
