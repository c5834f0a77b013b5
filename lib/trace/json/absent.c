/* Replaces the JSON reader in a build without yajl. JSON files are recognized, but refused. */
#include "trace/source.h"

#define JSON_SOURCE(name_, format_, title_, probe_)                                                \
    const struct source name_ = {                                                                  \
        .format = (format_),                                                                       \
        .written_as = (format_),                                                                   \
        .title = (title_),                                                                         \
        .place = "offset",                                                                         \
        .absent = "JSON; to read JSON, build cellsync with yajl 2 (Debian: libyajl-dev)",          \
        .probe = (probe_),                                                                         \
    }

JSON_SOURCE(source_json, CSY_FORMAT_AUTO, "JSON", json_probe);
JSON_SOURCE(source_otlp, CSY_FORMAT_OTLP, "OTLP JSON", NULL);
JSON_SOURCE(source_jaeger, CSY_FORMAT_JAEGER, "Jaeger JSON", NULL);
JSON_SOURCE(source_zipkin, CSY_FORMAT_ZIPKIN, "Zipkin JSON", NULL);
JSON_SOURCE(source_chrome, CSY_FORMAT_JSON, "Chrome JSON", NULL);
