/* This file replaces trace_otf2.c without libotf2. Archives can then not be read or written. */
#include "base/error.h"
#include "output/trace/trace_out.h"

static csy_status unsupported(const char *path, csy_error *error)
{
    return error_set(error, CSY_USAGE, "%s: this cellsync was built without OTF2", path);
}

csy_status otf2_check_target(const struct csy_trace *trace, const char *path, csy_error *error)
{
    (void)trace;
    return unsupported(path, error);
}

csy_status otf2_write(struct csy_trace *trace, const struct csy_sync *sync,
                      const csy_output *output, const char *path, csy_error *error)
{
    (void)trace, (void)sync, (void)output;
    return unsupported(path, error);
}
