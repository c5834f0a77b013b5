/*
 * Spans of distributed tracing: OTLP JSON (OpenTelemetry), Jaeger, and Zipkin.  A format is a tree
 * of field names; the fields mean the same in all of them.
 *
 * The order follows from calls: a span begins after its parent has begun, and a server begins
 * before its client ends, if the client got an answer.  A server span may end after its client
 * span, because a server can send the answer before its span ends.
 *
 * A span has the clock of the host that its resource names by host.name; otherwise the clock of
 * k8s.node.name, otherwise of service.instance.id, otherwise of its resource.
 */
#ifndef TRACE_JSON_SPANS_H
#define TRACE_JSON_SPANS_H

#include "trace/json/items.h"
#include "trace/json/json.h"

/* Meanings of fields, for json_value.what. */
enum span_field {
    SPAN_NOTHING = JSON_WHAT_NONE,
    SPAN_RESOURCE, /* an object with spans of one resource */
    SPAN_RESOURCE_ATTRIBUTE,
    SPAN_KEY, /* of an attribute */
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
    SPAN_TIME,          /* a time inside a span */
    SPAN_ATTRIBUTES,    /* an object or array to which attributes can be added */
    SPAN_ATTRIBUTE_KEY, /* of an attribute of a span */
    SPAN_TAG,           /* a key and its value */
    SPAN_PROCESS_ID,
    SPAN_PROCESS, /* a key, and an object that describes a resource */
    SPAN_SERVICE,
    SPAN_ADDRESS,
    SPAN_TRACE /* an object with the spans and processes of one trace */
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
    SPAN_UNTIMED = 1,   /* it has no begin, so it is no event */
    SPAN_OPEN = 2,      /* it has no end */
    SPAN_FAILED = 4,    /* its status is an error */
    SPAN_AMBIGUOUS = 8, /* other spans have its id */
    SPAN_COPY = 16,     /* the same span is recorded before */
    SPAN_ON_PATH = 32,  /* set only during the search for cycles of parents */
    SPAN_SEEN = 64,
    SPAN_HALF = 128,   /* the server's half of a span that has the id of its client */
    SPAN_FOLLOWS = 256 /* its parent does not wait for it */
};

/* The fields of a document, and the decimals of its times: 10^-9 s are ticks. */
const struct json_object *spans_root(csy_format format, unsigned *root_what);
unsigned spans_decimals(csy_format format);

struct spans_counts {
    uint64_t spans, untimed, backwards, copies, ambiguous, orphans, cyclic, links, lost_links,
        retried, crossing, waiting;
    size_t resources; /* clocks that no host, node, or instance names */
};

/* Read all spans of items->parts, and find their relations.  Items with the flag SPAN_UNTIMED are
 * no events. */
csy_status spans_read(struct items *items, csy_format format, bool nested,
                      struct spans_counts *counts, csy_error *error);

#endif
