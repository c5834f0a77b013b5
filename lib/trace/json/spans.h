/* Spans of distributed tracing, in OTLP JSON (OpenTelemetry), Jaeger, and Zipkin. For each format,
 * a tree of field names gives the meanings of fields.
 *
 * The order of events follows from calls. A span begins after its parent has begun. A server span
 * begins before its client span ends, if the client got an answer. It may end later, because a
 * server can send the answer before its span ends.
 *
 * The clock of a span is named by an attribute of its resource: host.name, otherwise k8s.node.name,
 * otherwise service.instance.id. Without these attributes, each resource has its own clock. */
#ifndef TRACE_JSON_SPANS_H
#define TRACE_JSON_SPANS_H

#include "trace/json/items.h"
#include "trace/json/json.h"

/* Meanings of fields, for json_value.what. */
enum span_field {
    SPAN_NOTHING = JSON_WHAT_NONE,
    SPAN_RESOURCE, /* object with the spans of one resource */
    SPAN_RESOURCE_ATTRIBUTE,
    SPAN_KEY, /* key of an attribute */
    SPAN_VALUE,
    SPAN_SPAN,
    SPAN_TRACE_ID,
    SPAN_ID,
    SPAN_PARENT_ID,
    SPAN_NAME,
    SPAN_KIND,
    SPAN_BEGIN,
    SPAN_END,
    SPAN_DURATION,
    SPAN_STATUS,
    SPAN_LINK,
    SPAN_LINK_TRACE_ID,
    SPAN_LINK_ID,
    SPAN_LINK_TYPE,
    SPAN_TIME,          /* time of an event inside a span */
    SPAN_ATTRIBUTES,    /* object or array to which attributes can be added */
    SPAN_ATTRIBUTE_KEY, /* key of an attribute of a span */
    SPAN_TAG,           /* an object with a key and its value */
    SPAN_PROCESS_ID,
    SPAN_PROCESS, /* a key with an object that describes a resource */
    SPAN_SERVICE,
    SPAN_ADDRESS,
    SPAN_TRACE /* object with the spans and processes of one trace */
};

enum span_kind {
    SPAN_KIND_UNKNOWN,
    SPAN_KIND_INTERNAL,
    SPAN_KIND_SERVER,
    SPAN_KIND_CLIENT,
    SPAN_KIND_PRODUCER,
    SPAN_KIND_CONSUMER
};

/* Flags of an item. */
enum {
    SPAN_UNTIMED = 1,   /* the span has no begin, so it is not an event */
    SPAN_OPEN = 2,      /* the span has no end */
    SPAN_FAILED = 4,    /* the span ended with an error */
    SPAN_AMBIGUOUS = 8, /* other spans have the same id */
    SPAN_COPY = 16,     /* the span is a copy of another span */
    SPAN_ON_PATH = 32,  /* set only during the search for cycles of parents */
    SPAN_SEEN = 64,
    SPAN_HALF = 128,   /* the span is a server span with the id of its client span */
    SPAN_FOLLOWS = 256 /* the parent does not wait for the span */
};

/* Returns the tree of fields of a document. *root_what is set to json_reading.root_what. */
const struct json_object *spans_root(csy_format format, unsigned *root_what);

/* Returns the number of decimals of a time in seconds, at most 9. A tick is 10^-9 s. */
unsigned spans_decimals(csy_format format);

struct spans_counts {
    uint64_t spans, untimed, backwards, copies, ambiguous, orphans, cyclic, crossing;
    uint64_t foreign; /* number of JSON documents without a key of this format */
    size_t resources; /* number of clocks that no host, node, or instance names */
};

/* Read all spans of items->parts, and find their relations. Items with the flag SPAN_UNTIMED are
 * not events. */
csy_status spans_read(struct items *items, csy_format format, bool nested,
                      struct spans_counts *counts, csy_error *error);

#endif
