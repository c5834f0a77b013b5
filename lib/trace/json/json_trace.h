/* A trace read from JSON. */
#ifndef TRACE_JSON_JSON_TRACE_H
#define TRACE_JSON_JSON_TRACE_H

#include "trace/json/chrome.h"
#include "trace/json/items.h"
#include "trace/json/spans.h"

struct json_trace {
    struct items items;
    struct chrome_clocks clocks; /* clocks of Chrome JSON */
};

/* Returns the contents of a trace that a source in trace/json has read. */
const struct json_trace *json_trace_of(const struct csy_trace *trace);

#endif
