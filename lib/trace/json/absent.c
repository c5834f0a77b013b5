/* Replaces the JSON reader in a build without yajl. JSON files are recognized, but refused. */
#include "base/error.h"
#include "trace/json/probe.h"
#include "trace/trace.h"

static csy_status refuse(const struct csy_trace *trace, csy_error *error)
{
    return error_set(
        error, CSY_INPUT,
        "%s: this cellsync was built without JSON; to read JSON, build cellsync with yajl 2 "
        "(Debian: libyajl-dev)",
        trace->name);
}

static csy_status look(struct csy_trace *trace, csy_error *error)
{
    return refuse(trace, error);
}

static csy_status open_json(struct csy_trace *trace, uint64_t start, csy_error *error)
{
    (void)start;
    return refuse(trace, error);
}

static void close_json(struct csy_trace *trace)
{
    (void)trace;
}

/* A source that opens no trace needs no other functions. */
#define JSON_SOURCE(name_, format_, title_, probe_)                                                \
    const struct source name_ = {                                                                  \
        .format = (format_),                                                                       \
        .written_as = (format_),                                                                   \
        .title = (title_),                                                                         \
        .place = "offset",                                                                         \
        .probe = (probe_),                                                                         \
        .look = look,                                                                              \
        .open = open_json,                                                                         \
        .close = close_json,                                                                       \
    }

JSON_SOURCE(source_json, CSY_FORMAT_AUTO, "JSON", json_probe);
JSON_SOURCE(source_otlp, CSY_FORMAT_OTLP, "OTLP JSON", json_probe_none);
JSON_SOURCE(source_jaeger, CSY_FORMAT_JAEGER, "Jaeger JSON", json_probe_none);
JSON_SOURCE(source_zipkin, CSY_FORMAT_ZIPKIN, "Zipkin JSON", json_probe_none);
JSON_SOURCE(source_chrome, CSY_FORMAT_JSON, "Chrome JSON", json_probe_none);
