/* Reads spans. See items.h. */
#include "trace/json/items.h"

#include "base/array.h"
#include "base/ascii.h"
#include "base/error.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- The formats ----------------------------------------------------------------------------- */

/* The fields of OTLP, by opentelemetry-proto, trace/v1/trace.proto. */
static JSON_OBJECT(otlp_value, {"stringValue", SPAN_VALUE, NULL}, {"intValue", SPAN_VALUE, NULL},
                   {"boolValue", SPAN_VALUE, NULL}, {"doubleValue", SPAN_VALUE, NULL});
static JSON_OBJECT(otlp_attribute, {"key", SPAN_KEY, NULL}, {"value", SPAN_NOTHING, &otlp_value});
static JSON_OBJECT(otlp_resource, {"attributes", SPAN_RESOURCE_ATTRIBUTE, &otlp_attribute});
static JSON_OBJECT(otlp_status, {"code", SPAN_STATUS, NULL});
static JSON_OBJECT(otlp_key, {"key", SPAN_ATTRIBUTE_KEY, NULL});
static JSON_OBJECT(otlp_link, {"traceId", SPAN_LINK_TRACE_ID, NULL},
                   {"spanId", SPAN_LINK_ID, NULL});
static JSON_OBJECT(otlp_event, {"timeUnixNano", SPAN_TIME, NULL});
static JSON_OBJECT(otlp_span, {"traceId", SPAN_TRACE_ID, NULL}, {"spanId", SPAN_ID, NULL},
                   {"parentSpanId", SPAN_PARENT_ID, NULL}, {"name", SPAN_NAME, NULL},
                   {"kind", SPAN_KIND, NULL}, {"startTimeUnixNano", SPAN_BEGIN, NULL},
                   {"endTimeUnixNano", SPAN_END, NULL}, {"attributes", SPAN_ATTRIBUTES, &otlp_key},
                   {"status", SPAN_NOTHING, &otlp_status}, {"links", SPAN_LINK, &otlp_link},
                   {"events", SPAN_NOTHING, &otlp_event});
static JSON_OBJECT(otlp_scope, {"spans", SPAN_SPAN, &otlp_span});
static JSON_OBJECT(otlp_spans, {"resource", SPAN_NOTHING, &otlp_resource},
                   {"scopeSpans", SPAN_NOTHING, &otlp_scope},
                   {"instrumentationLibrarySpans", SPAN_NOTHING, &otlp_scope});
static JSON_OBJECT(otlp, {"resourceSpans", SPAN_RESOURCE, &otlp_spans},
                   {"batches", SPAN_RESOURCE, &otlp_spans});

/* The fields of Jaeger, as its query service and its user interface write them. */
static JSON_OBJECT(jaeger_tag, {"key", SPAN_KEY, NULL}, {"value", SPAN_VALUE, NULL});
static JSON_OBJECT(jaeger_process, {"serviceName", SPAN_SERVICE, NULL},
                   {"tags", SPAN_RESOURCE_ATTRIBUTE, &jaeger_tag});
static JSON_OBJECT(jaeger_processes, {NULL, SPAN_PROCESS, &jaeger_process});
static JSON_OBJECT(jaeger_reference, {"refType", SPAN_LINK_TYPE, NULL},
                   {"traceID", SPAN_LINK_TRACE_ID, NULL}, {"spanID", SPAN_LINK_ID, NULL});
static JSON_OBJECT(jaeger_log, {"timestamp", SPAN_TIME, NULL});
static JSON_OBJECT(jaeger_span, {"traceID", SPAN_TRACE_ID, NULL}, {"spanID", SPAN_ID, NULL},
                   {"parentSpanID", SPAN_PARENT_ID, NULL}, {"operationName", SPAN_NAME, NULL},
                   {"references", SPAN_LINK, &jaeger_reference}, {"startTime", SPAN_BEGIN, NULL},
                   {"duration", SPAN_DURATION, NULL}, {"tags", SPAN_ATTRIBUTES, &jaeger_tag},
                   {"logs", SPAN_NOTHING, &jaeger_log}, {"processID", SPAN_PROCESS_ID, NULL});
static JSON_OBJECT(jaeger_trace, {"spans", SPAN_SPAN, &jaeger_span},
                   {"processes", SPAN_NOTHING, &jaeger_processes});
static JSON_OBJECT(jaeger, {"data", SPAN_TRACE, &jaeger_trace}, {"spans", SPAN_SPAN, &jaeger_span},
                   {"processes", SPAN_NOTHING, &jaeger_processes});

/* The fields of Zipkin, by version 2 of its API. */
static JSON_OBJECT(zipkin_endpoint, {"serviceName", SPAN_SERVICE, NULL},
                   {"ipv4", SPAN_ADDRESS, NULL}, {"ipv6", SPAN_ADDRESS, NULL});
static JSON_OBJECT(zipkin_annotation, {"timestamp", SPAN_TIME, NULL});
static JSON_OBJECT(zipkin_tags, {NULL, SPAN_TAG, NULL});
static JSON_OBJECT(zipkin, {"traceId", SPAN_TRACE_ID, NULL}, {"id", SPAN_ID, NULL},
                   {"parentId", SPAN_PARENT_ID, NULL}, {"name", SPAN_NAME, NULL},
                   {"kind", SPAN_KIND, NULL}, {"timestamp", SPAN_BEGIN, NULL},
                   {"duration", SPAN_DURATION, NULL},
                   {"localEndpoint", SPAN_NOTHING, &zipkin_endpoint},
                   {"annotations", SPAN_NOTHING, &zipkin_annotation},
                   {"tags", SPAN_ATTRIBUTES, &zipkin_tags});

const struct json_object *spans_root(csy_format format, unsigned *root_what)
{
    *root_what = format == CSY_FORMAT_ZIPKIN   ? SPAN_SPAN
                 : format == CSY_FORMAT_JAEGER ? SPAN_TRACE
                                               : SPAN_NOTHING;
    return format == CSY_FORMAT_ZIPKIN ? &zipkin : format == CSY_FORMAT_JAEGER ? &jaeger : &otlp;
}

unsigned spans_decimals(csy_format format)
{
    return format == CSY_FORMAT_OTLP ? 0 : 3;
}

/* --- Reading --------------------------------------------------------------------------------- */

#define NO_SPAN UINT64_MAX

/* Hashes of the ids of a span and of its parent, each together with the trace id, because ids are
 * unique only in a trace. A hash has 96 bits: 64 bits here, and 32 bits in json_item.tag. */
struct span_ids {
    uint64_t id, parent; /* parent: hash of the parent's id, or 0; find_parents replaces it by an
                          * item or NO_SPAN */
};

struct span_link {
    uint64_t id;
    uint32_t tag, item;
};

struct wide_id {
    uint64_t high, low;
};

enum resource_name {
    RESOURCE_HOST,
    RESOURCE_NODE,
    RESOURCE_INSTANCE,
    RESOURCE_ITSELF,
    RESOURCE_NAMES
};

enum { RESOURCE_NAME_MAX = 500 }; /* longer texts, in bytes, are not used as names */

/* A resource, as OpenTelemetry calls a program that records spans. */
struct resource {
    char *names[RESOURCE_NAMES]; /* values of the attributes that may name the clock, or NULL */
    char *service;
    uint64_t sum; /* sum of the hashes of all attributes, which does not depend on their order */
};

struct reading {
    struct json_reading json;
    csy_format format;
    bool nested;
    bool no_memory;
    struct items *items;
    struct spans_counts *counts;
    struct span_ids *ids;
    size_t ids_capacity;
    struct span_link *links;
    size_t nlinks, links_capacity;
    uint32_t *slots; /* hash table of items by id; NO_TEXT marks a free slot */
    size_t nslots;
    struct texts clocks, tracks; /* texts that identify clocks, and tracks */
    struct texts services;
    uint32_t *service_of; /* for each track: number of the service */
    size_t service_capacity;
    struct texts processes; /* names of the processes of the current trace */
    uint32_t *track_of;     /* for each process: its track */
    size_t track_capacity;
    struct resource resource;
    size_t group; /* first item of the resource being read; its track is not set yet */
    char *key;    /* key of the current attribute */
    char *value;
    /* The following members describe the current span. */
    bool has_begin, has_end;
    bool in_attributes; /* true inside the array of attributes, or inside the object of tags */
    struct json_item span;
    struct wide_id trace, id, parent, link_trace, link_id;
    bool link_follows;
    struct wide_id first_trace, first_id; /* for Jaeger: ids in the first reference of the span */
    bool first_follows;
    int64_t duration_ticks;
    bool has_duration;
    char *name;
    uint32_t process;
};

static uint64_t mix(uint64_t x)
{
    x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
    return x ^ x >> 31;
}

static uint64_t hash_of(const char *text, size_t size, uint64_t seed)
{
    uint64_t hash = mix(seed + size);
    for (size_t i = 0; i < size; i++)
        hash = (hash ^ (unsigned char)text[i]) * UINT64_C(0x100000001b3);
    return mix(hash);
}

/* Returns a hash of a trace id and a span id, which identifies the span among all traces. *tag is
 * set to 32 more bits of the hash. */
static uint64_t whole_id(struct wide_id trace, struct wide_id id, uint32_t *tag)
{
    uint64_t first = mix(trace.low + UINT64_C(0x9e3779b97f4a7c15)) ^ mix(trace.high);
    uint64_t whole = id.low ^ first ^ (id.high ? mix(id.high) : 0);
    *tag = (uint32_t)(mix(first + trace.low) >> 32);
    return whole ? whole : 1;
}

/* Read up to 32 hexadecimal digits, or 8 or 16 bytes in base64. Returns false for other texts. */
static bool read_id(const char *text, size_t size, struct wide_id *out)
{
    static const char base64[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    bool hex = size <= 32;
    *out = (struct wide_id){0, 0};
    for (size_t i = 0; i < size && hex; i++) {
        int digit = ascii_hex((char)ascii_lower(text[i]));
        hex = digit >= 0;
        out->high = out->high << 4 | out->low >> 60;
        out->low = out->low << 4 | (unsigned)digit;
    }
    if (hex)
        return true;
    size_t pad = 0, digits = size;
    for (; digits > 0 && text[digits - 1] == '='; digits--)
        pad++;
    if (!(digits == 11 && pad <= 1) && !(digits == 22 && pad <= 2))
        return false;
    *out = (struct wide_id){0, 0};
    for (size_t i = 0; i < digits; i++) {
        const int c = text[i] == '-' ? '+' : text[i] == '_' ? '/' : text[i];
        const char *found = memchr(base64, c, sizeof base64 - 1);
        unsigned digit = found ? (unsigned)(found - base64) : 0;
        unsigned bits = i + 1 < digits ? 6 : digits == 11 ? 4 : 2;
        if (!found)
            return false;
        out->high = out->high << bits | (bits < 64 ? out->low >> (64 - bits) : 0);
        out->low = out->low << bits | digit >> (6 - bits);
    }
    return true;
}

static void keep(struct reading *r, char **at, const struct json_value *value)
{
    free(*at);
    *at = strndup(value->text, value->size);
    r->no_memory |= !*at;
}

static bool is(const struct json_value *value, const char *text)
{
    return value->size == strlen(text) && memcmp(value->text, text, value->size) == 0;
}

static csy_status take_id(const struct json_value *value, const char *field, struct wide_id *out,
                          csy_error *error)
{
    if (value->kind == JSON_NULL) {
        *out = (struct wide_id){0, 0};
        return CSY_OK;
    }
    return value->kind == JSON_STRING && read_id(value->text, value->size, out)
               ? CSY_OK
               : json_refuse(value, field, "an id of hexadecimal digits", error);
}

static uint8_t kind_of(const struct json_value *value)
{
    static const char *const words[] = {"UNSPECIFIED", "INTERNAL", "SERVER",
                                        "CLIENT",      "PRODUCER", "CONSUMER"};
    static const char prefix[] = "SPAN_KIND_";
    const char *text = value->text;
    size_t size = value->size;
    if (size == 1 && text[0] >= '0' && text[0] <= '5')
        return (uint8_t)(text[0] - '0');
    if (size > sizeof prefix - 1 && memcmp(text, prefix, sizeof prefix - 1) == 0) {
        text += sizeof prefix - 1;
        size -= sizeof prefix - 1;
    }
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        bool same = strlen(words[i]) == size;
        for (size_t k = 0; k < size && same; k++)
            same = (text[k] & ~0x20) == words[i][k];
        if (same)
            return (uint8_t)i;
    }
    return SPAN_KIND_UNKNOWN;
}

/* --- Resources: clocks and tracks ------------------------------------------------------------ */

static void forget_resource(struct reading *r)
{
    for (size_t i = 0; i < RESOURCE_NAMES; i++)
        free(r->resource.names[i]);
    free(r->resource.service);
    r->resource = (struct resource){.service = NULL};
}

/* Handle an attribute of a resource, with the name r->key and the value r->value. */
static void take_attribute(struct reading *r)
{
    static const struct {
        const char *key;
        enum resource_name name;
    } known[] = {{"host.name", RESOURCE_HOST},
                 {"hostname", RESOURCE_HOST}, /* written by Jaeger's own clients */
                 {"k8s.node.name", RESOURCE_NODE},
                 {"service.instance.id", RESOURCE_INSTANCE}};
    const char *key = r->key ? r->key : "", *value = r->value ? r->value : "";
    bool names = *value && strlen(value) <= RESOURCE_NAME_MAX;
    struct resource *resource = &r->resource;
    resource->sum += hash_of(value, strlen(value), hash_of(key, strlen(key), 1));
    char **at = NULL;
    for (size_t i = 0; i < sizeof known / sizeof *known && names && !at; i++)
        if (strcmp(key, known[i].key) == 0)
            at = &resource->names[known[i].name];
    if (names && strcmp(key, "service.name") == 0)
        at = &resource->service;
    if (at && !*at && !(*at = strdup(value)))
        r->no_memory = true;
}

/* Find or add the clock and the track of the resource. Clears the resource; returns the track. */
static uint32_t find_track(struct reading *r)
{
    const struct resource *resource = &r->resource;
    const char *service = resource->service ? resource->service : "";
    const char *prefix = r->items->prefix ? r->items->prefix : "",
               *slash = r->items->prefix ? "/" : "";
    uint32_t clock = 0, number, track = 0;
    unsigned by = RESOURCE_HOST;
    char key[1024], own[32];
    bool added;
    while (by < RESOURCE_ITSELF && !resource->names[by])
        by++;
    const char *name = by < RESOURCE_ITSELF ? resource->names[by] : service;
    name = *name ? name : "unnamed";
    snprintf(own, sizeof own, "%016" PRIx64, resource->sum + hash_of(service, strlen(service), 2));
    snprintf(key, sizeof key, "%u%s%.200s%s%s", by, by < RESOURCE_ITSELF ? "" : own, prefix, slash,
             name);
    r->no_memory |= !texts_find(&r->clocks, key, strlen(key), &clock, &added);
    if (!r->no_memory && added) {
        r->counts->resources += by == RESOURCE_ITSELF;
        r->no_memory = items_add_clock(r->items, r->items->prefix, name, &clock, NULL) != CSY_OK;
    }
    snprintf(key, sizeof key, "%" PRIu32 " %s", clock, service);
    r->no_memory = r->no_memory || !texts_find(&r->tracks, key, strlen(key), &track, &added) ||
                   !texts_find(&r->services, service, strlen(service), &number, NULL) ||
                   !ARRAY_RESERVE(r->service_of, r->service_capacity, (size_t)track + 1);
    if (!r->no_memory && added) {
        r->service_of[track] = number;
        r->no_memory = items_add_track(r->items, clock, &track, NULL) != CSY_OK;
    }
    forget_resource(r);
    return track;
}

/* At the end of a resource, set the track of all its spans. */
static void end_resource(struct reading *r)
{
    if (r->group == r->items->count) {
        forget_resource(r);
        return;
    }
    for (uint32_t track = find_track(r); r->group < r->items->count; r->group++)
        r->items->all[r->group].track = track;
}

/* Set the tracks of all spans of a Jaeger trace. Its processes are known only at its end. */
static void end_trace(struct reading *r)
{
    uint32_t none = NO_TEXT;
    for (; r->group < r->items->count; r->group++) {
        struct json_item *item = &r->items->all[r->group];
        uint32_t process = item->track;
        item->track = process < r->processes.count ? r->track_of[process] : NO_TEXT;
        if (item->track == NO_TEXT)
            item->track = none = none == NO_TEXT ? find_track(r) : none;
    }
    texts_fini(&r->processes);
}

static void find_process(struct reading *r, const struct json_value *value)
{
    bool added;
    if (!texts_find(&r->processes, value->text, value->size, &r->process, &added) ||
        !ARRAY_RESERVE(r->track_of, r->track_capacity, (size_t)r->process + 1))
        r->no_memory = true;
    else if (added)
        r->track_of[r->process] = NO_TEXT;
}

/* Name each track after its service and, if the service has several clocks, also after its
 * clock. */
static csy_status name_tracks(struct reading *r, csy_error *error)
{
    struct items *items = r->items;
    uint32_t *clock_of = malloc((r->services.count + 1) * sizeof *clock_of);
    bool *several = calloc(r->services.count + 1, sizeof *several);
    csy_status status = clock_of && several ? CSY_OK : error_memory(error);
    for (size_t i = 0; i < r->services.count && !status; i++)
        clock_of[i] = NO_TEXT;
    for (size_t i = 0; r->service_of && i < items->ntracks && !status; i++) {
        uint32_t service = r->service_of[i];
        several[service] |= clock_of[service] != NO_TEXT;
        clock_of[service] = items->tracks[i].clock;
    }
    for (size_t i = 0; r->service_of && i < items->ntracks && !status; i++) {
        struct json_track *track = &items->tracks[i];
        const csy_text service = texts_text(&r->services, r->service_of[i]);
        const char *clock = items->clocks[track->clock].name;
        bool named = service.size > 0;
        if (asprintf(&track->name, "%s%s%s", service.bytes,
                     named && several[r->service_of[i]] ? "@" : "",
                     named && !several[r->service_of[i]] ? "" : clock) < 0) {
            track->name = NULL;
            status = error_memory(error);
        }
    }
    FREE_ALL(clock_of, several);
    return status;
}

/* --- Spans ----------------------------------------------------------------------------------- */

static void add_link(struct reading *r, struct wide_id trace, struct wide_id id)
{
    struct span_link link = {.item = (uint32_t)r->items->count};
    link.id = whole_id(trace, id, &link.tag);
    r->no_memory |= !ARRAY_PUSH(r->links, r->nlinks, r->links_capacity, link);
}

static bool is_id(struct wide_id id)
{
    return id.low || id.high;
}

static csy_status end_span(struct reading *r, csy_error *error)
{
    struct json_item *span = &r->span;
    r->counts->spans++;
    if (!r->has_begin || span->begin_ticks == 0) { /* 0 stands for a time that is not known */
        r->has_begin = false;
        r->counts->untimed++;
        span->flags |= SPAN_UNTIMED;
        span->begin_ticks = 0;
    }
    if (r->has_duration && r->has_begin &&
        __builtin_add_overflow(span->begin_ticks, r->duration_ticks, &span->end_ticks))
        return error_set(error, CSY_INPUT, "duration: the end of the span exceeds 64 bits");
    bool ends = r->has_begin && (r->has_end || r->has_duration) && span->end_ticks != 0;
    if (ends && span->end_ticks < span->begin_ticks) {
        r->counts->backwards++;
        ends = false;
    }
    if (!ends) {
        span->end_ticks = span->begin_ticks;
        span->flags |= SPAN_OPEN;
    }
    size_t item = r->items->count;
    span->track = r->process;
    const char *name = r->name ? r->name : "";
    /* In Jaeger, the first reference is the parent, unless it refers to another trace. */
    if (is_id(r->first_id) && !is_id(r->parent)) {
        if (r->first_trace.low == r->trace.low && r->first_trace.high == r->trace.high) {
            r->parent = r->first_id;
            span->flags |= r->first_follows ? SPAN_FOLLOWS : 0;
        } else {
            add_link(r, r->first_trace, r->first_id);
        }
    }
    csy_status status = items_add(r->items, span, name, strlen(name), error);
    if (status)
        return status;
    if (!ARRAY_RESERVE(r->ids, r->ids_capacity, item + 1))
        return error_memory(error);
    struct span_ids *ids = &r->ids[item];
    uint32_t *tag = &r->items->all[item].tag;
    ids->parent = is_id(r->parent) ? whole_id(r->trace, r->parent, tag) : 0;
    ids->id = whole_id(r->trace, r->id, tag);
    if (r->format == CSY_FORMAT_ZIPKIN) {
        r->group = item;
        end_resource(r);
    }
    return CSY_OK;
}

static csy_status refuse_corrected(const char *key, csy_error *error)
{
    static const char added[] = "cellsync.";
    return strncmp(key, added, sizeof added - 1) == 0
               ? error_set(error, CSY_INPUT,
                           "a span has the attribute %.32s, so cellsync has already corrected the "
                           "times of this file; pass the original file",
                           key)
               : CSY_OK;
}

static csy_status take_tag(struct reading *r, const char *key, const struct json_value *value,
                           csy_error *error)
{
    if (strcmp(key, "span.kind") == 0)
        r->span.kind = kind_of(value);
    else if ((strcmp(key, "error") == 0 && (r->format == CSY_FORMAT_ZIPKIN || is(value, "true"))) ||
             (strcmp(key, "otel.status_code") == 0 && is(value, "ERROR")))
        r->span.flags |= SPAN_FAILED;
    return refuse_corrected(key, error);
}

static csy_status take_scalar(struct reading *r, const struct json_value *value, csy_error *error)
{
    const char *unit = r->format == CSY_FORMAT_OTLP ? "nanoseconds" : "microseconds";
    unsigned decimals = spans_decimals(r->format);
    struct json_value time = *value;
    if (time.size == 0) /* an empty text does not count as a time */
        time.kind = JSON_NULL;
    switch ((enum span_field)value->what) {
    case SPAN_KEY:
        keep(r, &r->key, value);
        break;
    case SPAN_VALUE:
        keep(r, &r->value, value);
        break;
    case SPAN_ATTRIBUTE_KEY:
        if (value->size < sizeof "cellsync.")
            break;
        keep(r, &r->key, value);
        return r->key ? refuse_corrected(r->key, error) : CSY_OK;
    case SPAN_TRACE_ID:
        return take_id(value, "trace id", &r->trace, error);
    case SPAN_ID:
        return take_id(value, "span id", &r->id, error);
    case SPAN_PARENT_ID:
        return take_id(value, "id of the parent", &r->parent, error);
    case SPAN_LINK_TRACE_ID:
        return take_id(value, "trace id of a link", &r->link_trace, error);
    case SPAN_LINK_ID:
        return take_id(value, "span id of a link", &r->link_id, error);
    case SPAN_NAME:
        keep(r, &r->name, value);
        break;
    case SPAN_KIND:
        r->span.kind = kind_of(value);
        break;
    case SPAN_BEGIN:
        return json_take_time(&time, "begin of a span", unit, decimals, &r->has_begin,
                              &r->span.begin_ticks, error);
    case SPAN_END:
        return json_take_time(&time, "end of a span", unit, decimals, &r->has_end,
                              &r->span.end_ticks, error);
    case SPAN_DURATION:
        return json_take_time(&time, "duration", unit, decimals, &r->has_duration,
                              &r->duration_ticks, error);
    case SPAN_STATUS:
        r->span.flags |= is(value, "2") || is(value, "STATUS_CODE_ERROR") ? SPAN_FAILED : 0;
        break;
    case SPAN_LINK_TYPE:
        r->link_follows = is(value, "FOLLOWS_FROM");
        break;
    case SPAN_PROCESS_ID:
        find_process(r, value);
        break;
    case SPAN_SERVICE:
        if (value->size <= RESOURCE_NAME_MAX)
            keep(r, &r->resource.service, value);
        break;
    case SPAN_ADDRESS:
        r->resource.sum += hash_of(value->text, value->size, 3);
        break;
    case SPAN_TAG:
        if (value->kind == JSON_KEY)
            keep(r, &r->key, value);
        else {
            csy_status status = take_tag(r, r->key, value, error);
            if (status)
                return status;
            if (strcmp(r->key, "host.name") == 0 || strcmp(r->key, "service.instance.id") == 0 ||
                strcmp(r->key, "k8s.node.name") == 0) {
                keep(r, &r->value, value);
                take_attribute(r);
            }
        }
        break;
    default:
        break;
    }
    return CSY_OK;
}

static csy_status take_object(struct reading *r, const struct json_value *value, csy_error *error)
{
    bool begins = value->kind == JSON_OBJECT, ends = !begins;
    switch ((enum span_field)value->what) {
    case SPAN_RESOURCE_ATTRIBUTE:
    case SPAN_ATTRIBUTES:
        if (begins) {
            FREE_ALL(r->key, r->value);
            r->key = r->value = NULL;
        } else if (value->what == SPAN_RESOURCE_ATTRIBUTE) {
            take_attribute(r);
        } else if (r->key && r->value) {
            return take_tag(
                r, r->key, &(struct json_value){.text = r->value, .size = strlen(r->value)}, error);
        }
        break;
    case SPAN_SPAN:
        if (ends)
            return end_span(r, error);
        r->has_begin = r->has_end = r->has_duration = r->in_attributes = false;
        r->span = (struct json_item){.place = r->items->first_place + json_end(&r->json) - 1};
        r->trace = r->id = r->parent = r->first_id = (struct wide_id){0, 0};
        r->process = NO_TEXT;
        if (r->name)
            *r->name = 0;
        break;
    case SPAN_LINK:
        if (begins) {
            r->link_trace = r->link_id = (struct wide_id){0, 0};
            r->link_follows = false;
        } else if (is_id(r->link_id) && r->format == CSY_FORMAT_JAEGER && !is_id(r->first_id)) {
            r->first_trace = r->link_trace;
            r->first_id = r->link_id;
            r->first_follows = r->link_follows;
        } else if (is_id(r->link_id)) {
            add_link(r, r->link_trace, r->link_id);
        }
        break;
    case SPAN_RESOURCE:
        if (ends)
            end_resource(r);
        break;
    case SPAN_TRACE:
        if (ends)
            end_trace(r);
        break;
    case SPAN_PROCESS:
        if (ends)
            r->track_of[r->process] = find_track(r);
        break;
    default:
        break;
    }
    return CSY_OK;
}

/* Check the attributes of a span: an output can add attributes only to an object (tags) or an
 * array. Null stands for no attributes. */
static csy_status check_attributes(struct reading *r, const struct json_value *value,
                                   csy_error *error)
{
    bool tags = r->format == CSY_FORMAT_ZIPKIN;
    enum json_kind begin = tags ? JSON_OBJECT : JSON_ARRAY;
    enum json_kind end = tags ? JSON_OBJECT_END : JSON_ARRAY_END;
    bool fits =
        value->kind == end || (r->in_attributes ? value->kind == JSON_OBJECT && !tags
                                                : value->kind == begin || value->kind == JSON_NULL);
    if (value->kind == begin || value->kind == end)
        r->in_attributes = value->kind == begin;
    return fits || value->kind == JSON_OBJECT_END
               ? CSY_OK
               : json_refuse(value, tags ? "tags of a span" : "attributes of a span",
                             tags ? "an object" : "an array that contains only objects", error);
}

static csy_status take(void *user, const struct json_value *value, csy_error *error)
{
    struct reading *r = user;
    csy_status status = value->what == SPAN_ATTRIBUTES ? check_attributes(r, value, error) : CSY_OK;
    if (status)
        return status;
    if (value->kind == JSON_KEY && value->what == SPAN_PROCESS)
        find_process(r, value);
    else if (value->kind == JSON_OBJECT || value->kind == JSON_OBJECT_END)
        status = take_object(r, value, error);
    else if (value->kind != JSON_ARRAY && value->kind != JSON_ARRAY_END)
        status = take_scalar(r, value, error);
    return status || !r->no_memory ? status : error_memory(error);
}

/* --- Relations ------------------------------------------------------------------------------- */

/* Returns the slot with this id, or the free slot where it belongs. */
static uint32_t *find_slot(const struct reading *r, uint64_t id, uint32_t tag)
{
    size_t at = (size_t)mix(id);
    for (;; at++) {
        uint32_t *slot = &r->slots[at & (r->nslots - 1)];
        if (*slot == NO_TEXT || (r->ids[*slot].id == id && r->items->all[*slot].tag == tag))
            return slot;
    }
}

/* Put the spans of clients, or all other spans, into the hash table of ids. */
static void fill_slots_with(struct reading *r, bool clients)
{
    struct items *items = r->items;
    for (size_t i = 0; r->ids && i < items->count; i++) {
        struct json_item *item = &items->all[i];
        if ((item->kind == SPAN_KIND_CLIENT) != clients)
            continue;
        uint32_t *slot = find_slot(r, r->ids[i].id, item->tag);
        if (*slot == NO_TEXT) {
            *slot = (uint32_t)i;
            continue;
        }
        struct json_item *other = &items->all[*slot];
        if (item->begin_ticks == other->begin_ticks && item->end_ticks == other->end_ticks &&
            item->name == other->name && item->track == other->track && item->kind == other->kind &&
            r->ids[i].parent == r->ids[*slot].parent) {
            item->flags |= SPAN_COPY;
            r->counts->copies++;
        } else if (item->kind == SPAN_KIND_SERVER && other->kind == SPAN_KIND_CLIENT) {
            item->flags |= SPAN_HALF;
        } else {
            r->counts->ambiguous += !(other->flags & SPAN_AMBIGUOUS);
            r->counts->ambiguous++;
            item->flags |= SPAN_AMBIGUOUS;
            other->flags |= SPAN_AMBIGUOUS;
        }
    }
}

/* In Zipkin, a client's span and its servers' spans may have the same id. The hash table then has
 * the client's span, so add the spans of clients first. */
static csy_status fill_slots(struct reading *r, csy_error *error)
{
    const struct items *items = r->items;
    for (r->nslots = 16; r->nslots / 4 * 3 < items->count; r->nslots *= 2) {
    }
    r->slots = malloc(r->nslots * sizeof *r->slots);
    if (!r->slots)
        return error_memory(error);
    memset(r->slots, 0xff, r->nslots * sizeof *r->slots);
    fill_slots_with(r, true);
    fill_slots_with(r, false);
    return CSY_OK;
}

/* Returns the span with this id. Returns NO_SPAN if there is none, or if there are several. */
static uint64_t find_span(const struct reading *r, uint64_t id, uint32_t tag)
{
    uint32_t found = *find_slot(r, id, tag);
    return found == NO_TEXT || (r->items->all[found].flags & (SPAN_AMBIGUOUS | SPAN_UNTIMED))
               ? NO_SPAN
               : found;
}

/* Returns true if a span may have relations to other spans. */
static bool has_partner(const struct reading *r, size_t i)
{
    return !(r->items->all[i].flags & (SPAN_COPY | SPAN_UNTIMED));
}

/* Replace the ids of parents and of linked spans by indexes of items. */
static csy_status find_parents(struct reading *r, csy_error *error)
{
    csy_status status = fill_slots(r, error);
    for (size_t i = 0; r->ids && i < r->items->count && !status; i++) {
        struct span_ids *ids = &r->ids[i];
        uint64_t id = r->items->all[i].flags & SPAN_HALF ? ids->id : ids->parent;
        bool none = id == 0 || !has_partner(r, i);
        uint32_t tag = r->items->all[i].tag;
        uint32_t found = none ? NO_TEXT : *find_slot(r, id, tag);
        r->counts->orphans += !none && found == NO_TEXT;
        ids->parent = none ? NO_SPAN : find_span(r, id, tag);
        struct json_item *item = &r->items->all[i];
        if (item->flags & SPAN_UNTIMED && item->kind == SPAN_KIND_SERVER && id != 0 &&
            (found = *find_slot(r, id, tag)) != NO_TEXT)
            r->items->all[found].flags |= SPAN_ASKS;
    }
    for (size_t i = 0; i < r->nlinks && !status; i++) {
        struct span_link *link = &r->links[i];
        link->id = has_partner(r, link->item) ? find_span(r, link->id, link->tag) : NO_SPAN;
    }
    free(r->slots);
    r->slots = NULL;
    if (status)
        return status;
    /* Remove the parents of spans that would be their own ancestors. */
    struct json_item *all = r->items->all;
    for (size_t i = 0; all && r->ids && i < r->items->count; i++) {
        uint64_t at = i, next;
        for (; at != NO_SPAN && !(all[at].flags & (SPAN_SEEN | SPAN_ON_PATH));
             at = r->ids[at].parent)
            all[at].flags |= SPAN_ON_PATH;
        if (at != NO_SPAN && (all[at].flags & SPAN_ON_PATH))
            for (; r->ids[at].parent != NO_SPAN; at = next) {
                next = r->ids[at].parent;
                r->ids[at].parent = NO_SPAN;
                r->counts->cyclic++;
            }
        for (at = i; at != NO_SPAN && (all[at].flags & SPAN_ON_PATH); at = r->ids[at].parent)
            all[at].flags = (uint16_t)((all[at].flags & ~SPAN_ON_PATH) | SPAN_SEEN);
    }
    for (size_t i = 0; all && i < r->items->count; i++) {
        all[i].flags &= (uint16_t) ~(SPAN_SEEN | SPAN_ON_PATH);
        all[i].tag = 0;
    }
    for (size_t i = 0; all && r->ids && i < r->items->count; i++)
        if (r->ids[i].parent != NO_SPAN && all[i].kind == SPAN_KIND_SERVER)
            all[r->ids[i].parent].tag++;
    return CSY_OK;
}

static void send(struct items *items, size_t from, enum item_role begin, size_t to,
                 enum item_role end)
{
    items_role(items, from, begin, items->nkeys);
    items_role(items, to, end, items->nkeys++);
}

static void tie(struct items *items, void *user)
{
    struct reading *r = user;
    struct spans_counts *counts = r->counts;
    counts->crossing = 0;
    for (size_t i = 0; i < items->count; i++) {
        const size_t parent = (size_t)r->ids[i].parent;
        if (r->ids[i].parent == NO_SPAN || items_clock(items, parent) == items_clock(items, i))
            continue;
        counts->crossing++;
        send(items, parent, ITEM_SEND, i, ITEM_RECV_BEGIN);
        /* If both spans succeeded, the client waited for the server's answer. But if the client
         * called several servers (c->tag > 1, or SPAN_ASKS), it is unknown for which answer it
         * waited. */
        const struct json_item *c = &items->all[parent], *s = &items->all[i];
        if (c->kind != SPAN_KIND_CLIENT || s->kind != SPAN_KIND_SERVER ||
            c->flags & (SPAN_OPEN | SPAN_ASKS) || (c->flags | s->flags) & SPAN_FAILED ||
            s->flags & SPAN_FOLLOWS || c->tag > 1)
            continue;
        bool nested = r->nested && !(s->flags & SPAN_OPEN);
        send(items, i, nested ? ITEM_SEND_END : ITEM_SEND, parent, ITEM_RECV_END);
    }
    /* A link from a first span to a second one may be added until the first span ends. So only the
     * end of the first span is certainly later than the begin of the second span. */
    for (size_t i = 0; i < r->nlinks; i++) {
        const struct span_link *link = &r->links[i];
        const size_t first = (size_t)link->id, second = (size_t)link->item;
        if (link->id == NO_SPAN || items_clock(items, first) == items_clock(items, second) ||
            items->all[second].flags & SPAN_OPEN)
            continue;
        counts->crossing++;
        send(items, first, ITEM_SEND, second, ITEM_RECV_END);
    }
}

csy_status spans_read(struct items *items, csy_format format, bool nested,
                      struct spans_counts *counts, csy_error *error)
{
    struct reading r = {.format = format, .nested = nested, .items = items, .counts = counts};
    csy_status status = CSY_OK;
    r.json = (struct json_reading){.take = take, .user = &r};
    r.json.root = spans_root(format, &r.json.root_what);
    for (size_t i = 0; i < items->nparts && !status; i++) {
        r.json.foreign = 0;
        status = items_read_part(items, i, &r.json, error);
        counts->foreign += r.json.foreign;
    }
    status = status ? status : name_tracks(&r, error);
    status = status ? status : find_parents(&r, error);
    status = status ? status : items_tie(items, tie, &r, error);
    if (!status)
        items_find_steps(items);
    forget_resource(&r);
    texts_fini(&r.clocks);
    texts_fini(&r.tracks);
    texts_fini(&r.services);
    texts_fini(&r.processes);
    FREE_ALL(r.ids, r.links, r.slots, r.service_of, r.track_of, r.key, r.value, r.name);
    return status;
}
