/* Checks of output paths. */
#ifndef OUTPUT_FILE_REFUSE_H
#define OUTPUT_FILE_REFUSE_H

#include "trace/trace.h"

/* Returns CSY_INPUT if path is one of the input's files. */
csy_status refuse_input(const struct csy_trace *input, const char *path, csy_error *error);

/* Report, from errno, why an output could not be created. The message names a missing folder. */
csy_status refuse_place(const char *path, csy_error *error);

#endif
