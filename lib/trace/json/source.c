/* The sources for JSON traces: spans, and profiles in Chrome JSON. */
#include "base/array.h"
#include "base/error.h"
#include "base/put.h"
#include "trace/json/items.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { SHOWN_KEYS = 12, SHOWN_KEY_BYTES = 40 };

/* An item makes up to three events: its begin, the item itself, and its end. */
enum part { PART_BEGIN, PART_ITSELF, PART_END, PARTS };

/* The state of a trace: how far its items were read. */
struct place {
    struct json_trace *of;
    size_t item;
    enum part part;
    size_t bare; /* number of events without roles (such as send or receive) since the last event
                  * with roles */
    struct event_roles roles;
    char *keys[ITEM_ROLES]; /* for each role of the last event: text of its keys */
    size_t capacity[ITEM_ROLES];
    struct json_item *last; /* last item that was read, or NULL */
};

const struct json_trace *json_trace_of(const struct csy_trace *trace)
{
    return ((const struct place *)trace->state)->of;
}

/* --- The format ------------------------------------------------------------------------------- */

/* The keys of a JSON document. They show its format. */
struct keys_found {
    struct json_reading json;
    csy_format format;
    struct texts keys;
};

static csy_status take_key(void *user, const struct json_value *value, csy_error *error)
{
    static const struct {
        const char *key;
        csy_format format;
    } decisive[] = {{"resourceSpans", CSY_FORMAT_OTLP}, {"batches", CSY_FORMAT_OTLP},
                    {"traceEvents", CSY_FORMAT_JSON},   {"ph", CSY_FORMAT_JSON},
                    {"traceId", CSY_FORMAT_ZIPKIN},     {"data", CSY_FORMAT_JAEGER},
                    {"spans", CSY_FORMAT_JAEGER},       {"processes", CSY_FORMAT_JAEGER}};
    struct keys_found *found = user;
    uint32_t number;
    if (value->kind != JSON_KEY)
        return CSY_OK;
    for (size_t i = 0; i < sizeof decisive / sizeof *decisive; i++)
        if (value->size == strlen(decisive[i].key) &&
            memcmp(value->text, decisive[i].key, value->size) == 0) {
            found->format = decisive[i].format;
            found->json.stop = true;
            return CSY_OK;
        }
    if (found->keys.count < SHOWN_KEYS + 1 &&
        !texts_find(&found->keys, value->text, value->size, &number, NULL))
        return error_memory(error);
    return CSY_OK;
}

static JSON_OBJECT(any, {NULL, JSON_WHAT_NONE, NULL});

/* Find the format of a JSON trace by the keys in the file. */
static csy_status find_format(struct csy_trace *trace, csy_format *out, csy_error *error)
{
    struct keys_found found = {.format = CSY_FORMAT_AUTO};
    found.json = (struct json_reading){
        .name = trace->name, .root = &any, .take = take_key, .user = &found, .open_ended = true};
    csy_status status = json_read(trace->bytes, &found.json, error);
    if (!status && found.format == CSY_FORMAT_AUTO) {
        char text[SHOWN_KEYS * (4 * SHOWN_KEY_BYTES + 8)], *at = text, key[ERROR_ESCAPED_MAX];
        const struct texts *keys = &found.keys;
        for (size_t i = 0; i < keys->count && i < SHOWN_KEYS; i++) {
            const csy_text item = texts_text(keys, i);
            size_t size = item.size < SHOWN_KEY_BYTES ? item.size : SHOWN_KEY_BYTES;
            at = put_text(at, i > 0 ? ", \"" : "\"");
            at = put_text(at, error_escape(key, item.bytes, size));
            at = put_text(at, "\"");
        }
        *at = 0;
        status = error_set(
            error, CSY_INPUT,
            "%s: this JSON is not a trace in a known format: %s%s%s; expected the key "
            "\"resourceSpans\" (OTLP), \"data\" (Jaeger), \"traceId\" (Zipkin), or \"traceEvents\" "
            "(Chrome)",
            trace->name, keys->count > 0 ? "its top-level keys are " : "it has no keys", text,
            keys->count > SHOWN_KEYS ? ", ..." : "");
    }
    texts_fini(&found.keys);
    bytes_rewind(trace->bytes);
    *out = found.format;
    return status;
}

/* --- Opening --------------------------------------------------------------------------------- */

static void warn(struct csy_trace *trace, uint64_t count, const char *one, const char *several)
{
    if (count > 0)
        trace_warn(trace, "%" PRIu64 " %s", count, count == 1 ? one : several);
}

static void warn_of_spans(struct csy_trace *trace, const struct spans_counts *n)
{
    uint64_t bad = n->ambiguous + n->cyclic;
    warn(trace, n->resources,
         "resource has no host.name, k8s.node.name, or service.instance.id, so it is treated as "
         "one clock, which is wrong if several hosts share its attributes",
         "resources have no host.name, k8s.node.name, or service.instance.id, so each is treated "
         "as one clock, which is wrong if several hosts share its attributes");
    warn(trace, n->orphans,
         "span has a parent that is not in the trace, so its parent gives no order",
         "spans have parents that are not in the trace, so their parents give no order");
    warn(trace, bad,
         "span has the id of another span, or is its own ancestor, so this relation gives no order",
         "spans have the ids of other spans, or are their own ancestors, so these relations give "
         "no order");
    warn(trace, n->untimed + n->backwards, "span has no begin, or ends before its begin",
         "spans have no begin, or end before their begin");
    warn(trace, n->foreign,
         "JSON document has no key of this format, so it is left out, and its times are not "
         "corrected",
         "JSON documents have no key of this format, so they are left out, and their times are not "
         "corrected");
    warn(trace, n->copies, "span is recorded twice", "spans are recorded twice or more often");
    if (n->crossing == 0 && n->spans > 0)
        warn(trace, n->spans,
             "span was read, but it has no parent on another clock, so clocks cannot be compared",
             "spans were read, but no span has a parent on another clock, so clocks cannot be "
             "compared");
}

static void warn_of_events(struct csy_trace *trace, const struct chrome_counts *n, bool several)
{
    warn(trace, n->backwards, "event has a negative duration, so it ends when it begins",
         "events have a negative duration, so they end when they begin");
    if (several)
        warn(trace, n->unnamed,
             "kernel of NCCL has no \"Collective name\", so it gives no order; record the profiles "
             "with a newer version of PyTorch",
             "kernels of NCCL have no \"Collective name\", so they give no order; record the "
             "profiles with a newer version of PyTorch");
    warn(trace, n->unclear,
         "collective operation has no \"Seq\", or a \"Seq\" that occurs twice on one rank, so it "
         "gives no order",
         "collective operations have no \"Seq\", or a \"Seq\" that occurs twice on one rank, so "
         "they give no order");
    warn(
        trace, n->rooted,
        "collective operation has a root that is unknown or was not profiled, so it gives no order",
        "collective operations have a root that is unknown or was not profiled, so they give no "
        "order");
    warn(trace, n->reused_flows, "flow has the id of another flow, so it gives no order",
         "flows have the ids of other flows, so they give no order");
    if (n->flows + n->launches + n->collectives + n->waits == 0)
        warn(
            trace, n->events,
            "event was read, but it has no relation to another clock, so clocks cannot be compared",
            "events were read, but no relation connects different clocks, so clocks cannot be "
            "compared");
}

static csy_status read_parts(struct csy_trace *trace, struct csy_trace *const *parts, size_t n,
                             csy_error *error)
{
    struct json_trace *json = ((struct place *)trace->state)->of;
    json->items.parts = calloc(n + 1, sizeof *json->items.parts);
    if (!json->items.parts)
        return error_memory(error);
    json->items.nparts = n;
    for (size_t i = 0; i < n; i++)
        json->items.parts[i].trace = parts[i];
    csy_status status;
    uint64_t events;
    if (trace->source->format == CSY_FORMAT_JSON) {
        struct chrome_counts counts = {0};
        status = chrome_read(&json->items, trace->name, &json->clocks, &counts, error);
        events = json->items.count;
        warn_of_events(trace, &counts, n > 1);
    } else {
        struct spans_counts counts = {0};
        bool nested = parts[0]->spans == CSY_SPANS_NESTED;
        trace->spans = parts[0]->spans;
        status = spans_read(&json->items, trace->source->format, nested, &counts, error);
        events = counts.spans - counts.untimed;
        warn_of_spans(trace, &counts);
    }
    if (!status && events == 0)
        status = error_set(error, CSY_INPUT, "%s: this file contains no %ss with times",
                           trace->name, trace->source->called);
    return status;
}

static csy_status make_state(struct csy_trace *trace, csy_error *error)
{
    struct place *place = trace->state = calloc(1, sizeof *place);
    if (!place)
        return error_memory(error);
    place->of = calloc(1, sizeof *place->of);
    return place->of ? CSY_OK : error_memory(error);
}

static csy_status open_json(struct csy_trace *trace, uint64_t start, csy_error *error)
{
    csy_format found, asked = trace->source->format;
    trace->record_start = start;
    trace->timebase_hz = 1000000000;
    trace->partial = trace->loose = trace->has_begins = trace->independent = true;
    trace->sends = SENDS_STATED;
    csy_status status = make_state(trace, error);
    if (!status)
        status = bytes_new(trace->fd, trace->name, start, trace->gzip, trace->workers,
                           &trace->bytes, error);
    status = status ? status : find_format(trace, &found, error);
    if (status)
        return status;
    if (asked != CSY_FORMAT_AUTO && asked != found)
        return error_set(error, CSY_USAGE, "%s: this is %s, but expected %s", trace->name,
                         source_of_format(found)->title, trace->source->title);
    trace->source = source_of_format(found);
    if (trace->spans != CSY_SPANS_SOUND && !trace->source->spans)
        return error_set(error, CSY_USAGE, "%s: --spans requires a trace of spans", trace->name);
    return trace->is_part ? CSY_OK : read_parts(trace, &trace, 1, error);
}

/* For source.dates (times are always dates) and source.joins (files are joined by default). */
static bool always(const struct csy_trace *trace)
{
    (void)trace;
    return true;
}

static csy_status join_parts(struct csy_trace *trace, csy_error *error)
{
    trace->source = trace->parts[0]->source;
    csy_status status = make_state(trace, error);
    for (size_t i = 0; i < trace->nparts; i++)
        trace->part_places[i] = (struct part_places){(uint64_t)i << ITEMS_PART_SHIFT, 0};
    return status ? status : read_parts(trace, trace->parts, trace->nparts, error);
}

static void close_place(struct csy_trace *trace)
{
    struct place *place = trace->state;
    if (!place)
        return;
    for (size_t i = 0; i < ITEM_ROLES; i++)
        free(place->keys[i]);
    free(place);
}

static void close_json(struct csy_trace *trace)
{
    struct place *place = trace->state;
    if (!place)
        return;
    if (place->of) {
        items_fini(&place->of->items);
        chrome_clocks_fini(&place->of->clocks);
        free(place->of);
    }
    close_place(trace);
}

static csy_status fork_json(const struct csy_trace *trace, struct csy_trace *fork, csy_error *error)
{
    struct place *place = fork->state = calloc(1, sizeof *place);
    if (!place)
        return error_memory(error);
    place->of = ((const struct place *)trace->state)->of;
    return CSY_OK;
}

static csy_status rewind_json(struct csy_trace *trace, csy_error *error)
{
    struct place *place = trace->state;
    (void)error;
    place->last = NULL;
    place->bare = 0;
    place->item = 0;
    place->part = PART_BEGIN;
    return CSY_OK;
}

/* --- Events ---------------------------------------------------------------------------------- */

/* Set *out to the keys of all roles of the kind `role` that an item has, separated by blanks. */
static csy_status put_keys(struct place *place, enum item_role role, csy_text *out,
                           csy_error *error)
{
    const struct items *items = &place->of->items;
    const uint32_t *first = &items->first_role[place->item];
    size_t size = 0;
    for (uint32_t i = first[0]; i < first[1]; i++) {
        if ((items->roles[i] & ((1U << ITEM_ROLE_BITS) - 1)) != role)
            continue;
        if (!ARRAY_RESERVE(place->keys[role], place->capacity[role], size + NUMBER_DIGITS_MAX + 1))
            return error_memory(error);
        char *at = place->keys[role] + size;
        at = put_text(at, size > 0 ? " " : "");
        at = number_put_unsigned(at, items->roles[i] >> ITEM_ROLE_BITS);
        size = (size_t)(at - place->keys[role]);
    }
    *out = (csy_text){place->keys[role], size};
    return CSY_OK;
}

static void set_event(struct place *place, enum part part, struct event *event)
{
    const struct items *items = &place->of->items;
    struct json_item *item = &items->all[place->item];
    const struct json_track *track = &items->tracks[item->track];
    const char *clock = items->clocks[track->clock].name;
    const csy_text name = texts_text(&items->names, item->name);
    bool same = place->last && place->last->track == item->track;
    event->place = item->place;
    event->stamp =
        (struct named_stamp){.thread = track->name,
                             .thread_size = strlen(track->name),
                             .clock = clock,
                             .clock_size = strlen(clock),
                             .same = same,
                             .time_ticks = part == PART_BEGIN ? item->begin_ticks : item->end_ticks,
                             .interval = part == PART_ITSELF && item->end_ticks > item->begin_ticks,
                             .begin_ticks = item->begin_ticks};
    event->name = name.bytes;
    event->name_size = name.size;
    event->roles = &place->roles;
    place->last = item;
}

static csy_status next_event(struct csy_trace *trace, struct event *event, bool *more,
                             csy_error *error)
{
    struct place *place = trace->state;
    const struct items *items = &place->of->items;
    bool found = false;
    csy_status status = CSY_OK;
    while (!status && !found && place->item < items->count) {
        if (items->all[place->item].flags & SPAN_UNTIMED) {
            place->item++;
            continue;
        }
        enum part part = place->part;
        const uint32_t *first_role = &items->first_role[place->item];
        if (first_role[0] == first_role[1]) {
            if (place->bare++ == 0)
                place->roles = (struct event_roles){.lost = false};
            set_event(place, PART_ITSELF, event);
            place->item++;
            *more = true;
            return CSY_OK;
        }
        place->bare = 0;
        struct event_roles *roles = &place->roles;
        *roles = (struct event_roles){.lost = false};
        if (part == PART_BEGIN) {
            status = put_keys(place, ITEM_RECV_BEGIN, &roles->recv, error);
        } else if (part == PART_END) {
            status = put_keys(place, ITEM_SEND_END, &roles->send, error);
        } else {
            status = put_keys(place, ITEM_SEND, &roles->send, error);
            status = status ? status : put_keys(place, ITEM_RECV_END, &roles->recv, error);
            status = status ? status : put_keys(place, ITEM_ENTER, &roles->enter, error);
            status = status ? status : put_keys(place, ITEM_LEAVE, &roles->leave, error);
        }
        /* Begin and end are events of their own only if messages are sent or received there. */
        found = part == PART_ITSELF || roles->send.size > 0 || roles->recv.size > 0;
        if (!status && found)
            set_event(place, part, event);
        place->part = part + 1 < PARTS ? part + 1 : PART_BEGIN;
        place->item += place->part == PART_BEGIN;
    }
    *more = found;
    return status;
}

static uint64_t time_steps(const struct csy_trace *trace)
{
    const struct place *place = trace->state;
    const struct items *items = &place->of->items;
    return items->clocks[items->tracks[place->last->track].clock].steps;
}

static uint64_t coarsest_steps(const struct csy_trace *trace, const char **clock)
{
    const struct items *items = &((const struct place *)trace->state)->of->items;
    const struct json_clock *coarsest = NULL;
    *clock = NULL;
    for (size_t i = 0; i < items->nclocks; i++)
        if (items->clocks[i].steps > 0 && (!coarsest || items->clocks[i].steps < coarsest->steps))
            coarsest = &items->clocks[i];
    for (size_t i = 0; i < items->nclocks && coarsest; i++)
        if (items->clocks[i].steps > coarsest->steps)
            *clock = coarsest->name;
    return coarsest ? coarsest->steps : 0;
}

static void progress(const struct csy_trace *trace, uint64_t *done, uint64_t *total)
{
    const struct place *place = trace->state;
    *done = place->item;
    *total = place->of->items.count;
}

static const char *keys(const struct csy_trace *trace)
{
    const struct csy_trace *first = trace->parts ? trace->parts[0] : trace;
    return !trace->source->spans ? "operations with the same group and number are one operation, "
                                   "and a flow has only one begin"
           : first->spans == CSY_SPANS_NESTED
               ? "a span begins after its parent, and a server span is within its client span"
               : "a span begins after its parent, and a server span begins before its client ends";
}

#define JSON_SOURCE(name_, format_, title_, called_, spans_, probe_)                               \
    const struct source name_ = {                                                                  \
        .format = (format_),                                                                       \
        .written_as = (format_),                                                                   \
        .title = (title_),                                                                         \
        .place = "offset",                                                                         \
        .called = (called_),                                                                       \
        .spans = (spans_),                                                                         \
        .joins = always,                                                                           \
        .join_parts = join_parts,                                                                  \
        .calls = true,                                                                             \
        .probe = (probe_),                                                                         \
        .open = open_json,                                                                         \
        .rewind = rewind_json,                                                                     \
        .next = next_event,                                                                        \
        .close = close_json,                                                                       \
        .fork = fork_json,                                                                         \
        .join = close_place,                                                                       \
        .time_steps = time_steps,                                                                  \
        .coarsest_steps = coarsest_steps,                                                          \
        .dates = always,                                                                           \
        .keys = keys,                                                                              \
        .progress = progress,                                                                      \
    }

/* This source finds the actual format of a JSON file by its keys. */
JSON_SOURCE(source_json, CSY_FORMAT_AUTO, "JSON", "event", true, json_probe);
JSON_SOURCE(source_otlp, CSY_FORMAT_OTLP, "OTLP JSON", "span", true, NULL);
JSON_SOURCE(source_jaeger, CSY_FORMAT_JAEGER, "Jaeger JSON", "span", true, NULL);
JSON_SOURCE(source_zipkin, CSY_FORMAT_ZIPKIN, "Zipkin JSON", "span", true, NULL);
JSON_SOURCE(source_chrome, CSY_FORMAT_JSON, "Chrome JSON", "event", false, NULL);
