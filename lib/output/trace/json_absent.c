/* Replaces trace_edited.c if yajl is missing. Traces of spans can then not be read or written. */
#include "base/error.h"
#include "output/trace/trace_out.h"

csy_status edited_write(struct csy_trace *trace, const struct csy_sync *sync,
                        struct outfile *const *files, size_t nfiles, csy_error *error)
{
    (void)sync, (void)files, (void)nfiles;
    return error_set(error, CSY_USAGE, "%s: this cellsync was built without JSON", trace->name);
}

csy_status tar_write(struct csy_trace *trace, const struct csy_sync *sync, struct outfile *out,
                     csy_error *error)
{
    return edited_write(trace, sync, &out, 1, error);
}
