/* Replaces the OTF2 reader in a build without libotf2. Archives are recognized, but refused. */
#include "base/error.h"
#include "trace/otf2/probe.h"
#include "trace/trace.h"

static csy_status refuse(const struct csy_trace *trace, csy_error *error)
{
    return error_set(
        error, CSY_INPUT,
        "%s: this cellsync was built without OTF2; to read archives, build cellsync with "
        "libotf2 3 or later (Debian: libopen-trace-format2-dev)",
        trace->name);
}

static csy_status look(struct csy_trace *trace, csy_error *error)
{
    return refuse(trace, error);
}

static csy_status open_archive(struct csy_trace *trace, uint64_t start, csy_error *error)
{
    (void)start;
    return refuse(trace, error);
}

static void close_archive(struct csy_trace *trace)
{
    (void)trace;
}

/* A source that opens no trace needs no other functions. */
const struct source source_otf2 = {
    .format = CSY_FORMAT_OTF2,
    .written_as = CSY_FORMAT_OTF2,
    .title = "an OTF2 archive",
    .place = "event",
    .probe = otf2_probe,
    .look = look,
    .open = open_archive,
    .close = close_archive,
};
